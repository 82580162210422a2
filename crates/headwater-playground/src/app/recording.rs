//! [`Recording`]: an animation of the last seconds that is being made.

use super::canvas::Eye;
use super::track::Seen;
#[cfg(not(target_arch = "wasm32"))]
use eframe::egui;
use headwater_scene::live::{EditLog, SavedState};
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, Mutex};
use web_time::Instant;

/// An animation of the last seconds that is being made: the world goes through them once more, and then back to the present.
pub(super) struct Recording {
    pub(super) present: SavedState,
    /// How it came to be.
    pub(super) recipe: EditLog,
    /// From where it was seen, and whether time passed.
    pub(super) eye: Option<Eye>,
    pub(super) playing: bool,
    /// What was seen on the way.
    pub(super) seen: Vec<Seen>,
    /// How much of that has been shown (s), once it has begun.
    pub(super) shown: Option<f64>,
    /// Whether nobody wants it any longer.
    pub(super) is_cancelled: bool,
    /// When it began to be shown; when its last picture was asked for.
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

    /// What was seen so long after its beginning (s).
    pub(super) fn seen_at(&self, after: f64) -> Option<Seen> {
        let when = self.begin() + after;
        let next = self.seen.partition_point(|seen| seen.when <= when + 1e-6);
        self.seen.get(next.saturating_sub(1)).copied()
    }

    fn begin(&self) -> f64 {
        self.seen.first().map_or(0.0, |first| first.when)
    }
}
