//! An animation of what is to be seen in the next seconds: on a page by the browser, from a window as a GIF.

use super::App;
use super::recording::Recording;
use eframe::egui;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::{Arc, PoisonError};
use web_time::Instant;

/// How long it is (s).
const SECONDS: f64 = 6.0;

/// Between two pictures of a window (s).
#[cfg(not(target_arch = "wasm32"))]
const APART: f64 = 0.12;

impl App {
    /// Begins an animation.
    pub(super) fn record(&mut self, ctx: &egui::Context) {
        self.notice = None;
        self.recording = Some(Recording {
            begun: Instant::now(),
            #[cfg(not(target_arch = "wasm32"))]
            pictures: Arc::default(),
            #[cfg(not(target_arch = "wasm32"))]
            asked: 0,
        });
        #[cfg(target_arch = "wasm32")]
        self.files.record(&self.stage.name, SECONDS, ctx);
        ctx.request_repaint();
    }

    /// Goes on with an animation, if one is being made.
    pub(super) fn go_on_recording(&mut self, ctx: &egui::Context) {
        let Some(recording) = &mut self.recording else { return };
        let gone = recording.begun.elapsed().as_secs_f64();
        ctx.request_repaint();
        #[cfg(not(target_arch = "wasm32"))]
        {
            if gone >= APART * recording.asked as f64 && gone < SECONDS {
                let pictures = recording.pictures.clone();
                let took = move |picture: Arc<egui::ColorImage>| {
                    pictures.lock().unwrap_or_else(PoisonError::into_inner).push(picture);
                };
                let callback = egui::ScreenshotCallback::new(took);
                ctx.send_viewport_cmd(egui::ViewportCommand::Screenshot(callback));
                recording.asked = (gone / APART) as usize + 1;
            }
        }
        if gone < SECONDS + 0.3 {
            return;
        }
        #[cfg(not(target_arch = "wasm32"))]
        {
            let pictures =
                recording.pictures.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let delay = SECONDS / pictures.len().max(1) as f64;
            let name = format!("{}.gif", self.stage.name);
            self.files.offer_animation(&name, self.canvas_of(&pictures, ctx), delay, ctx);
        }
        self.recording = None;
    }

    /// The part of pictures of the window that shows the world.
    #[cfg(not(target_arch = "wasm32"))]
    fn canvas_of(
        &self,
        pictures: &[Arc<egui::ColorImage>],
        ctx: &egui::Context,
    ) -> Vec<Arc<egui::ColorImage>> {
        let rect = self.probe.place_of("canvas");
        let cut = |picture: &Arc<egui::ColorImage>| match rect {
            Some(rect) => Arc::new(picture.region(&rect, Some(ctx.pixels_per_point()))),
            None => picture.clone(),
        };
        let first = pictures.first().map(|picture| picture.size);
        // A window that was made larger on the way ends it.
        let alike = pictures.iter().take_while(|picture| Some(picture.size) == first);
        alike.map(cut).collect()
    }
}
