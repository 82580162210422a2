//! Runs of scenes.

mod bodies;
mod checkpoint;
mod events;
mod everything;
mod kept;
mod structures;
