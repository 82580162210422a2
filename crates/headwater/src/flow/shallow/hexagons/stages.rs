//! Stages of a step for a row of hexagons; cells at the edge one by one.

use super::buffers::{Actings, NONE, SlantedFaces};
use super::loops::{half_steps, push_row};
use super::{SOUTHEAST, SOUTHWEST, Slant, halved, rim, side_to_edge, side_to_end, slant};
use crate::flow::shallow::buffers::{CellRow, FaceRow, Sides, WaterRow, Waters};
use crate::flow::shallow::loops::{RoughRow, Straight, half_drags};
use crate::flow::shallow::stages::World;
use crate::flow::shallow::{Flux, Side, between, edge};
use crate::flow::sweep::Run;
use crate::lattice::{Edge, FaceAxis, Hex};
use std::ops::Range;

/// The water of three rows, and what lies beyond the northern and southern edge along both slanted
/// axes.
#[derive(Default)]
pub(super) struct Waterside {
    rows: [WaterRow; 3],
    north: [WaterRow; 2],
    south: [WaterRow; 2],
}

impl Waterside {
    pub(super) fn fit(&mut self, nx: usize) {
        let Self { rows, north, south } = self;
        rows.iter_mut().chain(north).chain(south).for_each(|row| row.fit(nx));
    }

    pub(super) fn move_on(&mut self, world: &World, y: isize, columns: Range<usize>) {
        self.rows.rotate_left(1);
        fill(&mut self.rows[2], world, y, columns);
    }

    /// Fills in what lies beyond the edges beside some `columns` of row `y`, the middle one.
    fn reach_over(&mut self, world: &World, y: usize, columns: &Range<usize>) {
        let Self { rows: [_, here, _], north, south } = self;
        if y == 0 {
            let [west, east] = north;
            fill_beyond(west, world, Edge::North, (here, y, columns), false);
            fill_beyond(east, world, Edge::North, (here, y, columns), true);
        }
        if y + 1 == world.bed.ny() {
            let [east, west] = south;
            fill_beyond(east, world, Edge::South, (here, y, columns), true);
            fill_beyond(west, world, Edge::South, (here, y, columns), false);
        }
    }
}

/// Fills in some `columns` of row `y`, and what lies beyond its ends within reach; nothing if there
/// is no such row.
fn fill(row: &mut WaterRow, world: &World, y: isize, columns: Range<usize>) {
    let (nx, ny) = (world.bed.nx(), world.bed.ny());
    let joined = world.step.edges.joined;
    let y = if joined.y { y.rem_euclid(ny as isize) } else { y };
    let Some(y) = usize::try_from(y).ok().filter(|&y| y < ny) else { return };
    row.note_closed(world.closed, Some(y), joined.x);
    if row.any_closed && !joined.x {
        // What lies beyond a closed cell is no water either: cells of other rows ask for it.
        (row.closed[0], row.closed[nx + 1]) = (row.closed[1], row.closed[nx]);
    }
    row.fill_inside(world, y, &columns);
    row.fill_ends(world, y, &columns);
}

/// Fills in what the cells of row `y`, `here`, see beyond an edge, to the east or to the west of them.
fn fill_beyond(
    row: &mut WaterRow,
    world: &World,
    edge: Edge,
    (here, y, columns): (&WaterRow, usize, &Range<usize>),
    east: bool,
) {
    let (nx, ny) = (world.bed.nx(), world.bed.ny());
    let joined = world.step.edges.joined.x;
    let back = if edge == Edge::South { y.checked_sub(1) } else { Some(1).filter(|&y| y < ny) };
    let odd = Hex::z_offset(y) == 1;
    let outsides = &world.step.edges.along(edge)[columns.clone()];
    for (x, &outside) in columns.clone().zip(outsides) {
        let beside = rim::beside(x, nx, joined)[usize::from(east)];
        let beside = beside.filter(|&x| !world.closed.contains(x, y)).map(|x| here.at(x + 1));
        let opposite = match back {
            Some(back) => world.bed[(rim::below(x, odd, nx, joined)[usize::from(!east)], back)],
            None => here.z[x + 1],
        };
        row.set(x + 1, rim::over_edge(outside, here.at(x + 1), beside, opposite));
    }
}

/// Cells of a row that others see beside them, and which of them are closed.
type Seen<'a> = (Waters<'a>, Option<&'a [bool]>);

fn seen(row: &WaterRow, start: usize, n: usize) -> Seen<'_> {
    (row.part(start, n), row.closed_part(start, n))
}

fn beyond(row: &WaterRow, start: usize, n: usize) -> Seen<'_> {
    (row.part(start + 1, n), None)
}

/// The rows of water along an axis, and which of the cells before and after are closed.
fn beside<'a>(
    [(before, shut_before), (after, shut_after)]: [Seen<'a>; 2],
    here: Waters<'a>,
) -> ([Waters<'a>; 3], [Option<&'a [bool]>; 2]) {
    ([before, here, after], [shut_before, shut_after])
}

impl CellRow {
    /// 1 and 2. Half-slopes and the half-step of some `columns` of row `y`, the middle one of those at hand.
    pub(super) fn work_out_aslant(
        &mut self,
        world: &World,
        water: &mut Waterside,
        y: usize,
        columns: Range<usize>,
    ) {
        let (start, n, ny, c) = (columns.start, columns.len(), world.bed.ny(), &world.c);
        let joined = world.step.edges.joined.y;
        if !joined {
            water.reach_over(world, y, &columns);
        }
        let Waterside { rows: [above, own, below], north, south } = &*water;
        let Self { drag, h, per_h, u, v, slopes: [row, southeast, southwest], open } = self;
        let here = own.part(start + 1, n);
        // Rows are shifted against one another: where the western and the eastern neighbour of the first cell are.
        let (west, east) =
            if Hex::z_offset(y) == 1 { (start + 1, start + 2) } else { (start, start + 1) };
        let [is_first, is_last] = [y == 0, y + 1 == ny].map(|at_edge| at_edge && !joined);
        let (northwest, northeast) = match is_first {
            true => (beyond(&north[0], start, n), beyond(&north[1], start, n)),
            false => (seen(above, west, n), seen(above, east, n)),
        };
        let (to_southeast, to_southwest) = match is_last {
            true => (beyond(&south[0], start, n), beyond(&south[1], start, n)),
            false => (seen(below, east, n), seen(below, west, n)),
        };
        let [west, east] = [0, 2].map(|by| seen(own, start + by, n));
        let (rows, shut) = beside([west, east], here);
        row.fill(Straight, columns.clone(), &rows, shut, open, c.gravity);
        for (slopes, axis, around) in [
            (&mut *southeast, SOUTHEAST, [northwest, to_southeast]),
            (&mut *southwest, SOUTHWEST, [northeast, to_southwest]),
        ] {
            let (rows, shut) = beside(around, here);
            slopes.fill(axis, columns.clone(), &rows, shut, open, c.gravity);
        }
        let slopes = [row, southeast, southwest].map(|slopes| slopes.part(start, n));
        let roughness = RoughRow::of(world.step.roughness, y, columns.clone());
        let [drag, h, per_h, u, v] = [drag, h, per_h, u, v].map(|row| &mut row[columns.clone()]);
        half_drags(&here, c.g_dt, roughness, drag);
        half_steps(&here, &slopes, drag, c, h, per_h, u, v);
    }

    /// 6. What the faces in the row and those north and south of it add to the momentum of some `columns` of row `y`.
    pub(super) fn push(
        &self,
        world: &World,
        (y, columns): (usize, Range<usize>),
        across: &FaceRow,
        [north, south]: [&SlantedFaces; 2],
        [push_x, push_y]: [&mut [f32]; 2],
    ) {
        let offset = Hex::z_offset(y);
        let (start, n) = (columns.start, columns.len());
        let aslant = start + offset;
        let (y_above, z_above) =
            (Actings::before(&north.y, start, n), Actings::before(&north.z, aslant, n));
        let (y_below, z_below) =
            (Actings::after(&south.y, start, n), Actings::after(&south.z, aslant, n));
        let in_row = [Actings::before(across, start, n), Actings::after(across, start + 1, n)];
        let (southeast, southwest) = match offset {
            0 => ([z_above, y_below], [y_above, z_below]),
            _ => ([y_above, z_below], [z_above, y_below]),
        };
        let [a, b, c] = &self.slopes;
        let slopes = [a, b, c].map(|slopes| &slopes.w[columns.clone()]);
        push_row(
            &self.h[columns.clone()],
            slopes,
            &[in_row, southeast, southwest],
            &world.c,
            push_x,
            push_y,
        );
    }
}

/// 3. The side of a cell in row `y` at a face on the western or eastern edge, and its relative
///    width.
pub(super) fn side_at_edge(
    world: &World,
    y: usize,
    sides: &Sides,
    edge: Edge,
    x: usize,
) -> (Side, f32) {
    let lattice = world.step.lattice;
    let wide = (lattice.edge_face_width(edge, y) / lattice.face_width(true)) as f32;
    let to = if edge == Edge::West { -1.0 } else { 1.0 };
    (side_to_end(sides.z[x], sides.half(x), sides.slopes.at(x), to, wide), wide)
}

/// 3 to 5. What crosses the slanted faces of a run north of row `y`, between the two rows of `cells`.
pub(super) fn cross_aslant(
    faces: &mut SlantedFaces,
    world: &World,
    (y, run): (usize, Run),
    cells: [&CellRow; 2],
    discharge: [&mut [f32]; 2],
) {
    let World { bed, closed, step, c, .. } = world;
    let (nx, ny, joined) = (bed.nx(), bed.ny(), step.edges.joined);
    let at_edge = y == 0 || y == ny;
    if at_edge && !joined.y {
        return cross_edge(faces, world, (y, run.cells()), cells, discharge);
    }
    let (north, south) = if at_edge { (ny - 1, 0) } else { (y - 1, y) };
    let rows = [bed.row(north), bed.row(south)];
    let any = [north, south].into_iter().any(|y| closed.row_has_any(y));
    let walls = any.then(|| [north, south].map(|y| closed.cells().row(y)));
    let factors = [c.gravity, c.width_y];
    // Of the cells above and below z-faces, one lies in the column before.
    let ahead = if Hex::z_offset(y) == 0 { [0, 1] } else { [1, 0] };
    let [discharge_y, discharge_z] = discharge;
    let SlantedFaces { y: faces_y, z: faces_z } = faces;
    // Inner faces, those on the rim of the run too.
    let inner = run.from.max(1)..(run.to + 1).min(nx);
    for (face_axis, faces, discharge, from, n, starts) in [
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
        let slant = slant(face_axis, y);
        let sides = [0, 1].map(|i| cells[i].sides(rows[i], axis(slant), starts[i]..starts[i] + n));
        let walls = walls.map(|walls| [0, 1].map(|i| &walls[i][starts[i]..starts[i] + n]));
        let discharge = &mut discharge[from..from + n];
        faces.fill(slant, from..from + n, &sides, walls, factors, discharge);
    }
    if !(run.from == 0 || run.to == nx) {
        return;
    }
    let flux = if joined.x {
        let slant = slant(FaceAxis::Z, y);
        let columns = ahead.map(|i| if i == 0 { nx - 1 } else { 0 });
        let sides = [0, 1].map(|i| cells[i].sides(rows[i], axis(slant), 0..nx));
        let shut = [closed.contains(columns[0], north), closed.contains(columns[1], south)];
        let [l, r] = [sides[0].at(columns[0], slant, 1.0), sides[1].at(columns[1], slant, -1.0)];
        between(l, r, shut, c.gravity)
    } else {
        NONE
    };
    for x in [0, nx] {
        discharge_z[x] = flux.volume * c.width_y;
        faces_z.set(x, flux);
    }
}

fn axis(slant: Slant) -> usize {
    if slant.aside > 0.0 { 1 } else { 2 }
}

/// 3 to 5. What crosses the northern or the southern edge, whose faces are those north of row `y`; each has two halves.
fn cross_edge(
    faces: &mut SlantedFaces,
    world: &World,
    (y, columns): (usize, Range<usize>),
    cells: [&CellRow; 2],
    [discharge_y, discharge_z]: [&mut [f32]; 2],
) {
    let World { bed, closed, step, c, .. } = world;
    let (edge, cells, row, to) = match y {
        0 => (Edge::North, cells[1], 0, -1.0),
        _ => (Edge::South, cells[0], bed.ny() - 1, 1.0),
    };
    let half_width = (0.5 * step.lattice.dx()) as f32;
    let offset = Hex::z_offset(row);
    let (nx, z) = (bed.nx(), bed.row(row));
    let [a, b]: [Sides; 2] = [1, 2].map(|axis| cells.sides(z, axis, 0..nx));
    for (x, &outside) in columns.clone().zip(&step.edges.along(edge)[columns]) {
        let side = side_to_edge(z[x], a.half(x), [a.slopes.at(x), b.slopes.at(x)], to);
        let flux = match edge {
            Edge::North => edge::outward(outside, side.mirrored(), c.gravity).mirrored(),
            _ => edge::outward(outside, side, c.gravity),
        };
        let volume = if closed.contains(x, row) { 0.0 } else { flux.volume };
        let flux = halved(Flux { volume, ..flux });
        discharge_y[x] = flux.volume * half_width;
        discharge_z[x + offset] = flux.volume * half_width;
        faces.y.set(x, flux);
        faces.z.set(x + offset, flux);
    }
    // One end belongs to no cell.
    let end = if offset == 0 { nx } else { 0 };
    discharge_z[end] = 0.0;
    faces.z.set(end, NONE);
}
