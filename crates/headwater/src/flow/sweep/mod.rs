//! Optimised path of a step: a single in-place pass over the grid does all stages, and several
//! steps if nothing happens between them, while a few rows are in cache. Strips of rows run in
//! parallel. Rows that two strips need are computed by both from copies. Tiles at rest are skipped.
//! Bit-identical to [`super::plain`].

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
