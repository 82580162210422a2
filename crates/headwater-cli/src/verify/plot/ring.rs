//! The figure of two rings, one on squares and one on hexagons, their deviations from a circle
//! exaggerated. What they are is measured elsewhere.

use super::{EXACT, INK, LEVEL_INKS, SIZE, percent};
use crate::plot::{Canvas, LEFT, MIDDLE, Rect};
use crate::span::span;

/// The radii (m) of a ring in evenly spaced directions, from the east to the north.
#[derive(Clone, Debug)]
pub(in crate::verify) struct Ring {
    /// The case.
    pub(in crate::verify) figure: &'static str,
    /// The level's name.
    pub(in crate::verify) level: &'static str,
    /// On a lattice of squares.
    pub(in crate::verify) squares: Vec<f64>,
    /// On a lattice of hexagons.
    pub(in crate::verify) hexagons: Vec<f64>,
}

/// How many times as far from a circle as it is a ring is drawn.
const EXAGGERATED: f64 = 10.0;
/// Radius of the circle (pixels).
const RADIUS: f64 = 240.0;

pub(super) fn draw(ring: &Ring) -> Canvas {
    let [width, height] = SIZE.map(|side| side as f32);
    let mut canvas = Canvas::new(SIZE, Rect { left: 0.0, top: 0.0, right: width, bottom: height });
    let title = format!(
        "The ring around a drop, its deviation from a circle {EXAGGERATED} times as large ({})",
        ring.level
    );
    canvas.text(&title, [60.0, 60.0], 30.0, INK, LEFT);
    let both = [("squares", &ring.squares), ("hexagons of the same area", &ring.hexagons)];
    for (i, (name, radii)) in both.into_iter().enumerate() {
        let middle = [380.0 + 640.0 * i as f64, 410.0];
        let mean = radii.iter().sum::<f64>() / radii.len() as f64;
        let [low, high] = span(radii.iter().map(|r| r / mean - 1.0));
        let points = |part: &dyn Fn(usize) -> f64, count: usize| -> Vec<[f32; 2]> {
            let point = |i: usize| {
                let (sin, cos) = (i as f64 / count as f64 * std::f64::consts::TAU).sin_cos();
                let r = RADIUS * part(i % count);
                [(middle[0] + r * cos) as f32, (middle[1] - r * sin) as f32]
            };
            (0..=count).map(point).collect()
        };
        canvas.line(&points(&|_| 1.0, 360), 7.0, EXACT);
        let exaggerated = |i: usize| 1.0 + EXAGGERATED * (radii[i] / mean - 1.0);
        canvas.line(&points(&exaggerated, radii.len()), 2.5, LEVEL_INKS[i]);
        let words = format!("{name}: {}", percent(high - low));
        canvas.text(&words, [middle[0] as f32, 735.0], 26.0, INK, MIDDLE);
    }
    canvas
}
