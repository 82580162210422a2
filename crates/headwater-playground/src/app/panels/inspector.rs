//! The panel on the right (inspector): view options, values at the selected position, gauges and
//! parameters.

use super::{charts, numbers, slider};
use crate::app::App;
use crate::app::comparison::panel;
use eframe::egui;
use headwater_scene::run::ProbeValue;

pub(in crate::app) fn show(ui: &mut egui::Ui, app: &mut App) {
    show_section(ui, "View", true, |ui| app.canvas.show_settings(ui, &app.world_view, &app.probe));
    show_section(ui, "At the place", true, |ui| show_values(ui, app));
    let unit = app.world_view.live.scene().clock().unit;
    if !app.world_view.live.readings().is_empty() {
        let comparison = app
            .comparison
            .as_ref()
            .map_or(&[][..], |comparison| comparison.world_view.live.readings());
        show_section(ui, "Gauges", true, |ui| {
            charts::show(ui, app.world_view.live.readings(), comparison, unit);
        });
    }
    if app.comparison.is_some() {
        show_section(ui, "Compare", true, |ui| panel::show_comparison_settings(ui, app));
    }
    show_section(ui, "Parameters", true, |ui| show_parameters(ui, app));
}

fn show_section(ui: &mut egui::Ui, title: &str, open: bool, body: impl FnOnce(&mut egui::Ui)) {
    egui::CollapsingHeader::new(egui::RichText::new(title).strong())
        .default_open(open)
        .show_unindented(ui, body);
}

fn show_values(ui: &mut egui::Ui, app: &mut App) {
    let Some(place) = app.pinned else {
        ui.weak("Click into the world with no tool in hand.");
        return;
    };
    let [east, south] = place.map(numbers::format_short);
    ui.weak(format!("{east}, {south} from the top left corner"));
    let comparison =
        app.comparison.as_mut().map(|comparison| comparison.world_view.live.probe_latest(place));
    egui::Grid::new("values").num_columns(2).striped(true).show(ui, |ui| {
        for value in app.world_view.live.probe_latest(place) {
            ui.label(value.name.replace('_', " "));
            ui.monospace(format_value(&value));
            let other = comparison.iter().flatten().find(|other| other.name == value.name);
            if let Some(other) = other {
                ui.monospace(format_value(other));
            }
            ui.end_row();
        }
    });
}

fn format_value(value: &ProbeValue) -> String {
    let number = || format!("{} {}", numbers::format_short(value.value), value.unit);
    value.category.as_deref().map_or_else(number, str::to_owned)
}

fn show_parameters(ui: &mut egui::Ui, app: &mut App) {
    for parameter in app.world_view.live.parameters() {
        if let Some(value) = slider::show_parameter(ui, &parameter, "parameter", &app.probe) {
            app.run_when_available(move |app| {
                app.set_parameter(&parameter.key, &parameter.to_toml_value(value));
            });
        }
    }
}
