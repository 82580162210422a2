//! Start, evaluation and display of challenges.

use super::challenge::{ALL, ActiveChallenge, Challenge, ChallengeState};
use crate::app::App;
use crate::app::panels::widgets::{self, Tip as _};
use crate::app::world::script::Script;
use crate::app::world::world_view::WorldView;
use eframe::egui::{self, vec2};
use headwater_scene::run::RunError;
use headwater_scene::{MODELS, library};

/// Height of the canvas (points) below which the description of the goal is collapsed.
const COLLAPSE_HEIGHT: f32 = 640.0;

impl WorldView {
    pub(in crate::app) fn from_challenge(challenge: &'static Challenge) -> Result<Self, RunError> {
        let known = library::find_scene(challenge.scene);
        let text = known.map_or(challenge.scene, |known| known.text);
        let mut script = Script::new(&format!("{text}{}", challenge.extra_text));
        for (key, value) in challenge.overrides {
            script.override_value(key, (*value).into());
        }
        let mut world_view = Self::from_script(challenge.name, script)?;
        world_view.pace.speed = challenge.speed;
        world_view.challenge = Some(ActiveChallenge::new(challenge, world_view.sea_cells()));
        Ok(world_view)
    }

    /// Restarts the running challenge with its initial world.
    pub(in crate::app) fn restart_challenge(&mut self, running: Option<&ActiveChallenge>) {
        self.challenge = running.map(|one| ActiveChallenge::new(one.challenge, self.sea_cells()));
    }

    pub(in crate::app) fn update_challenge(&mut self) {
        let Some(mut running) = self.challenge.take() else { return };
        let now = self.sea_cells();
        let gained = running.sea.iter().zip(&now).filter(|(then, now)| **then && !**now).count();
        running.update(self.live.clock(), self.live.readings(), gained as f64);
        self.challenge = Some(running);
    }

    pub(in crate::app) fn allows_tool(&self, tool: &str) -> bool {
        let free = |running: &ActiveChallenge| {
            running.state == ChallengeState::Done
                || !running.challenge.forbidden_tools.contains(&tool)
        };
        self.challenge.as_ref().is_none_or(free)
    }

    pub(in crate::app) fn allows_weather(&self) -> bool {
        let free = |running: &ActiveChallenge| {
            running.state == ChallengeState::Done || running.challenge.allows_weather
        };
        self.challenge.as_ref().is_none_or(free)
    }

    /// Returns, for each cell of a hydrology world, whether its ground is at or below sea level.
    /// The result is empty for other models.
    fn sea_cells(&self) -> Vec<bool> {
        let Some(land) = self.live.world().hydrology() else { return Vec::new() };
        let sea = land.params().sea as f32;
        let bed = land.layer("bed");
        bed.map_or_else(Vec::new, |bed| bed.as_slice().iter().map(|&z| z <= sea).collect())
    }
}

pub(in crate::app) fn show_challenge_list(ui: &mut egui::Ui, app: &mut App) {
    ui.weak("Challenges");
    show_challenge_entries(ui, app, "challenge", app.tab);
}

/// Draws a menu of all challenges. `name` identifies the menu for tests.
pub(in crate::app) fn show_challenge_menu(ui: &mut egui::Ui, app: &mut App, name: &str) {
    let (label, tip) = ("Challenges", "Goals that are measured by gauges of the world");
    let menu = widgets::menu(ui, label, |ui| {
        // Group the challenges by tab.
        for model in MODELS.iter().filter(|model| has_challenges(model.name)) {
            ui.weak(model.title);
            if show_challenge_entries(ui, app, "take-on", model.name) {
                ui.close();
            }
        }
    });
    app.probe.record_widget(name, menu).tip(tip);
}

/// Draws menu entries for the challenges of a model, and opens the chosen one. Returns true if one
/// was chosen.
fn show_challenge_entries(ui: &mut egui::Ui, app: &mut App, name: &str, model: &str) -> bool {
    let running = app.world_view.challenge.as_ref().map(|running| running.challenge.name);
    let mut chosen = None;
    for challenge in ALL.iter().filter(|one| one.model == model) {
        let Challenge { title, goal, .. } = *challenge;
        let entry = egui::Button::selectable(running == Some(challenge.name), title);
        let entry = ui.add(entry.min_size(vec2(0.0, app.panels.min_button_size().y)));
        let entry = app.probe.record_widget(format!("{name}.{}", challenge.name), entry);
        if entry.tip(goal).clicked() {
            chosen = Some(challenge);
        }
    }
    chosen.map(|challenge| app.open_world_or_report(WorldView::from_challenge(challenge))).is_some()
}

pub(in crate::app) fn has_challenges(model: &str) -> bool {
    ALL.iter().any(|one| one.model == model)
}

pub(in crate::app) fn show_challenge_banner(ui: &egui::Ui, rect: egui::Rect, app: &mut App) {
    let Some(running) = &app.world_view.challenge else { return };
    let Challenge { title, goal, time_limit, must_avoid, .. } = *running.challenge;
    let is_low = rect.height() < COLLAPSE_HEIGHT;
    let min_size = app.panels.min_button_size();
    let (mut closed, mut unfolded) = (false, false);
    let shown = egui::Area::new(egui::Id::unique("challenge"))
        .pivot(egui::Align2::CENTER_TOP)
        .fixed_pos(rect.center_top() + vec2(0.0, 8.0))
        .order(egui::Order::Middle)
        .show(ui.ctx(), |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_width((rect.width() * 0.9).min(420.0));
                ui.horizontal(|ui| {
                    ui.strong(title);
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        let leave = egui::Button::new("Leave it").min_size(min_size);
                        let close = app.probe.record_widget("challenge.close", ui.add(leave));
                        closed = close.tip("Continue without a goal").clicked();
                        if is_low && running.state == ChallengeState::On {
                            let more = egui::Button::selectable(running.is_goal_shown, "?");
                            let more = ui.add(more.min_size(min_size));
                            let more = app.probe.record_widget("challenge.goal", more);
                            unfolded = more.tip(goal).clicked();
                        }
                        match running.state {
                            ChallengeState::On if time_limit.is_finite() && !must_avoid => {
                                let left = (time_limit - app.world_view.live.clock()).max(0.0);
                                ui.weak(format!("{left:.0} s left"));
                            }
                            ChallengeState::On => {}
                            ChallengeState::Done => {
                                ui.colored_label(ui.visuals().hyperlink_color, "Done!");
                            }
                            ChallengeState::Lost => {
                                ui.colored_label(ui.visuals().warn_fg_color, "Lost");
                            }
                        }
                    });
                });
                let text = match running.state {
                    ChallengeState::On => goal,
                    ChallengeState::Done => "Done. Continue, or start another challenge.",
                    ChallengeState::Lost => "Lost. Begin again, or go back in time.",
                };
                if !is_low || running.is_goal_shown || running.state != ChallengeState::On {
                    ui.label(text);
                }
                ui.add(egui::ProgressBar::new(running.progress as f32).desired_height(8.0));
            });
        });
    app.probe.record_rect("challenge", shown.response.rect);
    if closed {
        app.world_view.challenge = None;
    } else if let Some(running) = &mut app.world_view.challenge {
        running.is_goal_shown ^= unfolded;
    }
}
