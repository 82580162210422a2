//! Scene table `[[event]]` of the model `waves`: disturbances and changes during a run.

use super::disturbance::{Disturbance, FallingDrop};
use super::{MakerEnds, SteeredBody};
use crate::scene::event::added::added;
use crate::scene::place::Line;
use crate::scene::{AreaAction, ExtendedKeys, NoKeys, NonAreaAction};
use headwater::Lattice;
use headwater::waves::{Body, WaveMaker};
use serde::{Deserialize, Serialize};

/// `do`: action of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum WavesAction {
    /// Lets a drop fall on the surface.
    Drop(NonAreaAction<FallingDrop>),
    /// Draws a trough along a line.
    Stroke(NonAreaAction<Stroke>),
    /// Turns water into land, which reflects waves.
    Land(AreaAction<NoKeys>),
    /// Turns land into water.
    Water(AreaAction<NoKeys>),
    /// Sets the rate of the rain in the table `[rain]`.
    Rain(NonAreaAction<RainChange>),
    /// Sets the velocity and the strength of the wind, or starts a wind if there is none.
    Wind(NonAreaAction<WindChange>),
    /// Adds a `body` or a `maker`. Needs exactly one of them.
    Add(NonAreaAction<Added>),
}

/// Keys of the action `stroke`, which draws a trough along a line. The trough becomes shallower
/// toward its sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Stroke {
    /// Line and width of the trough.
    pub line: Line,
    /// Depth of the depression (m), at most `physics.highest`. Negative values raise the surface.
    pub depth: f64,
}

/// Keys of the action `rain`, which sets the rate of the rain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RainChange {
    /// Rate of the rain (drops per second and m²), 0 to 10⁶.
    pub rate: f64,
}

/// Keys of the action `wind`, which sets the wind. At least one key is required.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WindChange {
    /// Eastward and southward velocity of the gusts (m/s), −1000 to 1000. Default: unchanged, or
    /// `[3, 0]` for a new wind.
    pub velocity: Option<[f64; 2]>,
    /// Pressure head in the middle of a gust (m), 0 to `physics.highest`. Default: unchanged.
    /// Required if the scene has no table `[wind]`; the new wind then has twelve gusts, each with a
    /// radius of 1/12 of the surface's shorter side.
    pub head: Option<f64>,
}

added! {
    /// Body that the event adds. The key `path` is not allowed.
    body: Body(Box<ExtendedKeys<Body, SteeredBody>>),
    /// Wave maker that the event adds.
    maker: Maker(ExtendedKeys<WaveMaker, MakerEnds>),
}

impl WavesAction {
    /// Returns the disturbance of the surface that the action causes. Returns `None` if the action
    /// does not disturb the surface.
    pub fn disturbance(&self, lattice: &Lattice) -> Option<Disturbance> {
        match self {
            WavesAction::Drop(NonAreaAction(drop)) => Some(drop.disturbance(lattice)),
            WavesAction::Stroke(NonAreaAction(Stroke { line, depth })) => {
                Some(Disturbance::from_stroke(line, *depth, lattice))
            }
            _ => None,
        }
    }
}
