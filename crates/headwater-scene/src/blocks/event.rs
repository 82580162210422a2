//! `[[event]]`: what is done to a world of blocks while it runs.

use super::{BlocksDrain, BlocksSource};
use crate::scene::added::added;
use crate::scene::place::Extent;
use crate::scene::{InArea, NoKeys, WithoutArea};
use headwater::blocks::{Edit, FULL, Liquid};
use schemars::JsonSchema;
use serde::Deserialize;

/// What an event does, and where.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BlocksAction {
    /// Walls become air.
    Dig(InArea<NoKeys>),
    /// Air becomes wall; liquids stay.
    Build(InArea<NoKeys>),
    /// Each cell gets some of a liquid, as far as there is room beside nothing but the same.
    Pour(InArea<Pour>),
    /// Each cell loses some of its liquid.
    Remove(InArea<Remove>),
    /// One of `source` and `drain` is added.
    Add(WithoutArea<Added>),
}

/// What is poured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pour {
    /// `"water"` (default), `"oil"` or `"lava"`.
    pub liquid: Liquid,
    /// How much each cell gets (256ths of a cell), 1 to 256 (default).
    pub amount: u16,
}

impl Default for Pour {
    fn default() -> Self {
        Self { liquid: Liquid::Water, amount: FULL }
    }
}

/// What is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Remove {
    /// How much each cell loses (256ths of a cell), 1 to 256 (default).
    pub amount: u16,
}

impl Default for Remove {
    fn default() -> Self {
        Self { amount: FULL }
    }
}

added! {
    /// A spring.
    source: Source(InArea<BlocksSource>),
    /// A drain.
    drain: Drain(InArea<BlocksDrain>),
}

impl BlocksAction {
    /// What is done to each cell, and where; `None` if it adds something.
    pub fn edit(&self) -> Option<(Edit, &Extent)> {
        Some(match self {
            BlocksAction::Dig(on) => (Edit::Dig, &on.extent),
            BlocksAction::Build(on) => (Edit::Build, &on.extent),
            BlocksAction::Pour(on) => (Edit::Pour(on.value.liquid, on.value.amount), &on.extent),
            BlocksAction::Remove(on) => (Edit::Remove(on.value.amount), &on.extent),
            BlocksAction::Add(_) => return None,
        })
    }
}
