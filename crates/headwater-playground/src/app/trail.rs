//! [`Trail`]: the worlds that were on show in a tab before the one that is, and those that undoing has left behind: opening a scene,
//! beginning again and another seed are undone as strokes are.

use super::canvas::Eye;
use super::hand::Hand;
use super::hint::Hint;
use super::stage::Stage;

/// How many worlds are kept on each side of the one on show.
const MOST: usize = 4;

/// A world that is not on show, and how it was looked at.
pub(super) struct Aside {
    pub(super) stage: Stage,
    pub(super) hint: Hint,
    pub(super) eye: Option<Eye>,
    pub(super) pinned: Option<[f64; 2]>,
    /// The tool that was in hand, and how large and strong those of its model were; `None` for a world that is new.
    pub(super) hand: Option<Hand>,
}

/// The worlds of a tab before and after the one on show, the next one last.
#[derive(Default)]
pub(super) struct Trail {
    before: Vec<Aside>,
    after: Vec<Aside>,
}

impl Trail {
    /// A world goes because another takes its place.
    pub(super) fn leave(&mut self, world: Aside) {
        self.after.clear();
        self.before.push(world);
        if self.before.len() > MOST {
            self.before.remove(0);
        }
    }

    /// The worlds after the one on show, or those before.
    pub(super) fn side(&mut self, after: bool) -> &mut Vec<Aside> {
        if after { &mut self.after } else { &mut self.before }
    }

    /// Something was done to the world on show: there is no way forth.
    pub(super) fn branch(&mut self) {
        self.after.clear();
    }

    /// Whether there are worlds before and after.
    pub(super) fn sides(&self) -> (bool, bool) {
        (!self.before.is_empty(), !self.after.is_empty())
    }
}
