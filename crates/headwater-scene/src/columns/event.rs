//! `[[event]]`: what is done to pools while they run.

use super::{ColumnsBody, ColumnsHeater, ColumnsSource};
use crate::scene::output::Times;
use crate::scene::place::{Area, Disc, Line, Position, Rect};
use crate::scene::setting::Timed;
use serde::Deserialize;

/// `[[event]]`: something done at a time, in exactly one of `disc`, `rect`, `line`, `everywhere` unless it adds something; at
/// most 1000, and 100000 in all with those in passing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnsEvent {
    /// When (s), from 0.
    pub time: f64,
    /// Again and again, with so much time between (s). Default: once.
    pub every: Option<f64>,
    /// With `every`: the last time it may be done (s). Default: the end of the run.
    pub until: Option<f64>,
    /// Whether the run makes no stop for it: it is done after the step that comes to its time or beyond. What was
    /// done by hand in a live world is written so, and comes out the same. Not with `every`. Default `false`.
    #[serde(default)]
    pub in_passing: bool,
    /// What is done.
    #[serde(rename = "do")]
    pub op: ColumnsOp,
    /// Where: a round place.
    pub disc: Option<Disc>,
    /// Where: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// Where: a band along a polyline.
    pub line: Option<Line>,
    /// Where: the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// For pour and remove: how much in all (m³ for a world 1 m thick), above 0 to 10⁹.
    pub volume: Option<f64>,
    /// For splash: how far the surface is pressed down (m); below 0, how far it is pulled up. At most the height
    /// of the board.
    pub height: Option<f64>,
    /// For push: by how much the water's velocity changes (m/s, to the east), −100 to 100.
    pub velocity: Option<f64>,
    /// For stand: the place at whose height water comes to stand, everywhere it can reach from there.
    pub at: Option<Position>,
    /// For wind: how fast it makes the water faster from now on (m/s², to the east), −1 to 1.
    pub acceleration: Option<f64>,
    /// For add: a spring, from now on.
    pub source: Option<ColumnsSource>,
    /// For add: a drain, from now on.
    pub drain: Option<ColumnsSource>,
    /// For add: a hearth, from now on; only where there is heat from the start.
    pub heater: Option<ColumnsHeater>,
    /// For add: a body.
    pub body: Option<ColumnsBody>,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnsOp {
    /// Water is added, as far as there is room.
    Pour,
    /// Water is taken away, as far as there is any.
    Remove,
    /// Something falls in: the surface is pressed down, and goes up on both sides.
    Splash,
    /// The water gets another velocity.
    Push,
    /// Water comes to stand at a height, as from a level anchor at the start: what is missing comes, what is too much
    /// goes.
    Stand,
    /// The wind blows otherwise from now on; without `[wind]`, with that table's defaults.
    Wind,
    /// Walls become air.
    Dig,
    /// Air becomes wall.
    Build,
    /// One of `source`, `drain`, `heater` and `body` is added.
    Add,
}

impl Timed for ColumnsEvent {
    fn times(&self) -> Times {
        Times { time: self.time, every: self.every, until: self.until, in_passing: self.in_passing }
    }
}

impl ColumnsEvent {
    /// Where it is done.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }
}
