//! The panel to the left: the scenes of the open tab, and the tools.

use super::App;
use super::hand::Grip;
use crate::status::Probe;
use eframe::egui;
use headwater_scene::live::{Strength, ToolKind};

/// Draws the panel.
pub(super) fn show(ui: &mut egui::Ui, app: &mut App) {
    egui::ScrollArea::vertical().show(ui, |ui| {
        ui.strong("Scenes");
        scenes(ui, app);
        ui.separator();
        ui.strong("Tools");
        tools(ui, app);
    });
}

fn scenes(ui: &mut egui::Ui, app: &mut App) {
    let mut wanted = None;
    for book in app.books.iter().filter(|book| book.model == app.tab) {
        let open = app.stage.name == book.known.name;
        let title = if book.title.is_empty() { book.known.name } else { &book.title };
        let entry = ui.selectable_label(open, title);
        let entry = app.probe.named(format!("scene.{}", book.known.name), entry);
        if entry.on_hover_text(&book.about).clicked() {
            wanted = Some(book.known);
        }
    }
    if let Some(known) = wanted {
        app.open(known.name, known.text);
    }
}

fn tools(ui: &mut egui::Ui, app: &mut App) {
    let tools = app.stage.live.tools();
    let probe = app.probe.clone();
    ui.horizontal_wrapped(|ui| {
        let look = ui.selectable_label(app.hand.tool(tools).is_none(), "Look around");
        let tip = "Turn and move the view; a click tells what is there (Esc)";
        if probe.named("tool.look", look).on_hover_text(tip).clicked() {
            app.hand.take(None);
        }
        for tool in tools {
            let entry = ui.selectable_label(app.hand.name() == tool.name, capital(tool.name));
            let entry = probe.named(format!("tool.{}", tool.name), entry);
            if entry.on_hover_text(tool.doc).clicked() {
                app.hand.take(Some(tool.name));
            }
        }
    });
    let Some(tool) = app.hand.tool(tools) else { return };
    ui.add_space(4.0);
    ui.weak(tool.doc);
    let plants = if tool.kind == ToolKind::Plant { app.stage.plants() } else { Vec::new() };
    let grip = app.hand.grip(tool);
    if !plants.is_empty() {
        ui.horizontal_wrapped(|ui| kinds(ui, &plants, grip, &probe));
    }
    if let Some([least, most, _]) = tool.radius {
        ui.label("Radius");
        let slider = egui::Slider::new(&mut grip.radius, least..=most).suffix(" cells");
        probe.named("radius", ui.add(slider.logarithmic(true)));
    }
    if let Some(Strength { meaning, unit, range: [least, most], logarithmic, .. }) = tool.strength {
        ui.label(capital(meaning));
        let slider = egui::Slider::new(&mut grip.strength, least..=most)
            .logarithmic(logarithmic)
            .suffix(format!(" {unit}"));
        probe.named("strength", ui.add(slider));
    }
}

/// The kinds of plants, to choose one.
fn kinds(ui: &mut egui::Ui, plants: &[String], grip: &mut Grip, probe: &Probe) {
    for (kind, name) in plants.iter().enumerate() {
        let entry = ui.selectable_value(&mut grip.kind, kind, capital(name));
        probe.named(format!("plant.{name}"), entry);
    }
}

/// A word with a capital.
fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
