//! Sharing of worlds as links, and opening of links.

use super::App;
use super::share::{LONGEST, Parcel};
use super::stage::Stage;
use eframe::egui;
use web_time::Instant;

/// Stepping time per frame during a replay (s).
const REPLAY: f64 = 0.1;

impl App {
    pub(super) fn share(&mut self, ctx: &egui::Context) {
        let Some(recipe) = self.stage.recipe() else {
            return self
                .complain("A link cannot hold files or states: save the state instead.".into());
        };
        let (playing, speed) = (self.stage.playing, Some(self.stage.pace.speed));
        let fragment = Parcel { recipe, eye: self.canvas.eye(), playing, speed }.fragment();
        if fragment.len() > LONGEST {
            return self.complain("So much was done to this world that no link can hold it: save the scene instead, and send that.".into());
        }
        #[cfg(target_arch = "wasm32")]
        let fragment = crate::host::address(&fragment);
        ctx.copy_text(fragment);
        self.say("A link to this world, as it is now, is ready to be pasted.");
    }

    /// Opens the world of a link, given the fragment of the address. Other fragments are ignored.
    pub fn open_link(&mut self, fragment: &str) {
        let parcel = match Parcel::of_fragment(fragment) {
            None => return,
            Some(Ok(parcel)) => parcel,
            Some(Err(problem)) => return self.complain(problem),
        };
        match Stage::of_recipe(&parcel.recipe) {
            Ok(mut stage) => {
                stage.playing = false;
                self.when_here(move |app| {
                    app.put_on_now(stage);
                    app.canvas.change(parcel.eye);
                    app.notice = None;
                    app.replay = Some(parcel);
                });
            }
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Replays the history of a shared world for a part of a frame.
    pub(super) fn replay(&mut self, ctx: &egui::Context) {
        let Some(parcel) = &self.replay else { return };
        let begun = Instant::now();
        let enough = &mut || begun.elapsed().as_secs_f64() > REPLAY;
        match self.stage.follow(&parcel.recipe, enough) {
            Ok(true) => {
                let (now, goal) = (self.stage.live.simulation().steps(), parcel.recipe.steps());
                let share = 100 * now / goal.max(1);
                self.say(format!("Doing again what was done to this world: {share} %"));
                ctx.request_repaint();
            }
            Ok(false) => {
                self.stage.arrive(parcel.playing, parcel.speed);
                (self.replay, self.notice) = (None, None);
            }
            Err(problem) => {
                self.replay = None;
                self.complain(format!("It cannot be done again on this machine: {problem}"));
            }
        }
    }
}
