//! Checkpoints of distributed worlds. All processes write their rows in parallel, each into its own
//! file; then the first process writes the rest into a manifest. Any number of processes can resume
//! from such a [checkpoint](Kept).

#[cfg(not(target_family = "wasm"))]
mod files;
mod kept;
mod manifest;

#[cfg(not(target_family = "wasm"))]
pub(crate) use files::{Reading, Writing};
#[cfg(not(target_family = "wasm"))]
pub(crate) use kept::part_name;
pub use kept::{BandBytes, FieldBytes, Kept, PartFile};
pub(super) use manifest::{
    MANIFEST, holds_only_parts, is_there, read, remove, tidy, write, write_manifest,
};
