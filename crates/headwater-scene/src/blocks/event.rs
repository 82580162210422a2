//! `[[event]]`: what is done to a world of blocks while it runs.

use super::{BlocksDrain, BlocksSource};
use crate::scene::output::Times;
use crate::scene::place::{Area, Disc, Line, Rect};
use crate::scene::setting::Timed;
use headwater::blocks::{Edit, FULL, Liquid};
use serde::Deserialize;

/// `[[event]]`: something done at a time, in exactly one of `disc`, `rect`, `line`, `everywhere` unless it adds something; at
/// most 1000, and 100000 in all with those in passing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlocksEvent {
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
    pub op: BlocksOp,
    /// Where: a round place.
    pub disc: Option<Disc>,
    /// Where: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// Where: a band along a polyline.
    pub line: Option<Line>,
    /// Where: the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// For pour: `"water"` (default), `"oil"` or `"lava"`.
    pub liquid: Option<Liquid>,
    /// For pour and remove: how much each cell gets or loses (256ths of a cell), 1 to 256 (default).
    pub amount: Option<u32>,
    /// For add: a spring, from now on.
    pub source: Option<BlocksSource>,
    /// For add: a drain, from now on.
    pub drain: Option<BlocksDrain>,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlocksOp {
    /// Walls become air.
    Dig,
    /// Air becomes wall; liquids stay.
    Build,
    /// Each cell gets some of a liquid, as far as there is room beside nothing but the same.
    Pour,
    /// Each cell loses some of its liquid.
    Remove,
    /// One of `source` and `drain` is added.
    Add,
}

impl Timed for BlocksEvent {
    fn times(&self) -> Times {
        Times { time: self.time, every: self.every, until: self.until, in_passing: self.in_passing }
    }
}

impl BlocksEvent {
    /// Where it is done.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }

    /// The liquid that is poured.
    pub fn liquid(&self) -> Liquid {
        self.liquid.unwrap_or(Liquid::Water)
    }

    /// How much each cell gets or loses (256ths).
    pub fn amount(&self) -> u32 {
        self.amount.unwrap_or(FULL.into())
    }

    /// What is done to each cell; `None` if it adds something.
    pub fn edit(&self) -> Option<Edit> {
        let amount = self.amount().min(FULL.into()) as u16;
        Some(match self.op {
            BlocksOp::Dig => Edit::Dig,
            BlocksOp::Build => Edit::Build,
            BlocksOp::Pour => Edit::Pour(self.liquid(), amount),
            BlocksOp::Remove => Edit::Remove(amount),
            BlocksOp::Add => return None,
        })
    }
}
