//! The panel to the right: what is shown of the world, what is at the place that was clicked, gauges, parameters.

use super::App;
use super::charts;
use super::words;
use eframe::egui;
use headwater_scene::live::{Parameter, ParameterKind};

/// Draws the panel.
pub(super) fn show(ui: &mut egui::Ui, app: &mut App) {
    section(ui, "View", true, |ui| app.canvas.settings(ui, &app.stage, &app.probe));
    section(ui, "At the place", true, |ui| values(ui, app));
    let unit = app.stage.live.scene().clock().unit;
    if !app.stage.live.readings().is_empty() {
        section(ui, "Gauges", true, |ui| charts::show(ui, app.stage.live.readings(), unit));
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
    let [east, south] = place.map(words::short);
    ui.weak(format!("{east}, {south} from the top left corner"));
    egui::Grid::new("values").num_columns(2).striped(true).show(ui, |ui| {
        for value in app.stage.live.look_at(place) {
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
            app.when_here(move |app| app.stage.set(&parameter.key, parameter.write(value)));
        }
    }
}

/// The value that a parameter was moved to, if it was.
fn slide(ui: &mut egui::Ui, parameter: &Parameter, app: &App) -> Option<f64> {
    let Parameter { key, label, unit, doc, .. } = parameter;
    let Parameter { soft, hard, logarithmic, kind, mut value, .. } = *parameter;
    let [least, most] = hard.map(words::short);
    // What it is called in scene files is for those who write them.
    let writes = ui.input(|input| input.modifiers.shift);
    let name = if writes { format!("\n`{key}` in the scene file") } else { String::new() };
    let tip = format!("{doc}\nFrom {least} to {most}.{name}");
    let response = match kind {
        ParameterKind::Switch => {
            let mut on = value != 0.0;
            let response = ui.checkbox(&mut on, label.as_str());
            value = f64::from(u8::from(on));
            response
        }
        ParameterKind::Number | ParameterKind::Whole => {
            // 256ths of a cell are for programs.
            let of_cell = *unit == "256ths";
            let unit = if of_cell { "% of a cell" } else { unit };
            let bare = unit.is_empty() || unit == "1";
            let title = if bare { label.clone() } else { format!("{label} ({unit})") };
            ui.label(title).on_hover_text(&tip);
            let range = soft[0].min(value)..=soft[1].max(value);
            let slider = egui::Slider::new(&mut value, range)
                .logarithmic(logarithmic)
                .clamping(egui::SliderClamping::Edits);
            if of_cell {
                let shown = |value: f64, _| format!("{:.1}", value / 2.56);
                let read = |text: &str| text.trim().parse::<f64>().ok().map(|part| part * 2.56);
                ui.add(slider.integer().custom_formatter(shown).custom_parser(read))
            } else {
                ui.add(if kind == ParameterKind::Whole { slider.integer() } else { slider })
            }
        }
    };
    let response = app.probe.named(format!("parameter.{key}"), response);
    response.on_hover_text(tip).changed().then_some(value)
}
