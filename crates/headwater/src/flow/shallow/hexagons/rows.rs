//! Stages 1 to 6 on hexagons row by row, equal to [`super::plain`] bit for bit.

use super::buffers::SlantedFaces;
use super::stages::{Waterside, cross_aslant, side_at_edge};
use crate::flow::context::Step;
use crate::flow::shallow::Coefficients;
use crate::flow::shallow::buffers::{CellRow, FaceRow};
use crate::flow::shallow::rows::{Stages, drive_bands};
use crate::flow::shallow::stages::World;
use crate::flow::state::State;
use crate::flow::sweep::Run;
use crate::flow::workspace::Workspace;
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Stages 1 to 6: sets the discharge over every face, and what it does to momentum.
pub(in crate::flow) fn drive(
    state: &mut State,
    workspace: &mut Workspace,
    step: &Step,
    scratch: &ScratchPool,
) {
    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, momentum, .. } = state;
    let (Some(q), Some(discharge_z)) = (momentum, discharge_z) else { return };
    let world = World { bed, depth, closed, q, step, c: Coefficients::new(step), subgrid: None };
    let north = [discharge_y.as_mut_slice(), discharge_z.as_mut_slice()];
    drive_bands::<Hexagons, 2>(&world, discharge_x.as_mut_slice(), north, workspace, scratch);
}

#[derive(Default)]
struct Hexagons {
    water: Waterside,
    above: CellRow,
    here: CellRow,
    north: SlantedFaces,
    south: SlantedFaces,
    across: FaceRow,
    elsewhere: [Vec<f32>; 2],
}

impl Stages<2> for Hexagons {
    fn fit(&mut self, nx: usize) {
        self.water.fit(nx);
        [&mut self.above, &mut self.here].into_iter().for_each(|row| row.fit(nx, 3));
        [&mut self.north, &mut self.south].into_iter().for_each(|row| row.fit(nx));
        self.across.fit(nx + 1);
        let [y, z] = &mut self.elsewhere;
        y.resize(nx, 0.0);
        z.resize(nx + 1, 0.0);
    }

    fn move_on(&mut self, world: &World, y: isize, columns: Range<usize>) {
        self.water.move_on(world, y, columns);
    }

    fn work_out(&mut self, world: &World, y: usize, columns: Range<usize>) {
        self.here.work_out_aslant(world, &mut self.water, y, columns);
    }

    fn cross_north(&mut self, world: &World, at: (usize, Run), discharge: Option<[&mut [f32]; 2]>) {
        let Self { above, here, south, elsewhere, .. } = self;
        let discharge = discharge.unwrap_or_else(|| elsewhere.each_mut().map(|row| &mut **row));
        cross_aslant(south, world, at, [above, here], discharge);
    }

    fn push(&mut self, world: &World, at: (usize, Run), x: &mut [f32], pushes: [&mut [f32]; 2]) {
        let Self { above, north, south, across, .. } = self;
        let (y, run) = at;
        across
            .cross_x(world, at, above, x, |sides, edge, x| side_at_edge(world, y, sides, edge, x));
        above.push(world, (y, run.cells()), across, [north, south], pushes);
    }

    fn next_row(&mut self) {
        std::mem::swap(&mut self.above, &mut self.here);
        std::mem::swap(&mut self.north, &mut self.south);
    }
}
