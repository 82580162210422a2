//! Output folder of a run, and the files in it.

pub(super) mod folder;
pub(super) mod folder_lock;
pub(super) mod frames;
pub(super) mod gauges;
pub(super) mod ledger;
pub(super) mod names;
pub(crate) mod summary;
pub(super) mod write;
