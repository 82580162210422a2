//! Default scales of a picture, derived from the first view: height range, depth drawn in the
//! deepest colour, speed at the upper end of the colour scale, and contour interval.

use super::labels::format::floor_to_nice_number;
use super::style::Palette;

/// Target number of contours between the lowest and the highest land.
const TARGET_CONTOURS: f64 = 14.0;

/// Returns the heights (m) that are drawn in the lowest and in the highest tint: the 0.2 % and the
/// 99.8 % quantile of the given heights.
pub fn height_range(heights: impl Iterator<Item = f32>) -> (f32, f32) {
    let mut heights: Vec<f32> = heights.collect();
    if heights.is_empty() {
        heights.push(0.0);
    }
    // Quantiles, so that single spikes or pits do not stretch the scale.
    let mut quantile = |share: f32| {
        let at = ((heights.len() - 1) as f32 * share) as usize;
        *heights.select_nth_unstable_by(at, f32::total_cmp).1
    };
    let (low, high) = (quantile(0.002), quantile(0.998));
    (low, high.max(low + 1e-3 + 1e-6 * low.abs()))
}

/// Returns the depth (m) that is drawn in the deepest colour, given the water depths `depth` (m) in
/// the cells and the relief of the land (m). Water shallower than `wet_depth` (m) is not drawn.
pub fn default_deep_depth(depth: &[f32], wet_depth: f32, relief: f32) -> f32 {
    let mut depths: Vec<f32> = depth.iter().copied().filter(|&h| h > 10.0 * wet_depth).collect();
    // A puddle or a spring's first drops do not indicate the later depth.
    let representative = depths.len() * 500 > depth.len();
    let found = if representative {
        let at = (depths.len() - 1) * 98 / 100;
        (1.25 * *depths.select_nth_unstable_by(at, f32::total_cmp).1).max(0.004 * relief)
    } else {
        0.03 * relief
    };
    found.max(50.0 * wet_depth)
}

/// Returns the default speed (m/s) at which particles have the longest streaks and lava the hottest
/// colour: half the shallow-water wave speed at the depth `deep_depth` (m).
pub fn default_fast_speed(deep_depth: f32) -> f32 {
    0.5 * (9.81 * deep_depth).sqrt()
}

/// Returns a round contour interval (m) that divides the height range `relief` (m) into about a
/// dozen intervals.
pub fn contour_interval(relief: f32) -> f64 {
    floor_to_nice_number(2.0 * (f64::from(relief) / TARGET_CONTOURS))
}

impl Palette {
    /// Returns the sea level `sea` if it is visible with this palette, otherwise `None`. `sea` is
    /// on a scale from 0 (lowest ground) to 1 (highest ground). It is visible if the palette has a
    /// sea and `sea` is at least 0 and less than 0.98.
    pub fn sea_level_within_scale(self, sea: f32) -> Option<f32> {
        (self == Palette::Island && (0.0..0.98).contains(&sea)).then_some(sea)
    }
}
