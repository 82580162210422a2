//! Fast implementation of a step with dispersion. It computes all Chebyshev terms of the filter and
//! the face fluxes in one pass over the surface.
//!
//! The term of degree k in a row depends on the term of degree k − 1 in the same row and in both
//! adjacent rows. Each degree therefore follows one row behind the previous degree, and only three
//! rows of each degree are kept, in cache. Each task processes a block of consecutive rows, and
//! recomputes the rows that it needs beyond the ends of the block.

use super::super::context::StepContext;
use super::super::params::EdgeKind;
use super::super::state::State;
use super::filter::DispersionFilter;
use super::loops;
use super::neighbours::AdjacentRows;
use crate::field::Field;
use crate::lattice::Edge;
use crate::parallel::{for_each_part, for_each_row, num_threads};
use crate::scratch::ScratchPool;
use crate::waves::solver::rows::{
    east_boundary_flux, update_x_fluxes, update_y_fluxes, west_boundary_flux,
};
use crate::waves::solver::wave_speed_map::FaceGains;
use std::ops::Range;

/// Smallest number of rows in a block that one task processes. At each end of a block, a task
/// recomputes as many rows as the degree of the filter, so smaller blocks would be inefficient.
const MIN_STRIP_ROWS: usize = 64;

pub(in super::super) fn update_surface(
    filter: &DispersionFilter,
    state: &mut State,
    step: &StepContext,
    scratch: &ScratchPool,
) {
    let State { height, flux_x, flux_y, .. } = state;
    let (nx, ny) = (height.nx(), height.ny());
    // On one thread, a single block is the fastest choice.
    let strips =
        if num_threads() == 1 { 1 } else { (ny / MIN_STRIP_ROWS).clamp(1, 4 * num_threads()) };
    let bounds = scratch.take_collected((0..=strips).map(|i| i * ny / strips));
    let zero_row = scratch.take_filled(nx, 0.0);
    let context = FilterContext {
        step,
        joined: step.edges.kind(Edge::North) == EdgeKind::Periodic,
        z: height,
        zero_row: &zero_row,
    };
    let all = RowBlocks {
        nx,
        bounds: &bounds,
        flux_x: flux_x.as_mut_slice(),
        flux_y: flux_y.as_mut_slice(),
    };
    for_each_part(all, strips, &RowBlocks::split_at, &|strip: RowBlocks| {
        let mut scratch = scratch.take::<FilterScratch>();
        scratch.resize(filter, nx);
        strip.filter_block(&context, &mut scratch);
    });
    let (flux_x, flux_y) = (&*flux_x, &*flux_y);
    for_each_row(height.as_mut_slice(), nx, |y, height| {
        let (north, south) = (flux_y.row(y), flux_y.row(y + 1));
        crate::waves::solver::loops::update_heights(
            step.coefficients,
            flux_x.row(y),
            north,
            south,
            height,
        );
    });
}

struct FilterContext<'a> {
    step: &'a StepContext<'a>,
    joined: bool,
    z: &'a Field<f32>,
    zero_row: &'a [f32],
}

impl FilterContext<'_> {
    fn wrap_row(&self, y: isize) -> usize {
        y.rem_euclid(self.z.ny() as isize) as usize
    }

    fn contains_row(&self, y: isize) -> bool {
        self.joined || (0..self.z.ny() as isize).contains(&y)
    }

    /// Returns the values of row `y` and of its two adjacent rows. `row` returns the values of the
    /// row with a given index.
    fn rows_around<'b>(&self, y: isize, row: impl Fn(isize) -> &'b [f32]) -> AdjacentRows<'b> {
        let beside = |y| self.contains_row(y).then(|| row(y));
        AdjacentRows {
            y: self.wrap_row(y),
            north: beside(y - 1),
            own: row(y),
            south: beside(y + 1),
        }
    }
}

#[derive(Default)]
struct FilterScratch {
    terms: Vec<f32>,
    /// Three rows of each Chebyshev term, starting with the term of degree 1.
    term_rows: Vec<f32>,
    /// Partial sums over the Chebyshev terms. The buffer holds one row for each grid row that still
    /// lacks terms, and one row with the complete sum.
    sums: Vec<f32>,
}

impl FilterScratch {
    fn resize(&mut self, filter: &DispersionFilter, nx: usize) {
        self.terms.clear();
        self.terms.extend(filter.terms.iter().map(|&term| term as f32));
        let degrees = self.terms.len() - 1;
        self.term_rows.resize(3 * degrees * nx, 0.0);
        self.sums.resize((degrees + 1) * nx, 0.0);
    }

    fn sum_range(&self, y: isize, nx: usize) -> Range<usize> {
        ring_buffer_range(y, self.terms.len(), nx)
    }

    fn filtered_row(&self, y: isize, nx: usize) -> &[f32] {
        &self.sums[self.sum_range(y, nx)]
    }

    fn compute_degree(&mut self, context: &FilterContext, k: usize, y: isize) {
        let nx = context.z.nx();
        let sum = self.sum_range(y, nx);
        let Self { terms, term_rows, sums } = self;
        let sum = &mut sums[sum];
        let (lower, own) = term_rows.split_at_mut(3 * (k - 1) * nx);
        let t = &mut own[ring_buffer_range(y, 3, nx)];
        let of = |degree: usize, y: isize| match degree {
            0 => context.z.row(context.wrap_row(y)),
            _ => &lower[3 * (degree - 1) * nx..][ring_buffer_range(y, 3, nx)],
        };
        let rows = context.rows_around(y, |y| of(k - 1, y));
        let before = (k > 1).then(|| of(k - 2, y));
        let mut single = |x: usize| {
            let around = rows.neighbour_sum(context.step, x);
            match before {
                None => {
                    t[x] = 0.25 * around;
                    sum[x] = terms[0] * rows.own[x] + terms[1] * t[x];
                }
                Some(before) => {
                    t[x] = 0.5 * around - before[x];
                    sum[x] += terms[k] * t[x];
                }
            }
        };
        let (Some(north), Some(south), true) = (rows.north, rows.south, nx > 2) else {
            (0..nx).for_each(single);
            return;
        };
        single(0);
        single(nx - 1);
        let inner = 1..nx - 1;
        let three = [&north[inner.clone()], rows.own, &south[inner.clone()]];
        let (t, sum) = (&mut t[inner.clone()], &mut sum[inner.clone()]);
        let gains = context.step.speed_map.map.as_ref().map(|FaceGains { x, y }| {
            let of_y = |at: usize| &y.row(at)[inner.clone()];
            [&x.row(rows.y)[1..nx], of_y(rows.y), of_y(rows.y + 1)]
        });
        match (before, gains) {
            (None, None) => loops::compute_first_degree(three, [terms[0], terms[1]], t, sum),
            (None, Some(gains)) => {
                loops::compute_first_degree_with_gains(gains, three, [terms[0], terms[1]], t, sum);
            }
            (Some(before), None) => {
                loops::compute_next_degree(three, &before[inner], terms[k], t, sum);
            }
            (Some(before), Some(gains)) => {
                loops::compute_next_degree_with_gains(
                    gains,
                    three,
                    &before[inner],
                    terms[k],
                    t,
                    sum,
                );
            }
        }
    }
}

fn ring_buffer_range(y: isize, ring_rows: usize, nx: usize) -> Range<usize> {
    let at = y.rem_euclid(ring_rows as isize) as usize * nx;
    at..at + nx
}

/// Consecutive blocks of rows, one per task. `bounds` holds the first row of each block and the end
/// of the last block. `flux_x` holds the x-faces of the rows, and `flux_y` holds the y-faces to the
/// north of the rows. For the last block, `flux_y` also holds the y-faces on the southern edge.
struct RowBlocks<'a> {
    nx: usize,
    bounds: &'a [usize],
    flux_x: &'a mut [f32],
    flux_y: &'a mut [f32],
}

impl RowBlocks<'_> {
    fn split_at(self, count: usize) -> [Self; 2] {
        let Self { nx, bounds, flux_x, flux_y } = self;
        let rows = bounds[count] - bounds[0];
        let (flux_x, other_x) = flux_x.split_at_mut(rows * (nx + 1));
        let (flux_y, other_y) = flux_y.split_at_mut(rows * nx);
        [
            Self { nx, bounds: &bounds[..=count], flux_x, flux_y },
            Self { nx, bounds: &bounds[count..], flux_x: other_x, flux_y: other_y },
        ]
    }

    fn filter_block(self, context: &FilterContext, scratch: &mut FilterScratch) {
        let ny = context.z.ny() as isize;
        let (first, end) = (self.bounds[0] as isize, self.bounds[1] as isize);
        // Rows for which the filtered surface `G·z` is needed.
        let from = if context.contains_row(first - 1) { first - 1 } else { first };
        let to = if end == ny && context.joined { end + 1 } else { end };
        let degrees = scratch.terms.len() - 1;
        let needed_rows = |k: usize| {
            let reach = (degrees - k) as isize;
            let all = from - reach..to + reach;
            if context.joined { all } else { all.start.max(0)..all.end.min(ny) }
        };
        let Self { nx, flux_x, flux_y, .. } = self;
        for wavefront in needed_rows(1).start..to + degrees as isize - 1 {
            for k in 1..=degrees {
                let y = wavefront - (k as isize - 1);
                if needed_rows(k).contains(&y) {
                    scratch.compute_degree(context, k, y);
                }
            }
            let done = wavefront - (degrees as isize - 1);
            if done < first {
                continue;
            }
            let i = (done - first) as usize;
            let head = scratch.filtered_row(done, nx);
            if done < end {
                let (y, ends) = (done as usize, [head[0], head[nx - 1]]);
                let flux = &mut flux_x[i * (nx + 1)..][..=nx];
                update_x_fluxes(flux, head, context.step, y, 1..nx);
                flux[0] = west_boundary_flux(flux[0], ends, context.step, y, nx);
                flux[nx] = east_boundary_flux(flux[nx], ends, context.step, y, nx);
            }
            let north = if context.contains_row(done - 1) {
                scratch.filtered_row(done - 1, nx)
            } else {
                context.zero_row
            };
            let faces = [done as usize, ny as usize];
            update_y_fluxes(&mut flux_y[i * nx..][..nx], north, head, context.step, faces, 0..nx);
        }
        if end == ny && !context.joined {
            let (i, north) = ((end - first) as usize, scratch.filtered_row(end - 1, nx));
            let faces = [ny as usize; 2];
            update_y_fluxes(
                &mut flux_y[i * nx..][..nx],
                north,
                context.zero_row,
                context.step,
                faces,
                0..nx,
            );
        }
    }
}
