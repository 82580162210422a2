//! Runs of scenes.

mod banded;
mod bodies;
mod checkpoint;
mod events;
mod everything;
mod flood;
mod kept;
mod layers;
mod parts;
mod spread;
mod structures;
