//! Figure of a ring-shaped wave, once on a lattice of squares and once on hexagons. Deviations from
//! a circle are exaggerated.

use super::{EXACT, INK, LEVEL_INKS, SIZE, format_percent};
use headwater_cli::plot::{Canvas, LEFT, MIDDLE, Rect};
use headwater_cli::span::min_max;

/// Shapes of a ring-shaped wave on two lattices. Each shape is a list of radii (m) in evenly spaced
/// directions, counterclockwise from the east.
#[derive(Clone, Debug)]
pub(in crate::verify) struct Ring {
    /// Name of the case.
    pub(in crate::verify) figure: &'static str,
    /// Name of the physics model.
    pub(in crate::verify) level: &'static str,
    /// Radii of the wave on a lattice of squares (m).
    pub(in crate::verify) squares: Vec<f64>,
    /// Radii of the wave on a lattice of hexagons (m).
    pub(in crate::verify) hexagons: Vec<f64>,
}

/// Factor by which the figure exaggerates deviations from a circle (dimensionless).
const EXAGGERATION: f64 = 10.0;
/// Radius of the reference circle in the figure (pixels).
const RADIUS: f64 = 240.0;

pub(super) fn draw(ring: &Ring) -> Canvas {
    let [width, height] = SIZE.map(|side| side as f32);
    let mut canvas = Canvas::new(SIZE, Rect { left: 0.0, top: 0.0, right: width, bottom: height });
    let title = format!(
        "Ring wave around a drop, deviation from a circle exaggerated {EXAGGERATION} times ({})",
        ring.level
    );
    canvas.draw_text(&title, [60.0, 60.0], 30.0, INK, LEFT);
    let both = [("squares", &ring.squares), ("hexagons of the same area", &ring.hexagons)];
    for (i, (name, radii)) in both.into_iter().enumerate() {
        let middle = [380.0 + 640.0 * i as f64, 410.0];
        let mean = radii.iter().sum::<f64>() / radii.len() as f64;
        let [low, high] = min_max(radii.iter().map(|r| r / mean - 1.0));
        let points = |part: &dyn Fn(usize) -> f64, count: usize| -> Vec<[f32; 2]> {
            let point = |i: usize| {
                let (sin, cos) = (i as f64 / count as f64 * std::f64::consts::TAU).sin_cos();
                let r = RADIUS * part(i % count);
                [(middle[0] + r * cos) as f32, (middle[1] - r * sin) as f32]
            };
            (0..=count).map(point).collect()
        };
        canvas.draw_line(&points(&|_| 1.0, 360), 7.0, EXACT);
        let exaggerated = |i: usize| 1.0 + EXAGGERATION * (radii[i] / mean - 1.0);
        canvas.draw_line(&points(&exaggerated, radii.len()), 2.5, LEVEL_INKS[i]);
        let label = format!("{name}: {}", format_percent(high - low));
        canvas.draw_text(&label, [middle[0] as f32, 735.0], 26.0, INK, MIDDLE);
    }
    canvas
}
