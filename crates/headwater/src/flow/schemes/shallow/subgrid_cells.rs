//! Stages 1 to 6 of the shallow-water scheme near subgrid cells, which are cells that a bank splits
//! into a low and a high part. These stages are performed cell by cell, after the row loops have
//! treated all cells as not split.
//!
//! A subgrid cell affects the slopes of its neighbours. These slopes affect the fluxes through the
//! neighbours' faces, and these fluxes affect the momentum of the cells beyond. All cells within a
//! distance of two are therefore recomputed, from the water of the cells within a distance of
//! three.

use super::Coefficients;
use super::stages::StageInput;
use super::subgrid_flux::HalfStepCell;
use crate::field::Field;
use crate::flow::boundary::state::Periodicity;
use crate::flow::context::{Roughness, StepContext};
use crate::flow::state::State;
use crate::flow::subgrid::Subgrid;
use crate::parallel::map;

#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct SubgridCells {
    /// Cells at a distance of at most two cells from a subgrid cell, followed by the cells at a
    /// distance of three.
    cells: Vec<(usize, usize)>,
    recomputed_count: usize,
    /// Index in `cells` of each cell of the grid; `NONE` for cells that are not listed.
    numbers: Vec<u32>,
    /// Subgrid cells and periodicity for which the lists were built. If the subgrid cells or the
    /// periodicity change, the lists are rebuilt.
    built_for: Option<(Vec<(usize, usize)>, Periodicity)>,
    roughness: Option<Field<f32>>,
}

const NONE: u32 = u32::MAX;

impl SubgridCells {
    fn update_cell_list(&mut self, subgrid: &Subgrid, periodic: Periodicity) {
        let parted: Vec<(usize, usize)> = subgrid.cells().collect();
        let built_for = Some((parted, periodic));
        if built_for == self.built_for {
            return;
        }
        self.built_for = built_for;
        let (nx, ny) = (subgrid.low_fraction.nx(), subgrid.low_fraction.ny());
        self.numbers.clear();
        self.numbers.resize(nx * ny, NONE);
        self.cells.clear();
        let (cells, numbers) = (&mut self.cells, &mut self.numbers);
        let mut add = |cells: &mut Vec<(usize, usize)>, (x, y): (usize, usize)| {
            let number = &mut numbers[y * nx + x];
            if *number == NONE {
                *number = cells.len() as u32;
                cells.push((x, y));
            }
        };
        subgrid.cells().for_each(|cell| add(cells, cell));
        let mut from = 0;
        for away in 1..=3 {
            let end = cells.len();
            if away == 3 {
                self.recomputed_count = end;
            }
            for i in from..end {
                let (x, y) = cells[i];
                let beside =
                    [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
                for at in beside.map(|at| periodic.wrap(at, nx, ny)) {
                    if at.0 < nx && at.1 < ny {
                        add(cells, at);
                    }
                }
            }
            from = end;
        }
    }
}

/// Momentum change of a cell (m²/s), and the new discharges through its western, eastern, northern
/// and southern faces (m³/s).
type CellUpdate = ([f32; 2], [f32; 4]);

pub(in crate::flow) fn compute_fluxes(
    state: &mut State,
    subgrid_cells: &mut SubgridCells,
    momentum_changes: &mut [Vec<f32>; 2],
    step: &StepContext,
) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, subgrid, .. } = state;
    let (Some(q), Some(subgrid)) = (momentum, subgrid.as_deref()) else { return };
    let (nx, periodic) = (bed.nx(), step.edges.periodic);
    let c = Coefficients::new(step);
    let input = StageInput { bed, depth, closed, q, step, c, subgrid: Some(subgrid) };
    subgrid_cells.update_cell_list(subgrid, periodic);
    let water = |at| input.cell_parts(at);
    let cells: Vec<HalfStepCell> = map(&subgrid_cells.cells, |&at| input.compute_cell(at, &water));
    let cell = |at: (usize, usize)| match subgrid_cells.numbers[at.1 * nx + at.0] {
        // Cell at a distance of four, read only by a face that is needed for the cell on its other
        // side.
        NONE => input.compute_cell(at, &water),
        number => cells[number as usize],
    };
    let updates: Vec<CellUpdate> =
        map(&subgrid_cells.cells[..subgrid_cells.recomputed_count], |&(x, y)| {
            let faces_x = [(x, y), (x + 1, y)];
            let faces_y = [(x, y), (x, y + 1)];
            let [west, east] = faces_x.map(|at| input.flux_x(at, &cell));
            let [north, south] = faces_y.map(|at| input.flux_y(at, &cell));
            let discharges = [
                input.discharge_x(faces_x[0], west),
                input.discharge_x(faces_x[1], east),
                input.discharge_y(faces_y[0], north),
                input.discharge_y(faces_y[1], south),
            ];
            (input.momentum_change((x, y), &cell((x, y)), [west, east, north, south]), discharges)
        });
    let ny = bed.ny();
    for (&(x, y), (push, [west, east, north, south])) in subgrid_cells.cells.iter().zip(updates) {
        [momentum_changes[0][y * nx + x], momentum_changes[1][y * nx + x]] = push;
        (discharge_x[(x, y)], discharge_x[(x + 1, y)]) = (west, east);
        (discharge_y[(x, y)], discharge_y[(x, y + 1)]) = (north, south);
        // A periodic face is stored at both ends.
        if periodic.x && x == 0 {
            discharge_x[(nx, y)] = west;
        }
        if periodic.x && x + 1 == nx {
            discharge_x[(0, y)] = east;
        }
        if periodic.y && y == 0 {
            discharge_y[(x, ny)] = north;
        }
        if periodic.y && y + 1 == ny {
            discharge_y[(x, 0)] = south;
        }
    }
}

/// Returns the roughness of the cells for the momentum update. The roughness of subgrid cells is
/// increased, because their mean depth overestimates the hydraulic radius.
pub(in crate::flow) fn effective_roughness<'a>(
    state: &State,
    subgrid_cells: &'a mut SubgridCells,
    given: Roughness<'a>,
) -> Roughness<'a> {
    let Some(subgrid) = &state.subgrid else { return given };
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let map = subgrid_cells.roughness.get_or_insert_with(|| Field::new(nx, ny, 0.0));
    match given {
        Roughness::Uniform(n) => map.reset(nx, ny, n),
        Roughness::Map(given) => map.clone_from(given),
    }
    for at in subgrid.cells() {
        if let Some(ground) = subgrid.at(at) {
            map[at] *= ground.roughness_factor(state.depth[at]);
        }
    }
    Roughness::Map(map)
}
