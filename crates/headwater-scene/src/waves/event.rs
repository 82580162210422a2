//! `[[event]]` of a scene of waves: what is done to the surface while it runs.

use super::{Maker, Swimmer};
use crate::scene::output::Times;
use crate::scene::place::{Area, Disc, Line, Position, Rect};
use crate::scene::setting::Timed;
use serde::Deserialize;

/// `[[event]]`: something done at a time; at most 1000, and 100000 in all with those in passing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WavesEvent {
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
    pub op: WavesOp,
    /// For drop: where it falls.
    pub at: Option<Position>,
    /// For drop: its radius with the rim (m), above 0 to 10⁸.
    pub radius: Option<f64>,
    /// For drop and stroke: how deep it goes (m); below 0, how high it stands. At most
    /// `physics.highest` either way.
    pub depth: Option<f64>,
    /// For land and water: a round place.
    pub disc: Option<Disc>,
    /// For land and water: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// For stroke, land and water: a band along a polyline.
    pub line: Option<Line>,
    /// For land and water: the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// For rain: drops per second and m² from now on, 0 to 10⁶.
    pub rate: Option<f64>,
    /// For wind: how it blows from now on (m/s, to the east and to the south), −1000 to 1000. Default: as it is; of a wind
    /// that begins, 3 m/s to the east. One of this and `head` is needed.
    pub velocity: Option<[f64; 2]>,
    /// For wind: pressure in a gust's middle from now on (m), 0 to `physics.highest`. Default: as it is. Without `[wind]`
    /// it is needed; then there are a dozen gusts, each a twelfth of the surface's shorter side in radius.
    pub head: Option<f64>,
    /// For add: a body, without `path`.
    pub body: Option<Swimmer>,
    /// For add: a paddle.
    pub maker: Option<Maker>,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WavesOp {
    /// A drop falls at `at`.
    Drop,
    /// A furrow is drawn along `line`.
    Stroke,
    /// Water becomes land: waves come back from there.
    Land,
    /// Land becomes water.
    Water,
    /// The rain of `[rain]` changes its rate.
    Rain,
    /// The wind changes, or begins to blow.
    Wind,
    /// One of `body` and `maker` is added.
    Add,
}

/// An event's doing with the keys it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum WavesAction {
    /// A drop falls.
    Drop {
        /// Where.
        at: Position,
        /// Its radius (m).
        radius: f64,
        /// Its depth (m).
        depth: f64,
    },
    /// A furrow is drawn.
    Stroke {
        /// Where.
        line: Line,
        /// Its depth (m).
        depth: f64,
    },
    /// Water becomes land.
    Land(Area),
    /// Land becomes water.
    Water(Area),
    /// The rain changes to so many drops per second and m².
    Rain(f64),
    /// The wind changes to a velocity (m/s) and a head (m).
    Wind(Option<[f64; 2]>, Option<f64>),
    /// A body is let down.
    Body(Box<Swimmer>),
    /// A paddle is put down.
    Maker(Maker),
}

impl Timed for WavesEvent {
    fn times(&self) -> Times {
        Times { time: self.time, every: self.every, until: self.until, in_passing: self.in_passing }
    }
}

impl WavesEvent {
    /// Where land or water is made.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }

    /// What it does. `None` if a key is missing, which no checked scene has.
    pub fn action(&self) -> Option<WavesAction> {
        Some(match self.op {
            WavesOp::Drop => {
                WavesAction::Drop { at: self.at?, radius: self.radius?, depth: self.depth? }
            }
            WavesOp::Stroke => WavesAction::Stroke { line: self.line.clone()?, depth: self.depth? },
            WavesOp::Land => WavesAction::Land(self.area()),
            WavesOp::Water => WavesAction::Water(self.area()),
            WavesOp::Rain => WavesAction::Rain(self.rate?),
            WavesOp::Wind => WavesAction::Wind(self.velocity, self.head),
            WavesOp::Add => match (&self.body, self.maker) {
                (Some(body), _) => WavesAction::Body(Box::new(body.clone())),
                (None, maker) => WavesAction::Maker(maker?),
            },
        })
    }
}
