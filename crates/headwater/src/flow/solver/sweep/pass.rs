//! A pass of one or several time steps over the grid. The grid is divided into strips of rows,
//! which are stepped in parallel.

use super::flux_scheme::FluxScheme;
use super::rest;
use super::row_buffers::RowBuffers;
use super::rows::{ColumnRun, Halo, MomentumRows, RowStrip, StripRows, Terrain};
use super::strip_step::StripStep;
use super::tiles::{StripPlan, StripRange, Tiles};
use crate::field::Field;
use crate::flow::context::StepContext;
use crate::flow::state::State;
use crate::lattice::Edge;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;

/// Largest number of steps that one pass performs.
pub(crate) const STEPS_PER_PASS: usize = 4;

#[derive(Clone, Debug, Default)]
pub(crate) struct SweepWorkspace {
    parts: StripPlan,
    /// Workspaces, one per strip of rows. The list may be longer than the number of strips in the
    /// current pass.
    strips: Vec<StripWorkspace>,
    pub(crate) tiles: Tiles,
}

impl SweepWorkspace {
    /// Determines the tiles that the next pass must step, on a grid of `nx × ny` cells. The two
    /// elements of `periodic` are true if the grid is periodic along x and along y.
    pub(in crate::flow) fn plan_pass(
        &mut self,
        [nx, ny]: [usize; 2],
        periodic: [bool; 2],
        scratch: &ScratchPool,
    ) {
        self.tiles.resize(nx, ny);
        self.tiles.plan_strips(&mut self.parts, periodic, parallel::num_threads(), scratch);
    }

    pub(in crate::flow) fn row_runs(&self, y: usize) -> &[ColumnRun] {
        let part = self.parts.all.iter().find(|part| part.rows.contains(&y));
        part.map_or(&[], |part| self.parts.runs(part))
    }
}

#[derive(Clone, Debug, Default)]
struct StripWorkspace {
    /// Copies of the rows above and below the strip. There is one copy for each array: depths,
    /// rounding remainders, and the discharges through x-, y- and z-faces.
    halos: [Halo; 5],
    buffers: Vec<RowBuffers>,
}

pub(crate) struct PassResult<'a> {
    parts: &'a [StripRange],
    strips: &'a [StripWorkspace],
    rows: usize,
}

impl PassResult<'_> {
    /// Returns the water that crossed each of the `n` boundary faces of an edge in one step of the
    /// pass (m of depth in the adjacent cell, positive into the grid). The two values per face
    /// belong to its two halves. Only northern and southern faces of hexagons have two halves; for
    /// all other faces, the second value is 0.
    pub(in crate::flow) fn edge_crossings<'s>(
        &self,
        step: usize,
        edge: Edge,
        n: usize,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, [f32; 2]> {
        let mut all = scratch.take_filled(n, [0.0; 2]);
        for (StripRange { rows, .. }, StripWorkspace { buffers, .. }) in
            self.parts.iter().zip(self.strips)
        {
            let crossed = &buffers[step].crossed.0[edge as usize];
            let beside = match edge {
                Edge::West | Edge::East => rows.clone(),
                Edge::North if rows.start == 0 => 0..n,
                Edge::South if rows.end == self.rows => 0..n,
                Edge::North | Edge::South => continue,
            };
            all[beside].copy_from_slice(crossed);
        }
        all
    }
}

/// Returns whether the cells in `rows` and the faces north of them are at rest, so that a step of
/// any length leaves all their bits unchanged.
pub(crate) fn is_at_rest<D: FluxScheme>(
    state: &State,
    step: &StepContext,
    rows: Range<usize>,
) -> bool {
    !rest::is_moving::<D>(state, step, &(0..state.bed.nx()), &rows)
}

/// Performs several time steps in one pass over the grid: one for each entry of `steps` and
/// `schemes`, at most [`STEPS_PER_PASS`]. All steps must have the same lattice and the same types
/// of boundary conditions.
pub(crate) fn run_pass<'s, D: FluxScheme>(
    state: &mut State,
    SweepWorkspace { parts, strips, tiles }: &'s mut SweepWorkspace,
    steps: &[StepContext],
    schemes: &[D],
    scratch: &ScratchPool,
) -> PassResult<'s> {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let Some(step) = steps.first() else { return PassResult { parts: &[], strips: &[], rows: ny } };
    let periodic = [step.edges.periodic.x, step.edges.periodic.y];
    tiles.resize(nx, ny);
    tiles.plan_strips(parts, periodic, parallel::num_threads(), scratch);
    let count = parts.all.len();
    strips.resize_with(strips.len().max(count), StripWorkspace::default);
    let halo = 2 * steps.len() + D::DISCHARGE_REACH;
    parallel::for_each_item(&mut strips[..count], 1, |i, strip| {
        let part = &parts.all[i];
        strip.resize(nx, part.rows.len(), steps.len());
        strip.fill_halos(state, step, halo, (part, parts.runs(part)));
    });

    let State { bed, depth, remainder, closed, momentum, .. } = state;
    let State { discharge_x, discharge_y, discharge_z, .. } = state;
    let whole = Strips {
        ground: Terrain { bed, closed, is_hex: step.lattice.is_hex(), periodic },
        parts: &parts.all,
        workspaces: &mut strips[..count],
        first: 0,
        depth: depth.as_mut_slice(),
        remainder: remainder.as_mut_slice(),
        x: discharge_x.as_mut_slice(),
        y: discharge_y.as_mut_slice(),
        z: discharge_z.as_mut().map(Field::as_mut_slice),
        momentum: match momentum {
            Some(q) => [q.x.as_mut_slice(), q.y.as_mut_slice()],
            None => [&mut [][..], &mut []],
        },
    };
    parallel::for_each_part(whole, count, &Strips::split, &|one: Strips| {
        let part = &one.parts[0];
        let own = part.rows.start as isize..part.rows.end as isize;
        let (mut strip, buffers) = one.into_strip();
        for &run in parts.runs(part) {
            run_steps(&mut strip, run, own.clone(), buffers, steps, schemes);
        }
    });
    if periodic[1] {
        for q in [Some(&mut state.discharge_y), state.discharge_z.as_mut()].into_iter().flatten() {
            let width = q.nx();
            let (rows, seam) = q.as_mut_slice().split_at_mut(ny * width);
            seam.copy_from_slice(&rows[..width]);
        }
    }
    if let Some(check) = tiles.next_check(steps.len(), D::UPDATES_MOMENTUM) {
        let last = steps.last().unwrap_or(step);
        tiles.check_rest(check, periodic, &state.depth, scratch, |columns, rows| {
            rest::is_moving::<D>(state, last, &columns, &rows)
        });
    }
    PassResult { parts: &parts.all, strips: &strips[..count], rows: ny }
}

struct Strips<'a> {
    ground: Terrain<'a>,
    parts: &'a [StripRange],
    workspaces: &'a mut [StripWorkspace],
    /// Grid index of the first row in the slices of this struct. The first strip may start at a
    /// later row.
    first: usize,
    depth: &'a mut [f32],
    remainder: &'a mut [f32],
    x: &'a mut [f32],
    y: &'a mut [f32],
    z: Option<&'a mut [f32]>,
    momentum: [&'a mut [f32]; 2],
}

impl<'a> Strips<'a> {
    fn split(self, count: usize) -> [Self; 2] {
        let Self { ground, parts, workspaces, first, depth, remainder, x, y, z, momentum } = self;
        let (parts, next_parts) = parts.split_at(count);
        let (workspaces, next_workspaces) = workspaces.split_at_mut(count);
        let next = next_parts[0].rows.start;
        let (rows, nx) = (next - first, ground.nx());
        let (depth, next_depth) = depth.split_at_mut(rows * nx);
        let (remainder, next_remainder) = remainder.split_at_mut(rows * nx);
        let (x, next_x) = x.split_at_mut(rows * (nx + 1));
        let (y, next_y) = y.split_at_mut(rows * nx);
        let (z, next_z) = z.map(|z| z.split_at_mut(rows * (nx + 1))).unzip();
        let [(east, next_east), (south, next_south)] =
            momentum.map(|q| q.split_at_mut((rows * nx).min(q.len())));
        let upper = Self {
            ground,
            parts,
            workspaces,
            first,
            depth,
            remainder,
            x,
            y,
            z,
            momentum: [east, south],
        };
        let lower = Self {
            ground,
            parts: next_parts,
            workspaces: next_workspaces,
            first: next,
            depth: next_depth,
            remainder: next_remainder,
            x: next_x,
            y: next_y,
            z: next_z,
            momentum: [next_east, next_south],
        };
        [upper, lower]
    }

    fn into_strip(self) -> (RowStrip<'a>, &'a mut [RowBuffers]) {
        let Self { ground, parts, workspaces, first: from, depth, remainder, x, y, z, momentum } =
            self;
        let (rows, nx) = (&parts[0].rows, ground.nx());
        let StripWorkspace { halos: [halo, halo_rest, halo_x, halo_y, halo_z], buffers } =
            &mut workspaces[0];
        let (first, count) = (rows.start, rows.len());
        // The last row of faces lies on the edge of the grid, or equals the first row if the grid
        // is periodic.
        let faces = count + usize::from(rows.end == ground.ny() && !ground.periodic[1]);
        let strip = RowStrip {
            ground,
            depth: StripRows::new(nx, first, take_rows(depth, nx, first - from, count), halo),
            remainder: StripRows::new(
                nx,
                first,
                take_rows(remainder, nx, first - from, count),
                halo_rest,
            ),
            x: StripRows::new(nx + 1, first, take_rows(x, nx + 1, first - from, count), halo_x),
            y: StripRows::new(nx, first, take_rows(y, nx, first - from, faces), halo_y),
            z: z.map(|z| {
                StripRows::new(nx + 1, first, take_rows(z, nx + 1, first - from, faces), halo_z)
            }),
            momentum: MomentumRows {
                first,
                width: nx,
                parts: momentum.map(|q| match q.is_empty() {
                    true => q,
                    false => take_rows(q, nx, first - from, count),
                }),
            },
        };
        (strip, buffers)
    }
}

fn take_rows(values: &mut [f32], width: usize, skipped: usize, count: usize) -> &mut [f32] {
    &mut values[skipped * width..(skipped + count) * width]
}

impl StripWorkspace {
    fn resize(&mut self, nx: usize, rows: usize, steps: usize) {
        self.buffers.resize_with(self.buffers.len().max(steps), RowBuffers::default);
        self.buffers[..steps].iter_mut().for_each(|buffers| buffers.resize(nx, rows));
    }

    fn fill_halos(
        &mut self,
        state: &State,
        step: &StepContext,
        halo: usize,
        (part, runs): (&StripRange, &[ColumnRun]),
    ) {
        let ny = state.bed.ny();
        let ground = Terrain::from_state(state, step);
        let (first, end, halo) = (part.rows.start as isize, part.rows.end as isize, halo as isize);
        let periodic = ground.periodic[1];
        let above = if periodic { first - halo } else { (first - halo).max(0) }..first;
        // There is one more row of faces than of cells.
        let below = |rows: isize| end..if periodic { end + halo } else { (end + halo).min(rows) };
        let fields = [
            (Some(&state.depth), ny),
            (Some(&state.remainder), ny),
            (Some(&state.discharge_x), ny),
            (Some(&state.discharge_y), ny + 1),
            (state.discharge_z.as_ref(), ny + 1),
        ];
        for (halo, (field, rows)) in self.halos.iter_mut().zip(fields) {
            let Some(field) = field else { continue };
            // The last strip owns the last row of faces.
            let below =
                if end == ny as isize && !periodic { end..end } else { below(rows as isize) };
            halo.fill(field, [above.clone(), below], |y| ground.grid_row(y), runs);
        }
    }
}

/// Performs all steps of a pass on a strip of rows. Each step is two rows behind the previous one,
/// so that several steps share the rows in the cache.
fn run_steps<D: FluxScheme>(
    strip: &mut RowStrip,
    run: ColumnRun,
    own: Range<isize>,
    buffers: &mut [RowBuffers],
    steps: &[StepContext],
    schemes: &[D],
) {
    let ny = strip.ground.ny() as isize;
    let count = steps.len() as isize;
    let mut levels = buffers.iter_mut().zip(steps).zip(schemes).zip(1..).map(
        |(((buffers, step), scheme), number)| {
            let more = 2 * (count - number);
            let (from, to) = (own.start - more, own.end + more);
            let rows = if strip.ground.periodic[1] { from..to } else { from.max(0)..to.min(ny) };
            StripStep {
                scheme,
                to_depth: step.depth_per_discharge(),
                rows,
                own: own.clone(),
                buffers,
            }
        },
    );
    let mut levels: [Option<StripStep<D>>; STEPS_PER_PASS] = std::array::from_fn(|_| levels.next());
    let beyond = 2 * count;
    for front in own.start - beyond..own.end + 2 * beyond {
        for (level, number) in levels.iter_mut().flatten().zip(0..) {
            level.advance(strip, front - 2 * number, run);
        }
    }
}
