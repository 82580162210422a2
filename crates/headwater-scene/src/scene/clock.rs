//! [`Clock`]: the unit of time of a model.

/// Unit of time of a model, with its names in messages and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Unit as it follows a number in messages, with a leading space.
    pub unit: &'static str,
    /// Name of the time column in CSV files of gauges.
    pub column: &'static str,
}

impl Clock {
    /// Unit of time of models that use seconds.
    pub const SECONDS: Clock = Clock { unit: " s", column: "time_s" };
    /// Unit of time of the model `hydrology`: accumulated rain in drops per cell. Erosion has no
    /// physical time scale.
    pub const RAIN: Clock = Clock { unit: " drops per cell", column: "rain_drops_per_cell" };
}
