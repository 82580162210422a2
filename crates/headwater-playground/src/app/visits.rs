//! Saving of the shown world between visits.

use super::App;
use super::kept::Kept;
use super::stage::Stage;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Autosave intervals (s) after edits or in a pause, and while the world runs. The last one is the
/// smallest ratio of the interval to the saving time.
#[cfg(target_arch = "wasm32")]
const KEEP: f64 = 4.0;
#[cfg(target_arch = "wasm32")]
const KEEP_RUNNING: f64 = 15.0;
#[cfg(target_arch = "wasm32")]
const KEEP_COST: f64 = 100.0;

impl App {
    /// Returns the saved state of the shown world; `None` if it cannot be saved.
    pub fn keep(&mut self) -> Option<Vec<u8>> {
        let eye = self.canvas.eye();
        let kept = self.stage.keep(eye)?;
        postcard::to_stdvec(&kept).ok()
    }

    /// Restores a saved world. Invalid states are ignored, because they may come from an older
    /// version.
    pub fn go_on(&mut self, bytes: &[u8]) {
        let Ok(kept) = postcard::from_bytes::<Kept>(bytes) else { return };
        let eye = kept.eye;
        if let Ok(stage) = Stage::of_kept(kept) {
            self.when_here(move |app| {
                app.put_on_now(stage);
                app.canvas.change(eye);
                app.say("Here is your world of last time.");
            });
        }
    }

    /// Handles device loss: the world continues on the CPU. A desktop window gets another device; a
    /// page is reloaded with the state of the world.
    pub(super) fn lose(&mut self, words: String) {
        #[cfg(target_arch = "wasm32")]
        if let Some(bytes) = self.keep() {
            return crate::host::restart(&bytes, &words);
        }
        self.complain(words);
    }

    /// Continues after a device loss, on the CPU unless chosen otherwise.
    pub fn go_on_after_loss(&mut self, words: String) {
        self.compute.choose(false);
        self.warn(words);
    }

    /// Returns the steps and edits of the shown world.
    #[cfg(target_arch = "wasm32")]
    fn so_far(&self) -> [u64; 2] {
        [self.stage.live.simulation().steps(), self.stage.edits]
    }

    /// Returns true if the browser has stored the current state.
    pub(super) fn is_kept(&self) -> bool {
        #[cfg(target_arch = "wasm32")]
        return self.last_kept.is_some_and(|(_, _, then)| then == self.so_far());
        #[cfg(not(target_arch = "wasm32"))]
        false
    }

    /// Stores the world in the browser for the next visit, at intervals that keep the cost low.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn keep_now_and_then(&mut self) {
        let now = self.so_far();
        let (when, cost, then) = *self.last_kept.get_or_insert_with(|| (Instant::now(), 0.0, now));
        // Edits are saved earlier than elapsed time.
        let by_itself = self.stage.playing && then[1] == now[1];
        let wait = (if by_itself { KEEP_RUNNING } else { KEEP }).max(cost * KEEP_COST);
        let elsewhere = self.replay.is_some() || self.recording.is_some();
        if then == now || elsewhere || when.elapsed().as_secs_f64() < wait {
            return;
        }
        if !self.stage.live.read_back() {
            return;
        }
        let begun = Instant::now();
        if let Some(bytes) = self.keep() {
            crate::host::keep("last", &bytes);
        }
        // The read-back may have advanced the world.
        self.last_kept = Some((Instant::now(), begun.elapsed().as_secs_f64(), self.so_far()));
    }
}
