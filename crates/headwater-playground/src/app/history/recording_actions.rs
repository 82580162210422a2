//! Recording of the last seconds of play as an animation. The world returns to a snapshot, then
//! repeats the same steps and edits with the same camera. A web page records WebM with the browser;
//! a desktop window writes a GIF.

use super::recording::Recording;
use crate::app::App;
use eframe::egui;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, PoisonError};
use web_time::Instant;

/// Longest duration of a recording (s).
const MAX_LENGTH: f64 = 6.0;

/// Frame interval of a desktop recording (s). The GIF plays at the speed of the original play.
#[cfg(not(target_arch = "wasm32"))]
const PICTURE_INTERVAL: f64 = 0.1;

/// Longest time (s) per displayed frame that may be spent on simulation steps during the replay.
const REPLAY_STEP_TIME: f64 = 0.05;

/// Duration (s) that covers late pictures. Desktop program: longest time to wait for missing
/// screenshots after the last request. Browser: time by which the recording is longer than the
/// replay, so that it includes the last frame.
const PICTURE_TIMEOUT: f64 = if cfg!(target_arch = "wasm32") { 0.1 } else { 1.0 };

impl App {
    pub(in crate::app) fn record(&mut self, ctx: &egui::Context) {
        self.notice = None;
        if self.comparison.is_some() {
            self.notify("An animation shows one world: end the comparison first.");
            return;
        }
        let Some((moment, samples)) = self.world_view.recent_history(MAX_LENGTH) else {
            self.notify(
                "There is nothing to record yet: let the world run for some seconds first.",
            );
            return;
        };
        let present = match self.world_view.live.save_state() {
            Ok(present) => present,
            Err(error) => return self.report_error(error.to_string()),
        };
        let edit_log = self.world_view.live.edit_log();
        if let Err(problem) = self.world_view.restore_snapshot(&moment) {
            return self.report_error(problem);
        }
        self.recording = Some(Recording {
            present,
            edit_log,
            camera_state: self.canvas.camera_state(),
            playing: std::mem::replace(&mut self.world_view.playing, false),
            samples,
            recorded_seconds: None,
            is_cancelled: false,
            wait_start: Instant::now(),
            #[cfg(not(target_arch = "wasm32"))]
            pictures: Arc::default(),
            #[cfg(not(target_arch = "wasm32"))]
            requested: 0,
        });
        self.world_view.is_replayed = true;
        ctx.request_repaint();
    }

    pub(in crate::app) fn continue_recording(&mut self, ctx: &egui::Context) {
        let Some(recording) = &mut self.recording else { return };
        ctx.request_repaint();
        if recording.is_cancelled {
            return self.return_to_present();
        }
        let (length, recorded_seconds) =
            (recording.length(), recording.recorded_seconds.unwrap_or(0.0));
        if recorded_seconds > length {
            return self.end_recording(ctx);
        }
        let Some(sample) = recording.sample_at(recorded_seconds) else { return };
        let begun = Instant::now();
        let enough = &mut || begun.elapsed().as_secs_f64() > REPLAY_STEP_TIME;
        let result =
            recording.edit_log.replay_until(&mut self.world_view.live, sample.clock, enough);
        self.world_view.edits += 1;
        if let Some(camera_state) = sample.camera_state {
            self.canvas.set_camera(camera_state);
        }
        if let Err(error) = result {
            self.return_to_present();
            return self.report_error(error.to_string());
        }
        if self.world_view.has_reached(sample.clock) {
            self.capture_frame(ctx);
        }
    }

    /// Requests a screenshot of this frame. Before the call, the caller must set the world's
    /// simulated time and the camera to those of the frame.
    #[cfg(not(target_arch = "wasm32"))]
    fn capture_frame(&mut self, ctx: &egui::Context) {
        let Some(recording) = &mut self.recording else { return };
        let pictures = recording.pictures.clone();
        let took = move |picture: Arc<egui::ColorImage>| {
            pictures.lock().unwrap_or_else(PoisonError::into_inner).push(picture);
        };
        let callback = egui::ScreenshotCallback::new(took);
        ctx.send_viewport_cmd(egui::ViewportCommand::Screenshot(callback));
        recording.requested += 1;
        recording.recorded_seconds = Some(PICTURE_INTERVAL * recording.requested as f64);
        recording.wait_start = Instant::now();
        self.world_view.play_seconds = PICTURE_INTERVAL;
    }

    /// Starts or continues the browser's recording. Before the call, the caller must set the
    /// world's simulated time and the camera to those of the frame.
    #[cfg(target_arch = "wasm32")]
    fn capture_frame(&mut self, ctx: &egui::Context) {
        let Some(recording) = &mut self.recording else { return };
        let before = recording.recorded_seconds.unwrap_or(0.0);
        if recording.recorded_seconds.is_none() {
            self.files.record(&self.world_view.name, recording.length() + PICTURE_TIMEOUT, ctx);
            recording.wait_start = Instant::now();
        }
        let now = recording.wait_start.elapsed().as_secs_f64();
        recording.recorded_seconds = Some(now);
        self.world_view.play_seconds = now - before;
    }

    /// Ends the recording and returns to the present, once all pictures have arrived.
    fn end_recording(&mut self, ctx: &egui::Context) {
        let Some(recording) = &self.recording else { return };
        let waited = recording.wait_start.elapsed().as_secs_f64();
        #[cfg(not(target_arch = "wasm32"))]
        {
            let pictures =
                recording.pictures.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if pictures.len() < recording.requested && waited < PICTURE_TIMEOUT {
                return;
            }
            if pictures.is_empty() {
                self.report_error("No animation: the window provides no screenshots.".into());
            } else {
                let name = format!("{}.gif", self.world_view.name);
                self.files.save_animation(
                    &name,
                    self.crop_to_canvas(&pictures, ctx),
                    PICTURE_INTERVAL,
                    ctx,
                );
            }
        }
        #[cfg(target_arch = "wasm32")]
        let _ = ctx;
        #[cfg(target_arch = "wasm32")]
        if waited < recording.length() + 2.0 * PICTURE_TIMEOUT {
            return;
        }
        self.return_to_present();
    }

    /// Restores the state that the world had before the recording.
    fn return_to_present(&mut self) {
        if !self.world_view.live.read_back() {
            return;
        }
        let Some(recording) = self.recording.take() else { return };
        if let Err(problem) = self.world_view.restore_snapshot(&recording.present) {
            self.report_error(problem);
        }
        (self.world_view.is_replayed, self.world_view.playing) = (false, recording.playing);
        if let Some(camera_state) = recording.camera_state {
            self.canvas.set_camera(camera_state);
        }
    }

    /// Crops screenshots of the window to the canvas.
    #[cfg(not(target_arch = "wasm32"))]
    fn crop_to_canvas(
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
        // The animation ends where the window was resized.
        let alike = pictures.iter().take_while(|picture| Some(picture.size) == first);
        alike.map(cut).collect()
    }
}
