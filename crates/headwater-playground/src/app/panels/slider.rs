//! Sliders and switches that change the parameters of a world.

use super::numbers;
use super::widgets::Tip as _;
use crate::status::Probe;
use eframe::egui;
use headwater_scene::live::{Parameter, ParameterKind};

/// Draws the widget of a parameter, and returns the new value if the user has changed it. Tests
/// find the widget under the name `{word}.{key}`, where `key` is the key of the parameter.
pub(in crate::app) fn show_parameter(
    ui: &mut egui::Ui,
    parameter: &Parameter,
    word: &str,
    probe: &Probe,
) -> Option<f64> {
    let Parameter { key, unit, .. } = parameter;
    let (label, doc) = (&parameter.label, parameter.doc);
    let Parameter { slider_range, allowed_range, logarithmic, kind, mut value, .. } = *parameter;
    let [min, max] = allowed_range.map(numbers::format_short);
    // The scene key is shown only while Shift is held, for authors of scenes.
    let writes = ui.input(|input| input.modifiers.shift);
    let mut tip = format!("{doc}\nFrom {min} to {max}.");
    if writes {
        tip += "\n";
        tip += &format!("`{key}` in the scene file");
    }
    let response = match kind {
        ParameterKind::Boolean => {
            let mut on = value != 0.0;
            let response = ui.checkbox(&mut on, label);
            value = f64::from(u8::from(on));
            response
        }
        ParameterKind::Number | ParameterKind::Integer => {
            // Values in 256ths of a cell are shown as percentages.
            let of_cell = *unit == "256ths";
            let unit = if of_cell { "% of a cell" } else { unit };
            let bare = unit.is_empty() || unit == "1";
            let title = if bare { label.to_owned() } else { format!("{label} ({unit})") };
            ui.label(title).tip(&tip);
            let range = slider_range[0].min(value)..=slider_range[1].max(value);
            let slider = egui::Slider::new(&mut value, range)
                .logarithmic(logarithmic)
                .clamping(egui::SliderClamping::Edits);
            if of_cell {
                let shown = |value: f64, _| format!("{:.1}", value / 2.56);
                let read = |text: &str| text.trim().parse::<f64>().ok().map(|part| part * 2.56);
                ui.add(slider.integer().custom_formatter(shown).custom_parser(read))
            } else {
                ui.add(if kind == ParameterKind::Integer { slider.integer() } else { slider })
            }
        }
    };
    let response = probe.record_widget(format!("{word}.{key}"), response);
    response.tip(tip).changed().then_some(value)
}
