//! [`Recording`]: state of a recording in progress.

use super::canvas::CameraState;
use super::view_history::ViewSample;
#[cfg(not(target_arch = "wasm32"))]
use eframe::egui;
use headwater_scene::live::{EditLog, SavedState};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, Mutex};
use web_time::Instant;

/// A recording of the last seconds: the world replays them and then returns to the present.
pub(super) struct Recording {
    pub(super) present: SavedState,
    /// Recipe of the present state.
    pub(super) edit_log: EditLog,
    /// Camera and play state to restore.
    pub(super) camera_state: Option<CameraState>,
    pub(super) playing: bool,
    /// Samples of the recorded seconds.
    pub(super) samples: Vec<ViewSample>,
    /// Recorded time (s); `None` before the start.
    pub(super) recorded_seconds: Option<f64>,
    /// True if the user cancelled it.
    pub(super) is_cancelled: bool,
    /// Time of the start or of the last picture request.
    pub(super) since: Instant,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) pictures: Arc<Mutex<Vec<Arc<egui::ColorImage>>>>,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) requested: usize,
}

impl Recording {
    pub(super) fn length(&self) -> f64 {
        self.samples.last().map_or(0.0, |last| last.play_time) - self.begin()
    }

    pub(super) fn progress(&self) -> f64 {
        (self.recorded_seconds.unwrap_or(0.0) / self.length().max(1e-9)).clamp(0.0, 1.0)
    }

    /// Returns the sample at a time (s) after the beginning.
    pub(super) fn sample_at(&self, after: f64) -> Option<ViewSample> {
        let play_time = self.begin() + after;
        let next = self.samples.partition_point(|samples| samples.play_time <= play_time + 1e-6);
        self.samples.get(next.saturating_sub(1)).copied()
    }

    fn begin(&self) -> f64 {
        self.samples.first().map_or(0.0, |first| first.play_time)
    }
}
