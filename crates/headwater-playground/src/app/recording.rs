//! [`Recording`]: state of a recording in progress.

use super::canvas::Eye;
use super::track::Seen;
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
    pub(super) recipe: EditLog,
    /// Camera and play state to restore.
    pub(super) eye: Option<Eye>,
    pub(super) playing: bool,
    /// Samples of the recorded seconds.
    pub(super) seen: Vec<Seen>,
    /// Recorded time (s); `None` before the start.
    pub(super) shown: Option<f64>,
    /// True if the user cancelled it.
    pub(super) is_cancelled: bool,
    /// Time of the start or of the last picture request.
    pub(super) since: Instant,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) pictures: Arc<Mutex<Vec<Arc<egui::ColorImage>>>>,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) asked: usize,
}

impl Recording {
    pub(super) fn length(&self) -> f64 {
        self.seen.last().map_or(0.0, |last| last.when) - self.begin()
    }

    pub(super) fn progress(&self) -> f64 {
        (self.shown.unwrap_or(0.0) / self.length().max(1e-9)).clamp(0.0, 1.0)
    }

    /// Returns the sample at a time (s) after the beginning.
    pub(super) fn seen_at(&self, after: f64) -> Option<Seen> {
        let when = self.begin() + after;
        let next = self.seen.partition_point(|seen| seen.when <= when + 1e-6);
        self.seen.get(next.saturating_sub(1)).copied()
    }

    fn begin(&self) -> f64 {
        self.seen.first().map_or(0.0, |first| first.when)
    }
}
