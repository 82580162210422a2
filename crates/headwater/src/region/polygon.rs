//! Polygons with holes: point-in-polygon tests, and rasterization to grid cells.

use super::point::Point;
use crate::lattice::Lattice;
use std::ops::Range;

/// Polygon as a list of closed rings of vertices (m), filled by the even-odd rule. Usually the
/// first ring is the outline and the others are holes.
pub type Polygon = Vec<Vec<Point>>;

/// Returns whether a point is inside at least one of the polygons.
pub(crate) fn any_contains(polygons: &[Polygon], [x, y]: Point) -> bool {
    polygons.iter().any(|polygon| {
        let crossings = crossings(polygon, y).filter(|&crossing| x < crossing);
        crossings.count() % 2 == 1
    })
}

/// Iterates over the x-coordinates (m), unsorted, at which the sides of a polygon cross the
/// horizontal line at `y` (m).
fn crossings(polygon: &Polygon, y: f64) -> impl Iterator<Item = f64> {
    sides(polygon).filter_map(move |side| crossing(side, y))
}

/// Iterates over the sides of a polygon, each as its two ends.
fn sides(polygon: &Polygon) -> impl Iterator<Item = [Point; 2]> {
    polygon
        .iter()
        .flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| [*a, *b]))
}

/// Returns the x-coordinate (m) at which a side crosses the horizontal line at `y` (m), or `None`
/// if the side does not cross it. A vertex on the line counts as north of it, so that shared
/// vertices are not counted twice.
fn crossing([a, b]: [Point; 2], y: f64) -> Option<f64> {
    ((a[1] > y) != (b[1] > y)).then(|| a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
}

/// Returns the north-west and south-east corners (m) of the bounding box of the polygons.
pub(crate) fn bounding_box<'a>(polygons: impl IntoIterator<Item = &'a Polygon>) -> (Point, Point) {
    let mut bounds = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for [x, y] in polygons.into_iter().flatten().flatten() {
        bounds.0 = [bounds.0[0].min(*x), bounds.0[1].min(*y)];
        bounds.1 = [bounds.1[0].max(*x), bounds.1[1].max(*y)];
    }
    bounds
}

/// Calls `visit` with each cell in the given columns and rows whose centre is inside at least one
/// of the polygons. Uses scan conversion row by row. The result is the same as that of a test of
/// each centre with [`any_contains`].
pub(crate) fn visit_cells(
    polygons: &[Polygon],
    lattice: &Lattice,
    columns: Range<usize>,
    rows: Range<usize>,
    mut visit: impl FnMut(usize, usize),
) {
    let width = columns.len();
    let mut inside = vec![false; width * rows.len()];
    let mut sorted = Vec::new();
    for polygon in polygons {
        // The sides from north to south, and those that reach the current row.
        let north_end = |[a, b]: &[Point; 2]| a[1].min(b[1]);
        let mut waiting: Vec<_> = sides(polygon).collect();
        waiting.sort_by(|one, other| north_end(other).total_cmp(&north_end(one)));
        let mut active: Vec<[Point; 2]> = Vec::new();
        for y in rows.clone() {
            let [_, south] = lattice.center(columns.start, y);
            while let Some(side) = waiting.pop_if(|side| north_end(side) <= south) {
                active.push(side);
            }
            active.retain(|[a, b]| a[1].max(b[1]) > south);
            sorted.clear();
            sorted.extend(active.iter().filter_map(|side| crossing(*side, south)));
            sorted.sort_by(f64::total_cmp);
            let row = &mut inside[(y - rows.start) * width..][..width];
            for between in sorted.chunks_exact(2) {
                // Centres from one crossing up to the next are inside.
                let first = first_column_at(lattice, &columns, y, between[0]);
                let end = first_column_at(lattice, &columns, y, between[1]);
                row[first - columns.start..end.max(first) - columns.start].fill(true);
            }
        }
    }
    for (i, _) in inside.iter().enumerate().filter(|(_, inside)| **inside) {
        visit(columns.start + i % width, rows.start + i / width);
    }
}

/// Returns the first column in the range `columns` whose cell centre in row `y` lies at or to the
/// east of `x` (m). Returns the end of the range if there is none.
fn first_column_at(lattice: &Lattice, columns: &Range<usize>, y: usize, x: f64) -> usize {
    let mut range = columns.clone();
    while !range.is_empty() {
        let middle = range.start + range.len() / 2;
        if lattice.center(middle, y)[0] < x {
            range.start = middle + 1;
        } else {
            range.end = middle;
        }
    }
    range.start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hex, Region, Square};

    #[test]
    fn cells_match_the_point_test_of_their_centres() {
        let star = (0..10).map(|i| {
            let (sin, cos) = (f64::from(i) * 0.628).sin_cos();
            let reach = if i % 2 == 0 { 9.0 } else { 3.5 };
            [12.0 + reach * cos, 10.0 + reach * sin]
        });
        let square = |x: f64, y: f64, side: f64| {
            vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
        };
        let polygons = vec![
            vec![star.collect(), square(11.0, 9.0, 2.0)],
            vec![square(15.0, 5.0, 7.0)],
            // Vertices and sides on cell centres, and a hole with an island in it.
            vec![square(0.5, 0.5, 6.0), square(1.5, 1.5, 4.0), square(2.5, 2.5, 2.0)],
        ];
        let square = Lattice::from(Square::new(24, 20, 1.0, 1.0).unwrap());
        let hex = Lattice::from(Hex::new(22, 21, 1.1).unwrap());
        for lattice in [square, hex] {
            let region = Region::polygons(polygons.clone());
            let found: Vec<_> = region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect();
            let all = (0..lattice.ny()).flat_map(|y| (0..lattice.nx()).map(move |x| (x, y)));
            let wanted: Vec<_> =
                all.filter(|&(x, y)| any_contains(&polygons, lattice.center(x, y))).collect();
            assert_eq!(found, wanted);
            assert!(found.len() > 100 && found.len() < lattice.cell_count() / 2);
        }
    }

    #[test]
    fn adjacent_polygons_cover_every_cell_once() {
        let lattice = Square::new(10, 4, 1.0, 1.0).unwrap();
        let of = |west: f64, east: f64| {
            Region::polygons([vec![vec![[west, 0.5], [east, 0.5], [east, 3.5], [west, 3.5]]]])
        };
        let (left, right) = (of(0.5, 5.5).cells(lattice), of(5.5, 9.5).cells(lattice));
        assert_eq!((left.len(), right.len()), (5 * 3, 4 * 3));
        assert!(left.iter().all(|cell| !right.contains(cell)));
    }
}
