//! Automatic saving of the displayed world in the browser, so that the user's next visit continues
//! with the same world.

use super::saved_world::SavedWorld;
use crate::app::App;
use crate::app::world::world_view::WorldView;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Smallest interval between autosaves (s) after edits or during a pause.
#[cfg(target_arch = "wasm32")]
const SAVE_INTERVAL: f64 = 4.0;
/// Smallest interval between autosaves (s) while the world runs.
#[cfg(target_arch = "wasm32")]
const SAVE_INTERVAL_RUNNING: f64 = 15.0;
/// Smallest ratio (dimensionless) of the interval between autosaves to the duration of one save, so
/// that saving takes at most 1 % of the time.
#[cfg(target_arch = "wasm32")]
const MIN_INTERVAL_TO_COST_RATIO: f64 = 100.0;

impl App {
    /// Returns the state of the displayed world as bytes for
    /// [`restore_world`](Self::restore_world); `None` if the world cannot be saved.
    pub fn save_world(&mut self) -> Option<Vec<u8>> {
        let camera_state = self.canvas.camera_state();
        let saved = self.world_view.save_world(camera_state)?;
        postcard::to_stdvec(&saved).ok()
    }

    /// Restores a world from its saved state. An invalid state is ignored, because it may come from
    /// an older version.
    pub fn restore_world(&mut self, bytes: &[u8]) {
        let Ok(saved) = postcard::from_bytes::<SavedWorld>(bytes) else { return };
        let camera_state = saved.camera_state;
        if let Ok(world_view) = WorldView::from_saved_world(saved) {
            self.run_when_available(move |app| {
                app.open_world_now(world_view);
                app.canvas.switch_world(camera_state);
                app.notify("Your last world was restored.");
            });
        }
    }

    /// Handles the loss of the GPU device. The world continues on the CPU. A desktop window gets
    /// another device, whereas a web page is reloaded with the state of the world. `message` states
    /// the reason for the loss.
    pub(in crate::app) fn handle_device_loss(&mut self, message: String) {
        #[cfg(target_arch = "wasm32")]
        if let Some(bytes) = self.save_world() {
            return crate::host::restart(&bytes, &message);
        }
        self.report_error(message);
    }

    /// Continues with the displayed world after a device loss, on the CPU unless the user chooses
    /// otherwise. `message` states the reason for the loss.
    pub fn resume_after_device_loss(&mut self, message: String) {
        self.compute.choose_device(false);
        self.warn(message);
    }

    /// Returns the number of steps and the number of edits of the displayed world. If they differ
    /// from those at the last save, the world has changed.
    #[cfg(target_arch = "wasm32")]
    fn progress_counters(&self) -> [u64; 2] {
        [self.world_view.live.simulation().steps(), self.world_view.edits]
    }

    /// Returns true if the current state of the world is stored in the browser.
    pub(in crate::app) fn is_saved(&self) -> bool {
        #[cfg(target_arch = "wasm32")]
        return self.last_save.is_some_and(|(_, _, then)| then == self.progress_counters());
        #[cfg(not(target_arch = "wasm32"))]
        false
    }

    /// Stores the displayed world in the browser for the next visit. Intervals between saves are
    /// long enough to keep the cost low.
    #[cfg(target_arch = "wasm32")]
    pub(in crate::app) fn autosave(&mut self) {
        let now = self.progress_counters();
        let (when, cost, then) = *self.last_save.get_or_insert_with(|| (Instant::now(), 0.0, now));
        // Edits are saved sooner than elapsed simulated time.
        let only_time_passed = self.world_view.playing && then[1] == now[1];
        let wait = (if only_time_passed { SAVE_INTERVAL_RUNNING } else { SAVE_INTERVAL })
            .max(cost * MIN_INTERVAL_TO_COST_RATIO);
        let elsewhere = self.replay.is_some() || self.recording.is_some();
        if then == now || elsewhere || when.elapsed().as_secs_f64() < wait {
            return;
        }
        if !self.world_view.live.read_back() {
            return;
        }
        let begun = Instant::now();
        if let Some(bytes) = self.save_world() {
            crate::host::save_world("last", &bytes);
        }
        // The read-back may have advanced the world.
        self.last_save =
            Some((Instant::now(), begun.elapsed().as_secs_f64(), self.progress_counters()));
    }
}
