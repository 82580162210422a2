//! Stages 1 to 6 of the shallow-water scheme, performed row by row. The grid is divided into bands
//! of rows, which are processed in parallel. A band buffers its last few rows. Rows that two bands
//! need are computed by both, so the result equals that of [`super::plain`], bit for bit.

use super::Coefficients;
use super::buffers::{FluxRow, HalfStepRow, WaterRow};
use super::loops::{RowAxis, compute_momentum_changes};
use super::stages::StageInput;
use crate::flow::context::StepContext;
use crate::flow::solver::sweep::{ColumnRun, TILE_SIZE};
use crate::flow::state::State;
use crate::flow::state::workspace::Workspace;
use crate::lattice::Edge;
use crate::parallel::for_each_part;
use crate::scratch::ScratchPool;
use std::ops::Range;

/// Number of grid rows per parallel task. The tile size must be a multiple of this number. A task
/// also computes up to two rows beyond its own.
const ROWS_PER_BAND: usize = 32;
const _: () = assert!(TILE_SIZE.is_multiple_of(ROWS_PER_BAND));

/// Stages 1 to 6 of the shallow-water scheme on one type of lattice, with buffers for the most
/// recent rows. `N` is the number of northern faces of a cell: one on squares, two on hexagons.
pub(super) trait RowStages<const N: usize>: Default + Send + 'static {
    /// Resizes the buffers for rows of `nx` cells.
    fn resize(&mut self, nx: usize);

    /// Shifts the three buffered rows of water by one row, and fills the last of them with the
    /// cells in `columns` of row `y`.
    fn shift_rows(&mut self, input: &StageInput, y: isize, columns: Range<usize>);

    /// Computes the half-slopes (changes from the cell centre to a face) and the state half a time
    /// step later for the cells in `columns` of row `y` (stages 1 and 2 of the scheme). Row `y` is
    /// the middle one of the three buffered rows of water.
    fn compute_half_step(&mut self, input: &StageInput, y: usize, columns: Range<usize>);

    /// Computes the fluxes through the faces north of a row in a range of columns (stages 3 to 5 of
    /// the scheme). If `discharge` is given, stores the discharges through these faces in it.
    fn compute_north_fluxes(
        &mut self,
        input: &StageInput,
        at: (usize, ColumnRun),
        discharge: Option<[&mut [f32]; N]>,
    );

    /// Computes the fluxes through the x-faces of row `y` (stages 3 to 5 of the scheme) and the
    /// momentum changes of its cells (stage 6). Before this call, the fluxes north of row `y + 1`
    /// must have been computed.
    fn update_momentum_changes(
        &mut self,
        input: &StageInput,
        at: (usize, ColumnRun),
        x: &mut [f32],
        momentum_changes: [&mut [f32]; 2],
    );

    fn advance_row(&mut self);
}

#[derive(Default)]
struct SquareStages {
    water: [WaterRow; 3],
    above: HalfStepRow,
    here: HalfStepRow,
    north: FluxRow,
    south: FluxRow,
    across: FluxRow,
    unused_discharge: Vec<f32>,
}

impl RowStages<1> for SquareStages {
    fn resize(&mut self, nx: usize) {
        self.water.iter_mut().for_each(|row| row.resize(nx));
        [&mut self.above, &mut self.here].into_iter().for_each(|row| row.resize(nx, 2));
        [&mut self.north, &mut self.south].into_iter().for_each(|row| row.resize(nx));
        self.across.resize(nx + 1);
        self.unused_discharge.resize(nx, 0.0);
    }

    fn shift_rows(&mut self, input: &StageInput, y: isize, columns: Range<usize>) {
        self.water.rotate_left(1);
        self.water[2].fill_water_row(input, y, columns);
    }

    fn compute_half_step(&mut self, input: &StageInput, y: usize, columns: Range<usize>) {
        self.here.compute_half_step(input, &self.water, y, columns);
    }

    fn compute_north_fluxes(
        &mut self,
        input: &StageInput,
        (y, run): (usize, ColumnRun),
        discharge: Option<[&mut [f32]; 1]>,
    ) {
        let Self { above, here, south, unused_discharge, .. } = self;
        let [discharge] = discharge.unwrap_or([unused_discharge]);
        south.compute_y_fluxes(input, y, [above, here], run.cells(), discharge);
    }

    fn update_momentum_changes(
        &mut self,
        input: &StageInput,
        at: (usize, ColumnRun),
        x: &mut [f32],
        momentum_changes: [&mut [f32]; 2],
    ) {
        let Self { above, north, south, across, .. } = self;
        across.compute_x_fluxes(input, at, above, x, |sides, edge, x| {
            (sides.at(x, RowAxis, if edge == Edge::West { -1.0 } else { 1.0 }), 1.0)
        });
        let (columns, [change_x, change_y]) = (at.1.cells(), momentum_changes);
        let faces = [
            across.window(columns.start..columns.end + 1),
            north.window(columns.clone()),
            south.window(columns.clone()),
        ];
        compute_momentum_changes(&above.window(columns), &faces, &input.c, change_x, change_y);
    }

    fn advance_row(&mut self) {
        std::mem::swap(&mut self.above, &mut self.here);
        std::mem::swap(&mut self.north, &mut self.south);
    }
}

/// Performs stages 1 to 6 of the shallow-water scheme: sets the discharge through every face and
/// the momentum change of every cell.
pub(in crate::flow) fn compute_fluxes(
    state: &mut State,
    workspace: &mut Workspace,
    step: &StepContext,
    scratch: &ScratchPool,
) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum, subgrid, .. } = state;
    let Some(q) = momentum else { return };
    let subgrid = subgrid.as_deref();
    let input = StageInput { bed, depth, closed, q, step, c: Coefficients::new(step), subgrid };
    let north = [discharge_y.as_mut_slice()];
    compute_fluxes_in_bands::<SquareStages, 1>(
        &input,
        discharge_x.as_mut_slice(),
        north,
        workspace,
        scratch,
    );
}

/// Performs stages 1 to 6 of the shallow-water scheme for bands of rows in parallel. Stores the
/// discharges through x-faces in `x`, and those through all other faces in `north`.
pub(super) fn compute_fluxes_in_bands<S: RowStages<N>, const N: usize>(
    input: &StageInput,
    x: &mut [f32],
    north: [&mut [f32]; N],
    workspace: &mut Workspace,
    scratch: &ScratchPool,
) {
    let (nx, ny, periodic) = (input.bed.nx(), input.bed.ny(), input.step.edges.periodic);
    workspace.momentum_change_buffers(nx * ny);
    let Workspace { momentum_changes: [change_x, change_y], sweep, .. } = workspace;
    sweep.plan_pass([nx, ny], [periodic.x, periodic.y], scratch);
    let [north, last] = split_rows(north, nx, ny);
    let momentum_changes = [change_x.as_mut_slice(), change_y];
    let whole = RowBand { nx, first: 0, end: ny, x, north, last: Some(last), momentum_changes };
    for_each_part(whole, ny.div_ceil(ROWS_PER_BAND), &RowBand::split, &|mut band: RowBand<N>| {
        for &run in sweep.row_runs(band.first) {
            band.compute_fluxes_of_run::<S>(input, extended_run(run, input), &mut scratch.take());
        }
    });
}

/// Splits the discharges through the northern faces of the cells into two groups: those of the
/// first `rows` rows, and those of all other rows. `faces` contains the y-faces and, on hexagons,
/// the z-faces. A row has `nx` y-faces and `nx + 1` z-faces.
fn split_rows<const N: usize>(
    faces: [&mut [f32]; N],
    nx: usize,
    rows: usize,
) -> [[&mut [f32]; N]; 2] {
    let mut widths = nx..;
    let mut parts = faces.map(|faces| faces.split_at_mut(rows * widths.next().unwrap_or(nx)));
    [parts.each_mut().map(|part| std::mem::take(&mut part.0)), parts.map(|part| part.1)]
}

struct RowBand<'a, const N: usize> {
    nx: usize,
    first: usize,
    end: usize,
    x: &'a mut [f32],
    north: [&'a mut [f32]; N],
    /// Discharges through the faces south of the last row, if that row lies at the edge of the
    /// grid.
    last: Option<[&'a mut [f32]; N]>,
    momentum_changes: [&'a mut [f32]; 2],
}

impl<const N: usize> RowBand<'_, N> {
    fn split(self, count: usize) -> [Self; 2] {
        let Self { nx, first, end, x, north, last, momentum_changes: [change_x, change_y] } = self;
        let rows = count * ROWS_PER_BAND;
        let middle = first + rows;
        let (x, next_x) = x.split_at_mut(rows * (nx + 1));
        let [north, next_north] = split_rows(north, nx, rows);
        let (change_x, next_push_x) = change_x.split_at_mut(rows * nx);
        let (change_y, next_push_y) = change_y.split_at_mut(rows * nx);
        let momentum_changes = [next_push_x, next_push_y];
        let lower =
            Self { nx, first: middle, end, x: next_x, north: next_north, last, momentum_changes };
        let momentum_changes = [change_x, change_y];
        [Self { nx, first, end: middle, x, north, last: None, momentum_changes }, lower]
    }

    fn compute_fluxes_of_run<S: RowStages<N>>(
        &mut self,
        input: &StageInput,
        run: ColumnRun,
        stages: &mut S,
    ) {
        let (nx, ny) = (input.bed.nx(), input.bed.ny());
        stages.resize(nx);
        let Self { first, end, x, north, last, momentum_changes, .. } = self;
        let (first, end) = (*first, *end);
        // The flux through a face depends on the half-step states of both cells, and these depend
        // on the water of their neighbours.
        let (cells, wet) = (run.extended(1, nx), run.extended(2, nx));
        // The faces north of the band need the row above it. If north and south are periodic, the
        // first and last band wrap.
        let periodic = input.step.edges.periodic.y;
        let from = if first == 0 && !periodic { 0 } else { first as isize - 1 };
        stages.shift_rows(input, from - 1, wet.clone());
        stages.shift_rows(input, from, wet.clone());
        for row in from..=end as isize {
            if periodic || row < ny as isize {
                stages.shift_rows(input, row + 1, wet.clone());
                stages.compute_half_step(
                    input,
                    row.rem_euclid(ny as isize) as usize,
                    cells.clone(),
                );
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
                stages.compute_north_fluxes(input, (y, run), discharge);
                if let Some(row) = (y - first).checked_sub(1) {
                    let discharge = &mut x[row * (nx + 1)..][..nx + 1];
                    let places = row * nx + run.from..row * nx + run.to;
                    let momentum_changes =
                        momentum_changes.each_mut().map(|push| &mut push[places.clone()]);
                    stages.update_momentum_changes(
                        input,
                        (y - 1, run),
                        discharge,
                        momentum_changes,
                    );
                }
            }
            stages.advance_row();
        }
    }
}

/// Returns the range of columns to compute. This is `run`, unless its stages would read cells
/// across a periodic west-east edge. In that case, the result contains all columns.
fn extended_run(run: ColumnRun, input: &StageInput) -> ColumnRun {
    let nx = input.bed.nx();
    let near = run.extended(3, nx);
    let at_seam = input.step.edges.periodic.x && (near.start == 0 || near.end == nx);
    if at_seam { ColumnRun { from: 0, to: nx } } else { run }
}
