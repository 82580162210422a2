//! [`GridChecker`]: checks that the positions and areas of a scene are on its grid.

use super::{Area, Coordinate, Position, resolve_position};
use crate::scene::check::{Checker, format_number};
use headwater::{Lattice, Point, Region};

/// Checker that adds a problem to `check` for each position or area outside a lattice.
pub(crate) struct GridChecker<'a> {
    pub(crate) check: &'a mut Checker,
    pub(crate) lattice: &'a Lattice,
}

impl GridChecker<'_> {
    fn size_message(&self) -> String {
        let (width, height) = (self.lattice.width(), self.lattice.height());
        format!(
            "the world is {} × {}{}",
            format_number(width),
            format_number(height),
            self.check.length
        )
    }

    /// Checks that `position`, which is the value of `key`, is in a cell of the grid.
    pub(crate) fn check_position(&mut self, key: &str, position: Position) {
        let [x, y] = resolve_position(position, self.lattice);
        let (width, height) = (self.lattice.width(), self.lattice.height());
        if !(x >= 0.0 && y >= 0.0 && x < width && y < height) {
            let (x, y, size) = (format_number(x), format_number(y), self.size_message());
            let on_map = match position {
                [Coordinate::Map { map: e, .. }, Coordinate::Map { map: n, .. }] => {
                    let [e, n] = [e, n].map(format_number);
                    format!("[{e}, {n}] on the map, in the world ")
                }
                _ => String::new(),
            };
            let message = format!("found {on_map}[{x}, {y}], which is off the grid: {size}");
            self.check.add_problem(key, message);
        }
    }

    /// Checks the area in the table at the key path `key`: its region must be valid and overlap the
    /// grid.
    pub(crate) fn check_area(&mut self, key: &str, area: &Area) {
        let Some(&name) = area.given_keys().first() else { return };
        let key = format!("{key}.{name}");
        let region = area.region(self.lattice);
        if let Err(error) = region.validate() {
            self.check.add_problem(key, error.to_string());
        } else if !self.overlaps_grid(&region) {
            let location = area.polygon.as_ref().and_then(|all| all.location_message(self.lattice));
            let location = location.map(|text| format!("; {text}")).unwrap_or_default();
            let message = format!("lies off the grid: {}{location}", self.size_message());
            self.check.add_problem(key, message);
        }
    }

    fn overlaps_grid(&self, region: &Region) -> bool {
        let spread = |points: &[Point], reach: f64| {
            [(0, self.lattice.width()), (1, self.lattice.height())].iter().all(|&(axis, size)| {
                points.iter().any(|point| point[axis] + reach > 0.0)
                    && points.iter().any(|point| point[axis] - reach < size)
            })
        };
        match region {
            Region::Everywhere => true,
            Region::Disc { center, radius } => spread(&[*center], *radius),
            Region::Rect { min, max } => spread(&[*min, *max], 0.0),
            Region::Line { points, width } => spread(points, 0.5 * width),
            Region::Polygons { polygons } => {
                polygons.iter().any(|rings| rings.first().is_some_and(|ring| spread(ring, 0.0)))
            }
        }
    }
}
