//! Scene table `[[event]]` of the model `columns`: edits of pools during a run.

use super::{ColumnsBody, ColumnsHeater, ColumnsSource};
use crate::scene::added::added;
use crate::scene::place::Position;
use crate::scene::{InArea, NoKeys, WithoutArea};
use schemars::JsonSchema;
use serde::Deserialize;

/// `do`: the action of an event and its area.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ColumnsAction {
    /// Adds water up to the available space.
    Pour(InArea<Volume>),
    /// Removes water up to the available volume.
    Remove(InArea<Volume>),
    /// Depresses the surface as a falling object does; the water rises on both sides.
    Splash(InArea<Splash>),
    /// Changes the velocity of the water.
    Push(InArea<Push>),
    /// Sets the water level to a height, as a level anchor does at the start. Water is added or
    /// removed as needed.
    Stand(WithoutArea<WaterLevel>),
    /// Changes the wind from now on. Without `[wind]`, that table's defaults are used.
    Wind(WithoutArea<WindChange>),
    /// Turns walls into air.
    Dig(InArea<NoKeys>),
    /// Turns air into walls.
    Build(InArea<NoKeys>),
    /// Adds one of `source`, `drain`, `heater` and `body`.
    Add(WithoutArea<Added>),
}

/// Volume of water to add or remove in an area, for the actions `pour` and `remove`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Volume {
    /// Total volume (m³ for a world 1 m thick), above 0 to 10⁹.
    pub volume: f64,
}

/// Depression of the water surface in an area, for the action `splash`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Splash {
    /// Depth of the depression (m), at most the height of the board. Negative values raise the
    /// surface.
    pub height: f64,
}

/// Change of the water's velocity in an area, for the action `push`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// Difference of velocity (m/s, to the east), −100 to 100.
    pub velocity: f64,
}

/// Water level to set, for the action `stand`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaterLevel {
    /// Point at the new water level. All water connected with it gets this level.
    pub at: Position,
}

/// Wind to set, for the action `wind`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindChange {
    /// Acceleration of the water by the wind (m/s², to the east), −1 to 1.
    pub acceleration: f64,
}

added! {
    /// A spring.
    source: Source(ColumnsSource),
    /// A drain.
    drain: Drain(ColumnsSource),
    /// A heater; only in a world that has heat from the start.
    heater: Heater(ColumnsHeater),
    /// A body.
    body: Body(ColumnsBody),
}
