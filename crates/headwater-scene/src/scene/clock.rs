//! [`Clock`]: unit of a model's time.

/// Unit of a model's time, with its names in messages and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Unit with a leading space.
    pub unit: &'static str,
    /// Name of the time column in CSV files of gauges.
    pub column: &'static str,
}

impl Clock {
    /// Time in seconds.
    pub const SECONDS: Clock = Clock { unit: " s", column: "time_s" };
    /// Time of hydrology: accumulated rain in drops per cell, because erosion has no physical time
    /// scale.
    pub const RAIN: Clock = Clock { unit: " drops per cell", column: "rain_drops_per_cell" };
}
