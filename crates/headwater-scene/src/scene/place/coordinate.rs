//! [`Coordinate`]: a position along one axis, in metres or as a percentage.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;

/// Position along one axis of the world. It is a distance in metres or a percentage such as
/// `"50%"`, both measured from the top-left corner. It can also be a map coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// Distance from the top-left corner along the axis (m).
    Metres(f64),
    /// Percentage of the size of the world along the axis, from 0 to 100.
    Percent(f64),
    /// Easting or northing in the coordinates of the terrain file. It may be outside the world.
    Map {
        /// Coordinate in the unit of the map.
        map: f64,
        /// The coordinate as a percentage of the size of the world along its axis.
        percent: f64,
    },
}

/// Key of a map coordinate (easting or northing). Before deserialization, each map coordinate in a
/// scene is replaced by a table with two keys: this one and [`PERCENT_KEY`].
pub(in crate::scene) const MAP_KEY: &str = "map";
/// Key of the same map coordinate as a percentage of the world's size. See [`MAP_KEY`].
pub(in crate::scene) const PERCENT_KEY: &str = "percent";

/// Position `[east, south]`, measured from the top-left corner of the world, such as `[120, 40]` or
/// `["50%", "25%"]`.
pub type Position = [Coordinate; 2];

impl Coordinate {
    /// Returns the distance from the top-left corner along the axis (m). `size` is the size of the
    /// world along the axis (m).
    pub fn resolve(self, size: f64) -> f64 {
        match self {
            Coordinate::Metres(metres) => metres,
            Coordinate::Percent(percent) | Coordinate::Map { percent, .. } => {
                percent / 100.0 * size
            }
        }
    }
}

impl Serialize for Coordinate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Coordinate::Metres(metres) => metres.serialize(serializer),
            Coordinate::Percent(percent) => serializer.collect_str(&format_args!("{percent}%")),
            Coordinate::Map { map, percent } => {
                serializer.collect_map([(MAP_KEY, map), (PERCENT_KEY, percent)])
            }
        }
    }
}

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CoordinateVisitor)
    }
}

struct CoordinateVisitor;

impl<'de> Visitor<'de> for CoordinateVisitor {
    type Value = Coordinate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of metres, percent such as \"50%\", or a map coordinate")
    }

    fn visit_i64<E: Error>(self, metres: i64) -> Result<Coordinate, E> {
        Ok(Coordinate::Metres(metres as f64))
    }

    fn visit_f64<E: Error>(self, metres: f64) -> Result<Coordinate, E> {
        Ok(Coordinate::Metres(metres))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Coordinate, E> {
        let percent = text.trim().strip_suffix('%').and_then(|number| number.trim().parse().ok());
        percent
            .map(Coordinate::Percent)
            .ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Coordinate, A::Error> {
        let (mut map, mut percent) = (None, None);
        while let Some((key, number)) = table.next_entry::<String, f64>()? {
            match key.as_str() {
                MAP_KEY => map = Some(number),
                PERCENT_KEY => percent = Some(number),
                _ => return Err(A::Error::invalid_type(Unexpected::Map, &self)),
            }
        }
        match (map, percent) {
            (Some(map), Some(percent)) => Ok(Coordinate::Map { map, percent }),
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_and_percentages_are_coordinates() {
        let read = |text: &str| text.parse::<toml::Value>().unwrap().try_into::<Coordinate>();
        assert_eq!(read("3").unwrap(), Coordinate::Metres(3.0));
        assert_eq!(read("'12.5 %'").unwrap(), Coordinate::Percent(12.5));
        for wrong in ["'12'", "'%'", "true", "'x%'", "[1]"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
