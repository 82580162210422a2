//! [`Probe`]: what the playground tells those who test it from outside. In the browser it is read as
//! `window.headwater`; natively a test holds a clone of it. It only tells: whatever a test wants done it does with
//! the mouse and the keyboard, as everybody else.

use eframe::egui;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Cells whose water is told.
pub const SAMPLES: usize = 2000;

/// What there is to know of one frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Status {
    /// The open tab: the model's name as scenes write it (`"flow"`, `"waves"`, …).
    pub tab: String,
    /// Columns and rows of the world.
    pub cells: [usize; 2],
    /// What is told to whoever looks, until it is closed; empty for nothing.
    pub notice: String,
    /// The open scene's name, as in the library, or the name of the file it came from.
    pub scene: String,
    /// The world's `state_hash` as sixteen hexadecimal digits; [`None`] until someone asks ([`Probe::hash_wanted`]).
    pub hash: Option<String>,
    /// As long as hashes are told: the depth of the water (m), or of a rippling surface its height, in about as many cells as
    /// [`SAMPLES`], evenly spread.
    pub samples: Vec<f32>,
    /// What the ledger is missing, in the model's own unit of volume. 0 when the books are right.
    pub residual: f64,
    /// The liquid that is in the world, in the same unit.
    pub volume: f64,
    /// The world's time, in the scene's unit.
    pub time: f64,
    /// Steps done since the scene was opened.
    pub steps: u64,
    /// Whether time is running.
    pub running: bool,
    /// Whether all that was done is kept for the next visit: on a page, where the browser does so.
    pub kept: bool,
    /// What computes: `cpu`, or `gpu: ` and the adapter's name.
    pub backend: String,
    /// The last frame's duration, in milliseconds.
    pub frame_ms: f64,
    /// The tool in hand; empty for none.
    pub tool: String,
    /// How a challenge stands that somebody has taken on: `on`, `done` or `lost`.
    pub challenge: String,
    /// How far it is, 0 to 1.
    pub progress: f64,
    /// The world that is compared with it.
    pub beside: Option<Beside>,
    /// Messages of errors that the playground has shown since it was opened, oldest first.
    pub errors: Vec<String>,
    /// Screen points for each CSS pixel (natively: for each logical pixel): egui's zoom factor.
    pub zoom: f32,
}

/// What there is to know of a world beside the one on show.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Beside {
    /// Its time, in the scene's unit.
    pub time: f64,
    /// Steps done since the scene was opened.
    pub steps: u64,
    /// Its `state_hash`, where that of the world on show is told.
    pub hash: Option<String>,
}

/// Tells what the playground does. Cheap to clone: all clones are one.
#[derive(Debug, Clone, Default)]
pub struct Probe {
    shared: Rc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    status: RefCell<Status>,
    frames: Cell<u64>,
    hash_wanted: Cell<bool>,
    /// What draws, once it does.
    draws: RefCell<Option<egui::Context>>,
    /// What has been drawn so far in the frame that is being drawn.
    drawing: RefCell<BTreeMap<String, egui::Rect>>,
    /// What the last whole frame showed.
    drawn: RefCell<BTreeMap<String, egui::Rect>>,
}

impl Probe {
    /// Says that the widget `name` is at `rect` in this frame. Names are lower-case words joined by dots, general ones
    /// first: `tab.flow`, `tool.dig`, `view`, `button.reset`. What is not said again in the next frame is gone from it.
    pub fn rect(&self, name: impl Into<String>, rect: egui::Rect) {
        self.shared.drawing.borrow_mut().insert(name.into(), rect);
    }

    /// The same of a widget that has been drawn, which is handed on.
    pub(crate) fn named(&self, name: impl Into<String>, drawn: egui::Response) -> egui::Response {
        self.rect(name, drawn.rect);
        drawn
    }

    /// Ends a frame: `status` is what there is to know of it, and the widgets named since the last call are those that
    /// it shows.
    pub fn publish(&self, status: Status) {
        let drawn = std::mem::take(&mut *self.shared.drawing.borrow_mut());
        *self.shared.drawn.borrow_mut() = drawn;
        *self.shared.status.borrow_mut() = status;
        self.shared.frames.set(self.shared.frames.get() + 1);
    }

    /// Whether someone wants to know hashes. Hashing a large world takes milliseconds, so a frame does it only then.
    #[must_use]
    pub fn hash_wanted(&self) -> bool {
        self.shared.hash_wanted.get()
    }

    /// Has hashes published from the next frame on, which comes soon though nothing may move.
    pub fn want_hash(&self) {
        self.shared.hash_wanted.set(true);
        if let Some(draws) = &*self.shared.draws.borrow() {
            draws.request_repaint();
        }
    }

    /// Learns what draws the frames.
    pub(crate) fn watch(&self, draws: &egui::Context) {
        self.shared.draws.replace(Some(draws.clone()));
    }

    /// How many frames were published.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.shared.frames.get()
    }

    /// The status of the last frame.
    #[must_use]
    pub fn status(&self) -> Status {
        self.shared.status.borrow().clone()
    }

    /// Where the last frame showed the widget `name`, in points.
    #[must_use]
    pub fn place_of(&self, name: &str) -> Option<egui::Rect> {
        self.shared.drawn.borrow().get(name).copied()
    }

    /// All of it as JSON: the fields of [`Status`], `frames`, and `rects`: for each widget's name its left, top, width
    /// and height in CSS pixels of the canvas (natively: logical pixels of the window).
    #[must_use]
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct All<'a> {
            #[serde(flatten)]
            status: &'a Status,
            frames: u64,
            rects: BTreeMap<&'a str, [f32; 4]>,
        }
        let (status, drawn) = (self.shared.status.borrow(), self.shared.drawn.borrow());
        let zoom = if status.zoom > 0.0 { status.zoom } else { 1.0 };
        let pixels = |rect: &egui::Rect| {
            [rect.left(), rect.top(), rect.width(), rect.height()].map(|points| points * zoom)
        };
        let rects = drawn.iter().map(|(name, rect)| (name.as_str(), pixels(rect))).collect();
        let all = All { status: &status, frames: self.frames(), rects };
        // Plain data with text for keys: there is nothing in it that JSON cannot say (numbers that are none become null).
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
    fn a_widget_that_is_not_drawn_again_is_gone() {
        let probe = Probe::default();
        let rect = Rect::from_min_max(pos2(1.0, 2.0), pos2(4.0, 8.0));
        probe.rect("tab.flow", rect);
        assert_eq!(probe.place_of("tab.flow"), None, "the frame is not whole yet");
        probe.publish(status("a"));
        assert_eq!(probe.place_of("tab.flow"), Some(rect));
        probe.publish(status("b"));
        assert_eq!(probe.place_of("tab.flow"), None);
        assert_eq!((probe.status().scene.as_str(), probe.frames()), ("b", 2));
    }

    #[test]
    fn json_has_rectangles_in_pixels_and_survives_what_is_no_number() {
        let probe = Probe::default();
        probe.clone().rect("view", Rect::from_min_max(pos2(1.0, 2.0), pos2(4.0, 8.0)));
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
    fn hashes_are_told_only_when_wanted() {
        let probe = Probe::default();
        assert!(!probe.hash_wanted());
        let ctx = egui::Context::default();
        for _ in 0..4 {
            ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        }
        assert!(!ctx.has_requested_repaint(), "nothing moves");
        probe.watch(&ctx);
        probe.clone().want_hash();
        assert!(probe.hash_wanted());
        assert!(ctx.has_requested_repaint(), "a world that stands still is drawn once more");
    }
}
