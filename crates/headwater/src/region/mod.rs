//! [`Region`]: an area of the plane, in metres from the top-left corner of the grid, for brushes,
//! sources, obstacles and gauges.

pub(super) mod point;
pub(super) mod polygon;

use crate::error::{InputError, format_number};
use crate::lattice::Lattice;
pub use point::Point;
pub use polygon::Polygon;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Area of the plane: a simple shape, a polyline or polygons. Lengths are in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Region {
    /// The whole plane, so that every cell of a grid is covered.
    Everywhere,
    /// A disc, given by its centre and radius.
    Disc {
        /// Position of the disc's centre.
        center: Point,
        /// Radius, greater than 0. A disc that contains no cell centre covers the cell in which the
        /// disc's centre lies.
        radius: f64,
    },
    /// An axis-aligned rectangle, given by two opposite corners.
    Rect {
        /// North-west corner, with the smaller coordinates.
        min: Point,
        /// South-east corner, with the larger coordinates.
        max: Point,
    },
    /// A band of constant width along a polyline, such as a trench, a dam or a river bed.
    Line {
        /// Vertices of the polyline in order; at least one.
        points: Vec<Point>,
        /// Full width of the band, greater than 0.
        width: f64,
    },
    /// Union of polygons, such as buildings, fields or a catchment. Inside polygons, brushes ignore
    /// their falloff and have full strength everywhere.
    Polygons {
        /// List of the polygons, which may overlap.
        polygons: Vec<Polygon>,
    },
}

/// Decrease in a brush's weight from the centre of its region (relative distance 0) to the rim
/// (relative distance 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Falloff {
    /// Weight 1: full strength everywhere in the region.
    #[default]
    Flat,
    /// Weight `1 − r`, where `r` is the relative distance from the centre.
    Linear,
    /// Weight `(1 − r²)²`, with zero slope at the centre and at the rim.
    Smooth,
}

impl Falloff {
    /// Returns the weight (0 to 1) at the relative distance `r` from the centre (0 at the centre, 1
    /// at the rim).
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
    /// Creates a disc of `radius` metres around `center`.
    pub fn disc(center: Point, radius: f64) -> Self {
        Region::Disc { center, radius }
    }

    /// Creates a rectangle from its north-west corner `min` to its south-east corner `max`.
    pub fn rect(min: Point, max: Point) -> Self {
        Region::Rect { min, max }
    }

    /// Creates a band of `width` metres along the polyline with the vertices `points` (m).
    pub fn line(points: impl Into<Vec<Point>>, width: f64) -> Self {
        Region::Line { points: points.into(), width }
    }

    /// Creates a region that is the union of polygons with vertices in metres.
    pub fn polygons(polygons: impl Into<Vec<Polygon>>) -> Self {
        Region::Polygons { polygons: polygons.into() }
    }

    /// Checks that all lengths and positions of the region are valid.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first invalid length or position.
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
            return Err(InputError::new(
                "a position",
                format_point(bad),
                "two finite numbers of metres",
            ));
        }
        match self {
            Region::Disc { radius, .. } if !is_positive(*radius) => {
                Err(InputError::new("radius", radius, "above 0 m"))
            }
            Region::Line { width, .. } if !is_positive(*width) => {
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
                    format!("{} to {}", format_point(min), format_point(max)),
                    "`min` north-west of `max`",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Returns the relative distance of `point` from the centre of the region (0 at the centre, 1
    /// at the rim); `None` if the point is outside of the region.
    pub fn relative_distance(&self, point: Point) -> Option<f64> {
        let r = match self {
            Region::Everywhere => 0.0,
            Region::Polygons { polygons } if polygon::any_contains(polygons, point) => 0.0,
            Region::Polygons { .. } => return None,
            Region::Disc { center, radius } => length(subtract(point, *center)) / radius,
            Region::Rect { min, max } => {
                let along = |i: usize| {
                    let half = 0.5 * (max[i] - min[i]);
                    (point[i] - min[i] - half).abs() / half
                };
                along(0).max(along(1))
            }
            Region::Line { points, width } => {
                let nearest = match points.as_slice() {
                    [only] => length(subtract(point, *only)),
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

    /// Returns the cells whose centres are in the region, row by row from the top, as `(x, y, r)`:
    /// column, row and relative distance from the centre of the region. A disc on the grid covers
    /// at least the cell in which its centre lies.
    pub fn cells(&self, lattice: impl Into<Lattice>) -> Vec<(usize, usize, f64)> {
        let mut cells = Vec::new();
        self.visit_cells(&lattice.into(), |cell| cells.push(cell));
        cells
    }

    /// Returns the same region in coordinates relative to the point `[x, y]` (m), so that this
    /// point becomes the top-left corner.
    pub(crate) fn relative_to(&self, [x, y]: Point) -> Self {
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

    /// Returns those [cells](Self::cells) of the region that are in the given rows of the grid.
    pub fn cells_in_rows(
        &self,
        lattice: impl Into<Lattice>,
        rows: Range<usize>,
    ) -> Vec<(usize, usize, f64)> {
        let mut cells = Vec::new();
        self.visit_cells_in_rows(&lattice.into(), rows, |cell| cells.push(cell));
        cells
    }

    /// Calls `visit` with each of the [cells](Self::cells) of the region.
    pub(crate) fn visit_cells(&self, lattice: &Lattice, visit: impl FnMut((usize, usize, f64))) {
        self.visit_cells_in_rows(lattice, 0..lattice.ny(), visit);
    }

    /// Calls `visit` with each of the [cells](Self::cells) of the region that are in the given rows
    /// of the grid.
    pub(crate) fn visit_cells_in_rows(
        &self,
        lattice: &Lattice,
        within: Range<usize>,
        mut visit: impl FnMut((usize, usize, f64)),
    ) {
        let [columns, all] = self.bounding_cells(lattice);
        let rows = all.start.max(within.start)..all.end.min(within.end);
        if let Region::Polygons { polygons } = self {
            polygon::visit_cells(polygons, lattice, columns, rows, |x, y| visit((x, y, 0.0)));
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
        // The cell at the disc's centre is added only if the disc contains no cell centre.
        let is_small = || !all.clone().any(|y| columns.clone().any(|x| distance(x, y).is_some()));
        if let Some((x, y)) = nearest.filter(|_| is_small()) {
            visit((x, y, 0.0));
        }
    }

    /// Returns the number of cells in the region's bounding box. It is an upper bound on the number
    /// of [cells](Self::cells), and can be computed without visiting them.
    pub fn max_cell_count(&self, lattice: impl Into<Lattice>) -> usize {
        let [columns, rows] = self.bounding_cells(&lattice.into());
        columns.len() * rows.len()
    }

    /// Returns the columns and the rows of the cells in the region's bounding box.
    fn bounding_cells(&self, lattice: &Lattice) -> [Range<usize>; 2] {
        let (low, high) = self.bounding_box(lattice);
        // Odd rows of hexagons are shifted east by half a cell.
        let shift = if lattice.is_hex() { 0.5 * lattice.dx() } else { 0.0 };
        let columns = cell_range(low[0] - shift, high[0], lattice.dx(), lattice.nx());
        [columns, cell_range(low[1], high[1], lattice.dy(), lattice.ny())]
    }

    /// Returns the north-west and south-east corners of the region's bounding box (m).
    fn bounding_box(&self, lattice: &Lattice) -> (Point, Point) {
        match self {
            Region::Everywhere => ([0.0, 0.0], [lattice.width(), lattice.height()]),
            Region::Disc { center: [x, y], radius: r } => ([x - r, y - r], [x + r, y + r]),
            Region::Rect { min, max } => (*min, *max),
            Region::Polygons { polygons } => polygon::bounding_box(polygons),
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

fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

/// Returns the indices of those cells of an axis that overlap the interval from `low` to `high`
/// (m). The axis has `n` cells of `size` metres.
fn cell_range(low: f64, high: f64, size: f64, n: usize) -> Range<usize> {
    let first = (low / size).floor().clamp(0.0, n as f64) as usize;
    let last = (high / size).ceil().clamp(0.0, n as f64) as usize;
    first..last.max(first)
}

fn subtract(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// Returns the length of a vector. `sqrt` is correctly rounded on every platform, unlike `hypot`.
fn length(v: Point) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

fn distance_to_segment(point: Point, a: Point, b: Point) -> f64 {
    let along = subtract(b, a);
    let from_a = subtract(point, a);
    let squared = along[0] * along[0] + along[1] * along[1];
    let t = if squared > 0.0 {
        ((from_a[0] * along[0] + from_a[1] * along[1]) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length(subtract(from_a, [t * along[0], t * along[1]]))
}

fn format_point([x, y]: &Point) -> String {
    format!("[{}, {}]", format_number(*x), format_number(*y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice() -> crate::Square {
        crate::Square::new(10, 6, 2.0, 1.0).unwrap()
    }

    #[test]
    fn a_rectangle_contains_the_cells_whose_centres_it_covers() {
        let cells = Region::rect([4.0, 1.0], [8.0, 3.0]).cells(lattice());
        let places: Vec<_> = cells.iter().map(|c| (c.0, c.1)).collect();
        assert_eq!(places, [(2, 1), (3, 1), (2, 2), (3, 2)]);
    }

    #[test]
    fn a_tiny_disc_covers_the_cell_at_its_centre() {
        let cells = Region::disc([4.1, 1.1], 0.01).cells(lattice());
        assert_eq!(cells, [(2, 1, 0.0)]);
        assert!(Region::disc([-4.0, 1.0], 0.01).cells(lattice()).is_empty());
    }

    #[test]
    fn a_line_extends_half_its_width_to_each_side() {
        let trench = Region::line([[0.0, 3.0], [20.0, 3.0]], 2.0);
        let cells = trench.cells(lattice());
        assert_eq!(cells.len(), 20);
        assert!(cells.iter().all(|&(_, y, r)| (2..=3).contains(&y) && r == 0.5));
    }

    #[test]
    fn falloffs_decrease_from_one_to_zero() {
        for falloff in [Falloff::Linear, Falloff::Smooth] {
            assert_eq!(falloff.weight(0.0), 1.0);
            assert_eq!(falloff.weight(1.0), 0.0);
        }
        assert_eq!(Falloff::Flat.weight(1.0), 1.0);
    }

    #[test]
    fn invalid_lengths_are_rejected() {
        assert!(Region::disc([0.0, f64::NAN], 1.0).validate().is_err());
        assert!(Region::disc([0.0, 0.0], 0.0).validate().is_err());
        assert!(Region::rect([2.0, 0.0], [1.0, 1.0]).validate().is_err());
        assert!(Region::line([], 1.0).validate().is_err());
        assert!(Region::Everywhere.validate().is_ok());
    }
}
