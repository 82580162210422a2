//! The comparison panel: its button, the compared value, and the labels on the canvas.

use super::beside::{self, LEVELS, PHYSICS};
use super::stage::Stage;
use super::widgets::{self, Tip as _};
use super::{App, numbers, slider};
use eframe::egui::{self, Color32, Rect, Stroke};

/// Half of the gap between both halves (points).
const GAP: f32 = 2.0;

const TIP: &str = "The same world beside it with one value changed: both go through the same, seen from the same place";

pub(super) fn button(ui: &mut egui::Ui, app: &mut App) {
    let on = app.beside.is_some();
    let button = ui.selectable_label(on, "Compare");
    if app.probe.named("button.compare", button).tip(TIP).clicked() {
        app.compare(!on);
    }
}

pub(super) fn entry(ui: &mut egui::Ui, app: &mut App) {
    let on = app.beside.is_some();
    let label = if on { "End the comparison" } else { "Compare" };
    let entry = app.probe.named("file.compare", ui.button(label));
    if entry.tip(TIP).clicked() {
        app.compare(!on);
        ui.close();
    }
}

pub(super) fn settings(ui: &mut egui::Ui, app: &mut App) {
    let Some(beside) = &app.beside else { return };
    let all = beside::differences(&app.stage);
    let now = all.iter().find(|(key, _)| *key == beside.key).map_or("", |(_, label)| label);
    ui.label("The world beside differs in");
    let (mut wanted, mut value) = (None, None);
    let menu = widgets::menu(ui, now, |ui| {
        for (key, label) in &all {
            let entry = ui.selectable_label(*key == beside.key, label);
            let entry = app.probe.named(format!("differs.{key}"), entry);
            if entry.tip("From now on, as both are now").clicked() {
                wanted = Some(key.clone());
                ui.close();
            }
        }
    });
    app.probe.rect("menu.differs", menu.rect);
    if beside.key == PHYSICS {
        let now = beside::level(&beside.stage);
        ui.horizontal_wrapped(|ui| {
            for level in LEVELS {
                let entry = ui.selectable_label(level == now, beside::level_words(level));
                if app.probe.named(format!("beside.{level}"), entry).clicked() {
                    value = Some(level.into());
                }
            }
        });
    } else {
        let parameters = beside.stage.live.parameters();
        if let Some(parameter) = parameters.into_iter().find(|one| one.key == beside.key) {
            value = slider::slide(ui, &parameter, "beside", &app.probe)
                .map(|value| parameter.write(value));
        }
    }
    let end = app.probe.named("compare.end", ui.button("End the comparison")).clicked();
    if let Some(key) = wanted {
        app.compare_by(key);
    }
    if let Some(value) = value {
        app.differ(value);
    }
    if end {
        app.end_comparison();
    }
}

/// Returns the two halves of a canvas: side by side if it is wide, otherwise one above the other.
pub(super) fn halves(all: Rect) -> [Rect; 2] {
    let middle = all.center();
    let (mut first, mut second) = (all, all);
    if all.width() >= all.height() {
        (first.max.x, second.min.x) = ((middle.x - GAP).floor(), (middle.x + GAP).floor());
    } else {
        (first.max.y, second.min.y) = ((middle.y - GAP).floor(), (middle.y + GAP).floor());
    }
    // Equal sizes, so that both use the same camera.
    second.max = second.min + first.size();
    [first, second]
}

/// Draws the compared value and a summary of the world on its half of the canvas.
pub(super) fn plate(ui: &egui::Ui, rect: Rect, stage: &Stage, key: &str) {
    let (ledger, unit) = (stage.ledger(), stage.live.scene().clock().unit);
    let water = match stage.highest_wave() {
        Some(height) => format!("waves up to {}", numbers::length(height)),
        None => numbers::amount(ledger.now, ledger.unit),
    };
    let clock = numbers::short(stage.live.clock());
    let mut text = format!("{}\n{clock}{unit} · {water}", beside::value_words(stage, key));
    if let Some(gauge) = stage.live.readings().first()
        && let (Some(head), Some(value)) = (gauge.heads.first(), gauge.values.first())
        && let Some(last) = value.last()
    {
        let head = super::charts::title(head);
        text += &format!("\n{}: {head} {}", gauge.name, numbers::short(*last));
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
