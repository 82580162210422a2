//! Test terrains from gradient noise, for measurements of the model `hydrology`. The terrains are
//! the same on every machine.

use crate::noise::scramble_bits;
use anyhow::{Context as _, Result};
use headwater::hydrology::{Hydrology, Params};
use headwater::{Field, Square};

/// Creates a hydrology world on square cells of 1 m from the heights in `bed` (m).
pub(crate) fn create_world(bed: &Field<f32>, params: Params) -> Result<Hydrology> {
    Ok(Hydrology::new(Square::new(bed.nx(), bed.ny(), 1.0, 1.0)?, params, bed)?)
}

/// Returns a copy of the world's layer with the name `name`.
pub(crate) fn layer(world: &Hydrology, name: &str) -> Result<Field<f32>> {
    let layer = world.layer(name).with_context(|| format!("there is no layer `{name}`"))?;
    Ok(layer.into_owned())
}

/// Returns the gradient of the noise at a lattice point: one of eight unit vectors, selected by a
/// hash.
fn noise_gradient_at(x: i64, y: i64, seed: u64) -> [f64; 2] {
    let z = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (y as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)
        ^ seed.wrapping_mul(0x2545_F491_4F6C_DD1D);
    let (a, b) = (0.924, 0.383);
    [[a, b], [b, a], [-b, a], [-a, b], [-a, -b], [-b, -a], [b, -a], [a, -b]]
        [(scramble_bits(z) >> 61) as usize]
}

/// Returns gradient noise (K. Perlin, 2002) at a point. The noise is 0 at lattice points, which
/// have a spacing of 1.
fn gradient_noise(x: f64, y: f64, seed: u64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let (u, v) = (x - i, y - j);
    let smooth = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let at = |di: i64, dj: i64| {
        let [a, b] = noise_gradient_at(i as i64 + di, j as i64 + dj, seed);
        a * (u - di as f64) + b * (v - dj as f64)
    };
    let row = |dj: i64| at(0, dj) + smooth(u) * (at(1, dj) - at(0, dj));
    row(0) + smooth(v) * (row(1) - row(0))
}

/// Returns a terrain of `n × n` heights (in units of the cell size) from eight octaves of noise.
/// Its relief is proportional to `n`: about 40 cells for a width of 256 cells, as in the article on
/// which the model `hydrology` is based.
pub(crate) fn noise_terrain(n: usize, seed: u64) -> Field<f32> {
    let scale = 2.3 / n as f64;
    let octave = |x: usize, y: usize, k: i32| {
        let fine = scale * 2_f64.powi(k);
        gradient_noise(x as f64 * fine, y as f64 * fine, 8 * seed + k as u64) * 0.5_f64.powi(k)
    };
    let relief = 24.0 * n as f64 / 256.0;
    Field::from_fn(n, n, |x, y| {
        (relief * (1.0 + (0..8).map(|k| octave(x, y, k)).sum::<f64>())) as f32
    })
}
