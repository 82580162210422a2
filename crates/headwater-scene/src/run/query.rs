//! [`Query`]: what is asked of a world on a GPU that is not brought back for it.

use super::probe::ProbeValue;
use headwater::Point;

/// What is asked of a world on a GPU.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Query {
    /// What the gauge of that number measures.
    Gauge(usize),
    /// What is at a place (m from the top-left corner).
    Place(Point),
}

/// What it has answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryResult {
    /// What was asked.
    pub query: Query,
    /// When that was, by the world's clock (s).
    pub time: f64,
    /// The answer: of a gauge, a value for each of its heads.
    pub values: Vec<ProbeValue>,
}
