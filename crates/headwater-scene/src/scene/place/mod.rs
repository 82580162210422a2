//! Positions and areas in scenes, in metres or as percentages. On a lattice, they are converted to
//! a [`Point`] or a [`Region`] of the crate `headwater`.

pub(super) mod coordinate;
pub(crate) mod fit;
pub(super) mod places;
pub(crate) mod polygon;

pub use coordinate::{Coordinate, Position};
use headwater::{Lattice, Point, Region};
use polygon::Polygons;
use serde::de::{Deserialize, Deserializer, Error};
use serde::{Serialize, Serializer};

/// Converts a position in a scene to a point on a lattice (m from the top-left corner). A position
/// on the far edge, such as `"100%"`, is moved into the last cell, because the edge itself is
/// outside the world.
pub fn resolve_position(position: Position, lattice: &Lattice) -> Point {
    let along = |coordinate: Coordinate, size: f64| {
        let metres = coordinate.resolve(size);
        // Because of rounding, the sum of the cells may be less than the size given in the scene.
        let is_edge = metres >= size && metres <= size * (1.0 + 1e-12);
        if is_edge { size.next_down() } else { metres }
    };
    [along(position[0], lattice.width()), along(position[1], lattice.height())]
}

/// Area with the shape of a disc.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Disc {
    /// Centre of the disc.
    pub center: Position,
    /// Radius of the disc (m), above 0. The cell at the centre always belongs to the disc.
    pub radius: f64,
}

/// Axis-aligned rectangle.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rect {
    /// North-west corner of the rectangle.
    pub min: Position,
    /// South-east corner of the rectangle.
    pub max: Position,
}

/// Band of constant width along a polyline.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Vertices of the polyline in order, 1 to 1000.
    pub points: Vec<Position>,
    /// Full width of the band (m), above 0.
    pub width: f64,
}

/// Area in the world. Exactly one of these keys must be given.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Area with the shape of a disc.
    pub disc: Option<Disc>,
    /// Axis-aligned rectangle.
    pub rect: Option<Rect>,
    /// Band of constant width along a polyline.
    pub line: Option<Line>,
    /// Area inside a polygon: a list of corners `[east, south]`, such as `[[10, 10], [40, 12], [25,
    /// 30]]`. A polygon with holes is a list of such corner lists: first the outline, then the
    /// holes. Several polygons are a list of polygons with or without holes. `{ geojson = "FILE" }`
    /// stands for all polygons in a file. The area consists of the cells whose centres are inside.
    pub polygon: Option<Polygons>,
    /// Whether the area is the whole world. Default `false`.
    #[serde(default)]
    pub everywhere: bool,
}

impl Area {
    pub(crate) fn given_keys(&self) -> Vec<&'static str> {
        let keys = [
            ("disc", self.disc.is_some()),
            ("rect", self.rect.is_some()),
            ("line", self.line.is_some()),
            ("polygon", self.polygon.is_some()),
            ("everywhere", self.everywhere),
        ];
        keys.iter().filter(|(_, given)| *given).map(|(key, _)| *key).collect()
    }

    /// Returns the error message for a table that has none or several of the area keys.
    pub(crate) fn key_count_message(&self) -> String {
        let given = self.given_keys();
        let found = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        format!("found {found}, needs one of disc, rect, line, polygon, everywhere")
    }

    /// Returns the region of a lattice that this area covers.
    pub fn region(&self, lattice: &Lattice) -> Region {
        let at = |position| resolve_position(position, lattice);
        match self {
            Area { disc: Some(disc), .. } => Region::disc(at(disc.center), disc.radius),
            Area { rect: Some(rect), .. } => Region::rect(at(rect.min), at(rect.max)),
            Area { line: Some(line), .. } => {
                let points: Vec<Point> = line.points.iter().map(|&point| at(point)).collect();
                Region::line(points, line.width)
            }
            Area { polygon: Some(polygon), .. } => polygon.region(lattice),
            _ => Region::Everywhere,
        }
    }
}

/// Area of an event. In a scene, it is given by exactly one key of [`Area`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Extent {
    /// Area with the shape of a disc.
    Disc(Disc),
    /// Axis-aligned rectangle.
    Rect(Rect),
    /// Band along a polyline.
    Line(Line),
    /// One or several polygons.
    Polygon(Polygons),
    /// The whole world.
    Everywhere,
}

impl Serialize for Extent {
    /// Serializes the area as a table with one key.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Extent::Disc(disc) => serializer.collect_map([("disc", disc)]),
            Extent::Rect(rect) => serializer.collect_map([("rect", rect)]),
            Extent::Line(line) => serializer.collect_map([("line", line)]),
            Extent::Polygon(polygon) => serializer.collect_map([("polygon", polygon)]),
            Extent::Everywhere => serializer.collect_map([("everywhere", true)]),
        }
    }
}

impl<'de> Deserialize<'de> for Extent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let area = Area::deserialize(deserializer)?;
        match (area.given_keys()[..].len(), area) {
            (1, Area { disc: Some(disc), .. }) => Ok(Extent::Disc(disc)),
            (1, Area { rect: Some(rect), .. }) => Ok(Extent::Rect(rect)),
            (1, Area { line: Some(line), .. }) => Ok(Extent::Line(line)),
            (1, Area { polygon: Some(polygon), .. }) => Ok(Extent::Polygon(polygon)),
            (1, _) => Ok(Extent::Everywhere),
            (_, area) => Err(D::Error::custom(area.key_count_message())),
        }
    }
}

impl From<Extent> for Area {
    fn from(extent: Extent) -> Self {
        match extent {
            Extent::Disc(disc) => Area { disc: Some(disc), ..Area::default() },
            Extent::Rect(rect) => Area { rect: Some(rect), ..Area::default() },
            Extent::Line(line) => Area { line: Some(line), ..Area::default() },
            Extent::Polygon(polygon) => Area { polygon: Some(polygon), ..Area::default() },
            Extent::Everywhere => Area { everywhere: true, ..Area::default() },
        }
    }
}

impl Extent {
    /// Returns the region of a lattice that this area covers.
    pub fn region(&self, lattice: &Lattice) -> Region {
        Area::from(self.clone()).region(lattice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_relative_to_the_world_and_stay_on_the_grid() {
        let lattice = Lattice::from(headwater::Square::new(10, 4, 0.3, 0.7).unwrap());
        let center =
            resolve_position([Coordinate::Percent(50.0), Coordinate::Metres(0.5)], &lattice);
        assert_eq!(center, [1.5, 0.5]);
        let corner = resolve_position([Coordinate::Percent(100.0); 2], &lattice);
        assert_eq!(lattice.cell_at(corner), Some((9, 3)));
        let metres = [3.0, 2.8].map(Coordinate::Metres);
        assert_eq!(resolve_position(metres, &lattice), corner);
        let beyond = resolve_position([3.001, 2.8].map(Coordinate::Metres), &lattice);
        assert_eq!(lattice.cell_at(beyond), None);
    }
}
