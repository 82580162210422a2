//! Dialogs before a world is opened: heightmap settings and confirmation of large worlds.

use super::import::Answer;
use super::large::{Large, Opens};
use super::stage::Stage;
use super::{App, numbers};
use eframe::egui;

/// Memory per cell of a shown world, without undo (bytes).
const BYTES: f64 = 150.0;

impl App {
    /// Shows the heightmap dialog, if one is open, and opens its world.
    pub(super) fn ask_about_land(&mut self, ctx: &egui::Context) {
        let Some(import) = &mut self.import else { return };
        match import.show(ctx, &self.probe) {
            Answer::Waits => {}
            Answer::Cancelled => self.import = None,
            Answer::Made(land) => match Stage::of_land(&land) {
                Ok(stage) => {
                    self.import = None;
                    self.when_here(move |app| {
                        app.put_on_now(stage);
                        let notices = app.stage.live.simulation().notices();
                        if !notices.is_empty() {
                            app.warn(notices.join("\n"));
                        }
                    });
                }
                Err(error) => self.complain(error.to_string()),
            },
        }
    }

    /// Shows the confirmation dialog of a large world, if one is open.
    pub(super) fn ask_about_size(&mut self, ctx: &egui::Context) {
        let Some(large) = &self.large else { return };
        let (mut opens, mut closes) = (false, false);
        egui::Window::new("A large world")
            .collapsible(false)
            .resizable(false)
            .pivot(egui::Align2::CENTER_CENTER)
            .default_pos(ctx.content_rect().center())
            .show(ctx, |ui| {
                ui.set_max_width(340.0);
                let cells = numbers::amount(large.cells as f64, "cells");
                let gigabytes = numbers::short(large.cells as f64 * BYTES / 1e9);
                ui.label(format!("{} has {cells}. It takes about {gigabytes} GB of memory, a while to open, and goes slowly.", large.name));
                ui.horizontal(|ui| {
                    let open = ui.button("Open it all the same");
                    opens = self.probe.named("large.open", open).clicked();
                    let cancel = ui.button("Cancel");
                    closes = self.probe.named("large.cancel", cancel).clicked();
                });
            });
        if (opens || closes)
            && let Some(Large { name, opens: what, .. }) = self.large.take()
            && opens
        {
            match what {
                Opens::Scene(text, folder) => self.open_now(&name, &text, folder.as_deref()),
                Opens::Side(side) => self.resize_now(side),
            }
        }
    }
}
