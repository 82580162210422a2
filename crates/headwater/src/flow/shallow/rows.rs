//! The shallow-water equations row by row, bands of rows spread over threads. A band sweeps from north
//! to south and keeps what it has worked out of the last rows in a few buffers; what two bands both
//! need, both work out, so the outcome equals [`super::plain`] bit for bit, however rows are shared
//! out.
//!
//! Every loop has its outputs as arguments of their own, for then the compiler knows that they lie
//! apart from the inputs, and vectorises it.

use super::{
    Coefficients, Flux, Half, HalfSlopes, Moved, Side, Water, between, edge, flux, ground,
    half_slopes, half_step, incline, push, side,
};
use crate::field::Field;
use crate::flow::state::{Closed, Momentum, Roughness, Scratch, State};
use crate::flow::step::Step;
use crate::lattice::Edge;
use crate::parallel::{for_each_row_pair, for_each_task};

/// Rows that a band has; it works on two more.
const BAND: usize = 32;

/// Stages 1 to 6: sets the discharge over every face, and what it does to momentum.
pub(in crate::flow) fn drive(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let State { bed, depth, discharge_x, discharge_y, closed, momentum } = state;
    let Some(q) = momentum else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let world = World { bed, depth, closed, q, step, c: Coefficients::new(step) };
    let [push_x, push_y] = scratch.pushes(nx * ny);
    let (above, below) = discharge_y.as_mut_slice().split_at_mut(nx * ny);
    let mut below = Some(below);
    let discharges =
        discharge_x.as_mut_slice().chunks_mut(BAND * (nx + 1)).zip(above.chunks_mut(BAND * nx));
    let pushes = push_x.chunks_mut(BAND * nx).zip(push_y.chunks_mut(BAND * nx));
    let bands = discharges.zip(pushes).enumerate();
    let bands = bands.map(|(i, ((discharge_x, discharge_y), (push_x, push_y)))| {
        let (first, end) = (i * BAND, ny.min((i + 1) * BAND));
        let last = if end == ny { below.take() } else { None };
        Band { first, end, discharge_x, discharge_y, last, push_x, push_y }
    });
    for_each_task(bands.collect(), |band| band.sweep(&world));
}

/// What a step starts from.
struct World<'a> {
    bed: &'a Field<f32>,
    depth: &'a Field<f32>,
    closed: &'a Closed,
    q: &'a Momentum,
    step: &'a Step<'a>,
    c: Coefficients,
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
        // The faces north of the band need the row above it.
        let from = first.max(1) - 1;
        water[1].fill(world, from);
        water[2].fill(world, from + 1);
        for y in from..=end {
            if y < ny {
                water.rotate_left(1);
                water[2].fill(world, y + 2);
                here.work_out(world, &water, y);
            }
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

/// Water of a row, with a cell beyond either end.
struct WaterRow {
    z: Vec<f32>,
    h: Vec<f32>,
    w: Vec<f32>,
    u: Vec<f32>,
    v: Vec<f32>,
}

impl WaterRow {
    fn new(nx: usize) -> Self {
        let [z, h, w, u, v] = std::array::from_fn(|_| vec![0.0; nx + 2]);
        Self { z, h, w, u, v }
    }

    /// Fills in row `number − 1` of the world; the ones beyond the edges too.
    fn fill(&mut self, world: &World, number: usize) {
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        if number == 0 {
            return self.fill_beyond(world, Edge::North, [0, 1.min(ny - 1)]);
        }
        if number > ny {
            return self.fill_beyond(world, Edge::South, [ny - 1, ny.max(2) - 2]);
        }
        let y = number - 1;
        let inside = 1..=nx;
        self.z[inside.clone()].copy_from_slice(world.bed.row(y));
        self.h[inside.clone()].copy_from_slice(world.depth.row(y));
        let (w, u, v) = (&mut self.w[1..=nx], &mut self.u[1..=nx], &mut self.v[1..=nx]);
        let bed_and_depth = [world.bed.row(y), world.depth.row(y)];
        look(bed_and_depth, [world.q.x.row(y), world.q.y.row(y)], w, u, v);
        let ends = [(Edge::West, 0, 1, 2.min(nx)), (Edge::East, nx + 1, nx, nx.max(2) - 1)];
        for (edge, beyond, here, inner) in ends {
            let outside = world.step.edges.along(edge)[y];
            self.set(beyond, edge::beyond(outside, self.at(here), self.z[inner]));
        }
    }

    /// Fills in what lies beyond an edge; `rows` are the row at the edge and the next one.
    fn fill_beyond(&mut self, world: &World, edge: Edge, rows: [usize; 2]) {
        for (x, &outside) in world.step.edges.along(edge).iter().enumerate() {
            let (at, inner) = ((x, rows[0]), (x, rows[1]));
            let here = Water::new(world.bed[at], world.depth[at], world.q.x[at], world.q.y[at]);
            self.set(x + 1, edge::beyond(outside, here.turned(), world.bed[inner]).turned());
        }
    }

    fn at(&self, i: usize) -> Water {
        Water { z: self.z[i], h: self.h[i], w: self.w[i], u: self.u[i], v: self.v[i] }
    }

    fn set(&mut self, i: usize, water: Water) {
        let Water { z, h, w, u, v } = water;
        (self.z[i], self.h[i], self.w[i], self.u[i], self.v[i]) = (z, h, w, u, v);
    }

    /// The `n` cells from `start` on.
    fn part(&self, start: usize, n: usize) -> Waters<'_> {
        let part = |values| &<[f32]>::as_ref(values)[start..start + n];
        Waters {
            z: part(&self.z),
            h: part(&self.h),
            w: part(&self.w),
            u: part(&self.u),
            v: part(&self.v),
        }
    }
}

/// Water of some cells of a row.
#[derive(Clone, Copy)]
struct Waters<'a> {
    z: &'a [f32],
    h: &'a [f32],
    w: &'a [f32],
    u: &'a [f32],
    v: &'a [f32],
}

impl Waters<'_> {
    fn turned(self) -> Self {
        Self { u: self.v, v: self.u, ..self }
    }

    fn cut(self, n: usize) -> Self {
        let Self { z, h, w, u, v } = self;
        Self { z: &z[..n], h: &h[..n], w: &w[..n], u: &u[..n], v: &v[..n] }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> Water {
        Water { z: self.z[i], h: self.h[i], w: self.w[i], u: self.u[i], v: self.v[i] }
    }
}

/// Half-slopes of a row.
struct SlopeRow {
    h: Vec<f32>,
    w: Vec<f32>,
    u: Vec<f32>,
    v: Vec<f32>,
}

impl SlopeRow {
    fn new(nx: usize) -> Self {
        let [h, w, u, v] = std::array::from_fn(|_| vec![0.0; nx]);
        Self { h, w, u, v }
    }

    /// 1. Half-slopes.
    fn fill(&mut self, before: Waters, here: Waters, after: Waters) {
        slope(before, here, after, &mut self.h, &mut self.w, &mut self.u, &mut self.v);
    }

    fn set(&mut self, i: usize, slopes: HalfSlopes) {
        let HalfSlopes { h, w, u, v } = slopes;
        (self.h[i], self.w[i], self.u[i], self.v[i]) = (h, w, u, v);
    }

    fn part(&self, start: usize, n: usize) -> Slopes<'_> {
        let part = |values| &<[f32]>::as_ref(values)[start..start + n];
        Slopes { h: part(&self.h), w: part(&self.w), u: part(&self.u), v: part(&self.v) }
    }
}

/// Half-slopes of some cells of a row.
#[derive(Clone, Copy)]
struct Slopes<'a> {
    h: &'a [f32],
    w: &'a [f32],
    u: &'a [f32],
    v: &'a [f32],
}

impl Slopes<'_> {
    fn cut(self, n: usize) -> Self {
        let Self { h, w, u, v } = self;
        Self { h: &h[..n], w: &w[..n], u: &u[..n], v: &v[..n] }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> HalfSlopes {
        HalfSlopes { h: self.h[i], w: self.w[i], u: self.u[i], v: self.v[i] }
    }
}

/// Cells of a row half a step later, with their half-slopes in both directions, each in its own
/// direction's view.
struct CellRow {
    drag: Vec<f32>,
    h: Vec<f32>,
    u: Vec<f32>,
    v: Vec<f32>,
    x: SlopeRow,
    y: SlopeRow,
}

impl CellRow {
    fn new(nx: usize) -> Self {
        let [drag, h, u, v] = std::array::from_fn(|_| vec![0.0; nx]);
        Self { drag, h, u, v, x: SlopeRow::new(nx), y: SlopeRow::new(nx) }
    }

    /// 1 and 2. Half-slopes and the half-step of row `y`, whose water lies between that of its
    /// neighbours.
    fn work_out(&mut self, world: &World, water: &[WaterRow; 3], y: usize) {
        let (nx, c) = (world.bed.nx(), &world.c);
        let here = water[1].part(1, nx);
        self.x.fill(water[1].part(0, nx), here, water[1].part(2, nx));
        let (north, south) = (water[0].part(1, nx), water[2].part(1, nx));
        self.y.fill(north.turned(), here.turned(), south.turned());
        match world.step.roughness {
            Roughness::Uniform(0.0) => self.drag.fill(0.0),
            Roughness::Uniform(n) => half_drags(here, c.g_dt, |_| n, &mut self.drag),
            Roughness::Map(map) => {
                let n = &map.row(y)[..nx];
                half_drags(here, c.g_dt, |x| n[x], &mut self.drag);
            }
        }
        let slopes = [self.x.part(0, nx), self.y.part(0, nx)];
        half_steps(here, slopes, &self.drag, c, &mut self.h, &mut self.u, &mut self.v);
        self.work_out_by_walls(world, water, y);
    }

    /// The same, once more, for cells beside closed ones.
    fn work_out_by_walls(&mut self, world: &World, water: &[WaterRow; 3], y: usize) {
        let World { closed, .. } = world;
        let (nx, ny) = (world.bed.nx(), world.bed.ny());
        let shut = |x: usize, y: usize| closed.cells().get(x, y) == Some(&true);
        if !(y.max(1) - 1..ny.min(y + 2)).any(|y| closed.row_has_any(y)) {
            return;
        }
        for x in 0..nx {
            let walls =
                [x > 0 && shut(x - 1, y), shut(x + 1, y), y > 0 && shut(x, y - 1), shut(x, y + 1)];
            if !walls.contains(&true) {
                continue;
            }
            let here = water[1].at(x + 1);
            let turned = here.turned();
            let beside = |wall: bool, here: Water, water: Water| {
                if wall { here.mirrored() } else { water }
            };
            let slopes_x = half_slopes(
                beside(walls[0], here, water[1].at(x)),
                here,
                beside(walls[1], here, water[1].at(x + 2)),
            );
            let slopes_y = half_slopes(
                beside(walls[2], turned, water[0].at(x + 1).turned()),
                turned,
                beside(walls[3], turned, water[2].at(x + 1).turned()),
            );
            let half = half_step(here, slopes_x, slopes_y.turned(), self.drag[x], &world.c);
            (self.h[x], self.u[x], self.v[x]) = (half.h, half.u, half.v);
            self.x.set(x, slopes_x);
            self.y.set(x, slopes_y);
        }
    }

    /// Cells `start` to before `start + n` as faces in the x-direction see them; `z` is the row's bed.
    fn sides_x<'a>(&'a self, z: &'a [f32], start: usize, n: usize) -> Sides<'a> {
        let part = |values: &'a [f32]| &values[start..start + n];
        let slopes = self.x.part(start, n);
        Sides { z: part(z), h: part(&self.h), u: part(&self.u), v: part(&self.v), slopes }
    }

    /// All cells as faces in the y-direction see them.
    fn sides_y<'a>(&'a self, z: &'a [f32]) -> Sides<'a> {
        let n = z.len();
        Sides { z, h: &self.h[..n], u: &self.v[..n], v: &self.u[..n], slopes: self.y.part(0, n) }
    }
}

/// Some cells of a row, as faces on one side of them see them.
#[derive(Clone, Copy)]
struct Sides<'a> {
    z: &'a [f32],
    h: &'a [f32],
    u: &'a [f32],
    v: &'a [f32],
    slopes: Slopes<'a>,
}

impl Sides<'_> {
    fn cut(self, n: usize) -> Self {
        let Self { z, h, u, v, slopes } = self;
        Self { z: &z[..n], h: &h[..n], u: &u[..n], v: &v[..n], slopes: slopes.cut(n) }
    }

    /// 3. The side of cell `i` at the face after it (1) or before it (−1).
    #[inline(always)]
    fn at(&self, i: usize, to: f32) -> Side {
        let half = Half { h: self.h[i], u: self.u[i], v: self.v[i] };
        side(self.z[i], half, self.slopes.at(i), to)
    }
}

/// What crosses a row of faces, but for the volume.
struct FaceRow {
    before: Vec<f32>,
    after: Vec<f32>,
    along: Vec<f32>,
}

impl FaceRow {
    fn new(n: usize) -> Self {
        let [before, after, along] = std::array::from_fn(|_| vec![0.0; n]);
        Self { before, after, along }
    }

    fn set(&mut self, i: usize, flux: Flux) {
        (self.before[i], self.after[i], self.along[i]) = (flux.before, flux.after, flux.along);
    }

    /// 3 to 5. What crosses the x-faces of row `y`.
    fn cross_x(&mut self, world: &World, y: usize, cells: &CellRow, discharge: &mut [f32]) {
        let World { bed, closed, step, c, .. } = world;
        let (nx, z) = (bed.nx(), bed.row(y));
        let inner = 1..nx;
        fluxes(
            [cells.sides_x(z, 0, nx - 1), cells.sides_x(z, 1, nx - 1)],
            [c.gravity, c.width_x],
            &mut discharge[inner.clone()],
            &mut self.before[inner.clone()],
            &mut self.after[inner.clone()],
            &mut self.along[inner],
        );
        let all = cells.sides_x(z, 0, nx);
        let outside = step.edges.along(Edge::West)[y];
        let west = edge::outward(outside, all.at(0, -1.0).mirrored(), c.gravity).mirrored();
        let outside = step.edges.along(Edge::East)[y];
        let east = edge::outward(outside, all.at(nx - 1, 1.0), c.gravity);
        for (x, cell, flux) in [(0, 0, west), (nx, nx - 1, east)] {
            let volume = if closed.contains(cell, y) { 0.0 } else { flux.volume };
            discharge[x] = volume * c.width_x;
            self.set(x, flux);
        }
        if closed.row_has_any(y) {
            for (x, discharge) in discharge.iter_mut().enumerate().take(nx).skip(1) {
                let shut = (closed.contains(x - 1, y), closed.contains(x, y));
                if shut.0 || shut.1 {
                    self.set(x, between(all.at(x - 1, 1.0), all.at(x, -1.0), shut, c.gravity));
                    *discharge = 0.0;
                }
            }
        }
    }

    /// 3 to 5. What crosses the y-faces north of row `y`, between the two rows of `cells`.
    fn cross_y(&mut self, world: &World, y: usize, cells: [&CellRow; 2], discharge: &mut [f32]) {
        let World { bed, closed, step, c, .. } = world;
        let ny = bed.ny();
        if y == 0 || y == ny {
            let north = y == 0;
            let (edge, cells, row) =
                if north { (Edge::North, cells[1], 0) } else { (Edge::South, cells[0], ny - 1) };
            let sides = cells.sides_y(bed.row(row));
            for (x, &outside) in step.edges.along(edge).iter().enumerate() {
                let flux = if north {
                    edge::outward(outside, sides.at(x, -1.0).mirrored(), c.gravity).mirrored()
                } else {
                    edge::outward(outside, sides.at(x, 1.0), c.gravity)
                };
                let volume = if closed.contains(x, row) { 0.0 } else { flux.volume };
                discharge[x] = volume * c.width_y;
                self.set(x, flux);
            }
            return;
        }
        let sides = [cells[0].sides_y(bed.row(y - 1)), cells[1].sides_y(bed.row(y))];
        let Self { before, after, along } = self;
        fluxes(sides, [c.gravity, c.width_y], discharge, before, after, along);
        if closed.row_has_any(y - 1) || closed.row_has_any(y) {
            for (x, discharge) in discharge.iter_mut().enumerate() {
                let shut = (closed.contains(x, y - 1), closed.contains(x, y));
                if shut.0 || shut.1 {
                    let [above, below] = sides;
                    self.set(x, between(above.at(x, 1.0), below.at(x, -1.0), shut, c.gravity));
                    *discharge = 0.0;
                }
            }
        }
    }
}

/// Surface and velocity of a row.
fn look([z, h]: [&[f32]; 2], [hu, hv]: [&[f32]; 2], w: &mut [f32], u: &mut [f32], v: &mut [f32]) {
    let n = w.len();
    let (z, h, hu, hv) = (&z[..n], &h[..n], &hu[..n], &hv[..n]);
    let (u, v) = (&mut u[..n], &mut v[..n]);
    for i in 0..n {
        let water = Water::new(z[i], h[i], hu[i], hv[i]);
        (w[i], u[i], v[i]) = (water.w, water.u, water.v);
    }
}

/// 1. Half-slopes of a row.
fn slope(
    before: Waters,
    here: Waters,
    after: Waters,
    h: &mut [f32],
    w: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = h.len();
    let (before, here, after) = (before.cut(n), here.cut(n), after.cut(n));
    let (w, u, v) = (&mut w[..n], &mut u[..n], &mut v[..n]);
    for i in 0..n {
        let slopes = half_slopes(before.at(i), here.at(i), after.at(i));
        (h[i], w[i], u[i], v[i]) = (slopes.h, slopes.w, slopes.u, slopes.v);
    }
}

/// 2. Manning's friction over half a step.
#[inline(always)]
fn half_drags(here: Waters, g_dt: f32, roughness: impl Fn(usize) -> f32, drag: &mut [f32]) {
    let n = drag.len();
    let Waters { h, u, v, .. } = here.cut(n);
    for (i, drag) in drag.iter_mut().enumerate() {
        *drag = ground::half_drag(h[i], u[i], v[i], roughness(i), g_dt);
    }
}

/// 2. Half a step in time; `slopes` are those in x and those in y, each in its own direction's view.
fn half_steps(
    here: Waters,
    slopes: [Slopes; 2],
    drag: &[f32],
    c: &Coefficients,
    h: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let n = h.len();
    let (here, [x, y], drag) = (here.cut(n), slopes.map(|slopes| slopes.cut(n)), &drag[..n]);
    let (u, v) = (&mut u[..n], &mut v[..n]);
    let c = *c;
    for i in 0..n {
        let half = half_step(here.at(i), x.at(i), y.at(i).turned(), drag[i], &c);
        (h[i], u[i], v[i]) = (half.h, half.u, half.v);
    }
}

/// 3 to 5. What crosses the faces between `sides`; the volume becomes a discharge by the faces' `width`.
fn fluxes(
    sides: [Sides; 2],
    [gravity, width]: [f32; 2],
    discharge: &mut [f32],
    before: &mut [f32],
    after: &mut [f32],
    along: &mut [f32],
) {
    let n = discharge.len();
    let [left, right] = sides.map(|sides| sides.cut(n));
    let (before, after, along) = (&mut before[..n], &mut after[..n], &mut along[..n]);
    for i in 0..n {
        let flux = flux(left.at(i, 1.0), right.at(i, -1.0), gravity);
        discharge[i] = flux.volume * width;
        (before[i], after[i], along[i]) = (flux.before, flux.after, flux.along);
    }
}

/// 6. What the faces of a row of cells, its x-faces and those north and south of it, and the surface's
///    slope add to momentum.
fn push_row(
    cells: &CellRow,
    faces: [&FaceRow; 3],
    c: &Coefficients,
    push_x: &mut [f32],
    push_y: &mut [f32],
) {
    let n = push_x.len();
    let push_y = &mut push_y[..n];
    let [across, north, south] = faces;
    let (h, slope_x, slope_y) = (&cells.h[..n], &cells.x.w[..n], &cells.y.w[..n]);
    let (west_u, east_u) = (&across.after[..n], &across.before[1..=n]);
    let (west_v, east_v) = (&across.along[..n], &across.along[1..=n]);
    let (north_v, south_v) = (&north.after[..n], &south.before[..n]);
    let (north_u, south_u) = (&north.along[..n], &south.along[..n]);
    let (per_x, per_y, g) = (c.per_x, c.per_y, c.gravity);
    for i in 0..n {
        let incline_x = incline(h[i], slope_x[i], g);
        push_x[i] = push(west_u[i], east_u[i], north_u[i], south_u[i], incline_x, [per_x, per_y]);
        let incline_y = incline(h[i], slope_y[i], g);
        push_y[i] = push(north_v[i], south_v[i], west_v[i], east_v[i], incline_y, [per_y, per_x]);
    }
}

/// Stage 7: new momentum, once the water has moved.
pub(in crate::flow) fn settle(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let State { depth, closed, momentum: Some(q), .. } = state else { return };
    let Scratch { fed, depth: Some(before), pushes, .. } = scratch else { return };
    let nx = depth.nx();
    let c = Coefficients::new(step);
    for_each_row_pair(q.x.as_mut_slice(), nx, q.y.as_mut_slice(), nx, |y, qx, qy| {
        let cells = y * nx..(y + 1) * nx;
        let moved = MovedRow {
            before: before.row(y),
            now: depth.row(y),
            fed: &fed[cells.clone()],
            push: [&pushes[0][cells.clone()], &pushes[1][cells]],
        };
        match step.roughness {
            Roughness::Uniform(0.0) => settle_row(moved, &c, |_, _| 0.0, qx, qy),
            Roughness::Uniform(n) => {
                settle_row(moved, &c, |_, h| ground::drag(h, n, c.g_dt), qx, qy);
            }
            Roughness::Map(map) => {
                let n = &map.row(y)[..nx];
                settle_row(moved, &c, |x, h| ground::drag(h, n[x], c.g_dt), qx, qy);
            }
        }
        if closed.row_has_any(y) {
            for (x, (qx, qy)) in qx.iter_mut().zip(qy).enumerate() {
                if closed.contains(x, y) {
                    (*qx, *qy) = (0.0, 0.0);
                }
            }
        }
    });
}

/// How the water of a row has moved.
struct MovedRow<'a> {
    before: &'a [f32],
    now: &'a [f32],
    fed: &'a [f32],
    push: [&'a [f32]; 2],
}

/// Stage 7 on a row; `drag` is Manning's for a column and its depth.
#[inline(always)]
fn settle_row(
    moved: MovedRow,
    c: &Coefficients,
    drag: impl Fn(usize, f32) -> f32,
    qx: &mut [f32],
    qy: &mut [f32],
) {
    let n = qx.len();
    let (before, now, fed) = (&moved.before[..n], &moved.now[..n], &moved.fed[..n]);
    let [push_x, push_y] = moved.push.map(|push| &push[..n]);
    let qy = &mut qy[..n];
    let c = *c;
    for x in 0..n {
        let moved = Moved {
            before: before[x],
            now: now[x],
            fed: fed[x],
            q: [qx[x], qy[x]],
            push: [push_x[x], push_y[x]],
        };
        [qx[x], qy[x]] = super::momentum(moved, drag(x, now[x]), &c);
    }
}
