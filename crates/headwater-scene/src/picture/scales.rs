//! The scales that a picture's first view fixes, where nobody says them: the range of heights, the deepest colour,
//! the fast speed, contours.

use super::label::round_below;
use super::style::Palette;

/// Contours wished for between the lowest and the highest land.
const CONTOURS: f64 = 14.0;

/// Heights (m) of the lowest and the highest tint, for land of such heights.
pub fn height_range(heights: impl Iterator<Item = f32>) -> (f32, f32) {
    let mut heights: Vec<f32> = heights.collect();
    if heights.is_empty() {
        heights.push(0.0);
    }
    // A lone spike or pit shall not take the colours from all the rest.
    let mut quantile = |share: f32| {
        let at = ((heights.len() - 1) as f32 * share) as usize;
        *heights.select_nth_unstable_by(at, f32::total_cmp).1
    };
    let (low, high) = (quantile(0.002), quantile(0.998));
    (low, high.max(low + 1e-3 + 1e-6 * low.abs()))
}

/// The depth (m) that has the deepest colour, for water of such depths on land with so much relief (m), drawn from
/// the depth `wet` on.
pub fn deep_depth(depth: &[f32], wet: f32, relief: f32) -> f32 {
    let mut depths: Vec<f32> = depth.iter().copied().filter(|&h| h > 10.0 * wet).collect();
    // A puddle or a spring's first drops say little of how deep it will become.
    let telling = depths.len() * 500 > depth.len();
    let found = if telling {
        let at = (depths.len() - 1) * 98 / 100;
        (1.25 * *depths.select_nth_unstable_by(at, f32::total_cmp).1).max(0.004 * relief)
    } else {
        0.03 * relief
    };
    found.max(50.0 * wet)
}

/// The fast speed (m/s) of water with such a deep depth (m): half the speed of a wave on it.
pub fn fast_speed(deep: f32) -> f32 {
    0.5 * (9.81 * deep).sqrt()
}

/// Height (m) from one contour to the next on land with so much relief (m): a round number that gives about a dozen.
pub fn contour_interval(relief: f32) -> f64 {
    round_below(2.0 * (f64::from(relief) / CONTOURS))
}

impl Palette {
    /// Where the sea lies among heights from 0 (lowest) to 1 (highest), if the palette knows a sea.
    pub fn sea_at(self, sea: f32) -> Option<f32> {
        (self == Palette::Island && (0.0..0.98).contains(&sea)).then_some(sea)
    }
}
