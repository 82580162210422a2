//! The bar at the top: a tab for each model, the file menu, what the program looks like.

use super::App;
use super::files::{Entry, Wish};
use super::state::Panels;
use crate::status::Probe;
use eframe::egui;
use headwater_scene::MODELS;

/// Draws the bar.
pub(super) fn show(ui: &mut egui::Ui, app: &mut App) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding = egui::vec2(10.0, 5.0);
        ui.label(egui::RichText::new("Headwater").strong().size(17.0));
        ui.separator();
        for (number, model) in MODELS.iter().enumerate() {
            let tip = format!("{} (key {})", model.about, number + 1);
            let tab = ui.selectable_label(app.tab == model.name, model.title);
            let tab = app.probe.named(format!("tab.{}", model.name), tab);
            if tab.on_hover_text(tip).clicked() {
                app.turn_to(model.name);
            }
        }
        ui.separator();
        file_menu(ui, app);
        let probe = app.probe.clone();
        let (can_undo, can_redo) = app.stage.can_undo_redo();
        if button(ui, &probe, "undo", "Undo", "Undo the last stroke (Ctrl+Z)", can_undo) {
            app.stage.undo();
        }
        if button(ui, &probe, "redo", "Redo", "Do it again (Ctrl+Y)", can_redo) {
            app.stage.redo();
        }
        #[cfg(not(target_arch = "wasm32"))]
        {
            ui.separator();
            app.compute.show(ui, &app.stage, &app.probe);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            app.help ^= button(ui, &probe, "help", "?", "Keys and gestures (F1)", true);
            let dark = ui.visuals().dark_mode;
            let (sign, tip) =
                if dark { ("Light", "Light colours") } else { ("Dark", "Dark colours") };
            if button(ui, &probe, "theme", sign, tip, true) {
                ui.ctx().set_theme(if dark { egui::Theme::Light } else { egui::Theme::Dark });
            }
            let Panels { shelf, inspector } = &mut app.panels;
            let switch = ui.toggle_value(inspector, "Inspector");
            probe.named("button.inspector", switch).on_hover_text("Parameters, gauges, values");
            let switch = ui.toggle_value(shelf, "Shelf");
            probe.named("button.shelf", switch).on_hover_text("Scenes and tools");
        });
    });
}

fn file_menu(ui: &mut egui::Ui, app: &mut App) {
    let menu = ui.menu_button("File", |ui| {
        for wish in Wish::ALL {
            let Entry { name, label, about, .. } = wish.entry();
            let entry = app.probe.named(format!("file.{name}"), ui.button(label));
            if entry.on_hover_text(about).clicked() {
                app.wish(wish, ui.ctx());
                ui.close();
            }
        }
    });
    app.probe.rect("menu.file", menu.response.rect);
}

/// A button with a tip, for tests `button.` and its name; true if it was clicked.
pub(super) fn button(
    ui: &mut egui::Ui,
    probe: &Probe,
    name: &str,
    label: &str,
    tip: &str,
    enabled: bool,
) -> bool {
    let button =
        probe.named(format!("button.{name}"), ui.add_enabled(enabled, egui::Button::new(label)));
    button.on_hover_text(tip).clicked()
}
