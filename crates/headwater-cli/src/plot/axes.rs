//! Axes of a diagram. Their ticks are at round numbers.

use super::canvas::{Canvas, LEFT, MIDDLE, RIGHT, Rect, RgbColor};

/// Horizontal and vertical axis along the edges of a rectangular frame, with the conversion from
/// coordinates to pixels.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    frame: Rect,
    x: [f64; 2],
    y: [f64; 2],
    /// Whether the axes are logarithmic. If so, coordinates are the decimal logarithms of the
    /// numbers shown at the ticks.
    logarithmic: bool,
}

impl Axes {
    /// Creates axes along the edges of `frame` (pixels) for coordinates in the ranges `x` and `y`.
    pub fn new(frame: Rect, x: [f64; 2], y: [f64; 2]) -> Self {
        Self { frame, x, y, logarithmic: false }
    }

    /// Creates logarithmic axes with ticks at powers of ten. Coordinates and the ranges `x` and `y`
    /// are the decimal logarithms of the numbers shown at the ticks.
    pub fn logarithmic(frame: Rect, x: [f64; 2], y: [f64; 2]) -> Self {
        Self { frame, x, y, logarithmic: true }
    }

    fn to_pixel(self, [x, y]: [f64; 2]) -> [f32; 2] {
        let part = |v: f64, [low, high]: [f64; 2]| ((v - low) / (high - low)) as f32;
        let Rect { left, top, right, bottom } = self.frame;
        // Clamp, because SVG renderers have trouble with very large coordinates.
        let [u, v] = [part(x, self.x), part(y, self.y)].map(|part| part.clamp(-2.0, 3.0));
        [left + u * (right - left), bottom - v * (bottom - top)]
    }

    /// Converts the points of a curve from coordinates of the axes to pixel positions.
    pub fn curve_to_pixels(&self, points: impl Iterator<Item = [f64; 2]>) -> Vec<[f32; 2]> {
        points.map(|point| self.to_pixel(point)).collect()
    }

    /// Returns the polygon between a curve and the bottom of the frame (pixels).
    pub fn area_below_curve(&self, curve: &[[f32; 2]]) -> Vec<[f32; 2]> {
        let mut area = curve.to_vec();
        if let (Some(first), Some(last)) = (curve.first(), curve.last()) {
            area.extend([[last[0], self.frame.bottom], [first[0], self.frame.bottom]]);
        }
        area
    }

    fn ticks(&self, range: [f64; 2], target_count: f64) -> Vec<(f64, String)> {
        if self.logarithmic { power_ticks(range) } else { ticks(range, target_count) }
    }

    /// Draws the grid, the frame and the numbers at the ticks. `grid_color` is the colour of the
    /// grid.
    pub fn draw(&self, canvas: &mut Canvas, color: RgbColor, grid_color: RgbColor) {
        let Rect { left, top, right, bottom } = self.frame;
        for (value, label) in self.ticks(self.x, 10.0) {
            let [x, _] = self.to_pixel([value, self.y[0]]);
            canvas.draw_line(&[[x, top], [x, bottom]], 1.0, grid_color);
            canvas.draw_line(&[[x, bottom], [x, bottom + 7.0]], 1.5, color);
            canvas.draw_text(&label, [x, bottom + 31.0], 20.0, color, MIDDLE);
        }
        for (value, label) in self.ticks(self.y, 6.0) {
            let [_, y] = self.to_pixel([self.x[0], value]);
            canvas.draw_line(&[[left, y], [right, y]], 1.0, grid_color);
            canvas.draw_line(&[[left - 7.0, y], [left, y]], 1.5, color);
            canvas.draw_text(&label, [left - 14.0, y + 7.0], 20.0, color, RIGHT);
        }
        canvas.draw_line(&[[left, top], [left, bottom], [right, bottom]], 1.5, color);
    }

    /// Draws the axis labels: `y` above the vertical axis, and `x` below the horizontal axis.
    pub fn draw_labels(&self, canvas: &mut Canvas, color: RgbColor, x: &str, y: &str) {
        let Rect { left, top, right, bottom } = self.frame;
        canvas.draw_text(y, [left, top - 14.0], 20.0, color, LEFT);
        canvas.draw_text(x, [0.5 * (left + right), bottom + 66.0], 20.0, color, MIDDLE);
    }
}

/// Returns about `target_count` round numbers in a range. Each item consists of a number and its
/// axis label.
fn ticks([low, high]: [f64; 2], target_count: f64) -> Vec<(f64, String)> {
    let rough = (high - low) / target_count;
    let power = 10.0_f64.powf(rough.log10().floor());
    let round = [1.0, 2.0, 5.0].into_iter().find(|m| m * power >= rough).unwrap_or(10.0);
    let step = round * power;
    let digits = (-step.log10() - 1e-9).ceil().max(0.0) as usize;
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    // Adding 0 turns −0 into 0.
    (first..=last).map(|i| i as f64 * step + 0.0).map(|v| (v, format!("{v:.digits$}"))).collect()
}

/// Returns the powers of ten in a range of decimal logarithms. Each item consists of the decimal
/// logarithm and the axis label.
fn power_ticks([low, high]: [f64; 2]) -> Vec<(f64, String)> {
    let label = |power: i32| format!("{:.*}", (-power).max(0) as usize, 10.0_f64.powi(power));
    (low.ceil() as i32..=high.floor() as i32).map(|p| (p.into(), label(p))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_with_as_few_digits_as_needed() {
        let labels = |range, target_count| -> Vec<String> {
            ticks(range, target_count).into_iter().map(|tick| tick.1).collect()
        };
        assert_eq!(labels([0.0, 10.0], 5.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(
            labels([-0.0003, 0.0052], 6.0),
            ["0.000", "0.001", "0.002", "0.003", "0.004", "0.005"]
        );
        assert_eq!(labels([-0.1, 0.31], 4.0), ["0.0", "0.2"]);
    }
    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let labels: Vec<String> = power_ticks([-2.3, 1.0]).into_iter().map(|tick| tick.1).collect();
        assert_eq!(labels, ["0.01", "0.1", "1", "10"]);
    }
}
