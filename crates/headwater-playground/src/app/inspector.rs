//! The right panel: view options, values at the selected place, gauges and parameters.

use super::{App, charts, compare, numbers, slider};
use eframe::egui;
use headwater_scene::run::ProbeValue;

pub(super) fn show(ui: &mut egui::Ui, app: &mut App) {
    section(ui, "View", true, |ui| app.canvas.settings(ui, &app.stage, &app.probe));
    section(ui, "At the place", true, |ui| values(ui, app));
    let unit = app.stage.live.scene().clock().unit;
    if !app.stage.live.readings().is_empty() {
        let beside = app.beside.as_ref().map_or(&[][..], |beside| beside.stage.live.readings());
        section(ui, "Gauges", true, |ui| {
            charts::show(ui, app.stage.live.readings(), beside, unit);
        });
    }
    if app.beside.is_some() {
        section(ui, "Compare", true, |ui| compare::settings(ui, app));
    }
    section(ui, "Parameters", true, |ui| parameters(ui, app));
}

fn section(ui: &mut egui::Ui, title: &str, open: bool, body: impl FnOnce(&mut egui::Ui)) {
    egui::CollapsingHeader::new(egui::RichText::new(title).strong())
        .default_open(open)
        .show_unindented(ui, body);
}

fn values(ui: &mut egui::Ui, app: &mut App) {
    let Some(place) = app.pinned else {
        ui.weak("Click into the world with no tool in hand.");
        return;
    };
    let [east, south] = place.map(numbers::short);
    ui.weak(format!("{east}, {south} from the top left corner"));
    let beside = app.beside.as_mut().map(|beside| beside.stage.live.probe_latest(place));
    egui::Grid::new("values").num_columns(2).striped(true).show(ui, |ui| {
        for value in app.stage.live.probe_latest(place) {
            ui.label(value.name.replace('_', " "));
            ui.monospace(number(&value));
            let other = beside.iter().flatten().find(|other| other.name == value.name);
            if let Some(other) = other {
                ui.monospace(number(other));
            }
            ui.end_row();
        }
    });
}

fn number(value: &ProbeValue) -> String {
    let number = || format!("{} {}", numbers::short(value.value), value.unit);
    value.word.as_deref().map_or_else(number, str::to_owned)
}

fn parameters(ui: &mut egui::Ui, app: &mut App) {
    for parameter in app.stage.live.parameters() {
        if let Some(value) = slider::slide(ui, &parameter, "parameter", &app.probe) {
            app.when_here(move |app| app.set(&parameter.key, &parameter.write(value)));
        }
    }
}
