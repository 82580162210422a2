//! The panel on the left: the scenes of the open tab, and the tools.

use super::icons;
use super::numbers::capitalize;
use super::widgets::Tip as _;
use crate::app::App;
use crate::app::challenges::challenge_panel;
use crate::app::input::tool_selection::BrushSettings;
use crate::app::world::{model_chain, resolution, weather};
use crate::status::Probe;
use eframe::egui::{self, Color32, Rect, Vec2, pos2, vec2};
use headwater_scene::live::{Strength, ToolKind};

/// Height (points) of the part of the panel that is reserved for tool settings.
const SETTINGS: f32 = 128.0;

pub(in crate::app) fn show_scenes(ui: &mut egui::Ui, app: &mut App) {
    resolution::show_resolution_menu(ui, app);
    model_chain::show(ui, app);
    if challenge_panel::has_challenges(app.tab) {
        challenge_panel::show_challenge_list(ui, app);
        ui.weak("To play with");
    }
    let mut selected = None;
    for scene in app.catalog.iter().filter(|scene| scene.model == app.tab) {
        let open = app.world_view.name == scene.known.name;
        let title = if scene.title.is_empty() { scene.known.name } else { &scene.title };
        let entry = ui.selectable_label(open, title);
        let entry = app.probe.record_widget(format!("scene.{}", scene.known.name), entry);
        if entry.tip(&scene.about).clicked() {
            selected = Some(scene.known);
        }
    }
    if let Some(known) = selected {
        app.open_library_scene(known);
    }
}

pub(in crate::app) fn show_tools(ui: &mut egui::Ui, app: &mut App) {
    let tools = app.world_view.live.tools();
    let probe = app.probe.clone();
    // Columns have a fixed width: two columns in the panel, four on a phone.
    let gap = 4.0;
    let columns = (ui.available_width() / 92.0).floor().clamp(2.0, 6.0);
    let width = ((ui.available_width() - (columns - 1.0) * gap) / columns).floor();
    let size = vec2(width, ui.spacing().interact_size.y.max(26.0));
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = vec2(gap, gap);
        ui.horizontal_wrapped(|ui| {
            let (sense, looks) = (egui::Sense::click(), app.selection.tool(tools).is_none());
            let look = show_icon_button(ui, size, sense, "Look", looks, icons::paint_eye_icon);
            if probe
                .record_widget("tool.look", look)
                .tip("Turn and move the view; a click shows the values there (Esc)")
                .clicked()
            {
                app.selection.select(None);
            }
            for tool in tools {
                let on = app.selection.name() == tool.name;
                let (kind, allowed) = (tool.kind, app.world_view.allows_tool(tool.name));
                let sense = if allowed { egui::Sense::click() } else { egui::Sense::hover() };
                let name = capitalize(tool.name);
                let entry = show_icon_button(ui, size, sense, &name, on, |painter, rect, ink| {
                    icons::paint(painter, rect, kind, ink);
                });
                if !allowed {
                    // A forbidden tool keeps its position, so that the layout does not change.
                    entry.tip("Not in this challenge");
                    continue;
                }
                let entry = probe.record_widget(format!("tool.{}", tool.name), entry);
                if entry.tip(tool.doc).clicked() {
                    app.selection.select(Some(tool.name));
                }
            }
        });
    });
    ui.scope(|ui| {
        // A fixed height, so that the widgets below do not move.
        ui.set_min_height(SETTINGS);
        show_tool_settings(ui, app);
    });
    weather::show(ui, app);
}

fn show_tool_settings(ui: &mut egui::Ui, app: &mut App) {
    let tools = app.world_view.live.tools();
    let probe = app.probe.clone();
    let Some(tool) = app.selection.tool(tools) else { return };
    ui.add_space(4.0);
    ui.weak(tool.doc);
    let plants = if tool.kind == ToolKind::Plant { app.world_view.plants() } else { Vec::new() };
    let brush = app.selection.brush(tool);
    if !plants.is_empty() {
        ui.horizontal_wrapped(|ui| show_plant_menu(ui, &plants, brush, &probe));
    }
    if let Some([min, max, _]) = tool.radius {
        ui.label("Radius");
        let slider = egui::Slider::new(&mut brush.radius, min..=max).suffix(" cells");
        probe.record_widget("radius", ui.add(slider.logarithmic(true)));
    }
    if let Some(Strength { label, unit, range: [min, max], logarithmic, .. }) = tool.strength {
        ui.label(capitalize(label));
        let slider = egui::Slider::new(&mut brush.strength, min..=max)
            .logarithmic(logarithmic)
            .suffix(format!(" {unit}"));
        probe.record_widget("strength", ui.add(slider));
    }
}

/// Draws a button with an icon and a label. The button is grayed out if it does not sense clicks.
fn show_icon_button(
    ui: &mut egui::Ui,
    size: Vec2,
    sense: egui::Sense,
    word: &str,
    on: bool,
    picture: impl FnOnce(&egui::Painter, Rect, Color32),
) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(size, sense);
    let enabled = sense.senses_click();
    let info = || egui::WidgetInfo::selected(egui::Role::Button, enabled, on, word);
    response.widget_info(info);
    let mut look = ui.style().interact_selectable(&response, on);
    if !enabled {
        look = ui.visuals().widgets.noninteractive;
        look.fg_stroke.color = look.text_color().gamma_multiply(ui.visuals().disabled_alpha());
    }
    ui.painter().rect_filled(rect, 4.0, look.weak_bg_fill);
    let side = 16.0;
    let middle = pos2(rect.left() + 6.0 + 0.5 * side, rect.center().y);
    picture(ui.painter(), Rect::from_center_size(middle, vec2(side, side)), look.text_color());
    let font = egui::TextStyle::Button.resolve(ui.style());
    let at = pos2(rect.left() + 10.0 + side, rect.center().y);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.text(at, egui::Align2::LEFT_CENTER, word, font, look.text_color());
    response
}

fn show_plant_menu(ui: &mut egui::Ui, plants: &[String], brush: &mut BrushSettings, probe: &Probe) {
    for (kind, name) in plants.iter().enumerate() {
        let entry = ui.selectable_value(&mut brush.kind, kind, capitalize(name));
        probe.record_widget(format!("plant.{name}"), entry);
    }
}
