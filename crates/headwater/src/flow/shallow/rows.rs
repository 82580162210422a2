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
use crate::flow::sweep::SIZE;
use crate::flow::workspace::Workspace;
use crate::parallel::for_each_task;

/// Rows that a band has, a part of those of a tile; it works on two more.
const BAND: usize = 32;
const _: () = assert!(SIZE.is_multiple_of(BAND));

/// Stages 1 to 6: sets the discharge over every face, and what it does to momentum.
pub(in crate::flow) fn drive(state: &mut State, workspace: &mut Workspace, step: &Step) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, .. } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let world = World { bed, depth, closed, q, step, c: Coefficients::new(step) };
    workspace.pushes(nx * ny);
    let Workspace { pushes: [push_x, push_y], sweep, .. } = workspace;
    let (above, below) = discharge_y.as_mut_slice().split_at_mut(nx * ny);
    let mut below = Some(below);
    let joined = step.edges.joined;
    sweep.tiles.fit(nx, ny);
    let stepped = sweep.tiles.stepped([joined.x, joined.y]);
    let discharges =
        discharge_x.as_mut_slice().chunks_mut(BAND * (nx + 1)).zip(above.chunks_mut(BAND * nx));
    let pushes = push_x.chunks_mut(BAND * nx).zip(push_y.chunks_mut(BAND * nx));
    let bands = discharges.zip(pushes).enumerate();
    let bands = bands.map(|(i, ((discharge_x, discharge_y), (push_x, push_y)))| {
        let (first, end) = (i * BAND, ny.min((i + 1) * BAND));
        let last = if end == ny { below.take() } else { None };
        Band { first, end, discharge_x, discharge_y, last, push_x, push_y }
    });
    let bands = bands.filter(|band| stepped[band.first / SIZE]);
    for_each_task(bands.collect(), |band| band.sweep(&world));
}

/// The rows from `first` to before `end`, and where their results go.
struct Band<'a> {
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

impl Band<'_> {
    fn sweep(self, world: &World) {
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        let Band { first, end, discharge_x, discharge_y, mut last, push_x, push_y } = self;
        let mut water: [WaterRow; 3] = std::array::from_fn(|_| WaterRow::new(nx));
        let (mut above, mut here) = (CellRow::new(nx), CellRow::new(nx));
        let (mut north, mut south) = (FaceRow::new(nx), FaceRow::new(nx));
        let (mut across, mut elsewhere) = (FaceRow::new(nx + 1), vec![0.0; nx]);
        // The faces north of the band need the row above it. If the north and south are joined, the first
        // band has one too, and the last one needs a row below.
        let joined = world.step.edges.joined.y;
        let from = if first == 0 && !joined { 0 } else { first as isize - 1 };
        water[1].fill(world, from - 1);
        water[2].fill(world, from);
        for y in from..=end as isize {
            if joined || y < ny as isize {
                water.rotate_left(1);
                water[2].fill(world, y + 1);
                here.work_out(world, &water, y.rem_euclid(ny as isize) as usize);
            }
            let Ok(y) = usize::try_from(y) else {
                std::mem::swap(&mut above, &mut here);
                continue;
            };
            if y >= first {
                let discharge = match (y < end, &mut last) {
                    (true, _) => &mut discharge_y[(y - first) * nx..][..nx],
                    (false, Some(last)) => last,
                    (false, None) => &mut elsewhere,
                };
                south.cross_y(world, y, [&above, &here], discharge);
            }
            if y > first {
                let row = y - 1 - first;
                let discharge = &mut discharge_x[row * (nx + 1)..][..nx + 1];
                across.cross_x(world, y - 1, &above, discharge);
                let cells = row * nx..(row + 1) * nx;
                let (push_x, push_y) = (&mut push_x[cells.clone()], &mut push_y[cells]);
                push_row(&above, [&across, &north, &south], &world.c, push_x, push_y);
            }
            std::mem::swap(&mut above, &mut here);
            std::mem::swap(&mut north, &mut south);
        }
    }
}
