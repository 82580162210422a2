//! Gamepad actions: moving the camera, and selecting and using tools.

use super::gamepad::{
    DEAD_ZONE, FARTHER_BUTTON, FIT_BUTTON, NEARER_BUTTON, NO_TOOL_BUTTON, RADIUS_BUTTONS,
    RUN_BUTTON, TOOL_BUTTONS, UNDO_BUTTON,
};
use super::keys::BRUSH_STEP;
use crate::app::App;
use eframe::egui;
use std::time::Duration;

/// Rotation speed at full stick deflection, as the speed of an equivalent pointer drag (points per
/// second).
const TURN_SPEED: f32 = 420.0;
/// Zoom speed of a fully pressed trigger (1/s): the view is magnified by a factor of `e^(ZOOM_SPEED
/// · t)` in `t` seconds.
const ZOOM_SPEED: f32 = 1.4;

/// Interval at which an idle gamepad is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl App {
    /// Sets the state of the gamepad: four axes from −1 to 1, then buttons from 0 to 1, in the
    /// order of the standard mapping. `None` or fewer than 20 values mean that no gamepad is
    /// connected.
    pub fn set_gamepad(&mut self, values: Option<&[f32]>) {
        self.gamepad.set_state(values);
    }

    pub(in crate::app) fn handle_gamepad(&mut self, ctx: &egui::Context) {
        if !self.gamepad.is_connected() {
            return;
        }
        ctx.request_repaint_after(POLL_INTERVAL);
        let seconds = ctx.input(|input| input.stable_dt).min(0.1);
        let [right, down, turn, rise] = [0, 1, 2, 3].map(|axis| self.gamepad.axis(axis));
        if right != 0.0 || down != 0.0 {
            self.canvas.move_by([right, -down], seconds);
        }
        if turn != 0.0 || rise != 0.0 {
            self.canvas.turn(egui::vec2(-turn, -rise) * TURN_SPEED * seconds);
        }
        let nearer = self.gamepad.button_pressure(NEARER_BUTTON)
            - self.gamepad.button_pressure(FARTHER_BUTTON);
        if nearer.abs() > DEAD_ZONE {
            self.canvas.zoom((nearer * ZOOM_SPEED * seconds).exp());
        }
        if self.gamepad.was_pressed(NO_TOOL_BUTTON) {
            self.selection.select(None);
        }
        for (button, times) in RADIUS_BUTTONS.into_iter().zip([1.0 / BRUSH_STEP, BRUSH_STEP]) {
            if self.gamepad.was_pressed(button)
                && let Some(tool) = self.selection.tool(self.world_view.live.tools())
            {
                self.selection.scale_radius(tool, times);
            }
        }
        for (button, forward) in TOOL_BUTTONS.into_iter().zip([false, true]) {
            if self.gamepad.was_pressed(button) {
                self.select_adjacent_tool(forward);
            }
        }
        if self.gamepad.was_pressed(UNDO_BUTTON) {
            self.undo();
        }
        if self.gamepad.was_pressed(RUN_BUTTON) {
            self.world_view.toggle_running();
        }
        if self.gamepad.was_pressed(FIT_BUTTON) {
            self.canvas.fit_world();
        }
    }

    /// Selects the next tool if `forward` is true, otherwise the previous one. The cycle of tools
    /// includes a position without a tool, between the last tool and the first.
    fn select_adjacent_tool(&mut self, forward: bool) {
        let tools = self.world_view.live.tools().iter().map(|tool| tool.name);
        let tools: Vec<_> = tools.filter(|tool| self.world_view.allows_tool(tool)).collect();
        let now = tools.iter().position(|tool| *tool == self.selection.name());
        let next = match (now, forward) {
            (None, true) => Some(0),
            (None, false) => tools.len().checked_sub(1),
            (Some(now), true) => Some(now + 1),
            (Some(now), false) => now.checked_sub(1),
        };
        self.selection.select(next.and_then(|next| tools.get(next).copied()));
    }
}
