//! Starting, evaluating and displaying challenges.

use super::App;
use super::goals::{ALL, Challenge, Running, Stand};
use super::script::Script;
use super::stage::Stage;
use super::widgets::{self, Tip as _};
use eframe::egui::{self, vec2};
use headwater_scene::run::RunError;
use headwater_scene::{MODELS, library};

/// On lower canvases (points) the goal is folded.
const LOW: f32 = 640.0;

impl Stage {
    pub(super) fn of_challenge(challenge: &'static Challenge) -> Result<Self, RunError> {
        let known = library::scene(challenge.scene);
        let text = known.map_or(challenge.scene, |known| known.text);
        let mut script = Script::new(&format!("{text}{}", challenge.more));
        for (key, value) in challenge.keys {
            script.lay(key, (*value).into());
        }
        let mut stage = Self::begin(challenge.name, script)?;
        stage.pace.speed = challenge.speed;
        stage.challenge = Some(Running::new(challenge, stage.sea()));
        Ok(stage)
    }

    /// Restarts its challenge.
    pub(super) fn challenge_again(&mut self, running: Option<&Running>) {
        self.challenge = running.map(|one| Running::new(one.challenge, self.sea()));
    }

    pub(super) fn look_at_challenge(&mut self) {
        let Some(mut running) = self.challenge.take() else { return };
        let now = self.sea();
        let gained = running.sea.iter().zip(&now).filter(|(then, now)| **then && !**now).count();
        running.look(self.live.clock(), self.live.readings(), gained as f64);
        self.challenge = Some(running);
    }

    pub(super) fn allows(&self, tool: &str) -> bool {
        let free = |running: &Running| {
            running.stand == Stand::Done || !running.challenge.without.contains(&tool)
        };
        self.challenge.as_ref().is_none_or(free)
    }

    pub(super) fn allows_weather(&self) -> bool {
        let free = |running: &Running| running.stand == Stand::Done || running.challenge.weather;
        self.challenge.as_ref().is_none_or(free)
    }

    /// Returns the cells under the sea of a hydrology world.
    fn sea(&self) -> Vec<bool> {
        let Some(land) = self.live.world().hydrology() else { return Vec::new() };
        let sea = land.params().sea as f32;
        let bed = land.layer("bed");
        bed.map_or_else(Vec::new, |bed| bed.as_slice().iter().map(|&z| z <= sea).collect())
    }
}

pub(super) fn list(ui: &mut egui::Ui, app: &mut App) {
    ui.weak("Challenges");
    choose(ui, app, "challenge", app.tab);
}

/// Draws a menu of all challenges; `name` identifies it for tests.
pub(super) fn menu(ui: &mut egui::Ui, app: &mut App, name: &str) {
    let (label, tip) = ("Challenges", "Something to do, which the world's own gauges measure");
    let menu = widgets::menu(ui, label, |ui| {
        // Grouped by tab.
        for model in MODELS.iter().filter(|model| has_some(model.name)) {
            ui.weak(model.title);
            if choose(ui, app, "take-on", model.name) {
                ui.close();
            }
        }
    });
    app.probe.named(name, menu).tip(tip);
}

/// Draws the challenges of a model and opens the chosen one; returns true if one was chosen.
fn choose(ui: &mut egui::Ui, app: &mut App, name: &str, model: &str) -> bool {
    let running = app.stage.challenge.as_ref().map(|running| running.challenge.name);
    let mut chosen = None;
    for challenge in ALL.iter().filter(|one| one.model == model) {
        let Challenge { title, goal, .. } = *challenge;
        let entry = egui::Button::selectable(running == Some(challenge.name), title);
        let entry = ui.add(entry.min_size(vec2(0.0, app.panels.least().y)));
        let entry = app.probe.named(format!("{name}.{}", challenge.name), entry);
        if entry.tip(goal).clicked() {
            chosen = Some(challenge);
        }
    }
    chosen.map(|challenge| app.show(Stage::of_challenge(challenge))).is_some()
}

pub(super) fn has_some(model: &str) -> bool {
    ALL.iter().any(|one| one.model == model)
}

pub(super) fn banner(ui: &egui::Ui, rect: egui::Rect, app: &mut App) {
    let Some(running) = &app.stage.challenge else { return };
    let Challenge { title, goal, until, keeps, .. } = *running.challenge;
    let is_low = rect.height() < LOW;
    let least = app.panels.least();
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
                        let leave = egui::Button::new("Leave it").min_size(least);
                        let close = app.probe.named("challenge.close", ui.add(leave));
                        closed = close.tip("Plays on without a goal").clicked();
                        if is_low && running.stand == Stand::On {
                            let more = egui::Button::selectable(running.is_unfolded, "?");
                            let more = ui.add(more.min_size(least));
                            let more = app.probe.named("challenge.goal", more);
                            unfolded = more.tip(goal).clicked();
                        }
                        match running.stand {
                            Stand::On if until.is_finite() && !keeps => {
                                let left = (until - app.stage.live.clock()).max(0.0);
                                ui.weak(format!("{left:.0} s left"));
                            }
                            Stand::On => {}
                            Stand::Done => {
                                ui.colored_label(ui.visuals().hyperlink_color, "Done!");
                            }
                            Stand::Lost => {
                                ui.colored_label(ui.visuals().warn_fg_color, "Lost");
                            }
                        }
                    });
                });
                let says = match running.stand {
                    Stand::On => goal,
                    Stand::Done => "That is it. Go on playing, or take on another.",
                    Stand::Lost => "Not this time. Begin again, or go back in time.",
                };
                if !is_low || running.is_unfolded || running.stand != Stand::On {
                    ui.label(says);
                }
                ui.add(egui::ProgressBar::new(running.progress as f32).desired_height(8.0));
            });
        });
    app.probe.rect("challenge", shown.response.rect);
    if closed {
        app.stage.challenge = None;
    } else if let Some(running) = &mut app.stage.challenge {
        running.is_unfolded ^= unfolded;
    }
}
