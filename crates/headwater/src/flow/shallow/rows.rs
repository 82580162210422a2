//! Stages 1 to 6 of the shallow-water equations row by row, bands of rows spread over threads. A band sweeps from north
//! to south and keeps what it has worked out of the last rows in a few buffers; what two bands both
//! need, both work out, so the outcome equals [`super::plain`] bit for bit, however rows are shared
//! out.

use super::Coefficients;
use super::buffers::{CellRow, FaceRow, WaterRow};
use super::loops::push_row;
use super::stages::World;
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::flow::sweep::{Run, SIZE};
use crate::flow::workspace::Workspace;
use crate::parallel::for_each_part;
use crate::spare::Spare;

/// Rows that a band has, a part of those of a tile; it works on two more.
const BAND: usize = 32;
const _: () = assert!(SIZE.is_multiple_of(BAND));

/// Stages 1 to 6: sets the discharge over every face, and what it does to momentum.
pub(in crate::flow) fn drive(
    state: &mut State,
    workspace: &mut Workspace,
    step: &Step,
    spare: &Spare,
) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, subgrid, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let subgrid = subgrid.as_deref();
    let world = World { bed, depth, closed, q, step, c: Coefficients::new(step), subgrid };
    workspace.pushes(nx * ny);
    let Workspace { pushes: [push_x, push_y], sweep, .. } = workspace;
    let (discharge_y, last) = discharge_y.as_mut_slice().split_at_mut(nx * ny);
    let joined = step.edges.joined;
    sweep.look_up([nx, ny], [joined.x, joined.y], spare);
    let whole = Band {
        nx,
        first: 0,
        end: ny,
        discharge_x: discharge_x.as_mut_slice(),
        discharge_y,
        last: Some(last),
        push_x,
        push_y,
    };
    for_each_part(whole, ny.div_ceil(BAND), &Band::split, &|mut band: Band| {
        for &run in sweep.runs(band.first) {
            band.sweep(&world, reaching(run, &world), &mut spare.scratch());
        }
    });
}

/// The rows from `first` to before `end`, and where their results go.
struct Band<'a> {
    nx: usize,
    first: usize,
    end: usize,
    discharge_x: &'a mut [f32],
    /// Over the faces north of each row.
    discharge_y: &'a mut [f32],
    /// Over the faces south of the last row, if that is the edge of the grid.
    last: Option<&'a mut [f32]>,
    push_x: &'a mut [f32],
    push_y: &'a mut [f32],
}

/// What a band keeps of the last rows.
#[derive(Default)]
struct Kept {
    water: [WaterRow; 3],
    above: CellRow,
    here: CellRow,
    north: FaceRow,
    south: FaceRow,
    across: FaceRow,
    elsewhere: Vec<f32>,
}

impl Kept {
    fn fit(&mut self, nx: usize) {
        self.water.iter_mut().for_each(|row| row.fit(nx));
        [&mut self.above, &mut self.here].into_iter().for_each(|row| row.fit(nx));
        [&mut self.north, &mut self.south].into_iter().for_each(|row| row.fit(nx));
        self.across.fit(nx + 1);
        self.elsewhere.resize(nx, 0.0);
    }
}

impl Band<'_> {
    /// The first so many bands of what is several, and the others.
    fn split(self, count: usize) -> [Self; 2] {
        let Self { nx, first, end, discharge_x, discharge_y, last, push_x, push_y } = self;
        let rows = count * BAND;
        let middle = first + rows;
        let (upper_x, lower_x) = discharge_x.split_at_mut(rows * (nx + 1));
        let (upper_y, lower_y) = discharge_y.split_at_mut(rows * nx);
        let (upper_push_x, lower_push_x) = push_x.split_at_mut(rows * nx);
        let (upper_push_y, lower_push_y) = push_y.split_at_mut(rows * nx);
        let upper = Self {
            nx,
            first,
            end: middle,
            discharge_x: upper_x,
            discharge_y: upper_y,
            last: None,
            push_x: upper_push_x,
            push_y: upper_push_y,
        };
        let lower = Self {
            nx,
            first: middle,
            end,
            discharge_x: lower_x,
            discharge_y: lower_y,
            last,
            push_x: lower_push_x,
            push_y: lower_push_y,
        };
        [upper, lower]
    }

    /// Does the columns of a run.
    fn sweep(&mut self, world: &World, run: Run, kept: &mut Kept) {
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        kept.fit(nx);
        let Band { first, end, discharge_x, discharge_y, last, push_x, push_y, .. } = self;
        let (first, end) = (*first, *end);
        let Kept { water: [a, b, c], above, here, north, south, across, elsewhere } = kept;
        // Rows change places by reference.
        let mut water = [a, b, c];
        let ([mut above, mut here], [mut north, mut south]) = ([above, here], [north, south]);
        // A face needs the cells on both sides half a step later, and those the water beside them.
        let (columns, cells, wet) = (run.cells(), run.with(1, nx), run.with(2, nx));
        // The faces north of the band need the row above it. If the north and south are joined, the first
        // band has one too, and the last one needs a row below.
        let joined = world.step.edges.joined.y;
        let from = if first == 0 && !joined { 0 } else { first as isize - 1 };
        water[1].fill(world, from - 1, wet.clone());
        water[2].fill(world, from, wet.clone());
        for y in from..=end as isize {
            if joined || y < ny as isize {
                water.rotate_left(1);
                water[2].fill(world, y + 1, wet.clone());
                here.work_out(world, &water, y.rem_euclid(ny as isize) as usize, cells.clone());
            }
            let Ok(y) = usize::try_from(y) else {
                std::mem::swap(&mut above, &mut here);
                continue;
            };
            if y >= first {
                let discharge = match (y < end, &mut *last) {
                    (true, _) => &mut discharge_y[(y - first) * nx..][..nx],
                    (false, Some(last)) => last,
                    (false, None) => elsewhere.as_mut_slice(),
                };
                south.cross_y(world, y, [&*above, &*here], columns.clone(), discharge);
            }
            if y > first {
                let row = y - 1 - first;
                let discharge = &mut discharge_x[row * (nx + 1)..][..nx + 1];
                across.cross_x(world, y - 1, above, run, discharge);
                let faces = [
                    across.part(run.from..run.to + 1),
                    north.part(columns.clone()),
                    south.part(columns.clone()),
                ];
                let places = row * nx + run.from..row * nx + run.to;
                let (push_x, push_y) = (&mut push_x[places.clone()], &mut push_y[places]);
                push_row(&above.part(columns.clone()), &faces, &world.c, push_x, push_y);
            }
            std::mem::swap(&mut above, &mut here);
            std::mem::swap(&mut north, &mut south);
        }
    }
}

/// The run, or all columns where it reaches so near to a seam of west and east that it needs water from over there.
pub(super) fn reaching(run: Run, world: &World) -> Run {
    let nx = world.bed.nx();
    let near = run.with(3, nx);
    let at_seam = world.step.edges.joined.x && (near.start == 0 || near.end == nx);
    if at_seam { Run { from: 0, to: nx } } else { run }
}
