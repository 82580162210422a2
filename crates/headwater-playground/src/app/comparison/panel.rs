//! User interface of a comparison: its button, the compared value, and the labels on the canvas.

use super::{LEVELS, PHYSICS};
use crate::app::App;
use crate::app::comparison;
use crate::app::panels::widgets::{self, Tip as _};
use crate::app::panels::{numbers, slider};
use crate::app::world::world_view::WorldView;
use eframe::egui::{self, Color32, Rect, Stroke};

/// Half of the gap between the two halves of the canvas (points).
const GAP: f32 = 2.0;

const TIP: &str = "Show a second world that differs in one value. Both receive the same edits and share the camera";

pub(in crate::app) fn show_comparison_button(ui: &mut egui::Ui, app: &mut App) {
    let on = app.comparison.is_some();
    let button = ui.selectable_label(on, "Compare");
    if app.probe.record_widget("button.compare", button).tip(TIP).clicked() {
        app.set_comparing(!on);
    }
}

pub(in crate::app) fn show_comparison_entry(ui: &mut egui::Ui, app: &mut App) {
    let on = app.comparison.is_some();
    let label = if on { "End the comparison" } else { "Compare" };
    let entry = app.probe.record_widget("file.compare", ui.button(label));
    if entry.tip(TIP).clicked() {
        app.set_comparing(!on);
        ui.close();
    }
}

pub(in crate::app) fn show_comparison_settings(ui: &mut egui::Ui, app: &mut App) {
    let Some(comparison) = &app.comparison else { return };
    let all = comparison::comparable_keys(&app.world_view);
    let now = all.iter().find(|(key, _)| *key == comparison.key).map_or("", |(_, label)| label);
    ui.label("The second world differs in");
    let (mut wanted, mut value) = (None, None);
    let menu = widgets::menu(ui, now, |ui| {
        for (key, label) in &all {
            let entry = ui.selectable_label(*key == comparison.key, label);
            let entry = app.probe.record_widget(format!("differs.{key}"), entry);
            if entry.tip("Compare this value from the current state on").clicked() {
                wanted = Some(key.clone());
                ui.close();
            }
        }
    });
    app.probe.record_rect("menu.differs", menu.rect);
    if comparison.key == PHYSICS {
        let now = comparison::flow_scheme_name(&comparison.world_view);
        ui.horizontal_wrapped(|ui| {
            for level in LEVELS {
                let entry = ui.selectable_label(level == now, comparison::flow_scheme_label(level));
                if app.probe.record_widget(format!("beside.{level}"), entry).clicked() {
                    value = Some(level.into());
                }
            }
        });
    } else {
        let parameters = comparison.world_view.live.parameters();
        if let Some(parameter) = parameters.into_iter().find(|one| one.key == comparison.key) {
            value = slider::show_parameter(ui, &parameter, "beside", &app.probe)
                .map(|value| parameter.to_toml_value(value));
        }
    }
    let end = app.probe.record_widget("compare.end", ui.button("End the comparison")).clicked();
    if let Some(key) = wanted {
        app.compare_key(key);
    }
    if let Some(value) = value {
        app.set_compared_value(value);
    }
    if end {
        app.end_comparison();
    }
}

/// Splits a canvas into two halves: side by side if the canvas is wide, otherwise one above the
/// other.
pub(in crate::app) fn split_canvas(all: Rect) -> [Rect; 2] {
    let middle = all.center();
    let (mut first, mut second) = (all, all);
    if all.width() >= all.height() {
        (first.max.x, second.min.x) = ((middle.x - GAP).floor(), (middle.x + GAP).floor());
    } else {
        (first.max.y, second.min.y) = ((middle.y - GAP).floor(), (middle.y + GAP).floor());
    }
    // Both halves have equal sizes, so that both worlds use the same camera.
    second.max = second.min + first.size();
    [first, second]
}

/// Draws the compared value and a summary of a world on the world's half of the canvas.
pub(in crate::app) fn draw_label(ui: &egui::Ui, rect: Rect, world_view: &WorldView, key: &str) {
    let (ledger, unit) = (world_view.ledger(), world_view.live.scene().clock().unit);
    let water = match world_view.highest_wave() {
        Some(height) => format!("waves up to {}", numbers::format_length(height)),
        None => numbers::format_amount(ledger.now, ledger.unit),
    };
    let clock = numbers::format_short(world_view.live.clock());
    let mut text = format!("{}\n{clock}{unit} · {water}", comparison::value_label(world_view, key));
    if let Some(gauge) = world_view.live.readings().first()
        && let (Some(head), Some(value)) = (gauge.column_names.first(), gauge.values.first())
        && let Some(last) = value.last()
    {
        let head = crate::app::panels::charts::quantity_title(head);
        text += &format!("\n{}: {head} {}", gauge.name, numbers::format_short(*last));
    }
    let painter = ui.painter().with_clip_rect(rect);
    let font = egui::FontId::proportional(13.0);
    let galley = painter.layout(text, font, Color32::WHITE, rect.width() * 0.7);
    let corner = rect.left_bottom() + egui::vec2(12.0, -12.0);
    let place = egui::Align2::LEFT_BOTTOM.anchor_size(corner, galley.size());
    painter.rect_filled(place.expand(6.0), 6.0, Color32::from_black_alpha(170));
    painter.galley(place.min, galley, Color32::WHITE);
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, Color32::BLACK), egui::StrokeKind::Inside);
}
