//! [`Series`]: a constant or piecewise linear function of time, for inputs such as tides and
//! hydrographs.

use crate::error::{InputError, InputPosition};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Function of time: a constant, or linear interpolation between the points of a table.
///
/// Before the first point and after the last, the value is constant. In a file a series is a number
/// or a list of `[seconds, value]` pairs.
///
/// ```
/// use headwater::Series;
/// let tide = Series::from_table(vec![[0.0, 1.0], [10.0, 3.0]])?;
/// assert_eq!(tide.value_at(-5.0), 1.0);
/// assert_eq!(tide.value_at(2.5), 1.5);
/// assert_eq!(Series::from(4.0).value_at(99.0), 4.0);
/// # Ok::<(), headwater::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    points: Vec<[f64; 2]>,
}

impl Serialize for Series {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.points.as_slice() {
            [[_, value]] if serializer.is_human_readable() => value.serialize(serializer),
            points => points.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Series {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(NumberOrTableVisitor);
        }
        // Binary formats are not self-describing, so a series is always serialized as a table in
        // such formats.
        Self::from_table(Vec::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

struct NumberOrTableVisitor;

impl<'de> Visitor<'de> for NumberOrTableVisitor {
    type Value = Series;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a list of [seconds, value] pairs")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Series, E> {
        Series::from_table(vec![[0.0, value]]).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Series, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Series, E> {
        self.visit_f64(value as f64)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, points: A) -> Result<Series, A::Error> {
        let points = Vec::deserialize(SeqAccessDeserializer::new(points))?;
        Series::from_table(points).map_err(A::Error::custom)
    }
}

impl From<f64> for Series {
    fn from(value: f64) -> Self {
        Self { points: vec![[0.0, value]] }
    }
}

impl Series {
    /// Creates a series from a table of `[seconds, value]` points in chronological order.
    ///
    /// # Errors
    /// Returns [`InputError`] if there are no points, a number is not finite, or times do not
    /// increase.
    pub fn from_table(points: Vec<[f64; 2]>) -> Result<Self, InputError> {
        if points.is_empty() {
            return Err(InputError::new(
                "a table",
                "no points",
                "at least one [seconds, value] pair",
            ));
        }
        for (index, &[time, value]) in points.iter().enumerate() {
            if !(time.is_finite() && value.is_finite()) {
                return Err(InputError::new(
                    "a table",
                    format!("[{time}, {value}]"),
                    "finite numbers",
                )
                .at_position(InputPosition::Entry(index)));
            }
            if index > 0 && time <= points[index - 1][0] {
                return Err(InputError::new(
                    "a table",
                    format!("{time} s after {} s", points[index - 1][0]),
                    "times in increasing order",
                )
                .at_position(InputPosition::Entry(index)));
            }
        }
        Ok(Self { points })
    }

    /// Returns the value of the series at the given time (s).
    pub fn value_at(&self, time: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] <= time);
        match (after.checked_sub(1).map(|i| self.points[i]), self.points.get(after)) {
            (Some([t0, v0]), Some(&[t1, v1])) => v0 + (v1 - v0) * ((time - t0) / (t1 - t0)),
            (Some([_, value]), None) | (None, Some(&[_, value])) => value,
            (None, None) => 0.0,
        }
    }

    /// Returns the mean value between the times `from` and `until` (s): the integral divided by the
    /// duration.
    pub fn mean(&self, from: f64, until: f64) -> f64 {
        let inside = self.points_between(from, until);
        if inside.is_empty() || from >= until {
            // The series is linear in this interval.
            return self.value_at(from + 0.5 * (until - from));
        }
        let ends = [[until, self.value_at(until)]];
        let (mut area, [mut t0, mut v0]) = (0.0, [from, self.value_at(from)]);
        for &[t1, v1] in inside.iter().chain(&ends) {
            area += 0.5 * (v0 + v1) * (t1 - t0);
            [t0, v0] = [t1, v1];
        }
        area / (until - from)
    }

    /// Returns the maximum value between the times `from` and `until` (s).
    pub fn max(&self, from: f64, until: f64) -> f64 {
        let inside = self.points_between(from, until).iter().map(|point| point[1]);
        inside.fold(self.value_at(from).max(self.value_at(until)), f64::max)
    }

    /// Returns the minimum value between the times `from` and `until` (s).
    pub fn min(&self, from: f64, until: f64) -> f64 {
        let inside = self.points_between(from, until).iter().map(|point| point[1]);
        inside.fold(self.value_at(from).min(self.value_at(until)), f64::min)
    }

    /// Returns the points of the table strictly between the times `from` and `until` (s).
    fn points_between(&self, from: f64, until: f64) -> &[[f64; 2]] {
        let first = self.points.partition_point(|point| point[0] <= from);
        let last = self.points.partition_point(|point| point[0] < until);
        &self.points[first..last.max(first)]
    }

    /// Returns the `[seconds, value]` points of the table; a constant series has one point.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// Returns the smallest and the largest value of the series over all time, as a pair.
    pub fn value_range(&self) -> (f64, f64) {
        let values = self.points.iter().map(|point| point[1]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
    }

    /// Returns a series with the same times, whose values are the results of `f` for the original
    /// values.
    #[must_use]
    pub fn map_values(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { points: self.points.iter().map(|&[t, v]| [t, f(v)]).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_tables_are_rejected() {
        assert!(Series::from_table(vec![]).is_err());
        assert!(Series::from_table(vec![[0.0, f64::NAN]]).is_err());
        let error = Series::from_table(vec![[0.0, 1.0], [0.0, 2.0]]).unwrap_err();
        assert_eq!(error.place, Some(InputPosition::Entry(1)));
    }

    #[test]
    fn the_mean_is_the_integral_over_the_duration() {
        let table =
            Series::from_table(vec![[0.0, 0.0], [2.0, 4.0], [3.0, 4.0], [4.0, 0.0]]).unwrap();
        assert_eq!(table.mean(-4.0, 6.0), 1.0);
        assert_eq!(table.mean(0.5, 1.5), 2.0);
        assert_eq!(table.mean(1.0, 2.5), (3.0 + 2.0) / 1.5);
        assert_eq!((table.max(0.0, 1.0), table.max(1.0, 9.0)), (2.0, 4.0));
        assert_eq!((table.min(1.0, 3.0), table.min(1.0, 9.0)), (2.0, 0.0));
        assert_eq!(Series::from(2.5).mean(3.0, 7.7), 2.5);
    }

    #[test]
    fn text_formats_accept_a_number_or_a_table() {
        let constant: Series = serde_json::from_str("2.5").unwrap();
        assert_eq!(constant.value_at(7.0), 2.5);
        let table: Series = serde_json::from_str("[[0, 0], [2, 4]]").unwrap();
        assert_eq!(table.value_at(1.0), 2.0);
        assert!(serde_json::from_str::<Series>("[[1, 0], [0, 4]]").is_err());
        let error = serde_json::from_str::<Series>("\"high\"").unwrap_err().to_string();
        assert!(error.contains("\"high\", expected a number or a list"), "{error}");
    }

    #[test]
    fn binary_formats_round_trip() {
        for series in [Series::from(2.5), Series::from_table(vec![[1.0, 2.0], [3.0, 4.0]]).unwrap()]
        {
            let bytes = postcard::to_stdvec(&series).unwrap();
            assert_eq!(postcard::from_bytes::<Series>(&bytes).unwrap(), series);
        }
        let falling = postcard::to_stdvec(&vec![[1.0, 0.0], [0.0, 4.0]]).unwrap();
        assert!(postcard::from_bytes::<Series>(&falling).is_err());
    }
}
