//! Deferred actions. Most actions need the state of a GPU world on the CPU; in browsers, which
//! cannot block, reading it back takes some frames. Otherwise actions run at once.

use super::App;

impl App {
    /// Runs an action as soon as the world is available and earlier actions are done, usually at
    /// once.
    pub(super) fn when_here(&mut self, deed: impl FnOnce(&mut Self) + 'static) {
        if self.later.is_empty() && self.can_be_touched() {
            deed(self);
        } else {
            self.later.push(Box::new(deed));
        }
    }

    pub(super) fn do_what_waits(&mut self) {
        while !self.later.is_empty() && self.can_be_touched() {
            self.later.remove(0)(self);
        }
    }

    /// Returns true if the world can be modified: it is available and not being replayed.
    fn can_be_touched(&mut self) -> bool {
        self.recording.is_none() && self.are_here()
    }
}
