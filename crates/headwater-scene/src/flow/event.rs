//! `[[event]]`: what is done to the world while it runs.

use super::{Body, Source};
use crate::scene::output::Times;
use crate::scene::place::{Area, Disc, Line, Rect};
use crate::scene::setting::Timed;
use headwater::Falloff;
use serde::Deserialize;

/// `[[event]]`: something done at a time, in exactly one of `disc`, `rect`, `line`, `everywhere` unless it adds something; at
/// most 1000, and 100000 in all with those in passing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
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
    pub op: EventOp,
    /// Where: a round place.
    pub disc: Option<Disc>,
    /// Where: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// Where: a band along a polyline.
    pub line: Option<Line>,
    /// Where: the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// For raise, lower, pour and remove: by how much (m), above 0 to 100000.
    pub amount: Option<f64>,
    /// For raise, lower and flatten: to which height (m), −100000 to 100000.
    pub level: Option<f64>,
    /// For pour and remove: water in all (m³), above 0 to 10¹².
    pub volume: Option<f64>,
    /// For smooth: how far around a cell its height is averaged (m). Default: two cells.
    pub reach: Option<f64>,
    /// For push: what the water's velocity changes by (m/s, to the east and to the south), −1000 to 1000.
    pub velocity: Option<[f64; 2]>,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` or `"smooth"`. Not for
    /// close and open.
    pub falloff: Option<Falloff>,
    /// For raise, lower, flatten and smooth, what the water does as the ground moves: `"depth"`
    /// (default) moves with it, `"surface"` stays where it is as far as there is water.
    pub keep: Option<Keep>,
    /// For add: a spring, from now on; its `from` and `until` count from the start of the run all the same.
    pub source: Option<Source>,
    /// For add: a drain, likewise.
    pub drain: Option<Source>,
    /// For add: a body.
    pub body: Option<Body>,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventOp {
    /// The ground goes up by `amount`, or up to `level` where it is lower.
    Raise,
    /// The ground goes down by `amount`, or down to `level` where it is higher.
    Lower,
    /// The ground goes to `level`.
    Flatten,
    /// The ground goes to the mean of what is within `reach`.
    Smooth,
    /// Water is added: `amount` or `volume`.
    Pour,
    /// Water is taken: `amount` or `volume`, as far as there is some.
    Remove,
    /// Water is pushed: it becomes faster by `velocity`.
    Push,
    /// Cells are closed to water: a gate shuts.
    Close,
    /// Cells are opened to water: a gate opens, a building is gone.
    Open,
    /// One of `source`, `drain` and `body` is added.
    Add,
}

/// What stays as the ground moves under water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// The depth: the surface moves with the ground.
    #[default]
    Depth,
    /// The surface: the depth takes up the change, down to 0.
    Surface,
}

/// An event's doing with the keys it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// The ground goes up.
    Raise(Change),
    /// The ground goes down.
    Lower(Change),
    /// The ground goes to a height (m).
    Flatten(f64),
    /// The ground goes to the mean of what is within so many metres; `None`: two cells.
    Smooth(Option<f64>),
    /// Water is added.
    Pour(Quantity),
    /// Water is taken.
    Remove(Quantity),
    /// Water becomes faster by a velocity (m/s).
    Push([f64; 2]),
    /// Cells are closed to water.
    Close,
    /// Cells are opened to water.
    Open,
}

/// How far the ground goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// By so much (m).
    By(f64),
    /// To this height (m), where it is not there or beyond.
    To(f64),
}

/// How much water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// Metres of depth, times the falloff.
    Depth(f64),
    /// Cubic metres in all.
    Volume(f64),
}

impl Timed for Event {
    fn times(&self) -> Times {
        Times { time: self.time, every: self.every, until: self.until, in_passing: self.in_passing }
    }
}

impl Event {
    /// Where it is done.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, everywhere: self.everywhere }
    }

    /// What it does to ground and water. `None` if it adds something, or a key is missing, which no checked scene has.
    pub fn action(&self) -> Option<Action> {
        let change = || match (self.amount, self.level) {
            (Some(amount), None) => Some(Change::By(amount)),
            (None, Some(level)) => Some(Change::To(level)),
            _ => None,
        };
        let quantity = || match (self.amount, self.volume) {
            (Some(amount), None) => Some(Quantity::Depth(amount)),
            (None, Some(volume)) => Some(Quantity::Volume(volume)),
            _ => None,
        };
        Some(match self.op {
            EventOp::Raise => Action::Raise(change()?),
            EventOp::Lower => Action::Lower(change()?),
            EventOp::Flatten => Action::Flatten(self.level?),
            EventOp::Smooth => Action::Smooth(self.reach),
            EventOp::Pour => Action::Pour(quantity()?),
            EventOp::Remove => Action::Remove(quantity()?),
            EventOp::Push => Action::Push(self.velocity?),
            EventOp::Close => Action::Close,
            EventOp::Open => Action::Open,
            EventOp::Add => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: &str) -> Event {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn an_action_has_exactly_the_keys_it_needs() {
        let action = |keys: &str| event(&format!("time = 0\n{keys}")).action();
        assert_eq!(action("do = 'lower'\nlevel = 3"), Some(Action::Lower(Change::To(3.0))));
        assert_eq!(action("do = 'pour'\nvolume = 9"), Some(Action::Pour(Quantity::Volume(9.0))));
        assert_eq!(action("do = 'raise'\nlevel = 3\namount = 1"), None);
        assert_eq!(action("do = 'flatten'"), None);
    }
}
