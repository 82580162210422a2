//! The fast path of a step: one pass over the grid in place does all stages, and several steps
//! where nothing comes between, while a few rows are in cache. Strips of rows run on threads; what
//! two strips need, both compute from copies. Tiles at rest are left out. Equal to [`super::plain`]
//! in every bit.

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
