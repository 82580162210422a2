//! Scene table `[[event]]` of the model `blocks`: edits of cells during a run.

use super::{BlocksDrain, BlocksSource};
use crate::scene::added::added;
use crate::scene::place::Extent;
use crate::scene::{InArea, NoKeys, WithoutArea};
use headwater::blocks::{Edit, FULL, Liquid};
use schemars::JsonSchema;
use serde::Deserialize;

/// `do`: the action of an event and its area.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BlocksAction {
    /// Turns walls into air.
    Dig(InArea<NoKeys>),
    /// Turns air into walls; liquids stay.
    Build(InArea<NoKeys>),
    /// Adds a liquid to each cell, up to the available space. Cells with another liquid are
    /// skipped.
    Pour(InArea<Pour>),
    /// Removes liquid from each cell.
    Remove(InArea<Remove>),
    /// Adds one of `source` and `drain`.
    Add(WithoutArea<Added>),
}

/// Liquid to add to each cell of an area, for the action `pour`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pour {
    /// `"water"` (default), `"oil"` or `"lava"`.
    pub liquid: Liquid,
    /// Amount per cell (256ths of a cell), 1 to 256 (default).
    pub amount: u16,
}

impl Default for Pour {
    fn default() -> Self {
        Self { liquid: Liquid::Water, amount: FULL }
    }
}

/// Amount of liquid to remove from each cell of an area, for the action `remove`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Remove {
    /// Amount per cell (256ths of a cell), 1 to 256 (default).
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
    /// Returns the edit and the area to which it applies; `None` for an action that adds a spring
    /// or drain.
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
