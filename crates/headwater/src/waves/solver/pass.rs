//! Fast implementation of steps. One pass over the surface computes several steps (time skewing),
//! so that memory is read and written only once. The results are identical to those of the plain
//! loops bit for bit.
//!
//! A row can advance by a step as soon as both adjacent rows have reached the same time. Within a
//! block of rows, each step follows one row behind the previous step, while the rows are in cache.
//! At the boundary between two blocks, which is called a seam, each step ends one row earlier than
//! the previous step. The steps that are missing on both sides of a seam are computed last, from
//! the seam outwards.

use super::row::{BoundaryFlux, MAX_STEPS, PassContext};
use super::rows::{adjacent_rows, update_y_fluxes};
use super::trapezoid_tiles;
use crate::lattice::Edge;
use crate::parallel::for_each_part;
use crate::scratch::ScratchPool;
use crate::waves::context::StepContext;
use crate::waves::params::EdgeKind;
use crate::waves::state::State;
use crate::waves::state::tiles::{self, ActiveRuns, Scan, Tiles};
use std::ops::Range;

/// Largest total size of the rows that a pass accesses at the same time (bytes). It is chosen so
/// that these rows fit in the L2 cache of a core.
const CACHE_BYTES: usize = 512 * 1024;

const MAX_BLOCK_ROWS: usize = 128;

/// Appends to `bounds` the first row of each block and the end of the last block. All blocks except
/// the last consist of complete rows of tiles.
fn find_block_bounds(ny: usize, bounds: &mut Vec<usize>) {
    let tall = (ny / 8).clamp(tiles::TILE_HEIGHT, MAX_BLOCK_ROWS) / tiles::TILE_HEIGHT
        * tiles::TILE_HEIGHT;
    bounds.extend((0..ny).step_by(tall));
    if bounds.len() > 1 && ny - bounds[bounds.len() - 1] < 2 * MAX_STEPS {
        bounds.pop();
    }
    bounds.push(ny);
}

/// Returns the number of steps that one pass can compute, which is at least 1 and at most
/// `max_steps`. `steps_done` is the number of steps since the start, and `nx` and `ny` are the
/// numbers of columns and rows.
pub(in crate::waves) fn steps_per_pass(
    nx: usize,
    ny: usize,
    steps_done: u64,
    max_steps: u64,
) -> usize {
    let to_the_scan = tiles::STEPS_PER_SCAN - steps_done % tiles::STEPS_PER_SCAN;
    let rows = CACHE_BYTES / (3 * size_of::<f32>() * nx);
    let pass_limit = MAX_STEPS.min(rows.saturating_sub(1)).min(ny.div_ceil(2)).max(1);
    max_steps.min(to_the_scan).min(pass_limit as u64) as usize
}

/// Advances the surface by `count` steps in one pass, at most [`steps_per_pass`]. `steps_done` is
/// the number of steps since the start. Returns the flux into the grid through edges of fixed
/// height in each step (m, summed over cells). On the western and eastern edges, only the rows
/// `included_rows` count.
pub(in crate::waves) fn update_surface(
    state: &mut State,
    tiles: &mut Tiles,
    step: &StepContext,
    steps_done: u64,
    (count, included_rows): (usize, Range<usize>),
    scratch: &ScratchPool,
) -> BoundaryFlux {
    let (nx, ny) = (state.height.nx(), state.height.ny());
    let periodic = |edge| step.edges.kind(edge) == EdgeKind::Periodic;
    let joined = periodic(Edge::North);
    let mut runs = scratch.take::<ActiveRuns>();
    tiles.find_runs(&mut runs, [periodic(Edge::West), joined]);
    tiles.mark_runs_changed(&runs);
    let (marks, zero_row) =
        (scratch.take_collected(tiles.new_marks()), scratch.take_filled(nx, 0.0));
    let context = PassContext {
        nx,
        ny,
        rules: step,
        runs: &runs,
        marks: &marks,
        steps_done,
        zero_row: &zero_row,
        included_rows,
    };
    let mut bounds = scratch.take_vec();
    find_block_bounds(ny, &mut bounds);

    // Fluxes over the boundaries between blocks in the first step, which both adjacent blocks read.
    let State { height, flux_x, flux_y, .. } = state;
    let inner = &bounds[1..bounds.len() - 1];
    let ends: &[usize] = if joined { &[0, ny] } else { &[] };
    for &y in inner.iter().chain(ends) {
        let [north, south] = adjacent_rows(height, &zero_row, step, y);
        for &(from, to) in runs.face_runs(y, ny) {
            update_y_fluxes(flux_y.row_mut(y), north, south, step, [y, ny], from..to);
        }
    }

    let mut boundary_fluxes = scratch.take_filled(2 * bounds.len(), [0.0; MAX_STEPS]);
    let (of_blocks, of_seams) = boundary_fluxes.split_at_mut(bounds.len());
    let (first, rest) = flux_y.as_mut_slice().split_at_mut(nx);
    let (inner_faces, last) = rest.split_at_mut((ny - 1) * nx);
    let blocks = RowBlocks {
        nx,
        bounds: &bounds,
        rows: RowBlock {
            y0: 0,
            height: height.as_mut_slice(),
            flux_x: flux_x.as_mut_slice(),
            inner: inner_faces,
            north: BoundaryFaces::at_grid_edge(first, joined),
            south: BoundaryFaces::at_grid_edge(last, joined),
        },
        boundary_fluxes: of_blocks,
    };
    for_each_part(blocks, bounds.len() - 1, &RowBlocks::split_at, &|block: RowBlocks| {
        let RowBlocks { bounds, rows, boundary_fluxes, .. } = block;
        if context.has_runs(bounds[0]..bounds[1]) {
            rows.advance_steps(&context, count, &mut boundary_fluxes[0]);
        }
    });

    if count > 1 {
        trapezoid_tiles::compute_missing_steps(
            [height, flux_x, flux_y],
            inner,
            joined,
            count - 1,
            &context,
            of_seams,
        );
    }
    for scan in (0..count as u64).filter_map(|l| Scan::from_step(steps_done + l)) {
        tiles.record_scan(scan, &marks, &runs);
    }
    let mut sum = [0.0; MAX_STEPS];
    for part in &*boundary_fluxes {
        sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
    }
    sum
}

enum BoundaryFaces<'a> {
    /// Faces that are shared with another block. They are updated for the first step of the pass
    /// before the blocks are processed.
    Seam(&'a [f32]),
    /// Faces on the edge of the grid.
    Edge(&'a mut [f32]),
}

impl<'a> BoundaryFaces<'a> {
    /// Returns the faces on the northern or the southern edge of the grid. If both edges are
    /// periodic (`is_periodic`), these faces are shared with the block at the opposite edge.
    fn at_grid_edge(faces: &'a mut [f32], is_periodic: bool) -> Self {
        if is_periodic { BoundaryFaces::Seam(faces) } else { BoundaryFaces::Edge(faces) }
    }

    fn faces(&self) -> &[f32] {
        match self {
            BoundaryFaces::Seam(faces) => faces,
            BoundaryFaces::Edge(faces) => faces,
        }
    }
}

struct RowBlock<'a> {
    y0: usize,
    height: &'a mut [f32],
    flux_x: &'a mut [f32],
    inner: &'a mut [f32],
    north: BoundaryFaces<'a>,
    south: BoundaryFaces<'a>,
}

struct RowBlocks<'a> {
    nx: usize,
    /// First row of each block, and the end of the last block.
    bounds: &'a [usize],
    rows: RowBlock<'a>,
    boundary_fluxes: &'a mut [BoundaryFlux],
}

impl RowBlocks<'_> {
    fn split_at(self, count: usize) -> [Self; 2] {
        let Self { nx, bounds, rows, boundary_fluxes } = self;
        let RowBlock { y0, height, flux_x, inner, north, south } = rows;
        let rows = bounds[count] - y0;
        let (height, next_height) = height.split_at_mut(rows * nx);
        let (flux_x, next_flux_x) = flux_x.split_at_mut(rows * (nx + 1));
        let (inner, after) = inner.split_at_mut((rows - 1) * nx);
        let (seam, next_inner) = after.split_at_mut(nx);
        let (boundary_fluxes, next_fluxes) = boundary_fluxes.split_at_mut(count);
        let seam = &*seam;
        let upper = RowBlock { y0, height, flux_x, inner, north, south: BoundaryFaces::Seam(seam) };
        let lower = RowBlock {
            y0: bounds[count],
            height: next_height,
            flux_x: next_flux_x,
            inner: next_inner,
            north: BoundaryFaces::Seam(seam),
            south,
        };
        [
            Self { nx, bounds: &bounds[..=count], rows: upper, boundary_fluxes },
            Self { nx, bounds: &bounds[count..], rows: lower, boundary_fluxes: next_fluxes },
        ]
    }
}

impl RowBlock<'_> {
    fn advance_steps(
        mut self,
        context: &PassContext,
        count: usize,
        boundary_fluxes: &mut BoundaryFlux,
    ) {
        let rows = self.height.len() / context.nx;
        let from_seam = |side: &BoundaryFaces, l: usize| {
            if matches!(side, BoundaryFaces::Seam(_)) { l } else { 0 }
        };
        for wavefront in 0..rows + count - 1 {
            for (l, flux) in boundary_fluxes[..count].iter_mut().enumerate().take(wavefront + 1) {
                let i = wavefront - l;
                let first = from_seam(&self.north, l);
                if i >= first && i < rows - from_seam(&self.south, l) {
                    *flux += self.advance_row(context, l, i, i == first);
                }
            }
        }
    }

    /// Advances row `i` of the block by step number `step` of the pass. `is_first_row` states
    /// whether this is the northernmost row of the block in which the step is computed. In that
    /// case, also updates the northern faces of the row. Returns the flux through edges of fixed
    /// height (m, summed over cells).
    fn advance_row(
        &mut self,
        context: &PassContext,
        step: usize,
        i: usize,
        is_first_row: bool,
    ) -> f64 {
        let &PassContext { nx, .. } = context;
        let Self { y0, height, flux_x, inner, north, south } = self;
        let y = *y0 + i;
        let mut inflow = 0.0;
        let (before, height) = height.split_at_mut(i * nx);
        let (height, after) = height.split_at_mut(nx);
        let (above, below) = inner.split_at_mut(i * nx);
        if is_first_row {
            match north {
                BoundaryFaces::Edge(faces) => {
                    context.update_y_fluxes(faces, context.zero_row, height, y);
                    inflow += context.north_inflow(faces);
                }
                // These faces are already updated for the first step, together with all block
                // boundaries.
                BoundaryFaces::Seam(_) if step == 0 => {}
                BoundaryFaces::Seam(_) => {
                    let faces = &mut above[(i - 1) * nx..];
                    context.update_y_fluxes(faces, &before[(i - 1) * nx..], height, y);
                }
            }
        }
        let north = if i == 0 { north.faces() } else { &above[(i - 1) * nx..] };
        let flux_x = &mut flux_x[i * (nx + 1)..][..nx + 1];
        if !below.is_empty() {
            inflow +=
                context.step_row(step, y, north, &after[..nx], flux_x, &mut below[..nx], height);
            return inflow;
        }
        match south {
            BoundaryFaces::Edge(faces) => {
                inflow += context.step_row(step, y, north, context.zero_row, flux_x, faces, height);
                inflow += context.south_inflow(faces);
            }
            BoundaryFaces::Seam(faces) => {
                inflow += context.step_row_between_faces(step, y, north, faces, flux_x, height);
            }
        }
        inflow
    }
}
