//! Results: layers and queries.

pub(super) mod layers;
pub(super) mod query;
