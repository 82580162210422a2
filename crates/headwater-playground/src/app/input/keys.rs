//! Keyboard shortcuts and their actions.

use crate::app::App;
use crate::app::files::FileCommand;
use eframe::egui::{self, Key, KeyboardShortcut, Modifiers};
use headwater_scene::MODELS;

/// Factor by which a key press changes the brush radius.
pub(in crate::app) const BRUSH_STEP: f64 = 1.25;

/// A key and the action that it triggers.
type KeyBinding = (Key, fn(&mut App));

/// Handles key presses of this frame, unless a text field has focus.
pub(in crate::app) fn handle_keys(ctx: &egui::Context, app: &mut App) {
    if ctx.egui_wants_keyboard_input() {
        return;
    }
    handle_command_keys(ctx, app);
    let pressed = |key| ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    for (key, model) in
        [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5].into_iter().zip(MODELS)
    {
        if pressed(key) {
            app.switch_tab(model.name);
        }
    }
    if pressed(Key::Space) {
        app.world_view.toggle_running();
    }
    // Counts repeated presses since the last frame.
    let steps = ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, Key::Period));
    (0..steps).for_each(|_| app.world_view.step());
    for (key, times) in [(Key::OpenBracket, 1.0 / BRUSH_STEP), (Key::CloseBracket, BRUSH_STEP)] {
        if pressed(key)
            && let Some(tool) = app.selection.tool(app.world_view.live.tools())
        {
            app.selection.scale_radius(tool, times);
        }
    }
    // An open menu handles this key itself.
    if !egui::Popup::is_any_open(ctx) && pressed(Key::Escape) {
        app.dismiss();
    }
    let actions: [KeyBinding; 10] = [
        (Key::R, |app| app.restart(None)),
        (Key::Minus, |app| app.world_view.pace.speed *= 0.5),
        (Key::Plus, |app| app.world_view.pace.speed *= 2.0),
        (Key::Equals, |app| app.world_view.pace.speed *= 2.0),
        (Key::F, |app| app.canvas.fit_world()),
        (Key::T, |app| app.canvas.toggle_follow(&app.world_view, app.pinned)),
        (Key::W, |app| app.canvas.move_to_ground_level(app.pinned)),
        (Key::M, |app| app.canvas.toggle_map()),
        (Key::V, |app| app.canvas.select_next_view(app.world_view.live.scene())),
        (Key::F1, |app| app.help = !app.help),
    ];
    for (key, act) in actions {
        if pressed(key) {
            act(app);
        }
    }
    if pressed(Key::P) {
        app.run_file_command(FileCommand::Screenshot, ctx);
    }
    move_view_with_arrow_keys(ctx, app);
}

fn handle_command_keys(ctx: &egui::Context, app: &mut App) {
    let pressed = |modifiers, key| {
        ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(modifiers, key)))
    };
    if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y)
    {
        app.redo();
    }
    if pressed(Modifiers::COMMAND, Key::Z) {
        app.undo();
    }
    if pressed(Modifiers::COMMAND, Key::O) {
        app.run_file_command(FileCommand::OpenScene, ctx);
    }
    if pressed(Modifiers::COMMAND, Key::S) {
        app.run_file_command(FileCommand::SaveScene, ctx);
    }
}

/// Moves the view while arrow keys are held and no widget has focus.
fn move_view_with_arrow_keys(ctx: &egui::Context, app: &mut App) {
    if ctx.memory(|memory| memory.focused().is_some()) {
        return;
    }
    let down = |key| ctx.input(|input| f32::from(u8::from(input.key_down(key))));
    let way =
        [down(Key::ArrowRight) - down(Key::ArrowLeft), down(Key::ArrowUp) - down(Key::ArrowDown)];
    if way != [0.0; 2] {
        let seconds = ctx.input(|input| input.stable_dt).min(0.1);
        app.canvas.move_by(way, seconds);
        ctx.request_repaint();
    }
}
