//! Terrain and noise for the tests of the model `hydrology`.

use headwater::hydrology::{Hydrology, Params, Substance};
use headwater::{Field, Square};

/// Creates a hydrology world from the bed elevation, with cells of 1 m.
pub(crate) fn new_land(bed: &Field<f32>, params: Params) -> Hydrology {
    Hydrology::new(Square::new(bed.nx(), bed.ny(), 1.0, 1.0).unwrap(), params, bed).unwrap()
}

pub(crate) fn check_ledgers(land: &Hydrology) {
    for balance in [Substance::Water, Substance::Sediment].map(|of| land.balance(of)) {
        assert_eq!(balance.residual, 0, "{balance:?}");
    }
}

/// Returns one of eight unit vectors, chosen pseudo-randomly for the lattice point `(x, y)`.
fn direction(x: i64, y: i64, seed: u64) -> [f64; 2] {
    let mut z = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (y as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)
        ^ seed.wrapping_mul(0x2545_F491_4F6C_DD1D);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let (a, b) = (0.924, 0.383);
    [[a, b], [b, a], [-b, a], [-a, b], [-a, -b], [-b, -a], [b, -a], [a, -b]][(z >> 61) as usize]
}

/// Returns the value of gradient noise at a point (K. Perlin, 2002).
fn gradient_noise(x: f64, y: f64, seed: u64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let (u, v) = (x - i, y - j);
    let smooth = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let at = |di: i64, dj: i64| {
        let [a, b] = direction(i as i64 + di, j as i64 + dj, seed);
        a * (u - di as f64) + b * (v - dj as f64)
    };
    let row = |dj: i64| at(0, dj) + smooth(u) * (at(1, dj) - at(0, dj));
    row(0) + smooth(v) * (row(1) - row(0))
}

/// Returns terrain elevations made of seven octaves of noise. The relief is 40 cell sizes for every
/// 256 cells along the longer side.
pub(crate) fn noise(nx: usize, ny: usize, seed: u64) -> Field<f32> {
    let scale = 2.3 / nx.max(ny) as f64;
    let height = |x: usize, y: usize| {
        let octave = |k: i32| {
            let fine = scale * 2_f64.powi(k);
            gradient_noise(x as f64 * fine, y as f64 * fine, 7 * seed + k as u64) * 0.55_f64.powi(k)
        };
        (0..7).map(octave).sum::<f64>()
    };
    let relief = 24.0 * nx.max(ny) as f64 / 256.0;
    Field::from_fn(nx, ny, |x, y| (relief * (1.0 + height(x, y))) as f32)
}
