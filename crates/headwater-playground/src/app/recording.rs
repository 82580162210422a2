//! [`Recording`]: state of an animation recording in progress.

use super::canvas::CameraState;
use super::view_history::ViewSample;
#[cfg(not(target_arch = "wasm32"))]
use eframe::egui;
use headwater_scene::live::{EditLog, SavedState};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, Mutex};
use web_time::Instant;

/// Recording of the last seconds of play. During the recording, the world replays these seconds;
/// then it returns to the present.
pub(super) struct Recording {
    pub(super) present: SavedState,
    /// Edit log that reproduces the present state of the world.
    pub(super) edit_log: EditLog,
    /// Camera to restore after the recording.
    pub(super) camera_state: Option<CameraState>,
    /// Whether the world was running before the recording.
    pub(super) playing: bool,
    /// Times and cameras of the recorded seconds.
    pub(super) samples: Vec<ViewSample>,
    /// Time recorded so far (s); `None` before the recording starts.
    pub(super) recorded_seconds: Option<f64>,
    /// Whether the user has cancelled the recording.
    pub(super) is_cancelled: bool,
    /// Wall time at which the recording started, or at which the last picture was requested.
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

    /// Returns the view sample (time and camera) that was current `after` seconds after the
    /// beginning.
    pub(super) fn sample_at(&self, after: f64) -> Option<ViewSample> {
        let play_time = self.begin() + after;
        let next = self.samples.partition_point(|samples| samples.play_time <= play_time + 1e-6);
        self.samples.get(next.saturating_sub(1)).copied()
    }

    fn begin(&self) -> f64 {
        self.samples.first().map_or(0.0, |first| first.play_time)
    }
}
