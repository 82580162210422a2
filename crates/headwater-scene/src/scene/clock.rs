//! What the time of a run is counted in.

/// The time of a model's runs, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Its unit as it stands after a number.
    pub unit: &'static str,
    /// Its column in a gauge's table.
    pub column: &'static str,
}

impl Clock {
    /// Seconds.
    pub const SECONDS: Clock = Clock { unit: " s", column: "time_s" };
    /// Rain, in drops per cell: land is carved in ages that no clock tells.
    pub const RAIN: Clock = Clock { unit: " drops per cell", column: "rain_drops_per_cell" };
}
