//! [`Polygons`]: an area bounded by polygons. The polygons are written in a scene or read from a
//! GeoJSON file.

use super::coordinate::{Coordinate, Position};
use headwater::error::format_number;
use headwater::{Lattice, Polygon, Region};
use serde::de::{Deserialize, Deserializer, Error};
use serde::{Serialize, Serializer};
use toml::Value;

/// One or several polygons with holes. Each ring is a list of corners, and is closed from the last
/// corner to the first.
///
/// A scene can contain them in one of these forms: `[[x, y], …]`, the outline of one polygon;
/// `[[[x, y], …], hole, …]`, the outline and the holes of one polygon; a list of such polygons; or
/// `{ geojson = "FILE" }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygons {
    polygons: Vec<Vec<Vec<Position>>>,
    source: Option<SourceFile>,
}

/// GeoJSON file from which polygons were read. Corners of polygons from a file may be outside the
/// world.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
struct SourceFile {
    name: String,
    /// West, south, east and north bounds of the world in the coordinate system of the file. `None`
    /// if the coordinates in the file are metres from the north-west corner.
    bounds: Option<[f64; 4]>,
}

/// Key of polygons whose corners are in percent of the world's size. Before deserialization, a
/// reference to a GeoJSON file is replaced by a table that contains its polygons under this key or
/// under [`METRES_KEY`].
pub(in crate::scene) const PERCENT_KEY: &str = "percent";
/// Key of polygons whose corners are in metres from the world's north-west corner. See
/// [`PERCENT_KEY`].
pub(in crate::scene) const METRES_KEY: &str = "metres";
/// Key of the name of the GeoJSON file, for messages. It is in the same table as [`PERCENT_KEY`] or
/// [`METRES_KEY`].
pub(in crate::scene) const NAME_KEY: &str = "name";
/// Key of the bounds of the world (west, south, east, north) in the coordinate system of the
/// GeoJSON file. It is in the same table as [`PERCENT_KEY`].
pub(in crate::scene) const BOUNDS_KEY: &str = "bounds";

impl Serialize for Polygons {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.polygons.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Polygons {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const NEEDS: &str = "needs a list of corners [east, south], a list of such rings, or { geojson = \"FILE\" }";
        let value = Value::deserialize(deserializer)?;
        let polygons = match &value {
            Value::Array(_) => parse_polygons(&value, false),
            Value::Table(table) => match (table.get(PERCENT_KEY), table.get(METRES_KEY)) {
                (Some(value), None) => parse_polygons(value, true),
                (None, Some(value)) => parse_polygons(value, false),
                _ => None,
            },
            _ => None,
        };
        let polygons = polygons.ok_or_else(|| D::Error::custom(NEEDS))?;
        let source = value.is_table().then(|| value.try_into()).transpose();
        Ok(Self { polygons, source: source.map_err(|_| D::Error::custom(NEEDS))? })
    }
}

/// Reads polygons from nested lists. If `percent` is true, numbers are percentages of the world's
/// size; otherwise, they are metres. Returns `None` if the lists are not valid.
fn parse_polygons(value: &Value, percent: bool) -> Option<Vec<Vec<Vec<Position>>>> {
    let is_position = |value: &Value| {
        value.as_array().is_some_and(|pair| pair.first().is_some_and(|one| !one.is_array()))
    };
    let ring = |value: &Value| -> Option<Vec<Position>> {
        value.as_array()?.iter().map(|corner| parse_position(corner, percent)).collect()
    };
    let rings = |value: &Value| -> Option<Vec<Vec<Position>>> {
        value.as_array()?.iter().map(ring).collect()
    };
    let list = value.as_array()?;
    let first = list.first();
    match first {
        // A GeoJSON file without polygons is valid.
        None => Some(Vec::new()),
        Some(first) if is_position(first) => Some(vec![vec![ring(value)?]]),
        Some(first) if first.as_array()?.first().is_some_and(is_position) => {
            Some(vec![rings(value)?])
        }
        Some(_) => list.iter().map(rings).collect(),
    }
}

fn parse_position(value: &Value, percent: bool) -> Option<Position> {
    let [x, y] = value.as_array()?.as_slice() else { return None };
    let along = |value: &Value| match (percent, value) {
        (true, Value::Float(percent)) => Some(Coordinate::Percent(*percent)),
        (true, _) => None,
        (false, value) => value.clone().try_into().ok(),
    };
    Some([along(x)?, along(y)?])
}

impl Polygons {
    /// Returns the polygons with their corners converted to points on a lattice (m from the
    /// top-left corner).
    fn resolve(&self, lattice: &Lattice) -> Vec<Polygon> {
        let size = [lattice.width(), lattice.height()];
        let corner = |&[x, y]: &Position| [x.resolve(size[0]), y.resolve(size[1])];
        let ring = |ring: &Vec<Position>| ring.iter().map(corner).collect();
        self.polygons.iter().map(|rings| rings.iter().map(ring).collect()).collect()
    }

    /// Returns the region of a lattice that the polygons cover.
    pub fn region(&self, lattice: &Lattice) -> Region {
        Region::polygons(self.resolve(lattice))
    }

    /// Returns two counts: all polygons, and those polygons that cover no cell of a lattice.
    pub fn count_all_and_uncovered(&self, lattice: &Lattice) -> [usize; 2] {
        let polygons = self.resolve(lattice);
        let all = polygons.len();
        let covers_none =
            |polygon: &Polygon| Region::polygons([polygon.clone()]).cells(lattice).is_empty();
        [all, polygons.iter().filter(|polygon| covers_none(polygon)).count()]
    }

    /// Checks everything about the polygons that does not depend on a lattice. The magnitude of
    /// coordinates may be at most `max_coordinate` (m). Returns a message about the first problem;
    /// `None` if there is none.
    pub(in crate::scene) fn find_problem(&self, max_coordinate: f64) -> Option<String> {
        if self.polygons.is_empty() {
            return Some("found no polygon, needs one or more".into());
        }
        let rings = || self.polygons.iter().flatten();
        let short = rings().map(Vec::len).find(|corners| *corners < 3);
        if let Some(corners) = short.or(self.polygons.iter().any(Vec::is_empty).then_some(0)) {
            return Some(short_ring_message(corners));
        }
        // Corners of polygons from files may be anywhere.
        let allowed = |coordinate: &&Coordinate| match **coordinate {
            Coordinate::Metres(v) => v.abs() <= max_coordinate,
            Coordinate::Percent(v) => (0.0..=100.0).contains(&v),
            Coordinate::Map { .. } => true,
        };
        let mut all = rings().flatten().flatten().filter(|_| self.source.is_none());
        let off = all.find(|coordinate| !allowed(coordinate))?;
        let (found, unit) = match *off {
            Coordinate::Metres(v) | Coordinate::Map { map: v, .. } => (v, ""),
            Coordinate::Percent(v) => (v, " %"),
        };
        let (found, max_coordinate) = (format_number(found), format_number(max_coordinate));
        Some(format!(
            "found a corner at {found}{unit}, allowed is −{max_coordinate} to {max_coordinate}, or 0 to 100 %"
        ))
    }

    /// Returns a message that compares the bounds of the polygons with those of the terrain file.
    /// Returns `None` unless the polygons are from a file with georeferenced coordinates.
    pub(in crate::scene) fn location_message(&self, lattice: &Lattice) -> Option<String> {
        let SourceFile { name, bounds } = self.source.as_ref()?;
        let corners = || self.polygons.iter().flatten().flatten();
        let size = [lattice.width(), lattice.height()];
        let along = |axis: usize| {
            let places = corners().map(|corner| corner[axis].resolve(size[axis]) / size[axis]);
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], v| {
                [low.min(v), high.max(v)]
            })
        };
        let ([west, east], [north, south]) = (along(0), along(1));
        let [w, s, e, n] = (*bounds)?;
        let lie = |[w, s, e, n]: [f64; 4]| {
            let [w, s, e, n] = [w, s, e, n].map(format_number);
            format!("from {w} to {e} east and from {s} to {n} north")
        };
        let (wide, high) = (e - w, n - s);
        let own = lie([w + west * wide, n - south * high, w + east * wide, n - north * high]);
        Some(format!("{name} has polygons {own}, the terrain lies {}", lie([w, s, e, n])))
    }
}

/// Returns the error message for a ring that has fewer than 3 corners.
pub(in crate::scene) fn short_ring_message(corners: usize) -> String {
    match corners {
        0 => "found an empty ring, needs 3 corners or more".into(),
        corners => format!("found a ring of {corners} corners, needs 3 or more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygons(text: &str) -> Result<Polygons, String> {
        let table: toml::Table = text.parse().unwrap();
        table["polygon"].clone().try_into().map_err(|error: toml::de::Error| error.to_string())
    }

    #[test]
    fn outlines_holes_and_lists_are_distinguished_by_nesting() {
        let lattice = Lattice::from(headwater::Square::new(10, 10, 1.0, 1.0).unwrap());
        let cells = |text: &str| polygons(text).unwrap().region(&lattice).cells(lattice).len();
        let (square, hole) =
            ("[[1, 1], ['60%', 1], [6, 6], [1, 6]]", "[[2, 2], [4, 2], [4, 4], [2, 4]]");
        assert_eq!(cells(&format!("polygon = {square}")), 25);
        assert_eq!(cells(&format!("polygon = [{square}, {hole}]")), 21);
        assert_eq!(cells(&format!("polygon = [[{square}, {hole}], [{hole}]]")), 25);
        assert_eq!(
            cells(
                "polygon = { name = 'a', percent = [[[[10.0, 10.0], [-30.0, 10.0], [10.0, 50.0]]]] }"
            ),
            4
        );
        for wrong in [
            "3",
            "[3]",
            "[[1, 2, 3]]",
            "[[[1, 2], [3]]]",
            "{ csv = 'a' }",
            "[['1', 2], [2, 3], [3, 4]]",
        ] {
            let error = polygons(&format!("polygon = {wrong}")).unwrap_err();
            assert!(error.contains("needs a list of corners"), "{wrong}: {error}");
        }
    }

    #[test]
    fn polygons_without_cell_centres_are_counted() {
        let lattice = Lattice::from(headwater::Square::new(10, 10, 1.0, 1.0).unwrap());
        let text = "polygon = [[[[1, 1], [3, 1], [3, 3]]], [[[5.1, 5.1], [5.3, 5.1], [5.2, 5.3]]]]";
        assert_eq!(polygons(text).unwrap().count_all_and_uncovered(&lattice), [2, 1]);
    }
}
