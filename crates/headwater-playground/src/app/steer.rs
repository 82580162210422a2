//! Gamepad input.

use super::App;
use super::keys::WIDEN;
use super::pad::{FARTHER, FIT, LOOK, NEARER, REST, RUN, SIZES, TOOLS, UNDO};
use eframe::egui;
use std::time::Duration;

/// Rotation speed of a stick (points of pointer motion per second), and zoom speed of a trigger
/// (powers of e per second).
const TURNS: f32 = 420.0;
const NEARS: f32 = 1.4;

/// Polling interval of a gamepad at rest.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

impl App {
    /// Sets the state of the gamepad, if there is one: four axes from −1 to 1, then buttons from 0
    /// to 1, in the order of the standard mapping. Fewer than 20 values mean no gamepad.
    pub fn take_pad(&mut self, values: Option<&[f32]>) {
        self.pad.take(values);
    }

    pub(super) fn follow_pad(&mut self, ctx: &egui::Context) {
        if !self.pad.is_there() {
            return;
        }
        ctx.request_repaint_after(LOOK_AGAIN);
        let seconds = ctx.input(|input| input.stable_dt).min(0.1);
        let [right, down, turn, rise] = [0, 1, 2, 3].map(|axis| self.pad.axis(axis));
        if right != 0.0 || down != 0.0 {
            self.canvas.stroll([right, -down], seconds);
        }
        if turn != 0.0 || rise != 0.0 {
            self.canvas.turn(egui::vec2(-turn, -rise) * TURNS * seconds);
        }
        let nearer = self.pad.pressed(NEARER) - self.pad.pressed(FARTHER);
        if nearer.abs() > REST {
            self.canvas.zoom((nearer * NEARS * seconds).exp());
        }
        if self.pad.clicks(LOOK) {
            self.hand.take(None);
        }
        for (button, times) in SIZES.into_iter().zip([1.0 / WIDEN, WIDEN]) {
            if self.pad.clicks(button)
                && let Some(tool) = self.hand.tool(self.stage.live.tools())
            {
                self.hand.widen(tool, times);
            }
        }
        for (button, forth) in TOOLS.into_iter().zip([false, true]) {
            if self.pad.clicks(button) {
                self.next_tool(forth);
            }
        }
        if self.pad.clicks(UNDO) {
            self.undo();
        }
        if self.pad.clicks(RUN) {
            self.stage.toggle();
        }
        if self.pad.clicks(FIT) {
            self.canvas.fit();
        }
    }

    /// Selects the next or previous tool; between the last and the first no tool is selected.
    fn next_tool(&mut self, forth: bool) {
        let tools = self.stage.live.tools().iter().map(|tool| tool.name);
        let tools: Vec<_> = tools.filter(|tool| self.stage.allows(tool)).collect();
        let now = tools.iter().position(|tool| *tool == self.hand.name());
        let next = match (now, forth) {
            (None, true) => Some(0),
            (None, false) => tools.len().checked_sub(1),
            (Some(now), true) => Some(now + 1),
            (Some(now), false) => now.checked_sub(1),
        };
        self.hand.take(next.and_then(|next| tools.get(next).copied()));
    }
}
