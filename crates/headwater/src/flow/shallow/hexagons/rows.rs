//! Stages 1 to 6 of shallow water on hexagons row by row, bands of rows spread over threads, as
//! [`crate::flow::shallow::rows`] has it for squares. The outcome equals [`super::plain`] bit for bit.

use super::buffers::{CellRow, SlantedFaces};
use super::stages::{Waterside, cross_aslant, cross_row};
use crate::flow::context::Step;
use crate::flow::shallow::Coefficients;
use crate::flow::shallow::buffers::FaceRow;
use crate::flow::shallow::rows::reaching;
use crate::flow::shallow::stages::World;
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
    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, momentum, .. } = state;
    let (Some(q), Some(discharge_z)) = (momentum, discharge_z) else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let world = World { bed, depth, closed, q, step, c: Coefficients::new(step), subgrid: None };
    workspace.pushes(nx * ny);
    let Workspace { pushes: [push_x, push_y], sweep, .. } = workspace;
    let (discharge_y, last_y) = discharge_y.as_mut_slice().split_at_mut(nx * ny);
    let (discharge_z, last_z) = discharge_z.as_mut_slice().split_at_mut((nx + 1) * ny);
    let joined = step.edges.joined;
    sweep.look_up([nx, ny], [joined.x, joined.y], spare);
    let whole = Band {
        nx,
        first: 0,
        end: ny,
        x: discharge_x.as_mut_slice(),
        aslant: [discharge_y, discharge_z],
        last: Some([last_y, last_z]),
        pushes: [push_x, push_y],
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
    /// Discharges over x-faces.
    x: &'a mut [f32],
    /// Over the y- and z-faces north of each row.
    aslant: [&'a mut [f32]; 2],
    /// Over those south of the last row, if that is the edge of the grid.
    last: Option<[&'a mut [f32]; 2]>,
    pushes: [&'a mut [f32]; 2],
}

/// What a band keeps of the last rows.
#[derive(Default)]
struct Kept {
    water: Waterside,
    above: CellRow,
    here: CellRow,
    north: SlantedFaces,
    south: SlantedFaces,
    across: FaceRow,
    elsewhere: [Vec<f32>; 2],
}

impl Kept {
    fn fit(&mut self, nx: usize) {
        self.water.fit(nx);
        [&mut self.above, &mut self.here].into_iter().for_each(|row| row.fit(nx));
        [&mut self.north, &mut self.south].into_iter().for_each(|row| row.fit(nx));
        self.across.fit(nx + 1);
        self.elsewhere.iter_mut().for_each(|row| row.resize(nx + 1, 0.0));
    }
}

impl Band<'_> {
    /// The first so many bands of what is several, and the others.
    fn split(self, count: usize) -> [Self; 2] {
        let Self { nx, first, end, x, aslant: [y, z], last, pushes: [east, south] } = self;
        let rows = count * BAND;
        let middle = first + rows;
        let (x, next_x) = x.split_at_mut(rows * (nx + 1));
        let (y, next_y) = y.split_at_mut(rows * nx);
        let (z, next_z) = z.split_at_mut(rows * (nx + 1));
        let (east, next_east) = east.split_at_mut(rows * nx);
        let (south, next_south) = south.split_at_mut(rows * nx);
        let upper =
            Self { nx, first, end: middle, x, aslant: [y, z], last: None, pushes: [east, south] };
        let lower = Self {
            nx,
            first: middle,
            end,
            x: next_x,
            aslant: [next_y, next_z],
            last,
            pushes: [next_east, next_south],
        };
        [upper, lower]
    }

    /// Does the columns of a run.
    fn sweep(&mut self, world: &World, run: Run, kept: &mut Kept) {
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        kept.fit(nx);
        let Self { first, end, x, aslant: [all_y, all_z], last, pushes, .. } = self;
        let (first, end) = (*first, *end);
        let [east, to_south] = pushes;
        let Kept { water, above, here, north, south, across, elsewhere } = kept;
        let ([mut above, mut here], [mut north, mut south]) = ([above, here], [north, south]);
        // A face needs the cells on both sides half a step later, and those the water beside them.
        let (cells, wet) = (run.with(1, nx), run.with(2, nx));
        // The faces north of the band need the row above it. If the north and south are joined, the first
        // band has one too, and the last one needs a row below.
        let joined = world.step.edges.joined.y;
        let from = if first == 0 && !joined { 0 } else { first as isize - 1 };
        water.move_on(world, from - 1, wet.clone());
        water.move_on(world, from, wet.clone());
        for y in from..=end as isize {
            if joined || y < ny as isize {
                water.move_on(world, y + 1, wet.clone());
                here.work_out(world, water, y.rem_euclid(ny as isize) as usize, cells.clone());
            }
            let Ok(y) = usize::try_from(y) else {
                std::mem::swap(&mut above, &mut here);
                continue;
            };
            if y >= first {
                let discharge = match (y < end, &mut *last) {
                    (true, _) => [
                        &mut all_y[(y - first) * nx..][..nx],
                        &mut all_z[(y - first) * (nx + 1)..][..nx + 1],
                    ],
                    (false, Some([y, z])) => [&mut **y, &mut **z],
                    (false, None) => {
                        let [y, z] = &mut *elsewhere;
                        [&mut y[..nx], z]
                    }
                };
                cross_aslant(south, world, (y, run), [&*above, &*here], discharge);
            }
            if y > first {
                let row = y - 1 - first;
                let discharge = &mut x[row * (nx + 1)..][..nx + 1];
                cross_row(across, world, (y - 1, run), above, discharge);
                let places = row * nx + run.from..row * nx + run.to;
                let pushes = [&mut east[places.clone()], &mut to_south[places]];
                above.push(world, (y - 1, run.cells()), across, [&*north, &*south], pushes);
            }
            std::mem::swap(&mut above, &mut here);
            std::mem::swap(&mut north, &mut south);
        }
    }
}
