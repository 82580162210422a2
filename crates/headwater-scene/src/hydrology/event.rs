//! `[[event]]`: what is done to the land while it rains.

use super::River;
use crate::scene::output::Times;
use crate::scene::place::{Area, Disc, Line, Position, Rect};
use crate::scene::setting::Timed;
use headwater::Falloff;
use headwater::hydrology::{Change, Edit, Niche};
use serde::Deserialize;

/// `[[event]]`: something done at a time; at most 1000, and 100000 in all with those in passing. All but `pour`, `sea` and `add` happen in exactly one of
/// `disc`, `rect`, `line`, `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HydrologyEvent {
    /// When (drops per cell), from 0.
    pub time: f64,
    /// Again and again, with so much rain between (drops per cell). Default: once.
    pub every: Option<f64>,
    /// With `every`: the last time it may be done (drops per cell). Default: the end of the run.
    pub until: Option<f64>,
    /// Whether the run makes no stop for it: it is done after the step that comes to its time or beyond. What was
    /// done by hand in a live world is written so, and comes out the same. Not with `every`. Default `false`.
    #[serde(default)]
    pub in_passing: bool,
    /// What is done.
    #[serde(rename = "do")]
    pub op: HydrologyOp,
    /// Where: a round place.
    pub disc: Option<Disc>,
    /// Where: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// Where: a band along a polyline.
    pub line: Option<Line>,
    /// Where: the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`.
    pub falloff: Option<Falloff>,
    /// For raise, lower and heap: by how much (m), above 0 to 32768.
    pub amount: Option<f64>,
    /// For raise, lower and flatten: to which height (m), −32768 to 32768. For sea: its new height.
    pub level: Option<f64>,
    /// For smooth: how far around a cell its height is averaged (m). Default: two cells.
    pub reach: Option<f64>,
    /// For plant: the name of a kind of `[[hydrology.plants]]`.
    pub kind: Option<String>,
    /// For pour: where.
    pub at: Option<Position>,
    /// For pour: how much water (m³), above 0 to 10¹².
    pub volume: Option<f64>,
    /// For add: a river, from now on.
    pub inflow: Option<River>,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HydrologyOp {
    /// The rock goes up by `amount`, or up to `level` where the ground is lower.
    Raise,
    /// The ground goes down by `amount`, or down to `level` where it is higher.
    Lower,
    /// Loose soil is heaped on the ground, by `amount`.
    Heap,
    /// The ground goes to `level`.
    Flatten,
    /// The ground goes to the mean of what is within `reach`.
    Smooth,
    /// Plants of a `kind` are set.
    Plant,
    /// Plants are cut.
    Clear,
    /// Water is poured out at `at`, and runs to where it will stand.
    Pour,
    /// The sea goes to `level`.
    Sea,
    /// An `inflow` is added.
    Add,
}

/// What an event does, with what it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum HydrologyAction {
    /// Works on an area with a brush.
    Brush(Area, Falloff, Edit),
    /// Pours a volume (m³) at a place.
    Pour(Position, f64),
    /// The sea goes to a height (m).
    Sea(f64),
    /// A river comes in.
    Inflow(River),
}

impl Timed for HydrologyEvent {
    fn times(&self) -> Times {
        Times { time: self.time, every: self.every, until: self.until, in_passing: self.in_passing }
    }
}

impl HydrologyEvent {
    /// Where a brush works.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }

    /// Whether it works with a brush.
    pub fn brushes(&self) -> bool {
        !matches!(self.op, HydrologyOp::Pour | HydrologyOp::Sea | HydrologyOp::Add)
    }

    /// What it does on land with cells of `cell` m and those kinds of plants. `None` if a key is missing, or
    /// there is no such kind, which no checked scene has.
    pub fn action(&self, cell: f64, plants: &[Niche]) -> Option<HydrologyAction> {
        let change = || match (self.amount, self.level) {
            (Some(amount), None) => Some(Change::By(amount)),
            (None, Some(level)) => Some(Change::To(level)),
            _ => None,
        };
        let edit = match self.op {
            HydrologyOp::Raise => Edit::Raise(change()?),
            HydrologyOp::Lower => Edit::Lower(change()?),
            HydrologyOp::Heap => Edit::Heap(self.amount?),
            HydrologyOp::Flatten => Edit::Flatten { level: Some(self.level?), strength: 1.0 },
            HydrologyOp::Smooth => {
                Edit::Smooth { reach: self.reach.unwrap_or(2.0 * cell), strength: 1.0 }
            }
            HydrologyOp::Plant => {
                let kind = self.kind.as_ref()?;
                let kind = plants.iter().position(|niche| niche.name == *kind)?;
                Edit::Plant { kind: u8::try_from(kind + 1).ok()? }
            }
            HydrologyOp::Clear => Edit::Clear,
            HydrologyOp::Pour => return Some(HydrologyAction::Pour(self.at?, self.volume?)),
            HydrologyOp::Sea => return Some(HydrologyAction::Sea(self.level?)),
            HydrologyOp::Add => return Some(HydrologyAction::Inflow(self.inflow?)),
        };
        Some(HydrologyAction::Brush(self.area(), self.falloff.unwrap_or_default(), edit))
    }
}
