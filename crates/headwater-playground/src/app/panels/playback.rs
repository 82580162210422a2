//! The bar at the bottom of the window: run, pause, restart, step, speed and seed. The ledger (mass
//! balance) and the cost of a frame are always visible.

use super::WindowClass;
use super::numbers;
use super::widgets::{Tip as _, button};
use crate::app::App;
use eframe::egui;

/// Width (points) below which the bar shows the ledger in a second row.
const ONE_ROW: f32 = 1090.0;

pub(in crate::app) fn show(ui: &mut egui::Ui, app: &mut App) {
    let in_one_row = ui.available_width() >= ONE_ROW;
    ui.horizontal_wrapped(|ui| {
        let probe = app.probe.clone();
        let world_view = &mut app.world_view;
        let (label, tip) =
            if world_view.playing { ("Pause", "Pause (Space)") } else { ("Run", "Run (Space)") };
        // The button has a fixed width, so that the layout does not move.
        let run = egui::Button::new(label).min_size(egui::vec2(52.0, 0.0));
        if probe.record_widget("button.run", ui.add(run)).tip(tip).clicked() {
            world_view.toggle_running();
        }
        show_recording_progress(ui, app);
        if button(ui, &probe, "reset", ("Begin again", "Begin again (R); can be undone")) {
            app.restart(None);
        }
        show_more_controls(ui, app);
        if in_one_row {
            ui.separator();
            show_ledger_and_cost(ui, app);
        }
    });
    if !in_one_row {
        ui.horizontal(|ui| show_ledger_and_cost(ui, app));
    }
}

/// Shows the progress of a recording, with a cancel button.
pub(in crate::app) fn show_recording_progress(ui: &mut egui::Ui, app: &mut App) {
    let Some(recording) = &mut app.recording else { return };
    ui.strong(format!("Recording … {:.0} %", 100.0 * recording.progress()));
    // A recording by the browser cannot be cancelled.
    if cfg!(not(target_arch = "wasm32")) {
        let cancel = app.probe.record_widget("record.cancel", ui.button("Cancel"));
        recording.is_cancelled |=
            cancel.tip("Cancel the recording and return to the present").clicked();
    }
}

pub(in crate::app) fn show_more_controls(ui: &mut egui::Ui, app: &mut App) {
    let probe = app.probe.clone();
    let world_view = &mut app.world_view;
    if button(ui, &probe, "step", ("Step", "One step (.)")) {
        world_view.step();
    }
    show_scrub_slider(ui, app);
    let world_view = &mut app.world_view;
    let unit = world_view.live.scene().clock().unit;
    let fine = world_view.pace.speed * 0.01;
    let speed = egui::DragValue::new(&mut world_view.pace.speed)
        .range(1e-3..=1e6)
        .speed(fine)
        .suffix(format!("{unit} a second"))
        .max_decimals(2);
    probe
        .record_widget("speed", ui.add(speed))
        .tip("Simulated time per second: drag, or click and type");
    if button(ui, &probe, "slower", ("Slower", "Half as fast (−)")) {
        world_view.pace.speed *= 0.5;
    }
    if button(ui, &probe, "faster", ("Faster", "Twice as fast (+)")) {
        world_view.pace.speed *= 2.0;
    }
    let mut seed = world_view.seed();
    let drag = egui::DragValue::new(&mut seed).prefix("seed ").speed(0.05);
    if probe.record_widget("seed", ui.add(drag)).tip("Restart with another seed").changed() {
        app.restart(Some(seed));
    }
}

/// Draws the slider that scrubs through the last minute of play.
fn show_scrub_slider(ui: &mut egui::Ui, app: &mut App) {
    let time_scrub = &app.world_view.time_scrub;
    let (count, at) = time_scrub.count_and_shown_index();
    // The present is an additional slider position until scrubbing starts.
    let last = if at.is_some() { count.saturating_sub(1) } else { count };
    let mut place = at.unwrap_or(last);
    let ago = if at.is_some() { time_scrub.age(place).round() } else { 0.0 };
    let when = if ago > 0.0 { format!("−{ago:.0} s") } else { "now".into() };
    ui.spacing_mut().slider_width = 90.0;
    let slider = egui::Slider::new(&mut place, 0..=last.max(1)).show_value(false).text(when);
    let alone = app.comparison.is_none();
    let slider = app.probe.record_widget("scrub", ui.add_enabled(last > 0 && alone, slider));
    let slider = if alone {
        slider
    } else {
        slider.on_disabled_hover_text("Not available during a comparison")
    };
    if slider
        .tip("Go back up to a minute of play. Continuing from there discards what followed")
        .changed()
        && Some(place) != at
        && (at.is_some() || place < last)
    {
        app.run_when_available(move |app| app.world_view.scrub(place));
    }
}

pub(in crate::app) fn show_clock(ui: &mut egui::Ui, app: &App) {
    let live = &app.world_view.live;
    let unit = live.scene().clock().unit;
    ui.label(format!("{}{unit}", numbers::format_short(live.clock())))
        .tip(format!("{} steps done", live.simulation().steps()));
}

/// Shows the simulated time, the volume of liquid and the mass balance.
pub(in crate::app) fn show_ledger_and_cost(ui: &mut egui::Ui, app: &App) {
    let world_view = &app.world_view;
    let ledger = world_view.ledger();
    show_clock(ui, app);
    match world_view.highest_wave() {
        // The net volume of a wave surface is not informative.
        Some(height) => ui
            .label(format!("waves up to {}", numbers::format_length(height)))
            .tip("Largest elevation of the surface above or below rest"),
        None => ui
            .label(numbers::format_amount(ledger.now, ledger.unit))
            .tip("Volume of liquid in the world"),
    };
    let tip = format!(
        "Residual of the mass balance, relative to all liquid that was ever in the world: {}",
        numbers::format_exact(if ledger.residual == 0.0 { 0.0 } else { ledger.residual_relative })
    );
    if ledger.is_balanced() {
        ui.weak("no drop lost").tip(tip);
    } else {
        let missing = format!("{} missing", numbers::format_amount(-ledger.residual, ledger.unit));
        ui.colored_label(ui.visuals().error_fg_color, missing).tip(tip);
    }
    let pace = &world_view.pace;
    if app.panels.window_class == WindowClass::Narrow {
        return;
    }
    let cost =
        format!("{:.0} fps · step {:.1} ms", 1.0 / pace.frame.max(1e-3), 1e3 * pace.stepping);
    ui.weak(cost).tip("Frames per second, and stepping time per frame");
    if world_view.playing && pace.reached_fraction < 0.9 {
        let share = format!("{:.0} % of the speed", 100.0 * pace.reached_fraction);
        ui.colored_label(ui.visuals().warn_fg_color, share)
            .tip("This machine cannot simulate at the selected speed");
    }
}
