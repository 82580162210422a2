//! Serialization of row blocks for page stores and checkpoints.

pub(super) mod checkpoint;
pub(super) mod pack;
pub(super) mod page;
pub(super) mod store;
