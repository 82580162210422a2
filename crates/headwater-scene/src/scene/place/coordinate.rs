//! [`Coordinate`]: a position along one axis, in metres or as a percentage.

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;

/// Position along one axis, measured from the top-left corner of the world. It is a number of
/// metres, or a percentage such as `"50%"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// Distance from the top-left corner (m).
    Metres(f64),
    /// Percentage of the size of the world along the axis, from 0 to 100.
    Percent(f64),
}

/// Position `[east, south]`, measured from the top-left corner of the world, such as `[120, 40]` or
/// `["50%", "25%"]`.
pub type Position = [Coordinate; 2];

impl Coordinate {
    /// Returns the distance from the top-left corner along the axis (m). `size` is the size of the
    /// world along the axis (m).
    pub fn resolve(self, size: f64) -> f64 {
        match self {
            Coordinate::Metres(metres) => metres,
            Coordinate::Percent(percent) => percent / 100.0 * size,
        }
    }
}

impl Serialize for Coordinate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Coordinate::Metres(metres) => metres.serialize(serializer),
            Coordinate::Percent(percent) => serializer.collect_str(&format_args!("{percent}%")),
        }
    }
}

impl<'de> Deserialize<'de> for Coordinate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CoordinateVisitor)
    }
}

struct CoordinateVisitor;

impl Visitor<'_> for CoordinateVisitor {
    type Value = Coordinate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of metres or percent such as \"50%\"")
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
            .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_and_percent_are_coordinates() {
        let read = |text: &str| text.parse::<toml::Value>().unwrap().try_into::<Coordinate>();
        assert_eq!(read("3").unwrap(), Coordinate::Metres(3.0));
        assert_eq!(read("'12.5 %'").unwrap(), Coordinate::Percent(12.5));
        for wrong in ["'12'", "'%'", "true", "'x%'", "[1]"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
