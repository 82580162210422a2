//! [`Query`]: request for values of a world on a GPU without copying it back.

use super::probe::ProbeValue;
use headwater::Point;

/// Query of a world on a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Query {
    /// Values of a gauge, by number.
    Gauge(usize),
    /// Samples at a point (m from the top-left corner).
    Place(Point),
}

/// Result of a query.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryResult {
    /// The query.
    pub query: Query,
    /// Simulated time of the values (s).
    pub time: f64,
    /// Values; for a gauge, one per column.
    pub values: Vec<ProbeValue>,
}
