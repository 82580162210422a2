//! [`Recording`]: state of an animation recording in progress.

use super::view_history::ViewSample;
use crate::app::canvas::CameraState;
#[cfg(not(target_arch = "wasm32"))]
use eframe::egui;
use headwater_scene::live::{EditLog, SavedState};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, Mutex};
use web_time::Instant;

/// Recording of an animation of the last seconds of play. While the animation is recorded, the
/// world replays these seconds; afterwards it returns to the present state.
pub(in crate::app) struct Recording {
    pub(in crate::app) present: SavedState,
    /// Edit log that reproduces the present state of the world.
    pub(in crate::app) edit_log: EditLog,
    /// Camera to restore after the recording.
    pub(in crate::app) camera_state: Option<CameraState>,
    /// Whether the world was running before the recording.
    pub(in crate::app) playing: bool,
    /// Times and cameras of the recorded seconds.
    pub(in crate::app) samples: Vec<ViewSample>,
    /// Time recorded so far (s); `None` before the recording starts.
    pub(in crate::app) recorded_seconds: Option<f64>,
    /// Whether the user has cancelled the recording.
    pub(in crate::app) is_cancelled: bool,
    /// Start of the current waiting period (wall time). In a browser, it is the start of the
    /// recording; in the desktop program, the last request for a picture.
    pub(in crate::app) wait_start: Instant,
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) pictures: Arc<Mutex<Vec<Arc<egui::ColorImage>>>>,
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) requested: usize,
}

impl Recording {
    pub(in crate::app) fn length(&self) -> f64 {
        self.samples.last().map_or(0.0, |last| last.play_time) - self.start_time()
    }

    pub(in crate::app) fn progress(&self) -> f64 {
        (self.recorded_seconds.unwrap_or(0.0) / self.length().max(1e-9)).clamp(0.0, 1.0)
    }

    /// Returns the view sample (time and camera) that was current `after` seconds after the
    /// beginning; `None` if there are no samples.
    pub(in crate::app) fn sample_at(&self, after: f64) -> Option<ViewSample> {
        let play_time = self.start_time() + after;
        let next = self.samples.partition_point(|samples| samples.play_time <= play_time + 1e-6);
        self.samples.get(next.saturating_sub(1)).copied()
    }

    fn start_time(&self) -> f64 {
        self.samples.first().map_or(0.0, |first| first.play_time)
    }
}
