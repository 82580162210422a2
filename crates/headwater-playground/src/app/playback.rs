//! The bar at the bottom: run, pause, step, speed, begin again, seed; and the books and the cost of a frame, always
//! in sight.

use super::App;
use super::bar::button;
use super::words;
use eframe::egui;

/// Draws the bar.
pub(super) fn show(ui: &mut egui::Ui, app: &mut App) {
    ui.horizontal_wrapped(|ui| {
        controls(ui, app);
        ui.separator();
        books(ui, app);
    });
}

fn controls(ui: &mut egui::Ui, app: &mut App) {
    let probe = app.probe.clone();
    let stage = &mut app.stage;
    let (sign, tip) =
        if stage.playing { ("Pause", "Pause (Space)") } else { ("Run", "Run (Space)") };
    if button(ui, &probe, "run", sign, tip, true) {
        stage.toggle();
    }
    if button(ui, &probe, "step", "Step", "One step (.)", true) {
        stage.step();
    }
    if button(ui, &probe, "reset", "Begin again", "Begin again (R)", true) {
        app.reset();
    }
    let stage = &mut app.stage;
    let unit = stage.live.scene().clock().unit;
    let fine = stage.pace.speed * 0.01;
    let speed = egui::DragValue::new(&mut stage.pace.speed)
        .range(1e-3..=1e6)
        .speed(fine)
        .suffix(format!("{unit} a second"))
        .max_decimals(2);
    probe
        .named("speed", ui.add(speed))
        .on_hover_text("Simulated time in a second: drag, or click and type");
    if button(ui, &probe, "slower", "Slower", "Half as fast (−)", true) {
        stage.pace.speed *= 0.5;
    }
    if button(ui, &probe, "faster", "Faster", "Twice as fast (+)", true) {
        stage.pace.speed *= 2.0;
    }
    let mut seed = stage.seed();
    let drag = egui::DragValue::new(&mut seed).prefix("seed ").speed(0.05);
    let tip = "Another seed makes another world, and begins again";
    if probe.named("seed", ui.add(drag)).on_hover_text(tip).changed() {
        app.reseed(seed);
    }
}

fn books(ui: &mut egui::Ui, app: &App) {
    let stage = &app.stage;
    let simulation = stage.live.simulation();
    let ledger = stage.ledger();
    let unit = stage.live.scene().clock().unit;
    let mono = |text: String| egui::RichText::new(text).monospace();
    ui.label(mono(format!("{}{unit}", words::short(stage.live.clock()))))
        .on_hover_text(format!("{} steps done", simulation.steps()));
    ui.label(mono(format!("{} {}", words::short(ledger.now), ledger.unit)))
        .on_hover_text("What is in the world");
    let missing = format!("missing {}", words::exact(ledger.residual_relative));
    let sound = ledger.residual_relative.abs() <= 1e-6;
    let color = if sound { ui.visuals().weak_text_color() } else { ui.visuals().error_fg_color };
    ui.label(mono(missing).color(color))
        .on_hover_text("The ledger: what came less what went less what is there, as a part of all that was ever there");
    let pace = &stage.pace;
    let cost =
        format!("{:.0} fps · step {:.1} ms", 1.0 / pace.frame.max(1e-3), 1e3 * pace.stepping);
    ui.label(mono(cost)).on_hover_text("Frames a second, and time spent on steps in each");
    if stage.playing && pace.reached < 0.9 {
        let share = format!("{:.0} % of the speed", 100.0 * pace.reached);
        ui.label(mono(share).color(ui.visuals().warn_fg_color))
            .on_hover_text("This machine steps the world slower than the speed asks for");
    }
}
