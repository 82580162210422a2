//! Deferred actions. Most actions need the state of the world on the CPU. For a world on the GPU,
//! the state is read back first, which takes some frames because browsers cannot block; the action
//! runs afterwards. If the state is already available, actions run at once.

use super::App;

impl App {
    /// Runs an action as soon as the state of the world is available on the CPU and earlier actions
    /// are done, usually at once.
    pub(super) fn run_when_available(&mut self, action: impl FnOnce(&mut Self) + 'static) {
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

    /// Returns true if the world can be modified: its state is available on the CPU, and no replay
    /// is in progress.
    fn can_be_modified(&mut self) -> bool {
        self.recording.is_none() && self.are_worlds_on_cpu()
    }
}
