//! The panel to the right: what is shown of the world, what is at the place that was clicked, gauges, parameters.

use super::App;
use super::gauges;
use super::words;
use eframe::egui;
use headwater_scene::live::{Parameter, ParameterKind};

/// Draws the panel.
pub(super) fn show(ui: &mut egui::Ui, app: &mut App) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        section(ui, "View", true, |ui| app.canvas.settings(ui, &app.stage, &app.probe));
        section(ui, "At the place", true, |ui| values(ui, app));
        if !app.stage.live.readings().is_empty() {
            section(ui, "Gauges", true, |ui| gauges::show(ui, app.stage.live.readings()));
        }
        section(ui, "Parameters", true, |ui| parameters(ui, app));
    });
}

fn section(ui: &mut egui::Ui, title: &str, open: bool, body: impl FnOnce(&mut egui::Ui)) {
    egui::CollapsingHeader::new(egui::RichText::new(title).strong())
        .default_open(open)
        .show_unindented(ui, body);
}

fn values(ui: &mut egui::Ui, app: &App) {
    let Some(place) = app.pinned else {
        ui.weak("Click into the world with no tool in hand.");
        return;
    };
    let [east, south] = place.map(words::short);
    ui.weak(format!("{east}, {south} from the top left corner"));
    egui::Grid::new("values").num_columns(2).striped(true).show(ui, |ui| {
        for value in app.stage.live.probe(place) {
            ui.label(value.name.replace('_', " "));
            let number = || format!("{} {}", words::short(value.value), value.unit);
            ui.monospace(value.word.clone().unwrap_or_else(number));
            ui.end_row();
        }
    });
}

fn parameters(ui: &mut egui::Ui, app: &mut App) {
    for parameter in app.stage.live.parameters() {
        if let Some(value) = slide(ui, &parameter, app) {
            app.stage.set(&parameter.key, parameter.write(value));
        }
    }
}

/// The value that a parameter was moved to, if it was.
fn slide(ui: &mut egui::Ui, parameter: &Parameter, app: &App) -> Option<f64> {
    let Parameter { key, label, unit, doc, .. } = parameter;
    let Parameter { soft, hard, logarithmic, kind, mut value, .. } = *parameter;
    let [least, most] = hard.map(words::short);
    let tip = format!("{doc}\n`{key}` in the scene, from {least} to {most}");
    let response = match kind {
        ParameterKind::Switch => {
            let mut on = value != 0.0;
            let response = ui.checkbox(&mut on, label.as_str());
            value = f64::from(u8::from(on));
            response
        }
        ParameterKind::Number | ParameterKind::Whole => {
            let title = if unit.is_empty() { label.clone() } else { format!("{label} ({unit})") };
            ui.label(title).on_hover_text(&tip);
            let range = soft[0].min(value)..=soft[1].max(value);
            let slider = egui::Slider::new(&mut value, range)
                .logarithmic(logarithmic)
                .clamping(egui::SliderClamping::Edits);
            ui.add(if kind == ParameterKind::Whole { slider.integer() } else { slider })
        }
    };
    let response = app.probe.named(format!("parameter.{key}"), response);
    response.on_hover_text(tip).changed().then_some(value)
}
