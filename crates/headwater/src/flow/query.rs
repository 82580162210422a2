//! What a game asks of the water.

use super::state::State;
use super::{Flow, FlowError};
use crate::lattice::Square;
use crate::region::{Point, Region};

impl Flow {
    /// Depth of the water (m) at a position, bilinear between cell centres; `None` off the grid.
    pub fn depth_at(&self, position: Point) -> Option<f32> {
        self.sample(&self.state.depth, position)
    }

    /// Height of the water's surface (m) at a position, or of the dry ground; bilinear between cell
    /// centres; `None` off the grid.
    pub fn surface_at(&self, position: Point) -> Option<f32> {
        Some(self.sample(&self.state.bed, position)? + self.depth_at(position)?)
    }

    fn sample(&self, field: &crate::Field<f32>, position: Point) -> Option<f32> {
        self.lattice.cell_at(position)?;
        let [x, y] = self.lattice.to_cells(position);
        Some(field.sample(x, y))
    }

    /// Velocity of the water (m/s, `[east, south]`) at a position, bilinear between face middles; 0
    /// where it is dry; `None` off the grid.
    pub fn velocity_at(&self, position: Point) -> Option<[f32; 2]> {
        velocity_at(&self.state, &self.lattice, self.params.dry_depth as f32, position)
    }

    /// True where the cell at a position holds more water than
    /// [`dry_depth`](super::Params::dry_depth); false off the grid.
    pub fn is_flooded(&self, position: Point) -> bool {
        let dry = self.params.dry_depth as f32;
        self.lattice.cell_at(position).is_some_and(|cell| self.state.depth[cell] > dry)
    }

    /// Volume of the water (m³) in the cells whose centres lie in a region.
    ///
    /// # Errors
    /// [`FlowError::Region`] if the region makes no sense.
    pub fn volume_in(&self, region: &Region) -> Result<f64, FlowError> {
        region.validate()?;
        let cells = region.cells(&self.lattice);
        let depths: f64 = cells.iter().map(|&(x, y, _)| f64::from(self.state.depth[(x, y)])).sum();
        Ok(depths * self.lattice.cell_area())
    }

    /// Discharge (m³/s) through a line from `a` to `b`, positive from its left to its right, looking
    /// from `a` to `b`.
    ///
    /// The line follows the faces nearest to it, without a gap: two lines that together enclose a
    /// region account for all that enters it. The part of a line off the grid counts along the edge.
    pub fn discharge_through(&self, a: Point, b: Point) -> f64 {
        let corner = |p: Point| {
            let along = |p: f64, size: f64, n: usize| (p / size).round().clamp(0.0, n as f64);
            let lattice = &self.lattice;
            let x = along(p[0], lattice.dx(), lattice.nx());
            (x as usize, along(p[1], lattice.dy(), lattice.ny()) as usize)
        };
        // Always walked from west to east, so that there and back are the same faces.
        let (a, b) = (corner(a), corner(b));
        if a <= b { self.discharge_along(a, b) } else { -self.discharge_along(b, a) }
    }

    /// Discharge through the faces from one corner to another that is not west of it.
    fn discharge_along(&self, mut at: (usize, usize), end: (usize, usize)) -> f64 {
        let (nx, ny) = (end.0 - at.0, at.1.abs_diff(end.1));
        let (mut gone_x, mut gone_y, mut sum) = (0, 0, 0.0);
        while at != end {
            // Of the two directions, the one that has come less far on its way.
            if gone_y == ny || (gone_x < nx && (2 * gone_x + 1) * ny <= (2 * gone_y + 1) * nx) {
                // Eastward, the right hand is south.
                sum += f64::from(self.state.discharge_y[at]);
                at.0 += 1;
                gone_x += 1;
                continue;
            }
            gone_y += 1;
            if at.1 < end.1 {
                // Southward, the right hand is west.
                sum -= f64::from(self.state.discharge_x[at]);
                at.1 += 1;
            } else {
                at.1 -= 1;
                sum += f64::from(self.state.discharge_x[at]);
            }
        }
        sum
    }

    /// The centre of the flooded cell nearest to a position, or `None` in a dry world.
    pub fn nearest_water(&self, position: Point) -> Option<Point> {
        let dry = self.params.dry_depth as f32;
        let distance = |p: Point| (p[0] - position[0]).powi(2) + (p[1] - position[1]).powi(2);
        let mut nearest: Option<(f64, Point)> = None;
        for y in 0..self.lattice.ny() {
            let best = nearest.map_or(f64::INFINITY, |n| n.0);
            let row = self.lattice.center(0, y)[1] - position[1];
            if row * row >= best {
                continue;
            }
            for (x, _) in self.state.depth.row(y).iter().enumerate().filter(|(_, h)| **h > dry) {
                let center = self.lattice.center(x, y);
                if distance(center) < nearest.map_or(f64::INFINITY, |n| n.0) {
                    nearest = Some((distance(center), center));
                }
            }
        }
        nearest.map(|n| n.1)
    }
}

/// See [`Flow::velocity_at`].
pub(super) fn velocity_at(
    state: &State,
    lattice: &Square,
    dry: f32,
    position: Point,
) -> Option<[f32; 2]> {
    lattice.cell_at(position)?;
    let [cx, cy] = lattice.to_cells(position);
    let east = bilinear(cx + 0.5, cy, lattice.nx(), lattice.ny() - 1, |x, y| {
        face_velocity_x(state, lattice, dry, x, y)
    });
    let south = bilinear(cx, cy + 0.5, lattice.nx() - 1, lattice.ny(), |x, y| {
        face_velocity_y(state, lattice, dry, x, y)
    });
    Some([east, south])
}

/// Bilinear value between the points `0..=last` of each direction.
fn bilinear(x: f64, y: f64, last_x: usize, last_y: usize, at: impl Fn(usize, usize) -> f32) -> f32 {
    let split = |p: f64, last: usize| {
        let p = p.clamp(0.0, last as f64);
        (p as usize, (p as usize + 1).min(last), p.fract() as f32)
    };
    let ((x0, x1, tx), (y0, y1, ty)) = (split(x, last_x), split(y, last_y));
    let top = at(x0, y0) * (1.0 - tx) + at(x1, y0) * tx;
    let bottom = at(x0, y1) * (1.0 - tx) + at(x1, y1) * tx;
    top * (1.0 - ty) + bottom * ty
}

/// Velocity (m/s) over an x-face: its discharge through the depth of the cell that it leaves; on the
/// edge, of the cell inside.
pub(super) fn face_velocity_x(
    state: &State,
    lattice: &Square,
    dry: f32,
    x: usize,
    y: usize,
) -> f32 {
    let q = state.discharge_x[(x, y)];
    let upstream = if q > 0.0 { x.saturating_sub(1) } else { x.min(lattice.nx() - 1) };
    velocity(q, state.depth[(upstream, y)], lattice.dy() as f32, dry)
}

/// Velocity (m/s) over a y-face, likewise.
pub(super) fn face_velocity_y(
    state: &State,
    lattice: &Square,
    dry: f32,
    x: usize,
    y: usize,
) -> f32 {
    let q = state.discharge_y[(x, y)];
    let upstream = if q > 0.0 { y.saturating_sub(1) } else { y.min(lattice.ny() - 1) };
    velocity(q, state.depth[(x, upstream)], lattice.dx() as f32, dry)
}

fn velocity(q: f32, depth: f32, width: f32, dry: f32) -> f32 {
    if depth > dry { q / (width * depth) } else { 0.0 }
}
