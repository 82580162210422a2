//! Scene table `[[event]]` of the model `columns`: edits of pools during a run.

use super::{ColumnsBody, ColumnsHeater, ColumnsSource};
use crate::scene::event::added::added;
use crate::scene::place::Position;
use crate::scene::{AreaAction, NoKeys, NonAreaAction};
use serde::{Deserialize, Serialize};

/// `do`: action of an event, with the area in which it applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ColumnsAction {
    /// Adds water, up to the free space in the area.
    Pour(AreaAction<Volume>),
    /// Removes water, up to the amount available in the area.
    Remove(AreaAction<Volume>),
    /// Depresses the surface as a falling object does, so that the water rises on both sides.
    Splash(AreaAction<Splash>),
    /// Adds `velocity` to the velocity of the water.
    Push(AreaAction<Push>),
    /// Sets the water level at a point, as a level anchor (`[[anchor]]`) does in the initial state.
    /// Water is added or removed as needed.
    Stand(NonAreaAction<WaterLevel>),
    /// Sets the wind from the time of the event on. If the scene has no table `[wind]`, the other
    /// wind parameters have their defaults.
    Wind(NonAreaAction<WindChange>),
    /// Turns walls into air.
    Dig(AreaAction<NoKeys>),
    /// Turns air into walls.
    Build(AreaAction<NoKeys>),
    /// Adds a `source`, a `drain`, a `heater` or a `body`. Needs exactly one of them.
    Add(NonAreaAction<Added>),
}

/// Keys of the actions `pour` and `remove`, which add and remove a volume of water in an area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Volume {
    /// Total volume of water (m³ for a world 1 m thick), greater than 0 and at most 10⁹.
    pub volume: f64,
}

/// Keys of the action `splash`, which depresses the water surface in an area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Splash {
    /// Depth of the depression (m), at most the height of the grid. Negative values raise the
    /// surface.
    pub height: f64,
}

/// Keys of the action `push`, which changes the velocity of the water in an area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// Eastward velocity change (m/s), −100 to 100.
    pub velocity: f64,
}

/// Keys of the action `stand`, which sets the water level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WaterLevel {
    /// Point at the new water level. All water connected to this point gets this level.
    pub at: Position,
}

/// Keys of the action `wind`, which sets the wind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WindChange {
    /// Eastward acceleration of the water by the wind (m/s²), −1 to 1.
    pub acceleration: f64,
}

added! {
    /// Spring that the event adds.
    source: Source(ColumnsSource),
    /// Drain that the event adds.
    drain: Drain(ColumnsSource),
    /// Heater that the event adds. Only in a world in which temperatures are simulated from the
    /// start.
    heater: Heater(ColumnsHeater),
    /// Body that the event adds.
    body: Body(ColumnsBody),
}
