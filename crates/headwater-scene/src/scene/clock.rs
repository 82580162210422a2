//! [`Clock`]: the unit of time of a model: seconds, or raindrops per cell.

/// Unit of time of a model, as it appears in messages and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Unit of time with a leading space, so that it can follow a number in a message.
    pub unit: &'static str,
    /// Name of the time column in the CSV files of gauges.
    pub column: &'static str,
}

impl Clock {
    /// Seconds, the unit of time of most models.
    pub const SECONDS: Clock = Clock { unit: " s", column: "time_s" };
    /// Raindrops per cell, the unit of time of the model `hydrology`. Erosion has no physical time
    /// scale, so time is measured by the rain that has fallen.
    pub const RAIN: Clock = Clock { unit: " drops per cell", column: "rain_drops_per_cell" };
}
