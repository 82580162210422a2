//! [`Probe`]: publishes the state of the playground for tests. In a browser the state is available
//! as `window.headwater`; native tests hold a clone of the probe. Tests only read the state, and
//! act through mouse and keyboard events.

use eframe::egui;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Approximate number of cells whose depths [`Status::samples`] contains.
pub const SAMPLES: usize = 2000;

/// State of the playground in one frame, as published for tests.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Status {
    /// Name of the open tab, which is the model's name as in scene files (`"flow"`, `"waves"`, …).
    pub tab: String,
    /// Number of columns and rows of the world.
    pub cells: [usize; 2],
    /// Message of the visible notice; empty if no notice is shown.
    pub notice: String,
    /// Name of the open scene: its library name, or the name of its file.
    pub scene: String,
    /// State hash of the world (`state_hash`) as sixteen hexadecimal digits; [`None`] until hashes
    /// are requested ([`Probe::request_hash`]).
    pub hash: Option<String>,
    /// Water depths (m), or heights of a wave surface (m), in about [`SAMPLES`] evenly spaced
    /// cells. Empty unless hashes are requested.
    pub samples: Vec<f32>,
    /// Error of the mass balance, in the model's unit of volume; 0 if volume is conserved.
    pub residual: f64,
    /// Volume of liquid in the world, in the model's unit of volume.
    pub volume: f64,
    /// Simulated time, in the scene's unit of time.
    pub time: f64,
    /// Number of steps performed since the scene was opened.
    pub steps: u64,
    /// Whether simulated time is running.
    pub running: bool,
    /// Whether the current state is stored for the next visit (web page only).
    pub kept: bool,
    /// Device that computes the world: `cpu`, or `gpu: ` followed by the name of the GPU adapter.
    pub backend: String,
    /// Duration of the last frame (ms).
    pub frame_ms: f64,
    /// Name of the selected tool; empty if no tool is selected.
    pub tool: String,
    /// State of the current challenge: `on`, `done` or `lost`; empty without a challenge.
    pub challenge: String,
    /// Progress of the current challenge, 0 to 1.
    pub progress: f64,
    /// Status of the comparison world; `None` without a comparison.
    pub beside: Option<ComparisonStatus>,
    /// Error messages since the program started, oldest first.
    pub errors: Vec<String>,
    /// Zoom factor of egui: CSS pixels per screen point (in a desktop window, logical pixels per
    /// point).
    pub zoom: f32,
}

/// State of the comparison world in one frame, as published for tests.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ComparisonStatus {
    /// Simulated time of the comparison world, in the scene's unit of time.
    pub time: f64,
    /// Number of steps of the comparison world since the scene was opened.
    pub steps: u64,
    /// State hash of the comparison world as hexadecimal digits; `None` unless hashes are
    /// requested.
    pub hash: Option<String>,
}

/// Publishes the state of the playground to tests. Clones share the same state.
#[derive(Debug, Clone, Default)]
pub struct Probe {
    shared: Rc<SharedStatus>,
}

#[derive(Debug, Default)]
struct SharedStatus {
    status: RefCell<Status>,
    frames: Cell<u64>,
    hash_wanted: Cell<bool>,
    /// The egui context; `None` until the first frame is drawn.
    context: RefCell<Option<egui::Context>>,
    /// Positions of the widgets recorded so far in the current frame, by name.
    current_rects: RefCell<BTreeMap<String, egui::Rect>>,
    /// Positions of the widgets in the last complete frame, by name.
    rects_shown: RefCell<BTreeMap<String, egui::Rect>>,
}

impl Probe {
    /// Records that the widget `name` is at `rect` (points) in this frame. Names are lower-case
    /// words joined by dots, from general to specific, such as `tab.flow`, `tool.dig`, `view` or
    /// `button.reset`. A widget must be recorded in every frame in which it is visible.
    pub fn record_rect(&self, name: impl Into<String>, rect: egui::Rect) {
        self.shared.current_rects.borrow_mut().insert(name.into(), rect);
    }

    /// Records the position of a widget under the name `name`, and returns the widget's response.
    pub(crate) fn record_widget(
        &self,
        name: impl Into<String>,
        rects_shown: egui::Response,
    ) -> egui::Response {
        self.record_rect(name, rects_shown.rect);
        rects_shown
    }

    /// Ends a frame: publishes its status and the widgets recorded since the last call.
    pub fn publish(&self, status: Status) {
        let rects_shown = std::mem::take(&mut *self.shared.current_rects.borrow_mut());
        *self.shared.rects_shown.borrow_mut() = rects_shown;
        *self.shared.status.borrow_mut() = status;
        self.shared.frames.set(self.shared.frames.get() + 1);
    }

    /// Returns true if hashes have been requested. They are optional because hashing a large world
    /// takes milliseconds.
    #[must_use]
    pub fn is_hash_requested(&self) -> bool {
        self.shared.hash_wanted.get()
    }

    /// Requests a repaint. From the next frame on, the published status also contains state hashes.
    pub fn request_hash(&self) {
        self.shared.hash_wanted.set(true);
        if let Some(context) = &*self.shared.context.borrow() {
            context.request_repaint();
        }
    }

    /// Sets the egui context that is repainted when hashes are requested.
    pub(crate) fn set_context(&self, context: &egui::Context) {
        self.shared.context.replace(Some(context.clone()));
    }

    /// Returns the number of frames published so far.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.shared.frames.get()
    }

    /// Returns the status of the last published frame.
    #[must_use]
    pub fn status(&self) -> Status {
        self.shared.status.borrow().clone()
    }

    /// Returns the position of the widget `name` in the last frame (points); `None` if the widget
    /// was not visible.
    #[must_use]
    pub fn rect_of(&self, name: &str) -> Option<egui::Rect> {
        self.shared.rects_shown.borrow().get(name).copied()
    }

    /// Returns the fields of [`Status`] together with `frames` and `rects` as one JSON object. The
    /// object `rects` maps the name of each widget to its left, top, width and height in CSS pixels
    /// of the canvas (in a desktop window, logical pixels).
    #[must_use]
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct StatusJson<'a> {
            #[serde(flatten)]
            status: &'a Status,
            frames: u64,
            rects: BTreeMap<&'a str, [f32; 4]>,
        }
        let (status, rects_shown) = (self.shared.status.borrow(), self.shared.rects_shown.borrow());
        let zoom = if status.zoom > 0.0 { status.zoom } else { 1.0 };
        let pixels = |rect: &egui::Rect| {
            [rect.left(), rect.top(), rect.width(), rect.height()].map(|points| points * zoom)
        };
        let rects = rects_shown.iter().map(|(name, rect)| (name.as_str(), pixels(rect))).collect();
        let all = StatusJson { status: &status, frames: self.frames(), rects };
        // The data is always valid JSON; non-finite numbers become null.
        serde_json::to_string(&all).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{Rect, pos2};

    fn status(scene: &str) -> Status {
        Status { scene: scene.to_owned(), zoom: 2.0, residual: f64::NAN, ..Status::default() }
    }

    #[test]
    fn widgets_are_kept_for_one_frame() {
        let probe = Probe::default();
        let rect = Rect::from_min_max(pos2(1.0, 2.0), pos2(4.0, 8.0));
        probe.record_rect("tab.flow", rect);
        assert_eq!(probe.rect_of("tab.flow"), None, "the frame is not complete");
        probe.publish(status("a"));
        assert_eq!(probe.rect_of("tab.flow"), Some(rect));
        probe.publish(status("b"));
        assert_eq!(probe.rect_of("tab.flow"), None);
        assert_eq!((probe.status().scene.as_str(), probe.frames()), ("b", 2));
    }

    #[test]
    fn json_has_rectangles_in_pixels_and_null_for_nan() {
        let probe = Probe::default();
        probe.clone().record_rect("view", Rect::from_min_max(pos2(1.0, 2.0), pos2(4.0, 8.0)));
        probe.publish(status("valley"));
        let all: serde_json::Value = serde_json::from_str(&probe.json()).unwrap();
        assert_eq!(all["rects"]["view"], serde_json::json!([2.0, 4.0, 6.0, 12.0]));
        assert_eq!(
            (&all["scene"], &all["frames"]),
            (&serde_json::json!("valley"), &serde_json::json!(1))
        );
        assert!(all["residual"].is_null() && all["hash"].is_null());
    }

    #[test]
    fn hashes_are_published_only_on_request() {
        let probe = Probe::default();
        assert!(!probe.is_hash_requested());
        let ctx = egui::Context::default();
        for _ in 0..4 {
            ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        }
        assert!(!ctx.has_requested_repaint(), "nothing moves");
        probe.set_context(&ctx);
        probe.clone().request_hash();
        assert!(probe.is_hash_requested());
        assert!(ctx.has_requested_repaint(), "a repaint is requested even if nothing moves");
    }
}
