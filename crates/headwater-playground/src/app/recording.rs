//! [`Recording`]: an animation that is being made.

#[cfg(not(target_arch = "wasm32"))]
use eframe::egui;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, Mutex};
use web_time::Instant;

/// An animation that is being made.
pub(super) struct Recording {
    pub(super) begun: Instant,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) pictures: Arc<Mutex<Vec<Arc<egui::ColorImage>>>>,
    /// Pictures that were asked for.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) asked: usize,
}
