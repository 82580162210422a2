//! Results: layers and queries.

mod awake;
pub(super) mod layers;
pub(super) mod query;
