//! Banks of a pool: the signed distance of every cell from the shore, and the ground heights
//! derived from this distance. The painter generates the banks because a wave world stores only
//! which cells are land, not their heights.

use crate::terrain::relief::box_blur;
use headwater::Field;
use noise::{NoiseFn, SuperSimplex};

/// Ratio of the palette's height range to the height range of the banks. The ratio is chosen so
/// that the banks use only the lower colours of the palette.
pub(super) const PALETTE_HEIGHT_RATIO: f32 = 1.9;

/// Returns the signed distance (cells) of every cell from the shore, positive on land and negative
/// on water. The staircase shape of the land mask is smoothed. If there is no shore, the magnitude
/// is about the sum of the numbers of columns and rows.
pub(super) fn shore_distance(land: &Field<bool>) -> Field<f32> {
    let (nx, ny) = (land.nx(), land.ny());
    let (on, off) = (distance_to_nearest(land, true), distance_to_nearest(land, false));
    // The shore is halfway between a land cell and a water cell.
    let raw =
        Field::from_fn(
            nx,
            ny,
            |x, y| {
                if land[(x, y)] { off[(x, y)] - 0.5 } else { 0.5 - on[(x, y)] }
            },
        );
    let smooth =
        box_blur(&box_blur(raw.as_slice(), nx, ny, SMOOTHING_RADIUS), nx, ny, SMOOTHING_RADIUS);
    Field::from_fn(nx, ny, |x, y| {
        let own = raw[(x, y)];
        if own.abs() > 6.0 || !can_smooth(&raw, x, y) {
            return own;
        }
        // Smoothing must not move a cell to the other side of the shore.
        let soft = smooth[y * nx + x];
        if own > 0.0 { soft.max(MIN_DISTANCE) } else { soft.min(-MIN_DISTANCE) }
    })
}

/// Radius (cells) of the box filter that smooths the shore.
const SMOOTHING_RADIUS: usize = 3;

/// Minimum distance (cells) of a cell centre from the smoothed shore. The limit keeps every cell on
/// its own side of the shore.
const MIN_DISTANCE: f32 = 0.12;

/// Returns true if both the land and the water around a cell are wide enough for the shore to be
/// smoothed. Smoothing would erase a wall that is one cell wide.
fn can_smooth(raw: &Field<f32>, x: usize, y: usize) -> bool {
    let (mut high, mut low) = (0.0_f32, 0.0_f32);
    for v in y.saturating_sub(6)..(y + 7).min(raw.ny()) {
        for u in x.saturating_sub(6)..(x + 7).min(raw.nx()) {
            high = high.max(raw[(u, v)]);
            low = low.min(raw[(u, v)]);
        }
    }
    high > 3.0 && low < -3.0
}

/// Returns the distance (cells) from every cell centre to the centre of the nearest cell in which
/// `land` equals `value`. If there is none, returns the sum of the numbers of columns and rows. The
/// distance is exact: it is computed from lower envelopes of parabolas, first along the columns and
/// then along the rows (Felzenszwalb & Huttenlocher 2012).
fn distance_to_nearest(land: &Field<bool>, value: bool) -> Field<f32> {
    let (nx, ny) = (land.nx(), land.ny());
    // This value exceeds every distance in the grid, and is small enough to be squared.
    let far = (nx + ny) as f64;
    let mut squares =
        Field::from_fn(nx, ny, |x, y| if land[(x, y)] == value { 0.0 } else { far * far });
    let mut line = LowerEnvelope::default();
    for x in 0..nx {
        line.build((0..ny).map(|y| squares[(x, y)]));
        line.evaluate(|y, square| squares[(x, y)] = square);
    }
    for y in 0..ny {
        line.build(squares.row(y).iter().copied());
        let row = squares.row_mut(y);
        line.evaluate(|x, square| row[x] = square);
    }
    squares.map(|square| square.sqrt().min(far) as f32)
}

/// Lower envelope of the parabolas `(i − at)² + height`, one for each position `at` in a line of
/// cells.
#[derive(Default)]
struct LowerEnvelope {
    heights: Vec<f64>,
    /// Parabolas of the envelope. For each one: the position of its vertex, and the start of the
    /// interval in which it is the lowest parabola.
    pieces: Vec<(usize, f64)>,
}

impl LowerEnvelope {
    fn build(&mut self, heights: impl Iterator<Item = f64>) {
        self.heights.clear();
        self.heights.extend(heights);
        self.pieces.clear();
        for at in 0..self.heights.len() {
            let mut from = f64::NEG_INFINITY;
            while let Some(&(other, since)) = self.pieces.last() {
                let (p, q) = (other as f64, at as f64);
                let rise = self.heights[at] - self.heights[other] + q * q - p * p;
                from = rise / (2.0 * (q - p));
                if from > since {
                    break;
                }
                self.pieces.pop();
                from = f64::NEG_INFINITY;
            }
            self.pieces.push((at, from));
        }
    }

    fn evaluate(&self, mut emit: impl FnMut(usize, f64)) {
        let mut piece = 0;
        for i in 0..self.heights.len() {
            while self.pieces.get(piece + 1).is_some_and(|next| next.1 < i as f64) {
                piece += 1;
            }
            let at = self.pieces[piece].0;
            let offset = i as f64 - at as f64;
            emit(i, offset * offset + self.heights[at]);
        }
    }
}

/// Returns the height of the land (m) above the water at rest. `shore_distance` is the distance of
/// each cell from the shore (cells), and `cell` is the cell size (m). If `has_wall` is true, the
/// shore is a wall and the land behind it is nearly level; otherwise a bank rises to a gently
/// rolling meadow.
pub(super) fn land_height(shore_distance: &Field<f32>, cell: f64, has_wall: bool) -> Field<f32> {
    let (nx, ny) = (shore_distance.nx(), shore_distance.ny());
    let size = nx.max(ny) as f64;
    // Smooth the creases of the distance field where two shores are equally near.
    let radius = (nx.max(ny) / 60).max(1);
    let once = box_blur(shore_distance.as_slice(), nx, ny, radius);
    let smooth = box_blur(&once, nx, ny, radius);
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
        let high = if has_wall {
            0.0015 * rolling
        } else {
            let bank = 1.0 - (-inland / 0.035).exp();
            let slope = 1.0 - (-inland / 0.22).exp();
            0.010 * bank + 0.038 * slope + 0.007 * rolling * slope.min(0.3) / 0.3
        };
        (cell * size * high) as f32
    })
}

/// Extrapolates the height of the water surface (m) to the land cells near the shore, so that the
/// surface has no step at the shore.
pub(super) fn extrapolate_over_land(height: &Field<f32>, land: &Field<bool>) -> Field<f32> {
    let (nx, ny) = (height.nx(), height.ny());
    let clean = |z: f32| if z.is_finite() { z.clamp(-1e6, 1e6) } else { 0.0 };
    let mut known = land.map(|&land| !land);
    let mut out =
        Field::from_fn(nx, ny, |x, y| if known[(x, y)] { clean(height[(x, y)]) } else { 0.0 });
    // The spline reads cells up to this distance.
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
    fn distances_match_a_disc() {
        let land = Field::from_fn(41, 37, |x, y| (x as f32 - 20.0).hypot(y as f32 - 18.0) > 12.0);
        let found = shore_distance(&land);
        assert!((found[(20, 18)] + 12.0).abs() < 1.0, "{}", found[(20, 18)]);
        assert!((found[(0, 18)] - 8.0).abs() < 1.0, "{}", found[(0, 18)]);
        assert!(found[(31, 18)] < 0.0 && found[(33, 18)] > 0.0);
    }

    #[test]
    fn slanted_shores_are_smooth_and_thin_walls_remain() {
        // The edge rises by one cell in seven, so whole cells are off by half a cell or more.
        let line = |x: usize| 20.0 + x as f32 / 7.0;
        let found = shore_distance(&Field::from_fn(80, 60, |x, y| y as f32 > line(x)));
        for x in 8..72 {
            // Position where the shore crosses the column, between two rows.
            let y = (0..59).find(|&y| found[(x, y + 1)] > 0.0).unwrap();
            let [above, below] = [found[(x, y)], found[(x, y + 1)]];
            let crossing = y as f32 + above / (above - below);
            assert!((crossing - line(x)).abs() < 0.25, "{x}: {crossing} for {}", line(x));
        }
        let wall = shore_distance(&Field::from_fn(30, 30, |x, _| x == 15));
        assert_eq!(wall[(15, 12)], 0.5);
    }

    #[test]
    fn without_a_shore_distances_exceed_the_grid() {
        let found = shore_distance(&Field::new(12, 9, false));
        assert!(found.as_slice().iter().all(|&distance| distance < -20.0), "{:?}", found.row(4));
    }

    #[test]
    fn the_surface_is_extrapolated_below_the_bank() {
        let land = Field::from_fn(9, 5, |x, _| x > 4);
        let height = Field::from_fn(9, 5, |x, _| if x > 4 { 7.0 } else { 0.25 });
        let out = extrapolate_over_land(&height, &land);
        assert!((0..8).all(|x| out[(x, 2)] == 0.25), "{:?}", out.row(2));
    }
}
