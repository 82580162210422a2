//! Results: layers, queries, light maps, and geometry for renderers.

pub(super) mod foam;
pub(super) mod joints;
pub(super) mod layers;
pub(super) mod light;
pub(super) mod outline;
pub(super) mod query;
