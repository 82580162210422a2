//! Stages 1 to 6 row by row, in bands of rows over threads. A band keeps a few last rows in
//! buffers; what two bands need, both compute, so the outcome equals [`super::plain`] bit for bit.

use super::Coefficients;
use super::buffers::{CellRow, FaceRow, WaterRow};
use super::loops::{Straight, push_row};
use super::stages::World;
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::flow::sweep::{Run, SIZE};
use crate::flow::workspace::Workspace;
use crate::lattice::Edge;
use crate::parallel::for_each_part;
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Rows that a band has, a part of those of a tile; it works on two more.
const BAND: usize = 32;
const _: () = assert!(SIZE.is_multiple_of(BAND));

/// The stages on a lattice, and the last rows that they need. A cell has `N` faces to the north: one of squares, two of hexagons.
pub(super) trait Stages<const N: usize>: Default + Send + 'static {
    fn fit(&mut self, nx: usize);

    /// Makes some `columns` of row `y` of the world the last of three rows of water.
    fn move_on(&mut self, world: &World, y: isize, columns: Range<usize>);

    /// 1 and 2. Works out some `columns` of row `y`, the middle one of the rows of water.
    fn work_out(&mut self, world: &World, y: usize, columns: Range<usize>);

    /// 3 to 5. Works out what crosses the faces of a run north of row `y`; without `discharge`, the discharges are not kept.
    fn cross_north(&mut self, world: &World, at: (usize, Run), discharge: Option<[&mut [f32]; N]>);

    /// 3 to 6. Works out what crosses the x-faces of the row before the last one, `y`, and what all faces add to its momentum.
    fn push(&mut self, world: &World, at: (usize, Run), x: &mut [f32], pushes: [&mut [f32]; 2]);

    fn next_row(&mut self);
}

#[derive(Default)]
struct Squares {
    water: [WaterRow; 3],
    above: CellRow,
    here: CellRow,
    north: FaceRow,
    south: FaceRow,
    across: FaceRow,
    elsewhere: Vec<f32>,
}

impl Stages<1> for Squares {
    fn fit(&mut self, nx: usize) {
        self.water.iter_mut().for_each(|row| row.fit(nx));
        [&mut self.above, &mut self.here].into_iter().for_each(|row| row.fit(nx, 2));
        [&mut self.north, &mut self.south].into_iter().for_each(|row| row.fit(nx));
        self.across.fit(nx + 1);
        self.elsewhere.resize(nx, 0.0);
    }

    fn move_on(&mut self, world: &World, y: isize, columns: Range<usize>) {
        self.water.rotate_left(1);
        self.water[2].fill(world, y, columns);
    }

    fn work_out(&mut self, world: &World, y: usize, columns: Range<usize>) {
        self.here.work_out(world, &self.water, y, columns);
    }

    fn cross_north(
        &mut self,
        world: &World,
        (y, run): (usize, Run),
        discharge: Option<[&mut [f32]; 1]>,
    ) {
        let Self { above, here, south, elsewhere, .. } = self;
        let [discharge] = discharge.unwrap_or([elsewhere]);
        south.cross_y(world, y, [above, here], run.cells(), discharge);
    }

    fn push(&mut self, world: &World, at: (usize, Run), x: &mut [f32], pushes: [&mut [f32]; 2]) {
        let Self { above, north, south, across, .. } = self;
        across.cross_x(world, at, above, x, |sides, edge, x| {
            (sides.at(x, Straight, if edge == Edge::West { -1.0 } else { 1.0 }), 1.0)
        });
        let (columns, [push_x, push_y]) = (at.1.cells(), pushes);
        let faces = [
            across.part(columns.start..columns.end + 1),
            north.part(columns.clone()),
            south.part(columns.clone()),
        ];
        push_row(&above.part(columns), &faces, &world.c, push_x, push_y);
    }

    fn next_row(&mut self) {
        std::mem::swap(&mut self.above, &mut self.here);
        std::mem::swap(&mut self.north, &mut self.south);
    }
}

/// Stages 1 to 6: sets the discharge over every face, and what it does to momentum.
pub(in crate::flow) fn drive(
    state: &mut State,
    workspace: &mut Workspace,
    step: &Step,
    scratch: &ScratchPool,
) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, subgrid, .. } = state;
    let Some(q) = momentum else { return };
    let subgrid = subgrid.as_deref();
    let world = World { bed, depth, closed, q, step, c: Coefficients::new(step), subgrid };
    let north = [discharge_y.as_mut_slice()];
    drive_bands::<Squares, 1>(&world, discharge_x.as_mut_slice(), north, workspace, scratch);
}

/// Stages 1 to 6 of a world; `x` are the discharges over its x-faces, `north` those over all others.
pub(super) fn drive_bands<S: Stages<N>, const N: usize>(
    world: &World,
    x: &mut [f32],
    north: [&mut [f32]; N],
    workspace: &mut Workspace,
    scratch: &ScratchPool,
) {
    let (nx, ny, joined) = (world.bed.nx(), world.bed.ny(), world.step.edges.joined);
    workspace.pushes(nx * ny);
    let Workspace { pushes: [push_x, push_y], sweep, .. } = workspace;
    sweep.look_up([nx, ny], [joined.x, joined.y], scratch);
    let [north, last] = split_rows(north, nx, ny);
    let pushes = [push_x.as_mut_slice(), push_y];
    let whole = Band { nx, first: 0, end: ny, x, north, last: Some(last), pushes };
    for_each_part(whole, ny.div_ceil(BAND), &Band::split, &|mut band: Band<N>| {
        for &run in sweep.runs(band.first) {
            band.sweep::<S>(world, reaching(run, world), &mut scratch.take());
        }
    });
}

/// The first so many rows of discharges over northern faces, and the others; of the second of two
/// faces, one more in a row.
fn split_rows<const N: usize>(
    faces: [&mut [f32]; N],
    nx: usize,
    rows: usize,
) -> [[&mut [f32]; N]; 2] {
    let mut widths = nx..;
    let mut parts = faces.map(|faces| faces.split_at_mut(rows * widths.next().unwrap_or(nx)));
    [parts.each_mut().map(|part| std::mem::take(&mut part.0)), parts.map(|part| part.1)]
}

struct Band<'a, const N: usize> {
    nx: usize,
    first: usize,
    end: usize,
    x: &'a mut [f32],
    north: [&'a mut [f32]; N],
    /// Over those south of the last row, if that is the edge of the grid.
    last: Option<[&'a mut [f32]; N]>,
    pushes: [&'a mut [f32]; 2],
}

impl<const N: usize> Band<'_, N> {
    fn split(self, count: usize) -> [Self; 2] {
        let Self { nx, first, end, x, north, last, pushes: [push_x, push_y] } = self;
        let rows = count * BAND;
        let middle = first + rows;
        let (x, next_x) = x.split_at_mut(rows * (nx + 1));
        let [north, next_north] = split_rows(north, nx, rows);
        let (push_x, next_push_x) = push_x.split_at_mut(rows * nx);
        let (push_y, next_push_y) = push_y.split_at_mut(rows * nx);
        let pushes = [next_push_x, next_push_y];
        let lower = Self { nx, first: middle, end, x: next_x, north: next_north, last, pushes };
        let pushes = [push_x, push_y];
        [Self { nx, first, end: middle, x, north, last: None, pushes }, lower]
    }

    fn sweep<S: Stages<N>>(&mut self, world: &World, run: Run, stages: &mut S) {
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        stages.fit(nx);
        let Self { first, end, x, north, last, pushes, .. } = self;
        let (first, end) = (*first, *end);
        // A face needs the cells on both sides half a step later, and those the water beside them.
        let (cells, wet) = (run.with(1, nx), run.with(2, nx));
        // The faces north of the band need the row above it; if north and south are joined, the
        // first and last band wrap.
        let joined = world.step.edges.joined.y;
        let from = if first == 0 && !joined { 0 } else { first as isize - 1 };
        stages.move_on(world, from - 1, wet.clone());
        stages.move_on(world, from, wet.clone());
        for row in from..=end as isize {
            if joined || row < ny as isize {
                stages.move_on(world, row + 1, wet.clone());
                stages.work_out(world, row.rem_euclid(ny as isize) as usize, cells.clone());
            }
            if let Some(y) = usize::try_from(row).ok().filter(|&y| y >= first) {
                let discharge = if y < end {
                    let mut widths = nx..;
                    Some(north.each_mut().map(|faces| {
                        let width = widths.next().unwrap_or(nx);
                        &mut faces[(y - first) * width..][..width]
                    }))
                } else {
                    last.as_mut().map(|last| last.each_mut().map(|faces| &mut **faces))
                };
                stages.cross_north(world, (y, run), discharge);
                if let Some(row) = (y - first).checked_sub(1) {
                    let discharge = &mut x[row * (nx + 1)..][..nx + 1];
                    let places = row * nx + run.from..row * nx + run.to;
                    let pushes = pushes.each_mut().map(|push| &mut push[places.clone()]);
                    stages.push(world, (y - 1, run), discharge, pushes);
                }
            }
            stages.next_row();
        }
    }
}

/// The run, or all columns where it reaches so near to a seam of west and east that it needs water from over there.
fn reaching(run: Run, world: &World) -> Run {
    let nx = world.bed.nx();
    let near = run.with(3, nx);
    let at_seam = world.step.edges.joined.x && (near.start == 0 || near.end == nx);
    if at_seam { Run { from: 0, to: nx } } else { run }
}
