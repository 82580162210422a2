//! [`NavigationHistory`]: undo and redo of world changes in a tab. World changes are opening a
//! scene, restarting it and changing its seed. They are undone with the same command as tool
//! strokes.

use crate::app::canvas::CameraState;
use crate::app::input::tool_selection::ToolSelection;
use crate::app::panels::hint::Hint;
use crate::app::world::world_view::WorldView;

/// Maximum number of worlds in the undo history, and maximum number of worlds in the redo history.
const MAX_WORLDS: usize = 4;

/// A world in the undo or redo history of a tab, with its view and tool selection.
pub(in crate::app) struct SuspendedWorld {
    pub(in crate::app) world_view: WorldView,
    pub(in crate::app) hint: Hint,
    pub(in crate::app) camera_state: Option<CameraState>,
    pub(in crate::app) pinned: Option<[f64; 2]>,
    /// Tool selection of the world; `None` for a new world.
    pub(in crate::app) selection: Option<ToolSelection>,
}

/// Undo and redo history of a tab: the worlds before and after the current one. In each list, the
/// world closest to the current one is last.
#[derive(Default)]
pub(in crate::app) struct NavigationHistory {
    before: Vec<SuspendedWorld>,
    after: Vec<SuspendedWorld>,
}

impl NavigationHistory {
    /// Adds the world that was replaced by the current one to the undo history.
    pub(in crate::app) fn push(&mut self, world: SuspendedWorld) {
        self.after.clear();
        self.before.push(world);
        if self.before.len() > MAX_WORLDS {
            self.before.remove(0);
        }
    }

    /// Returns the worlds after the current one if `is_forward` is true, otherwise the worlds
    /// before it.
    pub(in crate::app) fn worlds_in_direction(
        &mut self,
        is_forward: bool,
    ) -> &mut Vec<SuspendedWorld> {
        if is_forward { &mut self.after } else { &mut self.before }
    }

    /// Discards the worlds after the current one. Called after a new action.
    pub(in crate::app) fn discard_forward(&mut self) {
        self.after.clear();
    }

    /// Returns whether there is a world before the current one, and whether there is one after it.
    pub(in crate::app) fn back_forward_availability(&self) -> (bool, bool) {
        (!self.before.is_empty(), !self.after.is_empty())
    }
}
