//! Scene table `[[event]]` of the model `waves`: disturbances and changes during a run.

use super::disturbance::{Disturbance, FallingDrop};
use super::{MakerEnds, SteeredBody};
use crate::scene::added::added;
use crate::scene::place::Line;
use crate::scene::{ExtendedKeys, InArea, NoKeys, WithoutArea};
use headwater::Lattice;
use headwater::waves::{Body, Maker};
use schemars::JsonSchema;
use serde::Deserialize;

/// `do`: the action of an event.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WavesAction {
    /// A drop falls.
    Drop(WithoutArea<FallingDrop>),
    /// A trough is drawn along a line.
    Stroke(WithoutArea<Stroke>),
    /// Turns water into land, which reflects waves.
    Land(InArea<NoKeys>),
    /// Turns land into water.
    Water(InArea<NoKeys>),
    /// Changes the rate of the rain in `[rain]`.
    Rain(WithoutArea<RainChange>),
    /// Changes or starts the wind.
    Wind(WithoutArea<WindChange>),
    /// Adds one of `body` and `maker`.
    Add(WithoutArea<Added>),
}

/// Trough to draw along a line, for the action `stroke`. The trough fades towards its sides.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stroke {
    /// Line and width.
    pub line: Line,
    /// Depth of the depression (m), at most `physics.highest`. Negative values raise the surface.
    pub depth: f64,
}

/// Rate of the rain to set, for the action `rain`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RainChange {
    /// Drops per second and m², 0 to 10⁶.
    pub rate: f64,
}

/// Wind to set, for the action `wind`; at least one key is needed.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WindChange {
    /// Velocity of the gusts (m/s, to the east and to the south), −1000 to 1000. Default:
    /// unchanged; for a new wind 3 m/s to the east.
    pub velocity: Option<[f64; 2]>,
    /// Pressure head in the middle of a gust (m), 0 to `physics.highest`. Default: unchanged.
    /// Required without `[wind]`; then there are twelve gusts with a radius of 1/12 of the
    /// surface's shorter side.
    pub head: Option<f64>,
}

added! {
    /// A body, without `path`.
    body: Body(Box<ExtendedKeys<Body, SteeredBody>>),
    /// A wave maker.
    maker: Maker(ExtendedKeys<Maker, MakerEnds>),
}

impl WavesAction {
    /// Returns the disturbance of the surface that this action makes; `None` if it makes none.
    pub fn disturbance(&self, lattice: &Lattice) -> Option<Disturbance> {
        match self {
            WavesAction::Drop(WithoutArea(drop)) => Some(drop.disturbance(lattice)),
            WavesAction::Stroke(WithoutArea(Stroke { line, depth })) => {
                Some(Disturbance::from_stroke(line, *depth, lattice))
            }
            _ => None,
        }
    }
}
