//! Deferred actions. Most actions need the state of a GPU world on the CPU; in browsers, which
//! cannot block, reading it back takes some frames. Otherwise actions run at once.

use super::App;

impl App {
    /// Runs an action as soon as the world is available and earlier actions are done, usually at
    /// once.
    pub(super) fn when_available(&mut self, action: impl FnOnce(&mut Self) + 'static) {
        if self.deferred.is_empty() && self.can_be_modified() {
            action(self);
        } else {
            self.deferred.push(Box::new(action));
        }
    }

    pub(super) fn run_deferred(&mut self) {
        while !self.deferred.is_empty() && self.can_be_modified() {
            self.deferred.remove(0)(self);
        }
    }

    /// Returns true if the world can be modified: it is available and not being replayed.
    fn can_be_modified(&mut self) -> bool {
        self.recording.is_none() && self.worlds_available()
    }
}
