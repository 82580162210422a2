//! Scene table `[[event]]` of the model `blocks`: edits of cells during a run.

use super::{BlocksDrain, BlocksSource};
use crate::scene::event::added::added;
use crate::scene::place::Extent;
use crate::scene::{AreaAction, NoKeys, NonAreaAction};
use headwater::blocks::{Edit, FULL, Liquid};
use serde::{Deserialize, Serialize};

/// `do`: action of an event, with the area in which it applies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BlocksAction {
    /// Turns walls into air.
    Dig(AreaAction<NoKeys>),
    /// Turns air into walls. Cells that contain a liquid do not change.
    Build(AreaAction<NoKeys>),
    /// Adds a liquid to each cell, up to the free space in the cell. Skips cells that contain
    /// another liquid.
    Pour(AreaAction<Pour>),
    /// Removes liquid from each cell.
    Remove(AreaAction<Remove>),
    /// Adds a `source` or a `drain`. Needs exactly one of them.
    Add(NonAreaAction<Added>),
}

/// Keys of the action `pour`, which adds a liquid to each cell of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Pour {
    /// Liquid to add: `"water"` (default), `"oil"` or `"lava"`.
    pub liquid: Liquid,
    /// Amount that is added to each cell (256ths of a cell), 1 to 256. Default 256.
    pub amount: u16,
}

impl Default for Pour {
    fn default() -> Self {
        Self { liquid: Liquid::Water, amount: FULL }
    }
}

/// Keys of the action `remove`, which removes liquid from each cell of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Remove {
    /// Amount that is removed from each cell (256ths of a cell), 1 to 256. Default 256.
    pub amount: u16,
}

impl Default for Remove {
    fn default() -> Self {
        Self { amount: FULL }
    }
}

added! {
    /// Spring that the event adds.
    source: Source(AreaAction<BlocksSource>),
    /// Drain that the event adds.
    drain: Drain(AreaAction<BlocksDrain>),
}

impl BlocksAction {
    /// Returns the edit that the action performs and the area in which it applies. Returns `None`
    /// for an action that adds a spring or a drain.
    pub fn edit_and_extent(&self) -> Option<(Edit, &Extent)> {
        Some(match self {
            BlocksAction::Dig(on) => (Edit::Dig, &on.extent),
            BlocksAction::Build(on) => (Edit::Build, &on.extent),
            BlocksAction::Pour(on) => (Edit::Pour(on.value.liquid, on.value.amount), &on.extent),
            BlocksAction::Remove(on) => (Edit::Remove(on.value.amount), &on.extent),
            BlocksAction::Add(_) => return None,
        })
    }
}
