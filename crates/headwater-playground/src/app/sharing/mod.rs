//! Sharing of the displayed world as a link, and opening of such links.

pub(super) mod autosave;
pub(super) mod saved_world;
pub(super) mod shared_world;

use super::App;
use super::world::world_view::WorldView;
use eframe::egui;
use shared_world::{MAX_LINK_LENGTH, SharedWorld};
use web_time::Instant;

/// Time per frame (s) that may be spent on steps while a shared world is replayed.
const REPLAY_STEP_TIME: f64 = 0.1;

impl App {
    pub(super) fn share(&mut self, ctx: &egui::Context) {
        let Some(edit_log) = self.world_view.edit_log() else {
            return self.report_error(
                "A link cannot contain files or restored states. Save the state instead.".into(),
            );
        };
        let (playing, speed) = (self.world_view.playing, Some(self.world_view.pace.speed));
        let fragment =
            SharedWorld { edit_log, camera_state: self.canvas.camera_state(), playing, speed }
                .fragment();
        if fragment.len() > MAX_LINK_LENGTH {
            return self.report_error("The history of this world is too long for a link. Save the scene and send the file instead.".into());
        }
        #[cfg(target_arch = "wasm32")]
        let fragment = crate::host::address(&fragment);
        ctx.copy_text(fragment);
        self.notify("A link to the current state of this world was copied to the clipboard.");
    }

    /// Opens the world of a link, given the fragment of its address. Ignores fragments that are not
    /// links to worlds.
    pub fn open_link(&mut self, fragment: &str) {
        let shared_world = match SharedWorld::from_fragment(fragment) {
            None => return,
            Some(Ok(shared_world)) => shared_world,
            Some(Err(problem)) => return self.report_error(problem),
        };
        match WorldView::from_edit_log(&shared_world.edit_log) {
            Ok(mut world_view) => {
                world_view.playing = false;
                self.run_when_available(move |app| {
                    app.open_world_now(world_view);
                    app.canvas.switch_world(shared_world.camera_state);
                    app.notice = None;
                    app.replay = Some(shared_world);
                });
            }
            Err(error) => self.report_error(error.to_string()),
        }
    }

    /// Continues the replay of a shared world's edit log for a part of this frame.
    pub(super) fn replay(&mut self, ctx: &egui::Context) {
        let Some(shared_world) = &self.replay else { return };
        let begun = Instant::now();
        let enough = &mut || begun.elapsed().as_secs_f64() > REPLAY_STEP_TIME;
        match self.world_view.replay_edits(&shared_world.edit_log, enough) {
            Ok(true) => {
                let (now, goal) =
                    (self.world_view.live.simulation().steps(), shared_world.edit_log.steps());
                let share = 100 * now / goal.max(1);
                self.notify(format!("Replaying the history of this world: {share} %"));
                ctx.request_repaint();
            }
            Ok(false) => {
                self.world_view.finish_loading(shared_world.playing, shared_world.speed);
                (self.replay, self.notice) = (None, None);
            }
            Err(problem) => {
                self.replay = None;
                self.report_error(format!(
                    "The history cannot be replayed on this machine: {problem}"
                ));
            }
        }
    }
}
