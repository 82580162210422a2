//! [`Screen`]: the playground in a window of an X server, controlled by `xdotool` and observed by
//! screenshots. [`run_tests`] opens the window and runs the tests.

use eframe::egui;
use headwater_playground::status::Probe;
use headwater_playground::{App, install_fonts};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Size of the window (points).
const SIZE: [f32; 2] = [1280.0, 800.0];

/// Pixels per point in tests without screenshots. The value is low, because software rasterizers
/// are slow.
const COARSE_PIXELS_PER_POINT: f32 = 0.5;

const TITLE: &str = "Headwater under test";

/// Timeout for actions that take only a moment on a machine without other load.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Name of the environment variable that selects tests by a part of their name.
const FILTER_VARIABLE: &str = "HEADWATER_ONLY";

pub(crate) type WindowTest = (&'static str, fn(&Screen));

/// Status of the last frame as JSON, shared between the window and the tests.
#[derive(Clone, Default)]
struct CapturedStatus(Arc<Mutex<Value>>);

impl CapturedStatus {
    fn set(&self, json: &str) {
        let value = serde_json::from_str(json).unwrap_or_default();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = value;
    }

    fn get(&self) -> Value {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The playground application together with the observer of its status.
struct ObservedApp {
    app: App,
    probe: Probe,
    seen: CapturedStatus,
}

impl eframe::App for ObservedApp {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        self.app.ui(ui, frame);
        self.seen.set(&self.probe.json());
    }
}

/// Handle to the playground's window, with its mouse and keyboard.
pub(crate) struct Screen {
    seen: CapturedStatus,
    ctx: egui::Context,
}

/// Opens the window, runs the tests one after another, and returns the number of tests that failed.
pub(crate) fn run_tests(tests: &'static [WindowTest]) -> usize {
    let viewport = egui::ViewportBuilder::default()
        .with_title(TITLE)
        .with_inner_size(SIZE)
        .with_position([0.0, 0.0])
        .with_decorations(false);
    let options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    let (sender, outcome) = channel();
    let create = move |cc: &eframe::CreationContext<'_>| {
        install_fonts(&cc.egui_ctx);
        let seen = CapturedStatus::default();
        let screen = Screen { seen: seen.clone(), ctx: cc.egui_ctx.clone() };
        std::thread::spawn(move || {
            screen.wait_until("the first frame", |status| status["frames"].as_u64() > Some(0));
            // Without a window manager, the keyboard focus must be set explicitly.
            run_xdotool(&["search", "--sync", "--name", TITLE, "windowfocus", "--sync"]);
            let only = std::env::var(FILTER_VARIABLE).unwrap_or_default();
            let wanted = tests.iter().filter(|(name, _)| name.contains(&only));
            let failed = wanted.filter(|test| !screen.passes(test)).count();
            sender.send(failed).expect("somebody waits");
            screen.ctx.send_viewport_cmd(egui::ViewportCommand::Close);
            screen.ctx.request_repaint();
        });
        let probe = Probe::default();
        probe.request_hash();
        Ok(Box::new(ObservedApp { app: App::new(probe.clone())?, probe, seen }) as _)
    };
    eframe::run_native("headwater-playground", options, Box::new(create)).expect("a window");
    outcome.recv_timeout(TIMEOUT).expect("the tests came to an end")
}

/// Runs `xdotool` with the given arguments.
fn run_xdotool(arguments: &[&str]) {
    let done = Command::new("xdotool").args(arguments).status().expect("xdotool (Debian: xdotool)");
    assert!(done.success(), "xdotool {arguments:?}: {done}");
}

impl Screen {
    fn passes(&self, (name, test): &WindowTest) -> bool {
        let frames = || self.seen.get()["frames"].as_u64().unwrap_or_default();
        let (begun, before) = (Instant::now(), frames());
        let passed = catch_unwind(AssertUnwindSafe(|| test(self))).is_ok();
        let word = if passed { "ok" } else { "FAILED" };
        let (seconds, drawn) = (begun.elapsed().as_secs_f64(), frames() - before);
        println!("{name} ({seconds:.1} s, {drawn} frames): {word}");
        passed
    }

    /// Waits for a frame that is drawn after this call, and returns its status.
    pub(crate) fn next_status(&self) -> Value {
        let frames = |status: &Value| status["frames"].as_u64().unwrap_or_default();
        let (before, begun) = (frames(&self.seen.get()), Instant::now());
        loop {
            // An idle playground draws only on input.
            self.ctx.request_repaint();
            let status = self.seen.get();
            if frames(&status) > before + 1 {
                return status;
            }
            assert!(begun.elapsed() < TIMEOUT, "no frame is drawn any more");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until `test` returns true for the status, and returns the status. `expectation`
    /// describes the expectation in the error message.
    pub(crate) fn wait_until(&self, expectation: &str, test: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let status = self.next_status();
            if test(&status) {
                return status;
            }
            assert!(
                begun.elapsed() < TIMEOUT,
                "did not happen: {expectation}; last status: {status}"
            );
        }
    }

    pub(crate) fn hash(&self) -> String {
        self.next_status()["hash"].as_str().expect("hashes are status").to_owned()
    }

    /// Returns left, top, width and height of a widget (pixels); `None` if the widget is not
    /// visible.
    pub(crate) fn rect(&self, name: &str) -> Option<[f64; 4]> {
        serde_json::from_value(self.seen.get()["rects"][name].clone()).ok()
    }

    pub(crate) fn names(&self, prefix: &str) -> Vec<String> {
        let status = self.seen.get();
        let rects = status["rects"].as_object().expect("a table of widgets");
        rects.keys().filter(|name| name.starts_with(prefix)).cloned().collect()
    }

    /// Reduces the number of pixels per point, for tests without screenshots.
    pub(crate) fn reduce_pixel_density(&self) {
        self.ctx.set_zoom_factor(COARSE_PIXELS_PER_POINT);
        self.ctx.send_viewport_cmd(egui::ViewportCommand::InnerSize(SIZE.into()));
        let size = || self.ctx.content_rect().size();
        self.wait_until("the window is smaller", |_| {
            (size() - egui::Vec2::from(SIZE)).abs().max_elem() < 1.0
        });
        self.next_status();
    }

    /// Returns the current number of pixels per point.
    pub(crate) fn pixels_per_point(&self) -> f64 {
        f64::from(self.ctx.pixels_per_point())
    }

    /// Moves the mouse to a pixel and waits until the playground has processed this and all earlier
    /// events.
    pub(crate) fn move_mouse(&self, at: [f64; 2]) {
        let at = at.map(|part| part.round().max(0.0));
        let [x, y] = at.map(|part| (part as u32).to_string());
        run_xdotool(&["mousemove", &x, &y]);
        let size = self.ctx.content_rect().size() * self.ctx.pixels_per_point();
        if at[0] >= f64::from(size.x) || at[1] >= f64::from(size.y) {
            return;
        }
        let begun = Instant::now();
        let there = |pointer: egui::Pos2| {
            let pointer =
                [pointer.x, pointer.y].map(|part| f64::from(part) * self.pixels_per_point());
            (0..2).all(|k| (pointer[k] - at[k]).abs() < 1.5)
        };
        while !self.ctx.input(|input| input.pointer.latest_pos()).is_some_and(there) {
            assert!(begun.elapsed() < TIMEOUT, "the mouse is not seen at {at:?}");
            self.next_status();
        }
    }

    /// Presses or releases a mouse button with `xdotool`. `action` is `mousedown` or `mouseup`. The
    /// button is 1 (left), 2 (middle), 3 (right), 4 (wheel up) or 5 (wheel down).
    pub(crate) fn send_mouse_button(&self, action: &str, button: u32) {
        run_xdotool(&[action, &button.to_string()]);
    }

    /// Presses a key, given by its X name.
    pub(crate) fn press_key(&self, name: &str) {
        run_xdotool(&["key", name]);
    }

    pub(crate) fn click(&self, name: &str) -> Value {
        let rect = self.rect(name);
        let [left, top, width, height] = rect.unwrap_or_else(|| panic!("there is no {name}"));
        self.move_mouse([left + 0.5 * width, top + 0.5 * height]);
        self.next_status();
        self.send_mouse_button("click", 1);
        self.next_status()
    }

    /// Draws a stroke over the canvas from one position to another. Positions are fractions of the
    /// canvas size.
    pub(crate) fn draw_stroke(&self, from: [f64; 2], to: [f64; 2]) {
        let [left, top, width, height] = self.rect("canvas").expect("a canvas");
        let at = |part: f64| {
            let [x, y] = [0, 1].map(|k| from[k] + part * (to[k] - from[k]));
            [left + x * width, top + y * height]
        };
        self.move_mouse(at(0.0));
        self.next_status();
        self.send_mouse_button("mousedown", 1);
        for part in [0.0, 0.5, 1.0] {
            self.move_mouse(at(part));
            self.next_status();
        }
        self.send_mouse_button("mouseup", 1);
        self.next_status();
    }

    pub(crate) fn switch_tab(&self, tab: &str) -> Value {
        self.click(&format!("tab.{tab}"));
        self.wait_until(&format!("the tab {tab} opens"), |status| status["tab"] == tab)
    }

    pub(crate) fn set_running(&self, on: bool) {
        if self.next_status()["running"] != on {
            self.click("button.run");
            self.wait_until("running or pausing", |status| status["running"] == on);
        }
    }

    pub(crate) fn take_screenshot(&self) -> Arc<egui::ColorImage> {
        let (sender, receiver) = channel();
        let took = move |picture| {
            // The receiver is gone after a timeout.
            let _ = sender.send(picture);
        };
        let callback = egui::ScreenshotCallback::new(took);
        self.ctx.send_viewport_cmd(egui::ViewportCommand::Screenshot(callback));
        let begun = Instant::now();
        loop {
            // The screenshot arrives when a later frame is drawn.
            self.next_status();
            if let Ok(picture) = receiver.try_recv() {
                return picture;
            }
            assert!(begun.elapsed() < TIMEOUT, "there is no picture of the window");
        }
    }
}
