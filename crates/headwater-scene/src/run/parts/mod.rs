//! Checkpoints of worlds that nobody has as a whole: everybody writes the rows that he has into a file of his own, at once with the others, and
//! the first of them the rest into a manifest, when all are done. What is [kept](Kept) so can be gone on from by as many as there are then.

#[cfg(not(target_family = "wasm"))]
mod files;
mod kept;
mod manifest;

#[cfg(not(target_family = "wasm"))]
pub(crate) use files::{Reading, Writing};
#[cfg(not(target_family = "wasm"))]
pub(crate) use kept::part_name;
pub use kept::{BandBytes, FieldBytes, Kept, PartFile};
pub(super) use manifest::{MANIFEST, holds_only_parts, is_there, read, remove, tidy, write};
