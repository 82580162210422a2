//! [`Query`]: a request to sample a world on a GPU without copying the world to the host.

use super::probe::ProbeValue;
use headwater::Point;

/// Request to sample a world on a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Query {
    /// Values of the gauge with this number.
    Gauge(usize),
    /// Values at a point (m from the top-left corner).
    Point(Point),
}

/// Sampled values that answer a [`Query`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryResult {
    /// Query that this result answers.
    pub query: Query,
    /// Simulated time at which the values were sampled (s).
    pub time: f64,
    /// Sampled values. For a gauge, there is one value for each column of its time series.
    pub values: Vec<ProbeValue>,
}
