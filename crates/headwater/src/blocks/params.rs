//! Parameters of block worlds.

use super::cell::FULL;
use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Rule by which liquids move.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Rule {
        /// Cells fill in 256ths, and bodies level out by their hydrostatic head. Several liquids.
        #[default]
        Fill = "fill",
        /// Whole blocks of water, moved by the pressure of each body (lol, "An algorithm for
        /// flowing water blocks", 2016). Visits every cell in every step. Water only.
        WholeBlocks = "whole-blocks",
    }
}

/// Period (steps) that means never; no run is this long.
const NEVER: f64 = 1e9;

parameters! {
    /// Parameters of a [`Blocks`](super::Blocks) world, checked when a world is created.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Rule by which liquids move.
        rule: Rule = Rule::Fill; Fixed, "rule";
        /// Length of a step. It determines how many steps [`advance`](super::Blocks::advance)
        /// performs.
        tick: f64 = 0.05; Fixed, "length of a step", "s", |_| Range::above_zero(1e4), [0.01, 1.0];
        /// [`Rule::Fill`]: inflow into a column of a body in a step. Inflow from the side beside a
        /// cliff scales with it. Lower it for thicker liquids. 1 acts as 2, because
        /// mirror-symmetric columns move in pairs.
        flow: u16 = FULL; Live, "flow", "256ths", |_| Range::new(1.0, 256.0), [1.0, 256.0];
        /// [`Rule::Fill`]: inflow into one falling cell in a step, over an edge or out of a hole.
        /// At 256, a fall that has reached the ground is a column that transmits head and carries
        /// all that runs off at its foot. Below 256, a fall transmits no head and carries no more
        /// than this. With trapped air, falls are at most half full. 1 acts as 2.
        pour: u16 = FULL; Live, "pouring", "256ths", |_| Range::new(1.0, 256.0), [1.0, 256.0];
        /// [`Rule::Fill`]: thickness below which water does not wet more dry floor. Thinner water
        /// still runs over edges.
        film: u16 = 16; Live, "film", "256ths", |_| Range::new(1.0, 128.0), [1.0, 128.0];
        /// [`Rule::Fill`]: enclosed air keeps its volume, and air enters only where it is
        /// connected. A diving bell stays dry and a siphon runs. When off, air has no effect.
        trapped_air: bool = false; Fixed, "trapped air";
        /// [`Rule::Fill`]: lava moves only in every n-th step.
        lava_period: u32 = 6; Live, "slowness of lava", "steps", |_| Range::new(1.0, NEVER), [1.0, 30.0];
        /// [`Rule::Fill`]: water on a floor evaporates if it is thinner than this. 0 turns
        /// evaporation off.
        evaporation: u16 = 0; Live, "drying", "256ths", |_| Range::new(0.0, 256.0), [0.0, 256.0];
        /// [`Rule::Fill`]: evaporating water loses one 256th in every n-th step.
        evaporation_period: u32 = 30; Live, "slowness of drying", "steps", |_| Range::new(1.0, NEVER), [1.0, 120.0];
        /// [`Rule::WholeBlocks`]: the downward pressure is Δh + 1 instead of infinite, so that a
        /// tall column can hold back a falling stream.
        finite_fall: bool = false; Live, "finite fall";
        /// [`Rule::WholeBlocks`]: a body without pressure runs over an edge beside its top row, or
        /// toward the nearest edge. When off, as in the article, a single block stays on a ledge.
        spill: bool = true; Live, "spilling over edges";
    }
}

impl Params {
    /// Smallest effective rate (256ths per step): mirror-symmetric columns move in pairs, so one
    /// unit alone could not move.
    pub(super) const MIN_RATE: u16 = 2;

    pub(super) fn flow_limit(&self) -> u16 {
        self.flow.max(Self::MIN_RATE)
    }

    pub(super) fn pour_limit(&self) -> u16 {
        self.pour.max(Self::MIN_RATE)
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`InputError`] naming the first field that is out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()
    }
}
