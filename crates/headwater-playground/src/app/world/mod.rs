//! The displayed world: where it comes from, how it is stepped, and how its settings change.

pub(super) mod catalog;
pub(super) mod compute;
pub(super) mod large_world;
pub(super) mod model_chain;
pub(super) mod pace;
pub(super) mod resolution;
pub(super) mod script;
pub(super) mod weather;
pub(super) mod world_view;
