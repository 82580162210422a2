//! Statistics of the raster heights within a cell. They detect a bank and give the ground heights
//! on both sides of it.

use super::MIN_BANK_HEIGHT;
use super::raster::Raster;

/// Smallest gap between sorted heights that counts as a bank, as a fraction of the range of the
/// heights.
const MIN_GAP_FRACTION: f32 = 0.5;

/// Returns the height (m) in the middle of the widest gap between the sorted heights of a cell.
/// Returns `None` if the gap is too narrow to be a bank.
pub(super) fn widest_gap_center(heights: impl Iterator<Item = f32>) -> Option<f32> {
    let mut heights: Vec<f32> = heights.collect();
    heights.sort_by(f32::total_cmp);
    let range = heights[heights.len() - 1] - heights[0];
    let wide = |pair: &[f32]| pair[1] - pair[0];
    let widest = heights.windows(2).max_by(|a, b| wide(a).total_cmp(&wide(b)))?;
    let is_bank = wide(widest) > MIN_GAP_FRACTION * range && wide(widest) >= MIN_BANK_HEIGHT;
    is_bank.then(|| widest[0] + 0.5 * wide(widest))
}

/// Returns the ground height (m) at the centre of a cell, from a plane that is fitted to samples in
/// and around the cell.
pub(super) fn height_at_center(
    raster: &Raster,
    (x, y): (usize, usize),
    samples: &[(usize, usize)],
) -> f32 {
    let middle = [x, y].map(|i| (i as f64 + 0.5) * raster.samples as f64 - 0.5);
    let ground = || {
        samples.iter().map(|&at| {
            let away = [at.0 as f64 - middle[0], at.1 as f64 - middle[1]];
            (away, f64::from(raster.fine[at]))
        })
    };
    let (mut count, mut mean, mut centre) = (0.0, 0.0, [0.0; 2]);
    for (away, z) in ground() {
        (count, mean) = (count + 1.0, mean + z);
        centre = [centre[0] + away[0], centre[1] + away[1]];
    }
    (mean, centre) = (mean / count, centre.map(|sum| sum / count));
    let (mut squares, mut with) = ([0.0; 3], [0.0; 2]);
    let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
    for (away, z) in ground() {
        let [a, b] = [away[0] - centre[0], away[1] - centre[1]];
        squares = [squares[0] + a * a, squares[1] + a * b, squares[2] + b * b];
        with = [with[0] + a * (z - mean), with[1] + b * (z - mean)];
        (min, max) = (min.min(z), max.max(z));
    }
    let [xx, xy, yy] = squares;
    let spread = xx * yy - xy * xy;
    // Collinear samples define no plane.
    if spread <= 1e-3 * (xx + yy) * (xx + yy) {
        return mean as f32;
    }
    let slope = [(yy * with[0] - xy * with[1]) / spread, (xx * with[1] - xy * with[0]) / spread];
    (mean - slope[0] * centre[0] - slope[1] * centre[1]).clamp(min, max) as f32
}
