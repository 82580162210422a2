//! Parameters of block worlds, with their defaults, units and ranges.

use super::state::cell::FULL;
use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

/// Largest number of columns or rows of a world. The limit ensures that heights in 256ths of a cell
/// fit in 32 bits.
pub const MAX_SIDE: usize = 1 << 15;

choices! {
    /// Rule that determines how liquids move. It is fixed when a world is created.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Rule {
        /// Cells fill in steps of 1/256, and bodies of liquid level out by their hydrostatic head.
        /// Supports several liquids.
        #[default]
        Fill = "fill",
        /// Whole blocks of water move according to the pressure in each body of liquid, as in "An
        /// algorithm for flowing water blocks" (2016) by the author "lol". Every step visits every
        /// cell. Supports water only.
        WholeBlocks = "whole-blocks",
    }
}

choices! {
    /// Condition at the western or eastern side of a world.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Side {
        /// A wall.
        #[default]
        Wall = "wall",
        /// A drain that takes all liquid from the outermost column of cells in every step.
        Drain = "drain",
        /// Water at a fixed level, such as a sea. In every step, the open cells of the outermost
        /// column are filled with water up to this level, and water above it is removed.
        Level = "level",
    }
}

choices! {
    /// Condition at the bottom of a world.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Bottom {
        /// A wall.
        #[default]
        Wall = "wall",
        /// A drain that takes all liquid from the bottom row of cells in every step.
        Drain = "drain",
    }
}

/// Largest value of a period (steps). It is longer than any run, so a process with this period
/// never takes place.
const NEVER: f64 = 1e9;

/// Range of water levels at the sides of a world (cells).
const LEVELS: Range = Range::new(0.0, MAX_SIDE as f64);

parameters! {
    /// Parameters of a [`Blocks`](super::Blocks) world. They are checked when the world is created.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Rule by which liquids move.
        rule: Rule = Rule::Fill; Fixed, "rule";
        /// Simulated time per step. It determines how many steps
        /// [`advance`](super::Blocks::advance) performs.
        tick: f64 = 0.05; Fixed, "length of a step", "s", |_| Range::above_zero(1e4), [0.01, 1.0];
        /// With the rule `fill`: largest inflow per step into one column of a body of liquid.
        /// Columns next to a much higher column fill faster; their inflow is proportional to this
        /// value. Lower values represent more viscous liquids. A value of 1 has the same effect as
        /// 2, because mirror-symmetric columns move in pairs.
        flow: u16 = FULL; Live, "flow", "256ths", |_| Range::new(1.0, 256.0), [1.0, 256.0];
        /// With the rule `fill`: largest inflow per step into one cell of a falling stream, over an
        /// edge or out of a hole. A falling stream widens until it carries its whole inflow. With a
        /// value of 256, streams that have no room to widen fill their cells completely. Once such
        /// a full stream has reached the ground, it transmits pressure like a column and can carry
        /// any flow that runs off at its foot. Below 256, a falling stream transmits no pressure
        /// and carries at most this volume per step and column. With trapped air, falling streams
        /// are at most half full. A value of 1 has the same effect as 2.
        pour: u16 = FULL; Live, "pouring", "256ths", |_| Range::new(1.0, 256.0), [1.0, 256.0];
        /// With the rule `fill`: thickness below which water does not spread over dry floor.
        /// Thinner water still flows over edges.
        film: u16 = 16; Live, "film", "256ths", |_| Range::new(1.0, 128.0), [1.0, 128.0];
        /// With the rule `fill`: whether enclosed air keeps its volume and new air enters only
        /// where it is connected to open air. If true, a diving bell stays dry and a siphon runs.
        /// If false, air has no effect.
        trapped_air: bool = false; Fixed, "trapped air";
        /// With the rule `fill`: period of lava (steps). Lava moves once per period, so a value of
        /// 1 means that it moves in every step.
        lava_period: u32 = 6; Live, "slowness of lava", "steps", |_| Range::new(1.0, NEVER), [1.0, 30.0];
        /// With the rule `fill`: thickness below which water on a floor evaporates. A value of 0
        /// turns evaporation off.
        evaporation: u16 = 0; Live, "drying", "256ths", |_| Range::new(0.0, 256.0), [0.0, 256.0];
        /// With the rule `fill`: period of evaporation (steps). Each cell of evaporating water
        /// loses 1/256 of a cell once per period.
        evaporation_period: u32 = 30; Live, "slowness of drying", "steps", |_| Range::new(1.0, NEVER), [1.0, 120.0];
        /// Condition at the western side of the world: a wall, a drain that takes all liquid from
        /// the outermost column of cells in every step, or water at the level `west_level`. Oil
        /// and lava do not pass a side of fixed level.
        west: Side = Side::Wall; Live, "western side";
        /// Water level at the western side if `west` is `level`, above the bottom of the world.
        /// With the rule `whole-blocks`, it is rounded down to whole cells.
        west_level: f64 = 0.0; Live, "western level", "cells", |_| LEVELS, [0.0, 200.0];
        /// Condition at the eastern side of the world, like `west`.
        east: Side = Side::Wall; Live, "eastern side";
        /// Water level at the eastern side if `east` is `level`, like `west_level`.
        east_level: f64 = 0.0; Live, "eastern level", "cells", |_| LEVELS, [0.0, 200.0];
        /// Condition at the bottom of the world: a wall, or a drain that takes all liquid from the
        /// bottom row of cells in every step.
        bottom: Bottom = Bottom::Wall; Live, "bottom";
        /// With the rule `whole-blocks`: whether the downward pressure is Δh + 1, where Δh is the
        /// depth below the top of the body (rows), instead of infinite. If true, a tall column can
        /// hold back a falling stream.
        finite_fall: bool = false; Live, "finite fall";
        /// With the rule `whole-blocks`: whether a body of liquid at rest still flows over an edge
        /// next to its top row, or moves toward the nearest edge. If false, as in the original
        /// algorithm, a single block stays on a ledge.
        spill: bool = true; Live, "spilling over edges";
    }
}

impl Params {
    /// Smallest effective value of a rate (256ths of a cell per step). Mirror-symmetric columns
    /// move in pairs, so a rate of a single unit would move nothing.
    pub(super) const MIN_RATE: u16 = 2;

    pub(super) fn flow_limit(&self) -> u16 {
        self.flow.max(Self::MIN_RATE)
    }

    pub(super) fn pour_limit(&self) -> u16 {
        self.pour.max(Self::MIN_RATE)
    }

    /// Checks that every parameter is in its range.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first parameter out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()
    }
}
