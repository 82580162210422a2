//! Results: layers, queries, gauges, flood statistics, foam and tracers.

pub(crate) mod flood;
pub(super) mod foam;
pub(super) mod gauge;
pub(crate) mod layers;
pub(super) mod query;
pub(super) mod random;
pub(super) mod tracers;
pub(crate) mod velocity;
