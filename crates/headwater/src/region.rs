//! [`Region`]: a place on the plane, in metres from the top-left corner, for brushes, sources,
//! obstacles and gauges.

use crate::error::{InputError, format_number};
use crate::lattice::Lattice;
pub use crate::point::Point;
use crate::polygon;
pub use crate::polygon::Polygon;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A place on the plane. Lengths are metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Region {
    /// Every cell.
    Everywhere,
    /// A round place.
    Disc {
        /// Its centre.
        center: Point,
        /// Its radius, > 0. The cell that holds the centre always belongs to the disc.
        radius: f64,
    },
    /// A rectangle along the axes.
    Rect {
        /// Its north-west corner.
        min: Point,
        /// Its south-east corner.
        max: Point,
    },
    /// A band around a polyline: a trench, a dam, a river bed.
    Line {
        /// Its corners in order, at least one.
        points: Vec<Point>,
        /// Its full width, > 0.
        width: f64,
    },
    /// Whatever lies in one of several polygons: buildings, fields, a catchment. They have no middle, so brushes do not fade in them.
    Polygons {
        /// The polygons.
        polygons: Vec<Polygon>,
    },
}

/// How a brush fades from the middle of its region (distance 0) to the rim (distance 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Falloff {
    /// The same everywhere in the region.
    #[default]
    Flat,
    /// `1 − r`.
    Linear,
    /// `(1 − r²)²`: round on top, meets the ground without an edge.
    Smooth,
}

impl Falloff {
    /// The brush's weight, 0 to 1, at the distance `r` (0 in the middle, 1 on the rim).
    pub fn weight(self, r: f64) -> f64 {
        let r = r.clamp(0.0, 1.0);
        match self {
            Falloff::Flat => 1.0,
            Falloff::Linear => 1.0 - r,
            Falloff::Smooth => (1.0 - r * r) * (1.0 - r * r),
        }
    }
}

impl Region {
    /// A disc of `radius` metres around `center`.
    pub fn disc(center: Point, radius: f64) -> Self {
        Region::Disc { center, radius }
    }

    /// A rectangle from its north-west corner `min` to its south-east corner `max`.
    pub fn rect(min: Point, max: Point) -> Self {
        Region::Rect { min, max }
    }

    /// A band of `width` metres along `points`.
    pub fn line(points: impl Into<Vec<Point>>, width: f64) -> Self {
        Region::Line { points: points.into(), width }
    }

    /// What lies in one of several polygons.
    pub fn polygons(polygons: impl Into<Vec<Polygon>>) -> Self {
        Region::Polygons { polygons: polygons.into() }
    }

    /// Checks that all lengths make sense.
    ///
    /// # Errors
    /// [`InputError`] says which does not.
    pub fn validate(&self) -> Result<(), InputError> {
        let bad = |point: &&Point| !(point[0].is_finite() && point[1].is_finite());
        let bad = match self {
            Region::Everywhere => None,
            Region::Disc { center, .. } => Some(center).filter(bad),
            Region::Rect { min, max } => [min, max].into_iter().find(bad),
            Region::Line { points, .. } => points.iter().find(bad),
            Region::Polygons { polygons } => polygons.iter().flatten().flatten().find(bad),
        };
        if let Some(bad) = bad {
            return Err(InputError::new("a position", said(bad), "two finite numbers of metres"));
        }
        match self {
            Region::Disc { radius, .. } if !positive(*radius) => {
                Err(InputError::new("radius", radius, "above 0 m"))
            }
            Region::Line { width, .. } if !positive(*width) => {
                Err(InputError::new("width", width, "above 0 m"))
            }
            Region::Line { points, .. } if points.is_empty() => {
                Err(InputError::new("a line", "no points", "one point or more"))
            }
            Region::Polygons { polygons }
                if polygons.iter().flatten().any(|ring| ring.len() < 3) =>
            {
                Err(InputError::new("a polygon", "fewer than 3 corners", "3 corners or more"))
            }
            Region::Rect { min, max } if min[0] >= max[0] || min[1] >= max[1] => {
                Err(InputError::new(
                    "a rectangle",
                    format!("{} to {}", said(min), said(max)),
                    "`min` north-west of `max`",
                ))
            }
            _ => Ok(()),
        }
    }

    /// How far `point` is from the middle, relative to the rim (0 in the middle, 1 on the rim), or
    /// `None` outside the region.
    pub fn relative_distance(&self, point: Point) -> Option<f64> {
        let r = match self {
            Region::Everywhere => 0.0,
            Region::Polygons { polygons } if polygon::contain(polygons, point) => 0.0,
            Region::Polygons { .. } => return None,
            Region::Disc { center, radius } => length(sub(point, *center)) / radius,
            Region::Rect { min, max } => {
                let along = |i: usize| {
                    let half = 0.5 * (max[i] - min[i]);
                    (point[i] - min[i] - half).abs() / half
                };
                along(0).max(along(1))
            }
            Region::Line { points, width } => {
                let nearest = match points.as_slice() {
                    [only] => length(sub(point, *only)),
                    _ => points
                        .windows(2)
                        .map(|pair| distance_to_segment(point, pair[0], pair[1]))
                        .fold(f64::INFINITY, f64::min),
                };
                nearest / (0.5 * width)
            }
        };
        (r <= 1.0).then_some(r)
    }

    /// The cells whose centres lie in the region, from the top row down, each as `(x, y, r)` with
    /// its relative distance; of a disc on the grid at least the cell of its centre.
    pub fn cells(&self, lattice: impl Into<Lattice>) -> Vec<(usize, usize, f64)> {
        let mut cells = Vec::new();
        self.visit(&lattice.into(), |cell| cells.push(cell));
        cells
    }

    /// The same place seen from a point: that point becomes the top-left corner.
    pub(crate) fn seen_from(&self, [x, y]: Point) -> Self {
        let from = |at: &Point| [at[0] - x, at[1] - y];
        match self {
            Region::Everywhere => Region::Everywhere,
            Region::Disc { center, radius } => Region::disc(from(center), *radius),
            Region::Rect { min, max } => Region::rect(from(min), from(max)),
            Region::Line { points, width } => {
                Region::line(points.iter().map(from).collect::<Vec<_>>(), *width)
            }
            Region::Polygons { polygons } => {
                let ring = |ring: &Vec<Point>| ring.iter().map(from).collect();
                let polygon = |rings: &Vec<Vec<Point>>| rings.iter().map(ring).collect();
                Region::Polygons { polygons: polygons.iter().map(polygon).collect() }
            }
        }
    }

    /// Those of the [cells](Self::cells) that are in some rows.
    pub fn cells_in_rows(
        &self,
        lattice: impl Into<Lattice>,
        rows: Range<usize>,
    ) -> Vec<(usize, usize, f64)> {
        let mut cells = Vec::new();
        self.visit_rows(&lattice.into(), rows, |cell| cells.push(cell));
        cells
    }

    pub(crate) fn visit(&self, lattice: &Lattice, visit: impl FnMut((usize, usize, f64))) {
        self.visit_rows(lattice, 0..lattice.ny(), visit);
    }

    /// The same, of some rows.
    pub(crate) fn visit_rows(
        &self,
        lattice: &Lattice,
        within: Range<usize>,
        mut visit: impl FnMut((usize, usize, f64)),
    ) {
        let (low, high) = self.bounds(lattice);
        // Every other row of hexagons is half a cell farther east.
        let shift = if lattice.is_hex() { 0.5 * lattice.dx() } else { 0.0 };
        let columns = cell_range(low[0] - shift, high[0], lattice.dx(), lattice.nx());
        let all = cell_range(low[1], high[1], lattice.dy(), lattice.ny());
        let rows = all.start.max(within.start)..all.end.min(within.end);
        if let Region::Polygons { polygons } = self {
            polygon::visit(polygons, lattice, columns, rows, |x, y| visit((x, y, 0.0)));
            return;
        }
        let mut any = false;
        let distance = |x, y| self.relative_distance(lattice.center(x, y));
        for y in rows {
            for x in columns.clone() {
                if let Some(r) = distance(x, y) {
                    visit((x, y, r));
                    any = true;
                }
            }
        }
        let Region::Disc { center, .. } = self else { return };
        let nearest = lattice.cell_at(*center).filter(|(_, y)| !any && within.contains(y));
        // Only a disc without the centre of any cell has the one that it is in.
        let is_small = || !all.clone().any(|y| columns.clone().any(|x| distance(x, y).is_some()));
        if let Some((x, y)) = nearest.filter(|_| is_small()) {
            visit((x, y, 0.0));
        }
    }

    fn bounds(&self, lattice: &Lattice) -> (Point, Point) {
        match self {
            Region::Everywhere => ([0.0, 0.0], [lattice.width(), lattice.height()]),
            Region::Disc { center: [x, y], radius: r } => ([x - r, y - r], [x + r, y + r]),
            Region::Rect { min, max } => (*min, *max),
            Region::Polygons { polygons } => polygon::bounds(polygons),
            Region::Line { points, width } => {
                let half = 0.5 * width;
                let mut low = [f64::INFINITY; 2];
                let mut high = [f64::NEG_INFINITY; 2];
                for point in points {
                    for i in 0..2 {
                        low[i] = low[i].min(point[i] - half);
                        high[i] = high[i].max(point[i] + half);
                    }
                }
                (low, high)
            }
        }
    }
}

fn positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

/// The cells, of `n` with the given `size`, that an interval of metres touches.
fn cell_range(low: f64, high: f64, size: f64, n: usize) -> Range<usize> {
    let first = (low / size).floor().clamp(0.0, n as f64) as usize;
    let last = (high / size).ceil().clamp(0.0, n as f64) as usize;
    first..last.max(first)
}

fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// Square root is exact to the last bit on every platform, `hypot` is not.
fn length(v: Point) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

fn distance_to_segment(point: Point, a: Point, b: Point) -> f64 {
    let along = sub(b, a);
    let from_a = sub(point, a);
    let squared = along[0] * along[0] + along[1] * along[1];
    let t = if squared > 0.0 {
        ((from_a[0] * along[0] + from_a[1] * along[1]) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length(sub(from_a, [t * along[0], t * along[1]]))
}

fn said([x, y]: &Point) -> String {
    format!("[{}, {}]", format_number(*x), format_number(*y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice() -> crate::Square {
        crate::Square::new(10, 6, 2.0, 1.0).unwrap()
    }

    #[test]
    fn a_rectangle_holds_the_cells_whose_centres_it_covers() {
        let cells = Region::rect([4.0, 1.0], [8.0, 3.0]).cells(lattice());
        let places: Vec<_> = cells.iter().map(|c| (c.0, c.1)).collect();
        assert_eq!(places, [(2, 1), (3, 1), (2, 2), (3, 2)]);
    }

    #[test]
    fn a_tiny_disc_still_has_its_own_cell() {
        let cells = Region::disc([4.1, 1.1], 0.01).cells(lattice());
        assert_eq!(cells, [(2, 1, 0.0)]);
        assert!(Region::disc([-4.0, 1.0], 0.01).cells(lattice()).is_empty());
    }

    #[test]
    fn a_line_reaches_half_its_width_to_each_side() {
        let trench = Region::line([[0.0, 3.0], [20.0, 3.0]], 2.0);
        let cells = trench.cells(lattice());
        assert_eq!(cells.len(), 20);
        assert!(cells.iter().all(|&(_, y, r)| (2..=3).contains(&y) && r == 0.5));
    }

    #[test]
    fn falloffs_run_from_one_to_zero() {
        for falloff in [Falloff::Linear, Falloff::Smooth] {
            assert_eq!(falloff.weight(0.0), 1.0);
            assert_eq!(falloff.weight(1.0), 0.0);
        }
        assert_eq!(Falloff::Flat.weight(1.0), 1.0);
    }

    #[test]
    fn lengths_that_make_no_sense_are_refused() {
        assert!(Region::disc([0.0, f64::NAN], 1.0).validate().is_err());
        assert!(Region::disc([0.0, 0.0], 0.0).validate().is_err());
        assert!(Region::rect([2.0, 0.0], [1.0, 1.0]).validate().is_err());
        assert!(Region::line([], 1.0).validate().is_err());
        assert!(Region::Everywhere.validate().is_ok());
    }
}
