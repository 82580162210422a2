//! The stages of a step for a row of hexagons, by the loops of [`super::loops`] and those of squares. Cells at the edge of the
//! grid go through the formulas one by one.

use super::buffers::{Actings, CellRow, NONE, SlantedFaces};
use super::loops::{
    fluxes_aslant, fluxes_aslant_by_walls, half_steps, push_row, slope_aslant,
    slope_aslant_by_walls,
};
use super::{SOUTHEAST, SOUTHWEST, Slant, halved, rim, side_to_edge, side_to_end, slant, widened};
use crate::flow::shallow::buffers::{FaceRow, Sides, SlopeRow, WaterRow, Waters};
use crate::flow::shallow::loops::{
    RoughRow, fluxes, fluxes_by_walls, half_drags, slope, slope_by_walls, surface_and_velocity,
};
use crate::flow::shallow::stages::World;
use crate::flow::shallow::{Flux, between, edge};
use crate::lattice::{Edge, Hex, Way};

/// The water of three rows, and what lies beyond the northern and the southern edge, as the cells beside it see it along the
/// two slanted axes.
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

    /// Makes row `y` of the world the last of the three.
    pub(super) fn move_on(&mut self, world: &World, y: isize) {
        self.rows.rotate_left(1);
        fill(&mut self.rows[2], world, y);
    }

    /// Fills in what lies beyond the edges beside row `y`, the middle one.
    fn reach_over(&mut self, world: &World, y: usize) {
        let Self { rows: [_, here, _], north, south } = self;
        if y == 0 {
            let [west, east] = north;
            fill_beyond(west, world, Edge::North, (here, y), false);
            fill_beyond(east, world, Edge::North, (here, y), true);
        }
        if y + 1 == world.bed.ny() {
            let [east, west] = south;
            fill_beyond(east, world, Edge::South, (here, y), true);
            fill_beyond(west, world, Edge::South, (here, y), false);
        }
    }
}

/// Fills in row `y` of the world, and what lies beyond its ends; nothing if there is no such row.
fn fill(row: &mut WaterRow, world: &World, y: isize) {
    let (nx, ny) = (world.bed.nx(), world.bed.ny());
    let joined = world.step.edges.joined;
    let y = if joined.y { y.rem_euclid(ny as isize) } else { y };
    let Some(y) = usize::try_from(y).ok().filter(|&y| y < ny) else { return };
    row.note_closed(world.closed, Some(y), joined.x);
    if row.any_closed && !joined.x {
        // What lies beyond a closed cell is no water either: cells of other rows ask for it.
        (row.closed[0], row.closed[nx + 1]) = (row.closed[1], row.closed[nx]);
    }
    row.z[1..=nx].copy_from_slice(world.bed.row(y));
    row.h[1..=nx].copy_from_slice(world.depth.row(y));
    let (w, u, v) = (&mut row.w[1..=nx], &mut row.u[1..=nx], &mut row.v[1..=nx]);
    let bed_and_depth = [world.bed.row(y), world.depth.row(y)];
    surface_and_velocity(bed_and_depth, [world.q.x.row(y), world.q.y.row(y)], w, u, v);
    let ends = [(Edge::West, 0, 1, 2.min(nx)), (Edge::East, nx + 1, nx, nx.max(2) - 1)];
    for (edge, beyond, here, inner) in ends {
        let outside = world.step.edges.along(edge)[y];
        let water = if joined.x {
            row.at(nx + 1 - here)
        } else {
            edge::beyond(outside, row.at(here), row.z[inner])
        };
        row.set(beyond, water);
    }
}

/// Fills in what the cells of row `y`, `here`, see beyond an edge, to the east or to the west of them.
fn fill_beyond(
    row: &mut WaterRow,
    world: &World,
    edge: Edge,
    (here, y): (&WaterRow, usize),
    east: bool,
) {
    let (nx, ny) = (world.bed.nx(), world.bed.ny());
    let joined = world.step.edges.joined.x;
    let back = if edge == Edge::South { y.checked_sub(1) } else { Some(1).filter(|&y| y < ny) };
    let odd = Hex::z_offset(y) == 1;
    for (x, &outside) in world.step.edges.along(edge).iter().enumerate() {
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

/// The `n` cells of a row from `start` on.
fn seen(row: &WaterRow, start: usize, n: usize) -> Seen<'_> {
    (row.part(start, n), row.closed_part(start, n))
}

/// What `n` cells see beyond an edge.
fn beyond(row: &WaterRow, n: usize) -> Seen<'_> {
    (row.part(1, n), None)
}

impl SlopeRow {
    /// 1. Half-slopes along the row.
    fn along_row(
        &mut self,
        here: Waters,
        [(west, shut_west), (east, shut_east)]: [Seen; 2],
        open: &[bool],
        gravity: f32,
    ) {
        let Self { h, w, u, v } = self;
        let rows = [west, here, east];
        if shut_west.is_none() && shut_east.is_none() {
            slope(rows, gravity, h, w, u, v);
        } else {
            let closed = [shut_west, shut_east].map(|row| row.unwrap_or(open));
            slope_by_walls(rows, closed, gravity, h, w, u, v);
        }
    }

    /// 1. Half-slopes along a slanted axis.
    fn aslant(
        &mut self,
        slant: Slant,
        here: Waters,
        [(before, shut_before), (after, shut_after)]: [Seen; 2],
        open: &[bool],
        gravity: f32,
    ) {
        let Self { h, w, u, v } = self;
        let rows = [before, here, after];
        if shut_before.is_none() && shut_after.is_none() {
            slope_aslant(rows, slant, gravity, h, w, u, v);
        } else {
            let closed = [shut_before, shut_after].map(|row| row.unwrap_or(open));
            slope_aslant_by_walls(rows, closed, slant, gravity, h, w, u, v);
        }
    }
}

impl CellRow {
    /// 1 and 2. Half-slopes and the half-step of row `y`, the middle one of those at hand.
    pub(super) fn work_out(&mut self, world: &World, water: &mut Waterside, y: usize) {
        let (nx, ny, c) = (world.bed.nx(), world.bed.ny(), &world.c);
        let joined = world.step.edges.joined.y;
        if !joined {
            water.reach_over(world, y);
        }
        let Waterside { rows: [above, own, below], north, south } = &*water;
        let Self { drag, h, per_h, u, v, slopes: [row, southeast, southwest], open } = self;
        let here = own.part(1, nx);
        // Rows are shifted against one another: where the western and the eastern neighbour of the first cell are.
        let (west, east) = if Hex::z_offset(y) == 1 { (1, 2) } else { (0, 1) };
        let [is_first, is_last] = [y == 0, y + 1 == ny].map(|at_edge| at_edge && !joined);
        let (northwest, northeast) = match is_first {
            true => (beyond(&north[0], nx), beyond(&north[1], nx)),
            false => (seen(above, west, nx), seen(above, east, nx)),
        };
        let (to_southeast, to_southwest) = match is_last {
            true => (beyond(&south[0], nx), beyond(&south[1], nx)),
            false => (seen(below, east, nx), seen(below, west, nx)),
        };
        row.along_row(here, [seen(own, 0, nx), seen(own, 2, nx)], open, c.gravity);
        southeast.aslant(SOUTHEAST, here, [northwest, to_southeast], open, c.gravity);
        southwest.aslant(SOUTHWEST, here, [northeast, to_southwest], open, c.gravity);
        half_drags(here, c.g_dt, RoughRow::of(world.step.roughness, y, 0..nx), drag);
        let slopes = [row.part(0, nx), southeast.part(0, nx), southwest.part(0, nx)];
        half_steps(here, slopes, drag, c, h, per_h, u, v);
    }

    /// 6. What the faces in the row and those north and south of it add to the momentum of row `y`.
    pub(super) fn push(
        &self,
        world: &World,
        y: usize,
        across: &FaceRow,
        [north, south]: [&SlantedFaces; 2],
        [push_x, push_y]: [&mut [f32]; 2],
    ) {
        let nx = world.bed.nx();
        let offset = Hex::z_offset(y);
        let (y_above, z_above) =
            (Actings::before(&north.y, 0, nx), Actings::before(&north.z, offset, nx));
        let (y_below, z_below) =
            (Actings::after(&south.y, 0, nx), Actings::after(&south.z, offset, nx));
        let in_row = [Actings::before(across, 0, nx), Actings::after(across, 1, nx)];
        let (southeast, southwest) = match offset {
            0 => ([z_above, y_below], [y_above, z_below]),
            _ => ([y_above, z_below], [z_above, y_below]),
        };
        let [a, b, c] = &self.slopes;
        let slopes = [&a.w[..nx], &b.w[..nx], &c.w[..nx]];
        push_row(&self.h, slopes, [in_row, southeast, southwest], &world.c, push_x, push_y);
    }
}

/// 3 to 5. What crosses the x-faces of row `y`.
pub(super) fn cross_row(
    faces: &mut FaceRow,
    world: &World,
    y: usize,
    cells: &CellRow,
    discharge: &mut [f32],
) {
    let World { bed, closed, step, c, .. } = world;
    let (nx, z) = (bed.nx(), bed.row(y));
    let sides = [cells.sides(z, 0, 0, nx - 1), cells.sides(z, 0, 1, nx - 1)];
    let factors = [c.gravity, c.width_x];
    {
        let FaceRow { before, after, along } = faces;
        let [before, after, along] = [before, after, along].map(|row| &mut row[1..nx]);
        let discharge = &mut discharge[1..nx];
        match closed.row_has_any(y).then(|| closed.cells().row(y)) {
            None => fluxes(sides, factors, discharge, before, after, along),
            Some(row) => {
                let walls = [&row[..nx - 1], &row[1..]];
                fluxes_by_walls(sides, walls, factors, discharge, before, after, along);
            }
        }
    }
    let all = cells.sides(z, 0, 0, nx);
    if step.edges.joined.x {
        let shut = [nx - 1, 0].map(|x| closed.contains(x, y));
        let flux = between(all.at(nx - 1, 1.0), all.at(0, -1.0), shut, c.gravity);
        for x in [0, nx] {
            discharge[x] = flux.volume * c.width_x;
            faces.set(x, flux);
        }
        return;
    }
    for (edge, x, cell, to) in [(Edge::West, 0, 0, -1.0), (Edge::East, nx, nx - 1, 1.0)] {
        let wide = (step.lattice.edge_face(edge, y) / step.lattice.face_width(true)) as f32;
        let side = side_to_end(z[cell], all.half(cell), all.slopes.at(cell), to, wide);
        let outside = step.edges.along(edge)[y];
        let flux = match edge {
            Edge::West => edge::outward(outside, side.mirrored(), c.gravity).mirrored(),
            _ => edge::outward(outside, side, c.gravity),
        };
        let volume = if closed.contains(cell, y) { 0.0 } else { flux.volume };
        let flux = widened(Flux { volume, ..flux }, wide);
        discharge[x] = flux.volume * c.width_x;
        faces.set(x, flux);
    }
}

/// 3 to 5. What crosses the slanted faces north of row `y`, between the two rows of `cells`.
pub(super) fn cross_aslant(
    faces: &mut SlantedFaces,
    world: &World,
    y: usize,
    cells: [&CellRow; 2],
    discharge: [&mut [f32]; 2],
) {
    let World { bed, closed, step, c, .. } = world;
    let (nx, ny, joined) = (bed.nx(), bed.ny(), step.edges.joined);
    let at_edge = y == 0 || y == ny;
    if at_edge && !joined.y {
        return cross_edge(faces, world, y, cells, discharge);
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
    for (way, faces, discharge, from, n, starts) in [
        (Way::Y, faces_y, discharge_y, 0, nx, [0, 0]),
        (Way::Z, &mut *faces_z, &mut *discharge_z, 1, nx - 1, ahead),
    ] {
        let slant = slant(way, y);
        let sides = [0, 1].map(|i| cells[i].sides(rows[i], axis(slant), starts[i], n));
        let FaceRow { before, after, along } = faces;
        let [before, after, along] = [before, after, along].map(|row| &mut row[from..from + n]);
        let discharge = &mut discharge[from..from + n];
        match walls {
            None => fluxes_aslant(sides, slant, factors, discharge, before, after, along),
            Some(walls) => {
                let walls = [0, 1].map(|i| &walls[i][starts[i]..starts[i] + n]);
                fluxes_aslant_by_walls(
                    sides, walls, slant, factors, discharge, before, after, along,
                );
            }
        }
    }
    let flux = if joined.x {
        let slant = slant(Way::Z, y);
        let columns = ahead.map(|i| if i == 0 { nx - 1 } else { 0 });
        let sides = [0, 1].map(|i| cells[i].sides(rows[i], axis(slant), 0, nx));
        let shut = [closed.contains(columns[0], north), closed.contains(columns[1], south)];
        let [l, r] =
            [sides[0].aslant(columns[0], slant, 1.0), sides[1].aslant(columns[1], slant, -1.0)];
        between(l, r, shut, c.gravity)
    } else {
        NONE
    };
    for x in [0, nx] {
        discharge_z[x] = flux.volume * c.width_y;
        faces_z.set(x, flux);
    }
}

/// The place of a slanted axis among the three.
fn axis(slant: Slant) -> usize {
    if slant.aside > 0.0 { 1 } else { 2 }
}

/// 3 to 5. What crosses the northern or the southern edge, whose faces are those north of row `y`; each has two halves.
fn cross_edge(
    faces: &mut SlantedFaces,
    world: &World,
    y: usize,
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
    let [a, b]: [Sides; 2] = [1, 2].map(|axis| cells.sides(z, axis, 0, nx));
    for (x, &outside) in step.edges.along(edge).iter().enumerate() {
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
