//! Storage of row blocks: serialization of fields, compression, and checkpoints.

pub(super) mod checkpoint;
pub(super) mod pack;
pub(super) mod page;
pub(super) mod store;
