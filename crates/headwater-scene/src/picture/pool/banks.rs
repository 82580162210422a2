//! The land around a pool: how far every cell is from the shore, and the ground that follows from it. A
//! wave world knows where land is and no more; what its banks look like is up to the painter.

use crate::picture::color::grain;
use crate::picture::relief::blur;
use headwater::Field;

/// Distance from the shore (cells) of every cell: above 0 on land, below 0 on water; as far as the grid is
/// large where there is no shore.
pub(super) fn from_shore(land: &Field<bool>) -> Field<f32> {
    let on = distances(land, true);
    let off = distances(land, false);
    Field::from_fn(land.nx(), land.ny(), |x, y| {
        // A shore runs half way between the cells on its sides.
        if land[(x, y)] { off[(x, y)] - 0.5 } else { 0.5 - on[(x, y)] }
    })
}

/// Distance (cells) from every cell to the nearest one where `land` is `to`, along straight and
/// slanting neighbours and knight's moves: off by less than 3 % (Borgefors 1986).
fn distances(land: &Field<bool>, to: bool) -> Field<f32> {
    let (nx, ny) = (land.nx() as isize, land.ny() as isize);
    let far = (nx + ny) as f32;
    let mut found =
        Field::from_fn(land.nx(), land.ny(), |x, y| if land[(x, y)] == to { 0.0 } else { far });
    let ways = [
        (-1, 0, 1.0),
        (0, -1, 1.0),
        (-1, -1, 1.414),
        (1, -1, 1.414),
        (-2, -1, 2.236),
        (2, -1, 2.236),
        (-1, -2, 2.236),
        (1, -2, 2.236),
    ];
    for back in [false, true] {
        let sign = if back { -1 } else { 1 };
        for i in 0..nx * ny {
            let i = if back { nx * ny - 1 - i } else { i };
            let (x, y) = (i % nx, i / nx);
            let mut least = found[(x as usize, y as usize)];
            for (dx, dy, length) in ways {
                let (u, v) = (x + sign * dx, y + sign * dy);
                if (0..nx).contains(&u) && (0..ny).contains(&v) {
                    least = least.min(found[(u as usize, v as usize)] + length);
                }
            }
            found[(x as usize, y as usize)] = least;
        }
    }
    found
}

/// The height of land (m): a bank, then a slope that grows flatter, with tufts on it.
pub(super) fn rising(from_shore: &Field<f32>, cell: f64) -> Field<f32> {
    let (nx, ny) = (from_shore.nx(), from_shore.ny());
    let size = nx.max(ny) as f32;
    let wide = 0.16 * size;
    // Distances have edges where two shores are as near; land has none.
    let radius = (nx.max(ny) / 90).max(1);
    let once = blur(from_shore.as_slice(), nx, ny, radius);
    let smooth = blur(&once, nx, ny, radius);
    Field::from_fn(nx, ny, |x, y| {
        let inland = smooth[y * nx + x].max(0.0);
        // Each grain lies at another angle, so that their lattices do not show together.
        let tuft = |often: f32, angle: f32, seed| {
            let (sin, cos) = angle.sin_cos();
            let (u, v) = (x as f32 * often / size, y as f32 * often / size);
            grain(u * cos + v * sin, v * cos - u * sin, seed)
        };
        let tufts = tuft(17.0, 0.5, 31) + 0.6 * tuft(31.0, 1.9, 32) + 0.5 * tuft(67.0, 2.7, 33);
        let slope = 1.0 - (-inland / wide).exp();
        cell as f32 * wide * (0.32 * slope + 0.016 * tufts * (3.0 * slope).min(1.0))
    })
}

/// The surface with what it would be under the banks: no step where it meets land, which waves
/// would not feel and a picture would show.
pub(super) fn extended(height: &Field<f32>, land: &Field<bool>) -> Field<f32> {
    let (nx, ny) = (height.nx(), height.ny());
    let clean = |z: f32| if z.is_finite() { z.clamp(-1e6, 1e6) } else { 0.0 };
    let mut known = land.map(|&land| !land);
    let mut out =
        Field::from_fn(nx, ny, |x, y| if known[(x, y)] { clean(height[(x, y)]) } else { 0.0 });
    // As far as the spline reaches.
    for _ in 0..3 {
        let before = known.clone();
        let from = out.clone();
        for y in 0..ny {
            for x in 0..nx {
                if before[(x, y)] {
                    continue;
                }
                let (mut sum, mut count) = (0.0, 0.0);
                for v in y.saturating_sub(1)..(y + 2).min(ny) {
                    for u in x.saturating_sub(1)..(x + 2).min(nx) {
                        if before[(u, v)] {
                            sum += from[(u, v)];
                            count += 1.0;
                        }
                    }
                }
                if count > 0.0 {
                    out[(x, y)] = sum / count;
                    known[(x, y)] = true;
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_a_disc() {
        let land = Field::from_fn(41, 37, |x, y| (x as f32 - 20.0).hypot(y as f32 - 18.0) > 12.0);
        let found = from_shore(&land);
        assert!((found[(20, 18)] + 12.0).abs() < 1.0, "{}", found[(20, 18)]);
        assert!((found[(0, 18)] - 8.0).abs() < 1.0, "{}", found[(0, 18)]);
        assert!(found[(31, 18)] < 0.0 && found[(33, 18)] > 0.0);
    }

    #[test]
    fn the_surface_goes_on_under_the_bank() {
        let land = Field::from_fn(9, 5, |x, _| x > 4);
        let height = Field::from_fn(9, 5, |x, _| if x > 4 { 7.0 } else { 0.25 });
        let out = extended(&height, &land);
        assert!((0..8).all(|x| out[(x, 2)] == 0.25), "{:?}", out.row(2));
    }
}
