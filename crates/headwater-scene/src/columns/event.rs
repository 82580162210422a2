//! `[[event]]`: what is done to pools while they run.

use super::{ColumnsBody, ColumnsHeater, ColumnsSource};
use crate::scene::added::added;
use crate::scene::place::Position;
use crate::scene::{InArea, NoKeys, WithoutArea};
use schemars::JsonSchema;
use serde::Deserialize;

/// What an event does, and where.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ColumnsAction {
    /// Water is added, as far as there is room.
    Pour(InArea<Volume>),
    /// Water is taken away, as far as there is any.
    Remove(InArea<Volume>),
    /// Something falls in: the surface is pressed down, and goes up on both sides.
    Splash(InArea<Splash>),
    /// The water gets another velocity.
    Push(InArea<Push>),
    /// Water comes to stand at a height, as from a level anchor at the start: what is missing comes, what is too much
    /// goes.
    Stand(WithoutArea<Stand>),
    /// The wind blows otherwise from now on; without `[wind]`, with that table's defaults.
    Wind(WithoutArea<Blow>),
    /// Walls become air.
    Dig(InArea<NoKeys>),
    /// Air becomes wall.
    Build(InArea<NoKeys>),
    /// One of `source`, `drain`, `heater` and `body` is added.
    Add(WithoutArea<Added>),
}

/// Water that comes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Volume {
    /// How much in all (m³ for a world 1 m thick), above 0 to 10⁹.
    pub volume: f64,
}

/// Something that falls in.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Splash {
    /// How far the surface is pressed down (m); below 0, how far it is pulled up. At most the height of the board.
    pub height: f64,
}

/// A push.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Push {
    /// By how much the water's velocity changes (m/s, to the east), −100 to 100.
    pub velocity: f64,
}

/// Water that comes to stand.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stand {
    /// The place at whose height water comes to stand, everywhere it can reach from there.
    pub at: Position,
}

/// Another wind.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blow {
    /// How fast it makes the water faster from now on (m/s², to the east), −1 to 1.
    pub acceleration: f64,
}

added! {
    /// A spring.
    source: Source(ColumnsSource),
    /// A drain.
    drain: Drain(ColumnsSource),
    /// A hearth; only where there is heat from the start.
    heater: Heater(ColumnsHeater),
    /// A body.
    body: Body(ColumnsBody),
}
