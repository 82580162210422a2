//! [`NavigationHistory`]: undo and redo of worlds in a tab. Opening a scene, restarting and
//! changing the seed are undone like strokes.

use super::canvas::CameraState;
use super::hint::Hint;
use super::tool_selection::ToolSelection;
use super::world_view::WorldView;

/// Largest number of worlds before and after the current one.
const MAX_WORLDS: usize = 4;

/// A world that is not shown, with its view.
pub(super) struct SuspendedWorld {
    pub(super) world_view: WorldView,
    pub(super) hint: Hint,
    pub(super) camera_state: Option<CameraState>,
    pub(super) pinned: Option<[f64; 2]>,
    /// The tool selection; `None` for a new world.
    pub(super) selection: Option<ToolSelection>,
}

/// Worlds before and after the current one, nearest last.
#[derive(Default)]
pub(super) struct NavigationHistory {
    before: Vec<SuspendedWorld>,
    after: Vec<SuspendedWorld>,
}

impl NavigationHistory {
    /// Adds the world that was replaced by another.
    pub(super) fn push(&mut self, world: SuspendedWorld) {
        self.after.clear();
        self.before.push(world);
        if self.before.len() > MAX_WORLDS {
            self.before.remove(0);
        }
    }

    /// Returns the worlds after the current one, or those before it.
    pub(super) fn stack(&mut self, after: bool) -> &mut Vec<SuspendedWorld> {
        if after { &mut self.after } else { &mut self.before }
    }

    /// Discards the worlds after the current one, after a new action.
    pub(super) fn discard_forward(&mut self) {
        self.after.clear();
    }

    /// Returns whether there are worlds before and after.
    pub(super) fn can_go(&self) -> (bool, bool) {
        (!self.before.is_empty(), !self.after.is_empty())
    }
}
