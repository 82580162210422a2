//! What waits for the world: most of what is done to one that is stepped on a GPU needs it here, and in browsers, where nobody can
//! wait, it is on its way for a few frames. Elsewhere nothing waits.

use super::App;

impl App {
    /// Does something as soon as the world is here, and what was asked for before is done: in most cases at once.
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

    /// Whether something can be done to the world: it is here, and not gone through once more.
    fn can_be_touched(&mut self) -> bool {
        self.recording.is_none() && self.are_here()
    }
}
