//! Discharge of water across a line on the grid.

use crate::flow::world::Flow;
use crate::lattice::{FaceAxis, Lattice, adjacent_cells};
use crate::region::Point;

/// Offset (in cells, `[x, y]`) that is added to both ends of every line, so that no line passes
/// through a cell centre. The offset is the same for all lines, so the lines around a polygon still
/// form a closed polygon.
const LINE_OFFSET: [f64; 2] = [1.3e-7, 2.1e-7];

/// Minimum distance (in cells) of the ends of a line from the edges of the grid.
const EDGE_MARGIN: f64 = 1e-3;

impl Flow {
    /// Returns the discharge (m³/s) across the line from `a` to `b` (m). The discharge is positive
    /// if water flows from left to right for an observer who looks from `a` toward `b`. It is
    /// summed over the faces that separate cell centres on different sides of the line. The
    /// discharges across the sides of a polygon, taken clockwise, therefore sum exactly to its net
    /// inflow. Parts of a line off the grid are clamped to the edge.
    pub fn discharge_through(&self, a: Point, b: Point) -> f64 {
        let mut sum = 0.0;
        self.for_each_face_crossing(a, b, |axis, face, sign| {
            sum += sign * f64::from(self.state.discharge(axis)[face]);
        });
        sum
    }

    /// Calls `visit` for every face that the line from `a` to `b` (m) crosses. The arguments are
    /// the face axis, the column and row of the face, and a sign. The sign is 1 if a positive
    /// discharge crosses the line from left to right, looking from `a` toward `b`, and −1
    /// otherwise.
    pub(crate) fn for_each_face_crossing(
        &self,
        a: Point,
        b: Point,
        mut visit: impl FnMut(FaceAxis, (usize, usize), f64),
    ) {
        let line = [a, b].map(|p| self.clamp_to_grid(p));
        let (dx, dy) = (self.lattice.dx(), self.lattice.dy());
        let (top, bottom) = (line[0][1].min(line[1][1]), line[0][1].max(line[1][1]));
        let last = ((bottom / dy).ceil() as usize + 1).min(self.lattice.ny());
        for y in ((top / dy).floor() as usize).saturating_sub(1)..=last {
            // The cell centres at a face lie within a row of it.
            let band = [(y as f64 - 1.0) * dy, (y as f64 + 1.5) * dy];
            let Some([low, high]) = clip_to_band(line, band) else { continue };
            let columns =
                ((low / dx).floor() as usize).saturating_sub(2)..(high / dx).ceil() as usize + 3;
            for &axis in self.lattice.face_axes() {
                // Each family has one more face than cells across its axis.
                let [nx, ny] = [
                    self.lattice.nx() + usize::from(axis != FaceAxis::Y),
                    self.lattice.ny() + usize::from(axis != FaceAxis::X),
                ];
                if y < ny {
                    for x in columns.start..columns.end.min(nx) {
                        let sign = self.crossing_sign(line, axis, (x, y));
                        if sign != 0.0 {
                            visit(axis, (x, y), sign);
                        }
                    }
                }
            }
        }
    }

    fn clamp_to_grid(&self, point: Point) -> Point {
        let axis = |i: usize, size: f64, end: f64| {
            let margin = EDGE_MARGIN * size;
            point[i].clamp(margin, end - margin) + LINE_OFFSET[i] * size
        };
        let lattice = &self.lattice;
        [axis(0, lattice.dx(), lattice.width()), axis(1, lattice.dy(), lattice.height())]
    }

    /// Returns the direction in which positive discharge through a face crosses the line: 1 from
    /// left to right, −1 from right to left. Returns 0 if the line does not pass between the
    /// centres of the two cells at the face.
    fn crossing_sign(&self, [a, b]: [Point; 2], axis: FaceAxis, (x, y): (usize, usize)) -> f64 {
        let center = |x: usize, y: usize| cell_center(&self.lattice, x, y);
        let [before, after] = adjacent_cells(axis, y).map(|cell| {
            let (x, y) = cell.apply_to(x, y);
            center(x, y)
        });
        let (left_before, left_after) = (is_left_of(a, b, before), is_left_of(a, b, after));
        // The line itself must pass between the two centres.
        if left_before == left_after || is_left_of(before, after, a) == is_left_of(before, after, b)
        {
            return 0.0;
        }
        if left_before { 1.0 } else { -1.0 }
    }
}

fn cell_center(lattice: &Lattice, x: usize, y: usize) -> Point {
    // Column and row −1 wrap to the largest integers. The row pattern has period 2.
    let [east, south] = lattice.center(x.wrapping_add(1), y.wrapping_add(2));
    [east - lattice.dx(), south - 2.0 * lattice.dy()]
}

/// Returns whether `p` lies to the left of the line from `a` to `b`. The y-axis points south.
fn is_left_of(a: Point, b: Point, p: Point) -> bool {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < 0.0
}

/// Returns the smallest and the largest x-coordinate (m) of a line between the y-coordinates `low`
/// and `high` (m), or `None` if no part of the line lies there.
fn clip_to_band([a, b]: [Point; 2], [low, high]: [f64; 2]) -> Option<[f64; 2]> {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    let rise = b[1] - a[1];
    if rise == 0.0 {
        if a[1] < low || a[1] > high {
            return None;
        }
    } else {
        let ends = [(low - a[1]) / rise, (high - a[1]) / rise];
        from = from.max(ends[0].min(ends[1]));
        to = to.min(ends[0].max(ends[1]));
    }
    let at = |t: f64| a[0] + t * (b[0] - a[0]);
    (from <= to).then(|| [at(from).min(at(to)), at(from).max(at(to))])
}

#[cfg(test)]
mod tests {
    use crate::flow::{Flow, Params};
    use crate::{Field, Hex, Lattice, Region, Square};

    #[test]
    fn discharge_through_a_closed_polygon_equals_the_inflow() {
        let lattices: [Lattice; 2] =
            [Square::new(31, 24, 2.0, 2.0).unwrap().into(), Hex::new(31, 24, 2.0).unwrap().into()];
        // Corners on faces, on centres and elsewhere; one triangle extends beyond the grid.
        let triangles = [
            [[10.0, 8.0], [40.0, 12.0], [22.0, 38.0]],
            [[11.0, 9.0], [41.0, 9.0], [23.0, 39.0]],
            [[3.3, 4.1], [55.2, 20.7], [17.9, 44.4]],
            [[-30.0, -10.0], [90.0, -10.0], [30.0, 40.0]],
        ];
        for lattice in lattices {
            let depth = Field::from_fn(31, 24, |x, y| 1.0 + ((x * 7 + y * 13) % 11) as f32 / 11.0);
            let bed = Field::new(31, 24, 0.0);
            let mut flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
            flow.advance(1.0).unwrap();
            for corners in triangles {
                let mut line = corners.to_vec();
                line.push(corners[0]);
                // Clockwise on the map, so the right-hand side is inside.
                let entering: f64 =
                    line.windows(2).map(|p| flow.discharge_through(p[0], p[1])).sum();
                let back: f64 = line.windows(2).map(|p| flow.discharge_through(p[1], p[0])).sum();
                assert!((entering + back).abs() < 1e-9);
                let before = volume_in_triangle(&flow, corners);
                let mut next = flow.clone();
                let dt = 1e-3;
                next.step(dt).unwrap();
                let gained = (volume_in_triangle(&next, corners) - before) / dt;
                let entering: f64 =
                    line.windows(2).map(|p| next.discharge_through(p[0], p[1])).sum();
                assert!(
                    (gained - entering).abs() < 0.02 * entering.abs() + 0.1,
                    "{gained} {entering}"
                );
            }
        }
    }

    fn volume_in_triangle(flow: &Flow, corners: [[f64; 2]; 3]) -> f64 {
        let mut volume = 0.0;
        let points = corners.map(|p| flow.clamp_to_grid(p));
        for (x, y, _) in Region::Everywhere.cells(flow.lattice()) {
            let center = flow.lattice().center(x, y);
            let left = |i: usize| super::is_left_of(points[i], points[(i + 1) % 3], center);
            if !left(0) && !left(1) && !left(2) {
                volume += f64::from(flow.state().depth[(x, y)]) * flow.lattice().cell_area();
            }
        }
        volume
    }

    #[test]
    fn a_uniform_stream_has_width_times_unit_discharge() {
        let lattice = Square::new(20, 10, 1.0, 1.0).unwrap();
        let mut flow =
            Flow::new(lattice, Params::default(), Field::new(20, 10, 0.0), Field::new(20, 10, 1.0))
                .unwrap();
        flow.state.discharge_x = Field::new(21, 10, 0.5);
        assert_eq!(flow.discharge_through([7.2, 10.0], [7.2, 0.0]), 5.0);
        assert_eq!(flow.discharge_through([7.2, 0.0], [12.9, 10.0]), -5.0);
        assert_eq!(flow.discharge_through([0.0, 2.0], [0.0, 6.0]), -2.0);
        assert_eq!(flow.discharge_through([3.0, 4.0], [17.0, 4.0]), 0.0);
    }
}
