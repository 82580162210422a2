//! Checkpoints of distributed worlds. Such a checkpoint is split into several files. All processes
//! write their rows in parallel, each into its own part file. Then, the first process writes the
//! manifest with the remaining state. A run can be resumed from such a
//! [checkpoint](CheckpointParts) with any number of processes.

mod contents;
#[cfg(not(target_family = "wasm"))]
mod files;
mod manifest;

#[cfg(not(target_family = "wasm"))]
pub(crate) use contents::part_file_name;
pub use contents::{CheckpointParts, PartFile, StoredField, StoredRowBlock};
#[cfg(not(target_family = "wasm"))]
pub(crate) use files::{PartReader, PartWriter};
pub(super) use manifest::{
    MANIFEST, has_manifest, has_only_part_files, read_manifest, remove_checkpoint,
    remove_stale_files, write_checkpoint, write_manifest,
};
