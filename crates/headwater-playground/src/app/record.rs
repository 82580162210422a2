//! Recording of the last seconds as an animation. The world returns to a snapshot and repeats the
//! same steps and edits with the same camera. A page records WebM with the browser, a window writes
//! a GIF.

use super::App;
use super::recording::Recording;
use eframe::egui;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, PoisonError};
use web_time::Instant;

/// Longest recording (s).
const SECONDS: f64 = 6.0;

/// Interval between pictures of a window (s).
#[cfg(not(target_arch = "wasm32"))]
const APART: f64 = 0.1;

/// Stepping time per frame during the replay (s).
const REPLAY: f64 = 0.05;

/// Timeout for missing pictures, or time for the browser to record the last one (s).
const WAIT: f64 = if cfg!(target_arch = "wasm32") { 0.1 } else { 1.0 };

impl App {
    pub(super) fn record(&mut self, ctx: &egui::Context) {
        self.notice = None;
        if self.beside.is_some() {
            self.say("An animation shows one world: end the comparison first.");
            return;
        }
        let Some((moment, seen)) = self.stage.past(SECONDS) else {
            self.say("There is nothing to record yet: let the world run for some seconds first.");
            return;
        };
        let present = match self.stage.live.save_state() {
            Ok(present) => present,
            Err(error) => return self.complain(error.to_string()),
        };
        let recipe = self.stage.live.edit_log();
        if let Err(problem) = self.stage.visit(&moment) {
            return self.complain(problem);
        }
        self.recording = Some(Recording {
            present,
            recipe,
            eye: self.canvas.eye(),
            playing: std::mem::replace(&mut self.stage.playing, false),
            seen,
            shown: None,
            is_cancelled: false,
            since: Instant::now(),
            #[cfg(not(target_arch = "wasm32"))]
            pictures: Arc::default(),
            #[cfg(not(target_arch = "wasm32"))]
            asked: 0,
        });
        self.stage.is_replayed = true;
        ctx.request_repaint();
    }

    pub(super) fn go_on_recording(&mut self, ctx: &egui::Context) {
        let Some(recording) = &mut self.recording else { return };
        ctx.request_repaint();
        if recording.is_cancelled {
            return self.return_to_present();
        }
        let (length, shown) = (recording.length(), recording.shown.unwrap_or(0.0));
        if shown > length {
            return self.end_recording(ctx);
        }
        let Some(seen) = recording.seen_at(shown) else { return };
        let begun = Instant::now();
        let enough = &mut || begun.elapsed().as_secs_f64() > REPLAY;
        let gone = recording.recipe.replay_until(&mut self.stage.live, seen.clock, enough);
        self.stage.edits += 1;
        if let Some(eye) = seen.eye {
            self.canvas.look_from(eye);
        }
        if let Err(error) = gone {
            self.return_to_present();
            return self.complain(error.to_string());
        }
        if self.stage.is_at(seen.clock) {
            self.show_recorded(ctx);
        }
    }

    /// Requests a picture of this frame, which shows the next sample.
    #[cfg(not(target_arch = "wasm32"))]
    fn show_recorded(&mut self, ctx: &egui::Context) {
        let Some(recording) = &mut self.recording else { return };
        let pictures = recording.pictures.clone();
        let took = move |picture: Arc<egui::ColorImage>| {
            pictures.lock().unwrap_or_else(PoisonError::into_inner).push(picture);
        };
        let callback = egui::ScreenshotCallback::new(took);
        ctx.send_viewport_cmd(egui::ViewportCommand::Screenshot(callback));
        recording.asked += 1;
        recording.shown = Some(APART * recording.asked as f64);
        recording.since = Instant::now();
        self.stage.passed = APART;
    }

    /// Starts or continues the browser's recording; this frame shows the next sample.
    #[cfg(target_arch = "wasm32")]
    fn show_recorded(&mut self, ctx: &egui::Context) {
        let Some(recording) = &mut self.recording else { return };
        let before = recording.shown.unwrap_or(0.0);
        if recording.shown.is_none() {
            self.files.record(&self.stage.name, recording.length() + WAIT, ctx);
            recording.since = Instant::now();
        }
        let now = recording.since.elapsed().as_secs_f64();
        recording.shown = Some(now);
        self.stage.passed = now - before;
    }

    /// Returns to the present once all pictures have arrived.
    fn end_recording(&mut self, ctx: &egui::Context) {
        let Some(recording) = &self.recording else { return };
        let waited = recording.since.elapsed().as_secs_f64();
        #[cfg(not(target_arch = "wasm32"))]
        {
            let pictures =
                recording.pictures.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if pictures.len() < recording.asked && waited < WAIT {
                return;
            }
            if pictures.is_empty() {
                self.complain("No animation: this window gives no pictures of itself.".into());
            } else {
                let name = format!("{}.gif", self.stage.name);
                self.files.offer_animation(&name, self.canvas_of(&pictures, ctx), APART, ctx);
            }
        }
        #[cfg(target_arch = "wasm32")]
        let _ = ctx;
        #[cfg(target_arch = "wasm32")]
        if waited < recording.length() + 2.0 * WAIT {
            return;
        }
        self.return_to_present();
    }

    /// Restores the world to its state before the recording.
    fn return_to_present(&mut self) {
        if !self.stage.live.read_back() {
            return;
        }
        let Some(recording) = self.recording.take() else { return };
        if let Err(problem) = self.stage.visit(&recording.present) {
            self.complain(problem);
        }
        (self.stage.is_replayed, self.stage.playing) = (false, recording.playing);
        if let Some(eye) = recording.eye {
            self.canvas.look_from(eye);
        }
    }

    /// Crops pictures of the window to the canvas.
    #[cfg(not(target_arch = "wasm32"))]
    fn canvas_of(
        &self,
        pictures: &[Arc<egui::ColorImage>],
        ctx: &egui::Context,
    ) -> Vec<Arc<egui::ColorImage>> {
        let rect = self.probe.rect_of("worlds");
        let cut = |picture: &Arc<egui::ColorImage>| match rect {
            Some(rect) => Arc::new(picture.region(&rect, Some(ctx.pixels_per_point()))),
            None => picture.clone(),
        };
        let first = pictures.first().map(|picture| picture.size);
        // The recording ends if the window is resized.
        let alike = pictures.iter().take_while(|picture| Some(picture.size) == first);
        alike.map(cut).collect()
    }
}
