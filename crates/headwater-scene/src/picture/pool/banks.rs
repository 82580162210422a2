//! The land around a pool: how far every cell is from the shore, and the ground that follows from it. A
//! wave world knows where land is and no more; what its banks look like is up to the painter.

use crate::picture::relief::blur;
use headwater::Field;
use noise::{NoiseFn, SuperSimplex};

/// How much higher land would be that had all colours of the palette.
pub(super) const HIGHER: f32 = 1.9;

/// Distance from the shore (cells) of every cell: above 0 on land, below 0 on water; as far as the grid is
/// large where there is no shore. The shore is smooth where the mask is a flight of stairs.
pub(super) fn from_shore(land: &Field<bool>) -> Field<f32> {
    let (nx, ny) = (land.nx(), land.ny());
    let (on, off) = (distances(land, true), distances(land, false));
    // A shore runs half way between the cells on its sides.
    let sharp =
        Field::from_fn(
            nx,
            ny,
            |x, y| {
                if land[(x, y)] { off[(x, y)] - 0.5 } else { 0.5 - on[(x, y)] }
            },
        );
    let smooth = blur(&blur(sharp.as_slice(), nx, ny, SOFT), nx, ny, SOFT);
    Field::from_fn(nx, ny, |x, y| {
        let own = sharp[(x, y)];
        if own.abs() > 6.0 || !thick(&sharp, x, y) {
            return own;
        }
        // Every cell stays on its side.
        let soft = smooth[y * nx + x];
        if own > 0.0 { soft.max(LEAST) } else { soft.min(-LEAST) }
    })
}

/// Radius (cells) of the means that take the stairs from a shore.
const SOFT: usize = 3;

/// Distance from the shore (cells) that is left to a cell whose centre the smooth shore would leave on the
/// other side.
const LEAST: f32 = 0.12;

/// Whether land and water around a cell are broad enough to be smoothed: a wall of one cell would go under.
fn thick(sharp: &Field<f32>, x: usize, y: usize) -> bool {
    let (mut high, mut low) = (0.0_f32, 0.0_f32);
    for v in y.saturating_sub(6)..(y + 7).min(sharp.ny()) {
        for u in x.saturating_sub(6)..(x + 7).min(sharp.nx()) {
            high = high.max(sharp[(u, v)]);
            low = low.min(sharp[(u, v)]);
        }
    }
    high > 3.0 && low < -3.0
}

/// Distance (cells) from every cell's centre to the nearest one where `land` is `to`: exact, by lower
/// envelopes of parabolas along columns, then along rows (Felzenszwalb & Huttenlocher 2012).
fn distances(land: &Field<bool>, to: bool) -> Field<f32> {
    let (nx, ny) = (land.nx(), land.ny());
    // Further than any cell of the grid, and small enough to be squared.
    let far = (nx + ny) as f64;
    let mut squares =
        Field::from_fn(nx, ny, |x, y| if land[(x, y)] == to { 0.0 } else { far * far });
    let mut line = Envelope::default();
    for x in 0..nx {
        line.fill((0..ny).map(|y| squares[(x, y)]));
        line.squares(|y, square| squares[(x, y)] = square);
    }
    for y in 0..ny {
        line.fill(squares.row(y).iter().copied());
        let row = squares.row_mut(y);
        line.squares(|x, square| row[x] = square);
    }
    squares.map(|square| square.sqrt().min(far) as f32)
}

/// The lower envelope of parabolas `(i − at)² + height`, one for each place of a line.
#[derive(Default)]
struct Envelope {
    heights: Vec<f64>,
    /// Which parabolas are in the envelope, and from where on.
    parts: Vec<(usize, f64)>,
}

impl Envelope {
    fn fill(&mut self, heights: impl Iterator<Item = f64>) {
        self.heights.clear();
        self.heights.extend(heights);
        self.parts.clear();
        for at in 0..self.heights.len() {
            let mut from = f64::NEG_INFINITY;
            while let Some(&(other, since)) = self.parts.last() {
                let (p, q) = (other as f64, at as f64);
                let rise = self.heights[at] - self.heights[other] + q * q - p * p;
                from = rise / (2.0 * (q - p));
                if from > since {
                    break;
                }
                self.parts.pop();
                from = f64::NEG_INFINITY;
            }
            self.parts.push((at, from));
        }
    }

    fn squares(&self, mut found: impl FnMut(usize, f64)) {
        let mut part = 0;
        for i in 0..self.heights.len() {
            while self.parts.get(part + 1).is_some_and(|next| next.1 < i as f64) {
                part += 1;
            }
            let at = self.parts[part].0;
            let way = i as f64 - at as f64;
            found(i, way * way + self.heights[at]);
        }
    }
}

/// The height of land (m): a bank that rises to a gently rolling meadow, or behind a `wall` a level place.
pub(super) fn rising(from_shore: &Field<f32>, cell: f64, wall: bool) -> Field<f32> {
    let (nx, ny) = (from_shore.nx(), from_shore.ny());
    let size = nx.max(ny) as f64;
    // Distances have edges where two shores are as near; land has none.
    let radius = (nx.max(ny) / 60).max(1);
    let once = blur(from_shore.as_slice(), nx, ny, radius);
    let smooth = blur(&once, nx, ny, radius);
    let layers = [(4.0, 1.0), (9.0, 0.36), (21.0, 0.12), (60.0, 0.03)];
    let noise = [31, 32, 33, 34].map(SuperSimplex::new);
    Field::from_fn(nx, ny, |x, y| {
        let (u, v) = (x as f64 / size, y as f64 / size);
        let rolling: f64 = layers
            .iter()
            .zip(&noise)
            .map(|((often, share), noise)| share * noise.get([u * often, v * often]))
            .sum();
        let inland = f64::from(smooth[y * nx + x].max(0.0)) / size;
        let high = if wall {
            0.0015 * rolling
        } else {
            let bank = 1.0 - (-inland / 0.035).exp();
            let slope = 1.0 - (-inland / 0.22).exp();
            0.010 * bank + 0.038 * slope + 0.007 * rolling * slope.min(0.3) / 0.3
        };
        (cell * size * high) as f32
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
    fn a_slanting_shore_has_no_stairs_and_thin_walls_stay() {
        // Rises by one cell in seven: whole cells are off by half a cell and more.
        let line = |x: usize| 20.0 + x as f32 / 7.0;
        let found = from_shore(&Field::from_fn(80, 60, |x, y| y as f32 > line(x)));
        for x in 8..72 {
            // Where the shore crosses the column, between two rows.
            let y = (0..59).find(|&y| found[(x, y + 1)] > 0.0).unwrap();
            let [above, below] = [found[(x, y)], found[(x, y + 1)]];
            let crossing = y as f32 + above / (above - below);
            assert!((crossing - line(x)).abs() < 0.25, "{x}: {crossing} for {}", line(x));
        }
        let wall = from_shore(&Field::from_fn(30, 30, |x, _| x == 15));
        assert_eq!(wall[(15, 12)], 0.5);
    }

    #[test]
    fn without_a_shore_it_is_far() {
        let found = from_shore(&Field::new(12, 9, false));
        assert!(found.as_slice().iter().all(|&way| way < -20.0), "{:?}", found.row(4));
    }

    #[test]
    fn the_surface_goes_on_under_the_bank() {
        let land = Field::from_fn(9, 5, |x, _| x > 4);
        let height = Field::from_fn(9, 5, |x, _| if x > 4 { 7.0 } else { 0.25 });
        let out = extended(&height, &land);
        assert!((0..8).all(|x| out[(x, 2)] == 0.25), "{:?}", out.row(2));
    }
}
