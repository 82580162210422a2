//! Layout of the panels: next to the canvas, or in a sheet (a panel below the canvas) on phones.

use super::widgets::{LabelAndTip, Tip as _};
use super::{PhoneSheet, TOUCH_TARGET_SIZE, WindowClass};
use super::{bar, inspector, left_panel, playback};
use crate::app::App;
use eframe::egui::{self, vec2};

/// Width of the left panel (points).
const LEFT_PANEL_WIDTH: f32 = 200.0;
/// Width of the inspector, the panel on the right (points).
const INSPECTOR_WIDTH: f32 = 260.0;

/// Height of the panel below the canvas on phones, as a fraction of the window's height.
const SHEET_HEIGHT_FRACTION: f32 = 0.42;

pub(in crate::app) fn show(ui: &mut egui::Ui, app: &mut App) {
    let window = ui.available_size();
    app.panels.fit_to_width(window.x);
    if app.panels.window_class == WindowClass::Phone {
        ui.spacing_mut().interact_size.y = TOUCH_TARGET_SIZE;
        egui::Panel::top("bar").show(ui, |ui| bar::show_on_phone(ui, app));
        egui::Panel::bottom("switches").show(ui, |ui| show_phone_buttons(ui, app));
        if let Some(sheet) = app.panels.sheet {
            let panel = egui::Panel::bottom("sheet").resizable(false);
            panel.exact_size((SHEET_HEIGHT_FRACTION * window.y).round()).show(ui, |ui| {
                ui.spacing_mut().interact_size.y = TOUCH_TARGET_SIZE;
                ui.spacing_mut().slider_width = (ui.available_width() - 110.0).max(80.0);
                match sheet {
                    PhoneSheet::Tools => show_scroll_area(ui, |ui| left_panel::show_tools(ui, app)),
                    PhoneSheet::Scenes => {
                        show_scroll_area(ui, |ui| left_panel::show_scenes(ui, app));
                    }
                    PhoneSheet::World => show_scroll_area(ui, |ui| {
                        ui.horizontal_wrapped(|ui| playback::show_more_controls(ui, app));
                        ui.horizontal_wrapped(|ui| playback::show_ledger_and_cost(ui, app));
                        inspector::show(ui, app);
                    }),
                }
            });
        }
        return;
    }
    egui::Panel::top("bar").show(ui, |ui| bar::show(ui, app));
    egui::Panel::bottom("playback").show(ui, |ui| playback::show(ui, app));
    // If there is no room for both side panels, the one opened last covers the other.
    let both = app.panels.window_class == WindowClass::Wide;
    if app.panels.shelf {
        let panel = egui::Panel::left("shelf").resizable(false).exact_size(LEFT_PANEL_WIDTH);
        panel.show(ui, |ui| {
            show_scroll_area(ui, |ui| {
                ui.strong("Tools");
                left_panel::show_tools(ui, app);
                ui.separator();
                ui.strong("Scenes");
                left_panel::show_scenes(ui, app);
            });
        });
    }
    if app.panels.inspector && (both || !app.panels.shelf) {
        let panel = egui::Panel::right("inspector").resizable(false).exact_size(INSPECTOR_WIDTH);
        panel.show(ui, |ui| show_scroll_area(ui, |ui| inspector::show(ui, app)));
    }
}

/// Draws `body` in a scroll area that has a fixed width.
fn show_scroll_area(ui: &mut egui::Ui, body: impl FnOnce(&mut egui::Ui)) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width());
        body(ui);
    });
}

fn show_phone_buttons(ui: &mut egui::Ui, app: &mut App) {
    ui.add_space(2.0);
    let gap = ui.spacing().item_spacing.x;
    let width = ((ui.available_width() - 4.0 * gap) / 5.0).floor();
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 2.0;
        let switch = |ui: &mut egui::Ui, name: &str, label: &str, on: bool| {
            let button = egui::Button::new(label)
                .selected(on)
                .wrap()
                .min_size(vec2(width, TOUCH_TARGET_SIZE));
            let button = ui.add_sized(vec2(width, TOUCH_TARGET_SIZE), button);
            app.probe.record_widget(format!("button.{name}"), button).clicked()
        };
        let run = switch(ui, "run", if app.world_view.playing { "Pause" } else { "Run" }, false);
        let reset = switch(ui, "reset", "Begin again", false);
        let sheet = app.panels.sheet;
        let tools = switch(ui, "tools", "Tools", sheet == Some(PhoneSheet::Tools));
        let scenes = switch(ui, "scenes", "Scenes", sheet == Some(PhoneSheet::Scenes));
        let world = switch(ui, "world", "World", sheet == Some(PhoneSheet::World));
        if run {
            app.world_view.toggle_running();
        }
        if reset {
            app.restart(None);
        }
        for (wanted, sheet) in
            [(tools, PhoneSheet::Tools), (scenes, PhoneSheet::Scenes), (world, PhoneSheet::World)]
        {
            if wanted {
                app.panels.toggle(sheet);
            }
        }
    });
    ui.add_space(2.0);
}

/// Draws the view buttons on the canvas, for users without a keyboard.
pub(in crate::app) fn show_view_buttons(ui: &egui::Ui, rect: egui::Rect, app: &mut App) {
    let phone = app.panels.window_class == WindowClass::Phone;
    let side = if phone { TOUCH_TARGET_SIZE } else { 30.0 };
    let is_map = app.canvas.is_map();
    egui::Area::new(egui::Id::unique("view buttons"))
        .pivot(egui::Align2::RIGHT_BOTTOM)
        .fixed_pos(rect.right_bottom() - vec2(10.0, 10.0))
        .order(egui::Order::Middle)
        .show(ui.ctx(), |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let lit = |ui: &mut egui::Ui, name: &str, (label, tip): LabelAndTip, is_lit: bool| {
                let button = egui::Button::new(label).selected(is_lit).min_size(vec2(side, side));
                let drawn = ui.add(button);
                app.probe.record_widget(format!("button.{name}"), drawn).tip(tip).clicked()
            };
            let button =
                |ui: &mut egui::Ui, name: &str, words: LabelAndTip| lit(ui, name, words, false);
            let (mut fit, mut tilt, mut walk, mut nearer) = (false, false, false, 1.0);
            ui.with_layout(egui::Layout::top_down_justified(egui::Align::Center), |ui| {
                ui.set_width(if is_map.is_some() { side.max(44.0) } else { side });
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                if let Some(is_map) = is_map {
                    tilt = button(
                        ui,
                        "tilt",
                        if is_map {
                            ("3-D", "In three dimensions (M)")
                        } else {
                            ("Map", "From straight above (M)")
                        },
                    );
                    walk = lit(
                        ui,
                        "walk",
                        ("Walk", "Move to ground level: drag to look around, arrows to walk (W)"),
                        app.canvas.is_at_ground_level(),
                    );
                }
                if !phone {
                    if button(ui, "nearer", ("+", "Nearer (wheel)")) {
                        nearer = 1.6;
                    }
                    if button(ui, "farther", ("−", "Farther (wheel)")) {
                        nearer = 1.0 / 1.6;
                    }
                }
                fit = button(ui, "fit", ("All", "Show all of the world (F)"));
            });
            if fit {
                app.canvas.fit_world();
            }
            if tilt {
                app.canvas.toggle_map();
            }
            if walk {
                app.canvas.move_to_ground_level(app.pinned);
            }
            if nearer != 1.0 {
                app.canvas.zoom_animated(nearer);
            }
        });
}
