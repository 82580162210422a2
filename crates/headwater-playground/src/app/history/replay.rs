//! Scrubbing through the last minute of play, and replaying it.

use super::view_history::ViewSample;
use crate::app::canvas::CameraState;
use crate::app::world::world_view::WorldView;
use headwater_scene::live::SavedState;

/// Relative difference up to which two simulated times count as equal.
const CLOCK_TOLERANCE: f64 = 1e-6;

impl WorldView {
    /// Records the camera and simulated time of this frame.
    pub(in crate::app) fn record_view(&mut self, camera_state: Option<CameraState>) {
        if self.play_seconds > 0.0 && !self.is_replayed {
            let (when, clock) = (self.time_scrub.play_time(), self.live.clock());
            self.view_history.record(ViewSample { play_time: when, clock, camera_state });
        }
    }

    /// Returns a snapshot from which the last `seconds` s of play can be replayed, and the views
    /// (times and cameras) of this period. If the history is shorter, returns its first snapshot
    /// and all later views. Returns `None` if no snapshot or fewer than two views have been
    /// recorded since the last jump in time, such as an undo.
    pub(in crate::app) fn recent_history(
        &self,
        seconds: f64,
    ) -> Option<(SavedState, Vec<ViewSample>)> {
        let (state, when) = self.time_scrub.snapshot_before(seconds, self.view_history.start)?;
        let seen = self.view_history.samples_since(when.max(self.time_scrub.play_time() - seconds));
        (seen.len() > 1).then(|| (state.clone(), seen))
    }

    /// Restores the world from one of its own snapshots.
    pub(in crate::app) fn restore_snapshot(&mut self, state: &SavedState) -> Result<(), String> {
        self.live.restore_state(state).map_err(|error| error.to_string())?;
        (self.stroke, self.pending_input, self.is_cancelled) = (None, None, false);
        self.edits += 1;
        self.pace.restart(self.live.clock());
        Ok(())
    }

    /// Returns true if the simulated time of the world has reached `clock`.
    pub(in crate::app) fn has_reached(&self, clock: f64) -> bool {
        clock - self.live.clock() <= CLOCK_TOLERANCE * clock.abs().max(1.0)
    }

    /// Restores and shows a snapshot from the last minute of play, and pauses. `index` is the index
    /// of the snapshot. If the present is still shown, first saves it both as a snapshot and as an
    /// undo point.
    pub(in crate::app) fn scrub(&mut self, index: usize) {
        if self.time_scrub.count_and_shown_index().1.is_none() {
            self.save_undo_point();
        }
        let result = self.time_scrub.go_to(&mut self.live, index);
        self.on_state_jump(result.err().map(|error| error.to_string()));
        self.playing = false;
        let counts = self.state_counts();
        self.time_scrub.set_state_counts(counts);
    }
}
