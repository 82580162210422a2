//! Tests of runs of scenes.

mod bodies;
mod checkpoint;
mod events;
mod everything;
mod flood;
mod kept;
mod layers;
mod ledger;
mod memory;
mod parts;
mod ranks;
mod structures;
