//! Discharge through a line.

use super::world::Flow;
use crate::lattice::{FaceAxis, Lattice, adjacent_cells};
use crate::region::Point;

/// Offset (cells) of a line before its faces are found, so that it hits no cell's centre. All lines
/// move alike, so closed lines stay closed.
const ASIDE: [f64; 2] = [1.3e-7, 2.1e-7];

/// How far (in cells) the line stays off the very edge of the grid.
const INSIDE: f64 = 1e-3;

impl Flow {
    /// Discharge (m³/s) through a line from `a` to `b`, positive from its left to its right. Faces
    /// count whose cells have their centres on different sides; they form a chain, so lines around
    /// a region account for all that enters it. Parts off the grid count along the edge.
    pub fn discharge_through(&self, a: Point, b: Point) -> f64 {
        let mut sum = 0.0;
        self.each_face_through(a, b, |axis, face, sign| {
            sum += sign * f64::from(self.state.discharge(axis)[face]);
        });
        sum
    }

    /// Calls `with` for every face that counts for a line, with 1 if crossed from left to right,
    /// else −1.
    pub(crate) fn each_face_through(
        &self,
        a: Point,
        b: Point,
        mut with: impl FnMut(FaceAxis, (usize, usize), f64),
    ) {
        let line = [a, b].map(|p| self.inside(p));
        let (dx, dy) = (self.lattice.dx(), self.lattice.dy());
        let (top, bottom) = (line[0][1].min(line[1][1]), line[0][1].max(line[1][1]));
        let last = ((bottom / dy).ceil() as usize + 1).min(self.lattice.ny());
        for y in ((top / dy).floor() as usize).saturating_sub(1)..=last {
            // Faces of the row have both ends within a row of it.
            let band = [(y as f64 - 1.0) * dy, (y as f64 + 1.5) * dy];
            let Some([low, high]) = within_band(line, band) else { continue };
            let columns =
                ((low / dx).floor() as usize).saturating_sub(2)..(high / dx).ceil() as usize + 3;
            for &axis in self.lattice.face_axes() {
                // Of each family there is one face more than cells, across its axis.
                let [nx, ny] = [
                    self.lattice.nx() + usize::from(axis != FaceAxis::Y),
                    self.lattice.ny() + usize::from(axis != FaceAxis::X),
                ];
                if y < ny {
                    for x in columns.start..columns.end.min(nx) {
                        let sign = self.side_change(line, axis, (x, y));
                        if sign != 0.0 {
                            with(axis, (x, y), sign);
                        }
                    }
                }
            }
        }
    }

    fn inside(&self, point: Point) -> Point {
        let axis = |i: usize, size: f64, end: f64| {
            let margin = INSIDE * size;
            point[i].clamp(margin, end - margin) + ASIDE[i] * size
        };
        let lattice = &self.lattice;
        [axis(0, lattice.dx(), lattice.width()), axis(1, lattice.dy(), lattice.height())]
    }

    /// 1 if a face is crossed from the left of a line to its right, −1 if the other way, 0 if not at all.
    fn side_change(&self, [a, b]: [Point; 2], axis: FaceAxis, (x, y): (usize, usize)) -> f64 {
        let center = |x: usize, y: usize| center(&self.lattice, x, y);
        let [before, after] = adjacent_cells(axis, y).map(|cell| {
            let (x, y) = cell.from(x, y);
            center(x, y)
        });
        let (left_before, left_after) = (left_of(a, b, before), left_of(a, b, after));
        // The line itself must pass between the two centres.
        if left_before == left_after || left_of(before, after, a) == left_of(before, after, b) {
            return 0.0;
        }
        if left_before { 1.0 } else { -1.0 }
    }
}

fn center(lattice: &Lattice, x: usize, y: usize) -> Point {
    // Column and row −1 come as the largest numbers. Two rows on, all is the same.
    let [east, south] = lattice.center(x.wrapping_add(1), y.wrapping_add(2));
    [east - lattice.dx(), south - 2.0 * lattice.dy()]
}

/// True if `p` lies to the left of the way from `a` to `b`; the y-axis points to the south.
fn left_of(a: Point, b: Point, p: Point) -> bool {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) < 0.0
}

/// From where to where (m, to the east) a line runs between two heights, if it gets there.
fn within_band([a, b]: [Point; 2], [low, high]: [f64; 2]) -> Option<[f64; 2]> {
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
    fn lines_around_a_region_account_for_all_that_enters_it() {
        let lattices: [Lattice; 2] =
            [Square::new(31, 24, 2.0, 2.0).unwrap().into(), Hex::new(31, 24, 2.0).unwrap().into()];
        // Corners on faces, on centres, and anywhere; a part off the grid.
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
                // Clockwise on the map, so that the right hand is inside.
                let entering: f64 =
                    line.windows(2).map(|p| flow.discharge_through(p[0], p[1])).sum();
                let back: f64 = line.windows(2).map(|p| flow.discharge_through(p[1], p[0])).sum();
                assert!((entering + back).abs() < 1e-9);
                let before = enclosed(&flow, corners);
                let mut next = flow.clone();
                let dt = 1e-3;
                next.step(dt).unwrap();
                let gained = (enclosed(&next, corners) - before) / dt;
                let entering: f64 =
                    line.windows(2).map(|p| next.discharge_through(p[0], p[1])).sum();
                assert!(
                    (gained - entering).abs() < 0.02 * entering.abs() + 0.1,
                    "{gained} {entering}"
                );
            }
        }
    }

    fn enclosed(flow: &Flow, corners: [[f64; 2]; 3]) -> f64 {
        let mut volume = 0.0;
        let points = corners.map(|p| flow.inside(p));
        for (x, y, _) in Region::Everywhere.cells(flow.lattice()) {
            let center = flow.lattice().center(x, y);
            let left = |i: usize| super::left_of(points[i], points[(i + 1) % 3], center);
            if !left(0) && !left(1) && !left(2) {
                volume += f64::from(flow.state().depth[(x, y)]) * flow.lattice().cell_area();
            }
        }
        volume
    }

    #[test]
    fn an_even_stream_is_its_width_times_its_unit_discharge() {
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
