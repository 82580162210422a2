//! Results of a world: layers, queries, and the chunks that the next step may change.

mod awake;
pub(super) mod layers;
pub(super) mod query;
