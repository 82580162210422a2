//! Optimised implementation of a time step. A single in-place pass over the grid performs all
//! stages while a few rows are in the cache. If nothing but the flow has to act on the water
//! between steps, one pass performs several steps.
//!
//! The grid is divided into strips of rows that run in parallel. Rows that two strips need are
//! computed by both from copies. Tiles at rest are skipped. The results are bit-identical to those
//! of [`super::reference`].

mod flux_scheme;
mod kernels;
mod maximum;
mod pass;
mod rest;
mod row_buffers;
mod rows;
mod strip_step;
mod tiles;

pub(in crate::flow) use flux_scheme::{FluxScheme, MIN_DROP, is_signed_zero};
pub(crate) use pass::{STEPS_PER_PASS, SweepWorkspace, is_at_rest, run_pass};
pub(in crate::flow) use row_buffers::{PreviousDischarges, RowBuffers};
pub(in crate::flow) use rows::{ColumnRun, RowStrip};
pub(crate) use tiles::{TILE_SIZE, Tiles};
