//! Optimised path of a step: a single in-place pass over the grid does all stages, and several
//! steps if nothing happens between them, while a few rows are in cache. Strips of rows run in
//! parallel. Rows that two strips need are computed by both from copies. Tiles at rest are skipped.
//! Bit-identical to [`super::plain`].

mod flux_scheme;
mod kernels;
mod maximum;
mod pass;
mod rest;
mod row_buffers;
mod rows;
mod strip_step;
mod tiles;

pub(super) use flux_scheme::{FluxScheme, MIN_DROP, is_signed_zero};
pub(crate) use pass::{STEPS_PER_PASS, Sweep, is_at_rest, pass};
pub(super) use row_buffers::{OldDischarges, RowBuffers};
pub(super) use rows::{Run, Strip};
pub(crate) use tiles::{TILE_SIZE, Tiles};
