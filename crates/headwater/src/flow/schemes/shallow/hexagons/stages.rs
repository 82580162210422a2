//! Stages of the shallow-water scheme for a row of hexagons. Cells at the edges of the grid are
//! handled one by one.

use super::buffers::{FaceMomentumSlices, NONE, SlantedFaces};
use super::loops::{compute_half_steps, compute_momentum_changes};
use super::{
    SOUTHEAST, SOUTHWEST, SlantedAxis, ghost_cells, reconstruct_side_at_edge_row,
    reconstruct_side_at_row_end, slanted_axis, split_edge_flux,
};
use crate::flow::schemes::shallow::buffers::{
    FluxRow, HalfStepRow, ReconstructionInput, WaterRow, WaterSlices,
};
use crate::flow::schemes::shallow::loops::{RoughnessRow, RowAxis, compute_half_step_drags};
use crate::flow::schemes::shallow::stages::StageInput;
use crate::flow::schemes::shallow::{FaceState, Flux, boundary_flux, inner_flux};
use crate::flow::solver::sweep::ColumnRun;
use crate::lattice::{Edge, FaceAxis, Hex};
use std::ops::Range;

/// Water of three consecutive rows, and of ghost cells beyond the northern and southern edges along
/// both slanted axes.
#[derive(Default)]
pub(super) struct WaterRows {
    rows: [WaterRow; 3],
    north: [WaterRow; 2],
    south: [WaterRow; 2],
}

impl WaterRows {
    pub(super) fn resize(&mut self, nx: usize) {
        let Self { rows, north, south } = self;
        rows.iter_mut().chain(north).chain(south).for_each(|row| row.resize(nx));
    }

    pub(super) fn shift_rows(&mut self, input: &StageInput, y: isize, columns: Range<usize>) {
        self.rows.rotate_left(1);
        fill_water_row(&mut self.rows[2], input, y, columns);
    }

    /// Fills the ghost cells beyond the northern or southern edge in `columns` if row `y` lies at
    /// that edge. Row `y` is the middle one of the three rows.
    fn fill_ghost_rows(&mut self, input: &StageInput, y: usize, columns: &Range<usize>) {
        let Self { rows: [_, here, _], north, south } = self;
        if y == 0 {
            let [west, east] = north;
            fill_ghost_row(west, input, Edge::North, (here, y, columns), false);
            fill_ghost_row(east, input, Edge::North, (here, y, columns), true);
        }
        if y + 1 == input.bed.ny() {
            let [east, west] = south;
            fill_ghost_row(east, input, Edge::South, (here, y, columns), true);
            fill_ghost_row(west, input, Edge::South, (here, y, columns), false);
        }
    }
}

/// Fills the cells in `columns` with the water of row `y`. Also fills the ghost cells at the ends
/// of the row. Does nothing if row `y` does not exist.
fn fill_water_row(row: &mut WaterRow, input: &StageInput, y: isize, columns: Range<usize>) {
    let (nx, ny) = (input.bed.nx(), input.bed.ny());
    let periodic = input.step.edges.periodic;
    let y = if periodic.y { y.rem_euclid(ny as isize) } else { y };
    let Some(y) = usize::try_from(y).ok().filter(|&y| y < ny) else { return };
    row.set_closed_row(input.closed, Some(y), periodic.x);
    if row.any_closed && !periodic.x {
        // A ghost cell next to a closed cell is closed too, because other rows read it.
        (row.closed[0], row.closed[nx + 1]) = (row.closed[1], row.closed[nx]);
    }
    row.fill_cells_on_grid(input, y, &columns);
    row.fill_ghost_cells_at_row_ends(input, y, &columns);
}

/// Fills the ghost cells beyond the northern or southern edge along one slanted axis, for the cells
/// in `columns` of row `y`. `here` contains the water of that row.
fn fill_ghost_row(
    row: &mut WaterRow,
    input: &StageInput,
    edge: Edge,
    (here, y, columns): (&WaterRow, usize, &Range<usize>),
    leans_east: bool,
) {
    let (nx, ny) = (input.bed.nx(), input.bed.ny());
    let periodic = input.step.edges.periodic.x;
    let back = if edge == Edge::South { y.checked_sub(1) } else { Some(1).filter(|&y| y < ny) };
    let odd = Hex::z_face_column(y) == 1;
    let outsides = &input.step.edges.edge_faces(edge)[columns.clone()];
    for (x, &outside) in columns.clone().zip(outsides) {
        let beside = ghost_cells::row_neighbour_columns(x, nx, periodic)[usize::from(leans_east)];
        let beside = beside.filter(|&x| !input.closed.contains(x, y)).map(|x| here.at(x + 1));
        let opposite = match back {
            Some(back) => {
                input.bed[(
                    ghost_cells::adjacent_row_columns(x, odd, nx, periodic)
                        [usize::from(!leans_east)],
                    back,
                )]
            }
            None => here.z[x + 1],
        };
        row.set(x + 1, ghost_cells::ghost_cell(outside, here.at(x + 1), beside, opposite));
    }
}

/// Water of the neighbours of a row of cells, and the closed-cell flags of these neighbours; `None`
/// if none of them is closed.
type NeighbourSlices<'a> = (WaterSlices<'a>, Option<&'a [bool]>);

fn neighbour_slices(row: &WaterRow, start: usize, n: usize) -> NeighbourSlices<'_> {
    (row.window(start, n), row.closed_flags(start, n))
}

fn ghost_slices(row: &WaterRow, start: usize, n: usize) -> NeighbourSlices<'_> {
    (row.window(start + 1, n), None)
}

/// Combines the water of a row of cells `here` with the water and closed-cell flags of the
/// neighbours before and after each cell along an axis. The first array of the result contains the
/// water of the neighbours before, of the cells, and of the neighbours after them. The second array
/// contains the closed-cell flags of the neighbours before and after.
fn combine_axis_rows<'a>(
    [(before, shut_before), (after, shut_after)]: [NeighbourSlices<'a>; 2],
    here: WaterSlices<'a>,
) -> ([WaterSlices<'a>; 3], [Option<&'a [bool]>; 2]) {
    ([before, here, after], [shut_before, shut_after])
}

impl HalfStepRow {
    /// Computes the half-slopes (changes from the cell centre to a face) of the cells in `columns`
    /// of row `y`, and their state half a time step later (stages 1 and 2 of the scheme). Row `y`
    /// is the middle row of `water`.
    pub(super) fn compute_hex_half_step(
        &mut self,
        input: &StageInput,
        water: &mut WaterRows,
        y: usize,
        columns: Range<usize>,
    ) {
        let (start, n, ny, c) = (columns.start, columns.len(), input.bed.ny(), &input.c);
        let periodic = input.step.edges.periodic.y;
        if !periodic {
            water.fill_ghost_rows(input, y, &columns);
        }
        let WaterRows { rows: [above, own, below], north, south } = &*water;
        let Self { drag, h, per_h, u, v, slopes: [row, southeast, southwest], open } = self;
        let here = own.window(start + 1, n);
        // Rows are shifted relative to each other. These are the columns of the western and eastern
        // neighbours of the first cell.
        let (west, east) =
            if Hex::z_face_column(y) == 1 { (start + 1, start + 2) } else { (start, start + 1) };
        let [is_first, is_last] = [y == 0, y + 1 == ny].map(|at_edge| at_edge && !periodic);
        let (northwest, northeast) = match is_first {
            true => (ghost_slices(&north[0], start, n), ghost_slices(&north[1], start, n)),
            false => (neighbour_slices(above, west, n), neighbour_slices(above, east, n)),
        };
        let (to_southeast, to_southwest) = match is_last {
            true => (ghost_slices(&south[0], start, n), ghost_slices(&south[1], start, n)),
            false => (neighbour_slices(below, east, n), neighbour_slices(below, west, n)),
        };
        let [west, east] = [0, 2].map(|by| neighbour_slices(own, start + by, n));
        let (rows, shut) = combine_axis_rows([west, east], here);
        row.compute_slopes(RowAxis, columns.clone(), &rows, shut, open, c.gravity);
        for (slopes, axis, around) in [
            (&mut *southeast, SOUTHEAST, [northwest, to_southeast]),
            (&mut *southwest, SOUTHWEST, [northeast, to_southwest]),
        ] {
            let (rows, shut) = combine_axis_rows(around, here);
            slopes.compute_slopes(axis, columns.clone(), &rows, shut, open, c.gravity);
        }
        let slopes = [row, southeast, southwest].map(|slopes| slopes.window(start, n));
        let roughness = RoughnessRow::from_roughness(input.step.roughness, y, columns.clone());
        let [drag, h, per_h, u, v] = [drag, h, per_h, u, v].map(|row| &mut row[columns.clone()]);
        compute_half_step_drags(&here, c.g_dt, roughness, drag);
        compute_half_steps(&here, &slopes, drag, c, h, per_h, u, v);
    }

    /// Computes the momentum changes of the cells in `columns` of row `y` (stage 6 of the scheme).
    /// Reads the fluxes through the faces of that row and through the faces to the north and south.
    pub(super) fn compute_momentum_changes(
        &self,
        input: &StageInput,
        (y, columns): (usize, Range<usize>),
        across: &FluxRow,
        [north, south]: [&SlantedFaces; 2],
        [change_x, change_y]: [&mut [f32]; 2],
    ) {
        let offset = Hex::z_face_column(y);
        let (start, n) = (columns.start, columns.len());
        let aslant = start + offset;
        let (y_above, z_above) = (
            FaceMomentumSlices::for_cell_before(&north.y, start, n),
            FaceMomentumSlices::for_cell_before(&north.z, aslant, n),
        );
        let (y_below, z_below) = (
            FaceMomentumSlices::for_cell_after(&south.y, start, n),
            FaceMomentumSlices::for_cell_after(&south.z, aslant, n),
        );
        let row_cell = [
            FaceMomentumSlices::for_cell_before(across, start, n),
            FaceMomentumSlices::for_cell_after(across, start + 1, n),
        ];
        let (southeast, southwest) = match offset {
            0 => ([z_above, y_below], [y_above, z_below]),
            _ => ([y_above, z_below], [z_above, y_below]),
        };
        let [a, b, c] = &self.slopes;
        let slopes = [a, b, c].map(|slopes| &slopes.w[columns.clone()]);
        compute_momentum_changes(
            &self.h[columns.clone()],
            slopes,
            &[row_cell, southeast, southwest],
            &input.c,
            change_x,
            change_y,
        );
    }
}

/// Returns the state of a cell in row `y` at a face on the western or eastern edge of the grid, and
/// the width of this face relative to an inner face.
pub(super) fn side_at_edge(
    input: &StageInput,
    y: usize,
    sides: &ReconstructionInput,
    edge: Edge,
    x: usize,
) -> (FaceState, f32) {
    let lattice = input.step.lattice;
    let wide = (lattice.edge_face_width(edge, y) / lattice.face_width(true)) as f32;
    let to = if edge == Edge::West { -1.0 } else { 1.0 };
    (
        reconstruct_side_at_row_end(sides.z[x], sides.half_state(x), sides.slopes.at(x), to, wide),
        wide,
    )
}

/// Computes the fluxes through the slanted faces north of row `y`, in the range of columns `run`
/// (stages 3 to 5 of the scheme). `cells` contains the states half a time step later in the rows
/// north and south of these faces.
pub(super) fn compute_slanted_fluxes(
    faces: &mut SlantedFaces,
    input: &StageInput,
    (y, run): (usize, ColumnRun),
    cells: [&HalfStepRow; 2],
    discharge: [&mut [f32]; 2],
) {
    let StageInput { bed, closed, step, c, .. } = input;
    let (nx, ny, periodic) = (bed.nx(), bed.ny(), step.edges.periodic);
    let at_edge = y == 0 || y == ny;
    if at_edge && !periodic.y {
        return compute_edge_fluxes(faces, input, (y, run.cells()), cells, discharge);
    }
    let (north, south) = if at_edge { (ny - 1, 0) } else { (y - 1, y) };
    let rows = [bed.row(north), bed.row(south)];
    let any = [north, south].into_iter().any(|y| closed.row_has_closed(y));
    let walls = any.then(|| [north, south].map(|y| closed.cells().row(y)));
    let factors = [c.gravity, c.width_y];
    // Of the cells above and below a z-face, one is in the previous column.
    let ahead = if Hex::z_face_column(y) == 0 { [0, 1] } else { [1, 0] };
    let [discharge_y, discharge_z] = discharge;
    let SlantedFaces { y: faces_y, z: faces_z } = faces;
    // Inner faces, including those at the ends of the run.
    let inner = run.from.max(1)..(run.to + 1).min(nx);
    for (axis, faces, discharge, from, n, starts) in [
        (FaceAxis::Y, faces_y, discharge_y, run.from, run.to - run.from, [run.from; 2]),
        (
            FaceAxis::Z,
            &mut *faces_z,
            &mut *discharge_z,
            inner.start,
            inner.len(),
            ahead.map(|ahead| inner.start - 1 + ahead),
        ),
    ] {
        let slant = slanted_axis(axis, y);
        let sides =
            [0, 1].map(|i| cells[i].sides(rows[i], slope_index(slant), starts[i]..starts[i] + n));
        let walls = walls.map(|walls| [0, 1].map(|i| &walls[i][starts[i]..starts[i] + n]));
        let discharge = &mut discharge[from..from + n];
        faces.compute_fluxes(slant, from..from + n, &sides, walls, factors, discharge);
    }
    if !(run.from == 0 || run.to == nx) {
        return;
    }
    let flux = if periodic.x {
        let slant = slanted_axis(FaceAxis::Z, y);
        let columns = ahead.map(|i| if i == 0 { nx - 1 } else { 0 });
        let sides = [0, 1].map(|i| cells[i].sides(rows[i], slope_index(slant), 0..nx));
        let shut = [closed.contains(columns[0], north), closed.contains(columns[1], south)];
        let [l, r] = [sides[0].at(columns[0], slant, 1.0), sides[1].at(columns[1], slant, -1.0)];
        inner_flux(l, r, shut, c.gravity)
    } else {
        NONE
    };
    for x in [0, nx] {
        discharge_z[x] = flux.volume * c.width_y;
        faces_z.set(x, flux);
    }
}

fn slope_index(slant: SlantedAxis) -> usize {
    if slant.east > 0.0 { 1 } else { 2 }
}

/// Computes the fluxes through the faces on the northern edge of the grid (`y` = 0) or the southern
/// edge (`y` = number of rows) (stages 3 to 5 of the scheme). Each face consists of two slanted
/// halves.
fn compute_edge_fluxes(
    faces: &mut SlantedFaces,
    input: &StageInput,
    (y, columns): (usize, Range<usize>),
    cells: [&HalfStepRow; 2],
    [discharge_y, discharge_z]: [&mut [f32]; 2],
) {
    let StageInput { bed, closed, step, c, .. } = input;
    let (edge, cells, row, to) = match y {
        0 => (Edge::North, cells[1], 0, -1.0),
        _ => (Edge::South, cells[0], bed.ny() - 1, 1.0),
    };
    let half_width = (0.5 * step.lattice.dx()) as f32;
    let offset = Hex::z_face_column(row);
    let (nx, z) = (bed.nx(), bed.row(row));
    let [a, b]: [ReconstructionInput; 2] = [1, 2].map(|axis| cells.sides(z, axis, 0..nx));
    for (x, &outside) in columns.clone().zip(&step.edges.edge_faces(edge)[columns]) {
        let side = reconstruct_side_at_edge_row(
            z[x],
            a.half_state(x),
            [a.slopes.at(x), b.slopes.at(x)],
            to,
        );
        let flux = match edge {
            Edge::North => {
                boundary_flux::boundary_flux(outside, side.mirrored(), c.gravity).mirrored()
            }
            _ => boundary_flux::boundary_flux(outside, side, c.gravity),
        };
        let volume = if closed.contains(x, row) { 0.0 } else { flux.volume };
        let flux = split_edge_flux(Flux { volume, ..flux });
        discharge_y[x] = flux.volume * half_width;
        discharge_z[x + offset] = flux.volume * half_width;
        faces.y.set(x, flux);
        faces.z.set(x + offset, flux);
    }
    // The face at one end of the row belongs to no cell.
    let end = if offset == 0 { nx } else { 0 };
    discharge_z[end] = 0.0;
    faces.z.set(end, NONE);
}
