//! [`NavigationHistory`]: undo and redo of worlds in a tab. Opening a scene, restarting and
//! changing the seed are undone like strokes.

use super::canvas::Eye;
use super::hand::Hand;
use super::hint::Hint;
use super::stage::Stage;

/// Largest number of worlds before and after the current one.
const MOST: usize = 4;

/// A world that is not shown, with its view.
pub(super) struct Aside {
    pub(super) stage: Stage,
    pub(super) hint: Hint,
    pub(super) eye: Option<Eye>,
    pub(super) pinned: Option<[f64; 2]>,
    /// The tool selection; `None` for a new world.
    pub(super) hand: Option<Hand>,
}

/// Worlds before and after the current one, nearest last.
#[derive(Default)]
pub(super) struct Trail {
    before: Vec<Aside>,
    after: Vec<Aside>,
}

impl Trail {
    /// Adds the world that was replaced by another.
    pub(super) fn leave(&mut self, world: Aside) {
        self.after.clear();
        self.before.push(world);
        if self.before.len() > MOST {
            self.before.remove(0);
        }
    }

    /// Returns the worlds after the current one, or those before it.
    pub(super) fn side(&mut self, after: bool) -> &mut Vec<Aside> {
        if after { &mut self.after } else { &mut self.before }
    }

    /// Discards the worlds after the current one, after a new action.
    pub(super) fn branch(&mut self) {
        self.after.clear();
    }

    /// Returns whether there are worlds before and after.
    pub(super) fn sides(&self) -> (bool, bool) {
        (!self.before.is_empty(), !self.after.is_empty())
    }
}
