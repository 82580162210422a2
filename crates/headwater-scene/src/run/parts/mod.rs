//! Checkpoints of distributed worlds. All processes write their rows in parallel, each into its own
//! part file. Then the first process writes the manifest, which contains the remaining state. Such
//! a [checkpoint](CheckpointParts) can be resumed with any number of processes.

mod contents;
#[cfg(not(target_family = "wasm"))]
mod files;
mod manifest;

#[cfg(not(target_family = "wasm"))]
pub(crate) use contents::part_name;
pub use contents::{CheckpointParts, FieldBytes, PartFile, RowBlockBytes};
#[cfg(not(target_family = "wasm"))]
pub(crate) use files::{PartReader, PartWriter};
pub(super) use manifest::{
    MANIFEST, has_manifest, has_only_part_files, read, remove, remove_stale, write, write_manifest,
};
