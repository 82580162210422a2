//! Results: layers, queries and streams.

pub(super) mod layers;
pub(super) mod query;
pub(super) mod streams;
