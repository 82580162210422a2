//! The fast path of a step: one pass over the grid in place does all of its stages, while a few rows stay in
//! cache, and several steps where nothing comes between them. Strips of rows are spread over threads; what two
//! strips both need, both work out from copies, so no strip waits for another. Tiles where a step would change
//! nothing are left out. Equal to [`super::plain`] in every bit, for any number of threads, strips and steps in a
//! pass.

mod drive;
mod greatest;
mod kept;
mod kernels;
mod level;
mod pass;
mod rest;
mod rows;
mod tiles;

pub(super) use drive::{Drive, SLIGHT, is_nothing};
pub(super) use kept::{Kept, Old};
pub(crate) use pass::{MOST, Sweep, pass, rests};
pub(super) use rows::{Run, Strip};
pub(crate) use tiles::{SIZE, Tiles};
