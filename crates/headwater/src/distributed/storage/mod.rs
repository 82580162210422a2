//! Row blocks as bytes: in page stores, snapshots and checkpoints.

pub(super) mod archive;
pub(super) mod checkpoint;
pub(super) mod metadata;
pub(super) mod pack;
pub(super) mod page;
pub(super) mod snapshot_reader;
pub(super) mod snapshot_writer;
pub(super) mod store;
