//! The bar at the top: a tab for each model, the file menu, what the program looks like.

use super::App;
use super::files::Wish;
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
            let tab = ui.selectable_label(app.tab == model.name, model.title).on_hover_text(tip);
            app.probe.rect(format!("tab.{}", model.name), tab.rect);
            if tab.clicked() {
                app.turn_to(model.name);
            }
        }
        ui.separator();
        file_menu(ui, app);
        let probe = app.probe.clone();
        if button(
            ui,
            &probe,
            "button.undo",
            "Undo",
            "Undo the last stroke (Ctrl+Z)",
            app.stage.can_undo_redo().0,
        ) {
            app.stage.undo();
        }
        if button(
            ui,
            &probe,
            "button.redo",
            "Redo",
            "Do it again (Ctrl+Y)",
            app.stage.can_undo_redo().1,
        ) {
            app.stage.redo();
        }
        #[cfg(not(target_arch = "wasm32"))]
        {
            ui.separator();
            app.compute.show(ui, &app.stage, &app.probe);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if button(ui, &probe, "button.help", "?", "Keys and gestures (F1)", true) {
                app.help = !app.help;
            }
            let dark = ui.visuals().dark_mode;
            let (sign, tip) =
                if dark { ("Light", "Light colours") } else { ("Dark", "Dark colours") };
            if button(ui, &probe, "button.theme", sign, tip, true) {
                ui.ctx().set_theme(if dark { egui::Theme::Light } else { egui::Theme::Dark });
            }
            panel_switch(
                ui,
                &probe,
                "button.inspector",
                "Inspector",
                "Parameters, gauges, values",
                &mut app.panels.inspector,
            );
            panel_switch(
                ui,
                &probe,
                "button.shelf",
                "Shelf",
                "Scenes and tools",
                &mut app.panels.shelf,
            );
        });
    });
}

fn panel_switch(
    ui: &mut egui::Ui,
    probe: &Probe,
    name: &str,
    sign: &str,
    tip: &str,
    open: &mut bool,
) {
    let switch = ui.selectable_label(*open, sign).on_hover_text(tip);
    probe.rect(name, switch.rect);
    if switch.clicked() {
        *open = !*open;
    }
}

fn file_menu(ui: &mut egui::Ui, app: &mut App) {
    let menu = ui.menu_button("File", |ui| {
        for wish in Wish::ALL {
            let entry = ui.button(wish.label()).on_hover_text(wish.about());
            app.probe.rect(format!("file.{}", wish.name()), entry.rect);
            if entry.clicked() {
                app.wish(wish, ui.ctx());
                ui.close();
            }
        }
    });
    app.probe.rect("menu.file", menu.response.rect);
}

/// A button with a tip, named for tests; true if it was clicked.
pub(super) fn button(
    ui: &mut egui::Ui,
    probe: &Probe,
    name: &str,
    label: &str,
    tip: &str,
    enabled: bool,
) -> bool {
    let button = ui.add_enabled(enabled, egui::Button::new(label)).on_hover_text(tip);
    probe.rect(name, button.rect);
    button.clicked()
}
