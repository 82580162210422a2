//! [`Rain`]: falling rain that is drawn over the canvas.

use eframe::egui::{self, Color32, Rect, Shape, Stroke, pos2, vec2};
use headwater_scene::picture::hash_to_unit_interval;

/// Number of drops at the highest intensity.
const MAX_DROPS: f32 = 260.0;

/// Fall speed of near drops (canvas heights per second).
const FALL_SPEED: f32 = 1.9;
/// Horizontal drift of drops, as a fraction of the height that they fall; negative to the left.
const SLANT: f32 = -0.12;

#[derive(Default)]
pub(super) struct Rain {
    /// Time for which rain has been drawn (s).
    clock: f32,
}

impl Rain {
    /// Draws rain with an intensity `strength` of 0 to 1, and advances its animation by `seconds`.
    /// The closure `rain_end_y` maps a screen x-coordinate to the y-coordinate at which drops
    /// disappear.
    pub(super) fn draw_frame(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        rain_end_y: impl Fn(f32) -> f32,
        strength: f32,
        seconds: f64,
    ) {
        if strength <= 0.0 {
            return;
        }
        self.clock = (self.clock + seconds as f32) % 600.0;
        let painter = ui.painter().with_clip_rect(rect);
        let drop = |number: u32| {
            let own = |what: u32| hash_to_unit_interval(number * 4 + what);
            // Distant drops are short, faint and slow.
            let near = 0.35 + 0.65 * own(0);
            let turn = self.clock * FALL_SPEED * near + own(1);
            let again = hash_to_unit_interval(number.wrapping_mul(31) ^ (turn as u32) << 9);
            let [x, y] = [again * 1.2 - 0.05, turn.fract() * 1.1 - 0.05];
            let at = pos2(rect.left() + x * rect.width(), rect.top() + y * rect.height());
            let long = (8.0 + 20.0 * strength) * near;
            let ink = Color32::from_white_alpha((22.0 + 60.0 * near * near) as u8);
            let to = at + vec2(SLANT * long, long);
            // Fraction of the drop that is above the ground.
            let left = ((rain_end_y(to.x).min(rain_end_y(at.x)) - at.y) / long).clamp(0.0, 1.0);
            let to = at + (to - at) * left;
            (left > 0.0).then(|| Shape::line_segment([at, to], Stroke::new(0.6 + 0.8 * near, ink)))
        };
        let count = (MAX_DROPS * strength * strength).ceil() as u32;
        painter.extend((0..count).filter_map(drop));
    }
}
