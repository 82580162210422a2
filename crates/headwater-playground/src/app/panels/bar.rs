//! The bar at the top of the window: tabs, file menu, theme and help.

use super::playback;
use super::widgets::{self, LabelAndTip, Tip as _, button};
use super::{TOUCH_TARGET_SIZE, WindowClass};
use crate::app::App;
use crate::app::challenges::challenge_panel;
use crate::app::comparison::panel;
use crate::app::files::FileCommand;
use crate::app::files::export;
use eframe::egui::{self, vec2};
use headwater_scene::MODELS;

/// Free width of the bar (points) above which the bar shows the challenge menu and the comparison
/// button.
const COMPARE_BUTTON_ROOM: f32 = 480.0;

/// Height of the window (points) that an open menu leaves free.
const MENU_MARGIN: f32 = 80.0;

/// Free width of the bar (points) above which the bar shows the clock on a phone.
const CLOCK_ROOM: f32 = 60.0;

pub(in crate::app) fn show(ui: &mut egui::Ui, app: &mut App) {
    let wide = app.panels.window_class == WindowClass::Wide;
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding = vec2(if wide { 10.0 } else { 6.0 }, 5.0);
        if wide {
            ui.label(egui::RichText::new("Headwater").strong().size(17.0));
            ui.separator();
        }
        for (number, model) in MODELS.iter().enumerate() {
            let tip = format!("{} (key {})", model.about, number + 1);
            let tab = ui.selectable_label(app.tab == model.name, model.title);
            let tab = app.probe.record_widget(format!("tab.{}", model.name), tab);
            if tab.tip(tip).clicked() {
                app.switch_tab(model.name);
            }
        }
        ui.separator();
        show_file_menu(ui, app, if wide { "File" } else { "Menu" }, !wide);
        show_undo_redo_buttons(ui, app, vec2(0.0, 0.0));
        if wide {
            if ui.available_width() > COMPARE_BUTTON_ROOM {
                challenge_panel::show_challenge_menu(ui, app, "menu.challenges");
                panel::show_comparison_button(ui, app);
            }
            ui.separator();
            app.compute.show(ui, &app.world_view, &app.probe);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if wide {
                show_help_and_theme(ui, app);
            }
            let (probe, panels) = (app.probe.clone(), &mut app.panels);
            // In a window that became narrower, the left panel covers the inspector.
            let seen = panels.inspector && (wide || !panels.shelf);
            let (label, tip) = ("Inspector", "Parameters, gauges, values");
            let switch = probe.record_widget("button.inspector", ui.selectable_label(seen, label));
            if switch.tip(tip).clicked() {
                panels.inspector = !seen;
                panels.shelf &= wide;
            }
            let (label, tip) = ("Shelf", "Scenes and tools");
            let switch =
                probe.record_widget("button.shelf", ui.selectable_label(panels.shelf, label));
            if switch.tip(tip).clicked() {
                panels.shelf = !panels.shelf;
                panels.inspector &= wide;
            }
        });
    });
}

pub(in crate::app) fn show_on_phone(ui: &mut egui::Ui, app: &mut App) {
    ui.horizontal(|ui| {
        let title = MODELS.iter().find(|model| model.name == app.tab);
        let title = title.map_or("", |model| model.title);
        let size = vec2(TOUCH_TARGET_SIZE, TOUCH_TARGET_SIZE);
        let mut selected = None;
        let tabs = widgets::menu(ui, egui::RichText::new(title).strong(), |ui| {
            for model in MODELS {
                let tab = egui::Button::selectable(app.tab == model.name, model.title);
                let tab = ui.add(tab.min_size(vec2(160.0, TOUCH_TARGET_SIZE)));
                if app.probe.record_widget(format!("tab.{}", model.name), tab).clicked() {
                    selected = Some(model.name);
                    ui.close();
                }
            }
        });
        app.probe.record_rect("menu.tabs", tabs.rect);
        if let Some(model) = selected {
            app.switch_tab(model);
        }
        show_undo_redo_buttons(ui, app, size);
        playback::show_recording_progress(ui, app);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            show_file_menu(ui, app, "Menu", true);
            if ui.available_width() > CLOCK_ROOM {
                playback::show_clock(ui, app);
            }
        });
    });
}

fn show_undo_redo_buttons(ui: &mut egui::Ui, app: &mut App, size: egui::Vec2) {
    let (can_undo, can_redo) = app.undo_redo_availability();
    let mut button = |name: &str, (label, tip): LabelAndTip, enabled: bool| {
        let drawn = ui.add_enabled(enabled, egui::Button::new(label).min_size(size));
        app.probe.record_widget(format!("button.{name}"), drawn).tip(tip).clicked()
    };
    let undo = button(
        "undo",
        ("Undo", "Undo the last stroke, or return to the previous world (Ctrl+Z)"),
        can_undo,
    );
    let redo = button("redo", ("Redo", "Redo (Ctrl+Y)"), can_redo);
    if undo {
        app.undo();
    }
    if redo {
        app.redo();
    }
}

fn show_file_menu(ui: &mut egui::Ui, app: &mut App, label: &str, include_bar_controls: bool) {
    let phone = app.panels.window_class == WindowClass::Phone;
    let menu = widgets::menu(ui, label, |ui| {
        if phone {
            ui.spacing_mut().interact_size.y = TOUCH_TARGET_SIZE;
        }
        // The menu scrolls in low windows and on phones.
        let height = (ui.ctx().content_rect().height() - MENU_MARGIN).max(TOUCH_TARGET_SIZE);
        egui::ScrollArea::vertical()
            .max_height(height)
            .show(ui, |ui| show_menu_entries(ui, app, include_bar_controls));
    });
    app.probe.record_rect("menu.file", menu.rect);
}

fn show_help_and_theme(ui: &mut egui::Ui, app: &mut App) {
    let probe = app.probe.clone();
    app.help ^= button(ui, &probe, "help", ("Help", "Keys and gestures (F1)"));
    let dark = ui.visuals().dark_mode;
    if button(
        ui,
        &probe,
        "theme",
        if dark { ("Light", "Light colours") } else { ("Dark", "Dark colours") },
    ) {
        ui.ctx().set_theme(if dark { egui::Theme::Light } else { egui::Theme::Dark });
    }
}

/// Draws the entries of the file menu. If `include_bar_controls` is true, adds the controls that a
/// wide bar shows directly: the choice of device, help and theme.
fn show_menu_entries(ui: &mut egui::Ui, app: &mut App, include_bar_controls: bool) {
    for &command in FileCommand::ALL {
        let (name, label, tip) = command.menu_entry();
        if command == FileCommand::SaveLayer {
            export::show_layer_menu(ui, app, label);
            continue;
        }
        let entry = app.probe.record_widget(format!("file.{name}"), ui.button(label));
        if entry.tip(tip).clicked() {
            app.run_file_command(command, ui.ctx());
            ui.close();
        }
    }
    challenge_panel::show_challenge_menu(ui, app, "file.challenges");
    panel::show_comparison_entry(ui, app);
    if include_bar_controls {
        ui.separator();
        ui.horizontal(|ui| app.compute.show(ui, &app.world_view, &app.probe));
        show_help_and_theme(ui, app);
    }
}
