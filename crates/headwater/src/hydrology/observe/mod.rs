//! Observation of a world: named layers, queries of its state, and streams.

pub(super) mod layers;
pub(super) mod query;
pub(super) mod streams;
