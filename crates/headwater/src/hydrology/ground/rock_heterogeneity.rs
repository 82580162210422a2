//! Random spatial variation of the erodibility and the steepest stable slope of rock.

use crate::hydrology::state::land::Land;
use crate::hydrology::state::random::RandomRound;
use crate::parallel;

/// Value that is combined with the world's seed, so that the random numbers for rock differ from
/// those for drops and plants.
const SEED: u64 = 0xFAB;
/// Wavelength and weight of each octave of noise. Wavelengths are multiples of the map's unit of
/// length, which the parameter `unit` sets.
const OCTAVES: [(f64, f32); 3] = [(29.0, 0.5), (11.0, 0.3), (4.3, 0.2)];

/// Returns one factor per cell, by which both the erodibility and the steepest stable slope of its
/// rock are multiplied. The factors lie within 1 ±
/// [`Params::variation`](crate::hydrology::Params::variation) and depend only on the seed and on
/// the cell's position in the map. `land` may be a block of rows of the map, which starts at the
/// map's row `first_row`. Returns an empty list if the variation is 0.
pub(in crate::hydrology) fn factors(land: &Land, first_row: usize) -> Vec<f32> {
    let variation = land.params.variation as f32;
    if variation == 0.0 {
        return Vec::new();
    }
    let (grid, seed) = (land.grid(), land.params.seed ^ SEED);
    let step = land.scale().step;
    let mut factors = vec![0.0; grid.cell_count()];
    parallel::for_each_row(&mut factors, grid.nx, |y, row| {
        for (x, factor) in row.iter_mut().enumerate() {
            let at = [x, first_row + y].map(|i| (i as f64 + 0.5) * step);
            let octaves = OCTAVES.iter().zip(0..);
            let noise = octaves.map(|(&(length, part), octave)| {
                part * value_noise(at.map(|place| place / length), seed, octave)
            });
            *factor = 1.0 + variation * noise.sum::<f32>();
        }
    });
    factors
}

/// Returns value noise at a position: random values from −1 to 1 at integer positions, with smooth
/// interpolation between them.
fn value_noise([x, y]: [f64; 2], seed: u64, octave: u64) -> f32 {
    let (i, j, round) = (x as u64, y as u64, RandomRound::new(seed, octave));
    let smooth = |t: f64| (t * t * (3.0 - 2.0 * t)) as f32;
    let (u, v) = (smooth(x.fract()), smooth(y.fract()));
    let at = |i: u64, j: u64| 2.0 * round.stream(i << 32 | j).next_uniform() - 1.0;
    let row = |j: u64| {
        let west = at(i, j);
        west + u * (at(i + 1, j) - west)
    };
    let first_row = row(j);
    first_row + v * (row(j + 1) - first_row)
}
