//! The numbers that say how block water behaves.

use super::cell::FULL;
use serde::{Deserialize, Serialize};

/// How the water moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Cells fill by 256ths; bodies level out by their hydrostatic head. Several liquids.
    #[default]
    Fill,
    /// Whole blocks of water, moved by the pressure of each body (lol, "An algorithm for flowing water
    /// blocks", 2016). It looks at every cell in every tick, and knows water only.
    WholeBlocks,
}

/// Parameters of a [`Blocks`](super::Blocks) world. Checked when a world is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// How the water moves.
    pub rule: Rule,
    /// Length of a tick (s), above 0; 0.05 by default. It only says how many ticks
    /// [`advance`](super::Blocks::advance) does.
    pub tick: f64,
    /// [`Rule::Fill`]: how much (256ths of a cell) a column of a body gives or takes in a tick, 1 to 256
    /// (the default). Lower it for thicker liquids.
    pub flow: u16,
    /// [`Rule::Fill`]: how much (256ths) runs over an edge or out of a hole into one falling cell in a
    /// tick, 1 to 255; 192 by default. Below 256, so that a falling stream is never taken for a column
    /// that stands.
    pub pour: u16,
    /// [`Rule::Fill`]: the thickness (256ths), 1 to 128, below which water does not wet more dry floor;
    /// 16 by default. Over an edge it runs off however thin.
    pub film: u16,
    /// [`Rule::Fill`]: air that cannot get out keeps its volume, and none comes where none can get in. A
    /// diving bell stays dry, a siphon runs. Off by default: then air is nothing.
    pub trapped_air: bool,
    /// [`Rule::Fill`]: lava moves in every such tick only, 1 or above; 6 by default.
    pub lava_period: u32,
    /// [`Rule::Fill`]: water on a floor, thinner than this (256ths, 0 to 256), dries up; 0 by default:
    /// nothing does.
    pub evaporation: u16,
    /// [`Rule::Fill`]: what dries up loses one 256th in every such tick, 1 or above; 30 by default.
    pub evaporation_period: u32,
    /// [`Rule::WholeBlocks`]: the pressure downward is Δh + 1 and not infinite, so that a tall column can
    /// hold back a falling stream. Off by default.
    pub finite_fall: bool,
    /// [`Rule::WholeBlocks`]: a body without pressure runs over an edge beside its top row, or towards the
    /// nearest. On by default; without it, as in the article, a lone block on a ledge stays there.
    pub spill: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            rule: Rule::Fill,
            tick: 0.05,
            flow: FULL,
            pour: 192,
            film: 16,
            trapped_air: false,
            lava_period: 6,
            evaporation: 0,
            evaporation_period: 30,
            finite_fall: false,
            spill: true,
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} must be {allowed}, found {found}")]
pub struct ParamsError {
    /// Name of the field of [`Params`].
    pub name: &'static str,
    /// What was found.
    pub found: f64,
    /// What is allowed.
    pub allowed: &'static str,
}

impl Params {
    /// Checks every range.
    ///
    /// # Errors
    /// [`ParamsError`] names the first field that is out of its range.
    pub fn validate(&self) -> Result<(), ParamsError> {
        let check = |name, found: f64, in_range: bool, allowed| {
            if in_range { Ok(()) } else { Err(ParamsError { name, found, allowed }) }
        };
        let tick = self.tick.is_finite() && self.tick > 0.0;
        check("tick", self.tick, tick, "a number above 0")?;
        let among = |name, found: u16, range: std::ops::RangeInclusive<u16>, allowed| {
            check(name, found.into(), range.contains(&found), allowed)
        };
        among("flow", self.flow, 1..=256, "a whole number from 1 to 256")?;
        among("pour", self.pour, 1..=255, "a whole number from 1 to 255")?;
        among("film", self.film, 1..=128, "a whole number from 1 to 128")?;
        among("evaporation", self.evaporation, 0..=256, "a whole number from 0 to 256")?;
        let counts = |name, found: u32| check(name, found.into(), found > 0, "1 or above");
        counts("lava_period", self.lava_period)?;
        counts("evaporation_period", self.evaporation_period)
    }
}
