//! The numbers that say how block water behaves.

use super::cell::FULL;
use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// How the water moves.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Rule {
        /// Cells fill by 256ths; bodies level out by their hydrostatic head. Several liquids.
        #[default]
        Fill = "fill",
        /// Whole blocks of water, moved by the pressure of each body (lol, "An algorithm for flowing water
        /// blocks", 2016). It looks at every cell in every step, and knows water only.
        WholeBlocks = "whole-blocks",
    }
}

/// Steps that no run reaches: with such a period something never happens.
const NEVER: f64 = 1e9;

parameters! {
    /// Parameters of a [`Blocks`](super::Blocks) world. Checked when a world is made.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// How the water moves.
        rule: Rule = Rule::Fill; Fixed, "rule";
        /// Length of a step. It only says how many steps [`advance`](super::Blocks::advance) does.
        tick: f64 = 0.05; Fixed, "length of a step", "s", |_| Range::above_zero(1e4), [0.01, 1.0];
        /// [`Rule::Fill`]: how much a column of a body takes in a step, from below; beside a cliff of the body more comes from the side, and
        /// that is as much less. Lower it for thicker liquids. 1 acts as 2, for of two columns that lie as in a mirror one cannot give alone.
        flow: u16 = FULL; Live, "flow", "256ths", |_| Range::new(1.0, 256.0), [1.0, 256.0];
        /// [`Rule::Fill`]: how much runs over an edge or out of a hole into one falling cell in a step. A fall of full cells that
        /// has landed is a column that stands: head acts through it, and it carries all that runs off at its foot. Below 256 a
        /// fall never stands, and carries no more than this. With trapped air no fall is more than half full. 1 acts as 2.
        pour: u16 = FULL; Live, "pouring", "256ths", |_| Range::new(1.0, 256.0), [1.0, 256.0];
        /// [`Rule::Fill`]: the thickness below which water does not wet more dry floor. Over an edge it runs off however
        /// thin.
        film: u16 = 16; Live, "film", "256ths", |_| Range::new(1.0, 128.0), [1.0, 128.0];
        /// [`Rule::Fill`]: air that cannot get out keeps its volume, and none comes where none can get in. A
        /// diving bell stays dry, a siphon runs. Without it air is nothing.
        trapped_air: bool = false; Fixed, "trapped air";
        /// [`Rule::Fill`]: lava moves in every such step only.
        lava_period: u32 = 6; Live, "slowness of lava", "steps", |_| Range::new(1.0, NEVER), [1.0, 30.0];
        /// [`Rule::Fill`]: water on a floor, thinner than this, dries up; at 0 nothing does.
        evaporation: u16 = 0; Live, "drying", "256ths", |_| Range::new(0.0, 256.0), [0.0, 256.0];
        /// [`Rule::Fill`]: what dries up loses one 256th in every such step.
        evaporation_period: u32 = 30; Live, "slowness of drying", "steps", |_| Range::new(1.0, NEVER), [1.0, 120.0];
        /// [`Rule::WholeBlocks`]: the pressure downward is Δh + 1 and not infinite, so that a tall column can
        /// hold back a falling stream.
        finite_fall: bool = false; Live, "finite fall";
        /// [`Rule::WholeBlocks`]: a body without pressure runs over an edge beside its top row, or towards the
        /// nearest. Without it, as in the article, a lone block on a ledge stays there.
        spill: bool = true; Live, "spilling over edges";
    }
}

impl Params {
    /// No rate is less than this (256ths a step): of two columns that lie as in a mirror one cannot give alone.
    pub(super) const LEAST: u16 = 2;

    pub(super) fn flows(&self) -> u16 {
        self.flow.max(Self::LEAST)
    }

    pub(super) fn pours(&self) -> u16 {
        self.pour.max(Self::LEAST)
    }

    /// Checks every range.
    ///
    /// # Errors
    /// [`InputError`] names the first field that is out of its range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()
    }
}
