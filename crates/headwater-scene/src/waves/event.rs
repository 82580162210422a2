//! `[[event]]` of a scene of waves: what is done to the surface while it runs.

use super::disturbance::{Disturbance, FallingDrop};
use super::{Ends, SteeredBody};
use crate::scene::added::added;
use crate::scene::place::Line;
use crate::scene::{ExtendedKeys, InArea, NoKeys, WithoutArea};
use headwater::Lattice;
use headwater::waves::{Body, Maker};
use schemars::JsonSchema;
use serde::Deserialize;

/// What an event does.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WavesAction {
    /// A drop falls.
    Drop(WithoutArea<FallingDrop>),
    /// A furrow is drawn.
    Stroke(WithoutArea<Furrow>),
    /// Water becomes land: waves come back from there.
    Land(InArea<NoKeys>),
    /// Land becomes water.
    Water(InArea<NoKeys>),
    /// The rain of `[rain]` changes its rate.
    Rain(WithoutArea<NewRain>),
    /// The wind changes, or begins to blow.
    Wind(WithoutArea<NewWind>),
    /// One of `body` and `maker` is added.
    Add(WithoutArea<Added>),
}

/// A band along a line that fades towards its sides.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Furrow {
    /// Where it is drawn.
    pub line: Line,
    /// How deep it goes (m); below 0, how high it stands. At most `physics.highest` either way.
    pub depth: f64,
}

/// How it rains from now on.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRain {
    /// Drops per second and m², 0 to 10⁶.
    pub rate: f64,
}

/// How the wind blows from now on. One of its keys is needed.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWind {
    /// How it blows (m/s, to the east and to the south), −1000 to 1000. Default: as it is; of a wind that begins, 3 m/s to
    /// the east.
    pub velocity: Option<[f64; 2]>,
    /// Pressure in a gust's middle (m), 0 to `physics.highest`. Default: as it is. Without `[wind]` it is needed; then
    /// there are a dozen gusts, each a twelfth of the surface's shorter side in radius.
    pub head: Option<f64>,
}

added! {
    /// A body, without `path`.
    body: Body(Box<ExtendedKeys<Body, SteeredBody>>),
    /// A paddle.
    maker: Maker(ExtendedKeys<Maker, Ends>),
}

impl WavesAction {
    /// How it disturbs the surface, if that is what it does.
    pub fn disturbance(&self, lattice: &Lattice) -> Option<Disturbance> {
        match self {
            WavesAction::Drop(WithoutArea(drop)) => Some(drop.disturbance(lattice)),
            WavesAction::Stroke(WithoutArea(Furrow { line, depth })) => {
                Some(Disturbance::of_furrow(line, *depth, lattice))
            }
            _ => None,
        }
    }
}
