//! Rock that differs from place to place: how soft it is, and how steep it stands.

use super::land::Land;
use super::random::Round;
use crate::parallel;

/// Sets its random numbers apart from those of drops and plants.
const SEED: u64 = 0xFAB;
/// Lengths (units) over which rock differs, and how much of the difference is of each.
const WAVES: [(f64, f32); 3] = [(29.0, 0.5), (11.0, 0.3), (4.3, 0.2)];

/// Softness and steepness of each cell's rock relative to the mean, within
/// [`Params::variation`](super::Params::variation); empty if uniform. It depends on the place
/// alone. The first row of cells is the map's row `north`.
pub(super) fn of(land: &Land, north: usize) -> Vec<f32> {
    let variation = land.params.variation as f32;
    if variation == 0.0 {
        return Vec::new();
    }
    let (grid, seed) = (land.grid(), land.params.seed ^ SEED);
    let step = land.scale().step;
    let mut factors = vec![0.0; grid.cells()];
    parallel::for_each_row(&mut factors, grid.nx, |y, row| {
        for (x, factor) in row.iter_mut().enumerate() {
            let at = [x, north + y].map(|i| (i as f64 + 0.5) * step);
            let waves = WAVES.iter().zip(0..);
            let noise = waves.map(|(&(length, part), octave)| {
                part * between(at.map(|place| place / length), seed, octave)
            });
            *factor = 1.0 + variation * noise.sum::<f32>();
        }
    });
    factors
}

/// Values of chance from −1 to 1 at whole numbers, and smoothly between them.
fn between([x, y]: [f64; 2], seed: u64, octave: u64) -> f32 {
    let (i, j, round) = (x as u64, y as u64, Round::new(seed, octave));
    let smooth = |t: f64| (t * t * (3.0 - 2.0 * t)) as f32;
    let (u, v) = (smooth(x.fract()), smooth(y.fract()));
    let at = |i: u64, j: u64| 2.0 * round.stream(i << 32 | j).part() - 1.0;
    let row = |j: u64| {
        let west = at(i, j);
        west + u * (at(i + 1, j) - west)
    };
    let north = row(j);
    north + v * (row(j + 1) - north)
}
