//! Stages 1 to 6 of the shallow-water scheme on hexagons, performed row by row. The results are
//! bit-identical to those of [`super::plain`].

use super::buffers::SlantedFaces;
use super::stages::{WaterRows, compute_slanted_fluxes, side_at_edge};
use crate::flow::context::StepContext;
use crate::flow::schemes::shallow::Coefficients;
use crate::flow::schemes::shallow::buffers::{FluxRow, HalfStepRow};
use crate::flow::schemes::shallow::rows::{RowStages, compute_fluxes_in_bands};
use crate::flow::schemes::shallow::stages::StageInput;
use crate::flow::solver::sweep::ColumnRun;
use crate::flow::state::State;
use crate::flow::state::workspace::Workspace;
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Performs stages 1 to 6 of the shallow-water scheme: sets the discharge through every face and
/// the momentum change of every cell.
pub(in crate::flow) fn compute_fluxes(
    state: &mut State,
    workspace: &mut Workspace,
    step: &StepContext,
    scratch: &ScratchPool,
) {
    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, momentum, .. } = state;
    let (Some(q), Some(discharge_z)) = (momentum, discharge_z) else { return };
    let input =
        StageInput { bed, depth, closed, q, step, c: Coefficients::new(step), subgrid: None };
    let north = [discharge_y.as_mut_slice(), discharge_z.as_mut_slice()];
    compute_fluxes_in_bands::<HexagonStages, 2>(
        &input,
        discharge_x.as_mut_slice(),
        north,
        workspace,
        scratch,
    );
}

#[derive(Default)]
struct HexagonStages {
    water: WaterRows,
    above: HalfStepRow,
    here: HalfStepRow,
    north: SlantedFaces,
    south: SlantedFaces,
    across: FluxRow,
    unused_discharge: [Vec<f32>; 2],
}

impl RowStages<2> for HexagonStages {
    fn resize(&mut self, nx: usize) {
        self.water.resize(nx);
        [&mut self.above, &mut self.here].into_iter().for_each(|row| row.resize(nx, 3));
        [&mut self.north, &mut self.south].into_iter().for_each(|row| row.resize(nx));
        self.across.resize(nx + 1);
        let [y, z] = &mut self.unused_discharge;
        y.resize(nx, 0.0);
        z.resize(nx + 1, 0.0);
    }

    fn shift_rows(&mut self, input: &StageInput, y: isize, columns: Range<usize>) {
        self.water.shift_rows(input, y, columns);
    }

    fn compute_half_step(&mut self, input: &StageInput, y: usize, columns: Range<usize>) {
        self.here.compute_hex_half_step(input, &mut self.water, y, columns);
    }

    fn compute_north_fluxes(
        &mut self,
        input: &StageInput,
        at: (usize, ColumnRun),
        discharge: Option<[&mut [f32]; 2]>,
    ) {
        let Self { above, here, south, unused_discharge, .. } = self;
        let discharge =
            discharge.unwrap_or_else(|| unused_discharge.each_mut().map(|row| &mut **row));
        compute_slanted_fluxes(south, input, at, [above, here], discharge);
    }

    fn update_momentum_changes(
        &mut self,
        input: &StageInput,
        at: (usize, ColumnRun),
        x: &mut [f32],
        momentum_changes: [&mut [f32]; 2],
    ) {
        let Self { above, north, south, across, .. } = self;
        let (y, run) = at;
        across.compute_x_fluxes(input, at, above, x, |sides, boundary_flux, x| {
            side_at_edge(input, y, sides, boundary_flux, x)
        });
        above.compute_momentum_changes(
            input,
            (y, run.cells()),
            across,
            [north, south],
            momentum_changes,
        );
    }

    fn advance_row(&mut self) {
        std::mem::swap(&mut self.above, &mut self.here);
        std::mem::swap(&mut self.north, &mut self.south);
    }
}
