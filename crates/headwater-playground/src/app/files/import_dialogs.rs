//! Dialogs that are shown before a world is opened: settings of a heightmap, and confirmation of a
//! large world.

use super::import::ImportOutcome;
use crate::app::App;
use crate::app::panels::numbers;
use crate::app::world::large_world::{LargeWorld, OpenRequest};
use crate::app::world::world_view::WorldView;
use eframe::egui;

/// Estimated memory per cell of a displayed world, without undo history (bytes).
const BYTES_PER_CELL: f64 = 150.0;

impl App {
    /// Shows the heightmap dialog if an import is in progress. Opens the world when the user
    /// accepts.
    pub(in crate::app) fn show_import_dialog(&mut self, ctx: &egui::Context) {
        let Some(import) = &mut self.import else { return };
        match import.show(ctx, &self.probe) {
            ImportOutcome::Waits => {}
            ImportOutcome::Cancelled => self.import = None,
            ImportOutcome::Made(land) => match WorldView::from_heightmap(&land) {
                Ok(world_view) => {
                    self.import = None;
                    self.run_when_available(move |app| {
                        app.open_world_now(world_view);
                        let notices = app.world_view.live.simulation().notices();
                        if !notices.is_empty() {
                            app.warn(notices.join("\n"));
                        }
                    });
                }
                Err(error) => self.report_error(error.to_string()),
            },
        }
    }

    /// Shows the confirmation dialog if a large world waits for confirmation.
    pub(in crate::app) fn show_size_dialog(&mut self, ctx: &egui::Context) {
        let Some(large) = &self.large else { return };
        let (mut opens, mut closes) = (false, false);
        egui::Window::new("A large world")
            .collapsible(false)
            .resizable(false)
            .pivot(egui::Align2::CENTER_CENTER)
            .default_pos(ctx.content_rect().center())
            .show(ctx, |ui| {
                ui.set_max_width(340.0);
                let cells = numbers::format_amount(large.cells as f64, "cells");
                let gigabytes = numbers::format_short(large.cells as f64 * BYTES_PER_CELL / 1e9);
                ui.label(format!("{} has {cells}. It needs about {gigabytes} GB of memory, takes a while to open and runs slowly.", large.name));
                ui.horizontal(|ui| {
                    let open = ui.button("Open anyway");
                    opens = self.probe.record_widget("large.open", open).clicked();
                    let cancel = ui.button("Cancel");
                    closes = self.probe.record_widget("large.cancel", cancel).clicked();
                });
            });
        if (opens || closes)
            && let Some(LargeWorld { name, request, .. }) = self.large.take()
            && opens
        {
            match request {
                OpenRequest::Scene(text, folder) => self.open_now(&name, &text, folder.as_deref()),
                OpenRequest::Side(side) => self.resize_now(side),
            }
        }
    }
}
