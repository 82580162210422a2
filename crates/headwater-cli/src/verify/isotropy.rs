//! How round a wave is: on squares it runs faster along the diagonals than along the axes, on hexagons
//! equally fast in all directions but for terms two orders higher.

use super::exact::GRAVITY;
use super::levels::Setup;
use super::plot::{Drawing, Ring};
use super::{Case, FROZEN, Motion, Outcome, on};
use crate::span::span;
use anyhow::Result;
use headwater::Field;
use headwater::flow::{Flow, Params, Physics};

pub(super) fn cases() -> Vec<Case> {
    let levels = [Physics::Pipes, Physics::Inertial, Physics::ShallowWater];
    let levels = levels.map(|level| Setup::new(level, Physics::Pipes));
    on(&levels, NAME, measure)
}

const NAME: &str = "flow/hex-isotropy";

/// Depth of the water (m), everywhere.
const DEPTH: f64 = 4.0;
/// Height of the drop in the middle (m): low, so that the waves are linear.
const DROP: f64 = 0.01;
/// Its half width (m), where a cell is 1 m² large. Dispersion depends on the direction as the square of
/// the wave number, so that only waves of a few cells show it; a narrower drop would be a cell.
const HALF_WIDTH: f64 = 1.5;
/// How far the ring has come when it is measured, by the speed of long waves (m).
const GONE: f64 = 40.0;
/// The middle of the world (m), as far from its walls as the ring does not reach.
const SIZE: f64 = 110.0;
/// Directions in which the radius is measured.
const DIRECTIONS: usize = 72;
/// Half the size of the window in which a crest is fitted (m).
const WINDOW: f64 = 2.5;

/// The ring on hexagons against the ring on squares as large.
fn measure(level: Setup, motion: &dyn Motion) -> Result<Outcome> {
    let hexagons = ring(level.on_hexagons(), motion)?;
    let squares = ring(level, motion)?;
    let (hex, square) = (deviation(&hexagons), deviation(&squares));
    let ratio = if square > 0.0 && square.is_finite() { hex / square } else { FROZEN };
    let metric = "(greatest − least radius)/mean of a ring";
    let rows = vec![
        level.row(NAME, "ring's deviation over that on squares", ratio, 0.5),
        level.row("flow/hex-isotropy-hex", metric, hex, None),
        level.row("flow/hex-isotropy-square", metric, square, None),
    ];
    let ring = Ring { figure: NAME, level: level.physics.name(), squares, hexagons };
    Ok(Outcome { rows, drawing: Some(Drawing::Ring(ring)) })
}

/// (max − min)/mean, or [`FROZEN`] if that is no ring.
fn deviation(radii: &[f64]) -> f64 {
    let mean = radii.iter().sum::<f64>() / radii.len() as f64;
    // Dispersion holds the crest back, but not by so much.
    if !((0.7 * GONE..1.1 * GONE).contains(&mean) && radii.iter().all(|r| r.is_finite())) {
        return FROZEN;
    }
    let [least, most] = span(radii.iter().copied());
    (most - least) / mean
}

/// The radius of a ring (m) in each direction.
fn ring(setup: Setup, motion: &dyn Motion) -> Result<Vec<f64>> {
    let spacing = setup.lattice(1, 1, 1.0)?;
    let columns = (SIZE / spacing.dx()) as usize;
    let rows = (SIZE / spacing.dy()) as usize;
    let lattice = setup.lattice(columns, rows, 1.0)?;
    // On a cell's centre, so that the drop lies alike to all its neighbours.
    let middle = lattice.center(columns / 2, rows / 2);
    let depth = Field::from_fn(columns, rows, |x, y| {
        let [east, south] = lattice.center(x, y);
        let r2 = (east - middle[0]).powi(2) + (south - middle[1]).powi(2);
        (DEPTH + DROP * (-r2 / (2.0 * HALF_WIDTH * HALF_WIDTH)).exp()) as f32
    });
    let params = Params {
        level: setup.physics,
        pipe_area: DEPTH * lattice.face_width(true),
        manning: 0.0,
        ..Params::default()
    };
    let mut flow = Flow::new(lattice, params, Field::new(columns, rows, 0.0), depth)?;
    motion.until(&mut flow, GONE / (GRAVITY * DEPTH).sqrt())?;
    let wave = Wave { flow: &flow, middle };
    let angle = |i: usize| i as f64 / DIRECTIONS as f64 * std::f64::consts::TAU;
    Ok((0..DIRECTIONS).map(|i| wave.crest(angle(i))).collect())
}

/// A wave around a middle.
struct Wave<'a> {
    flow: &'a Flow,
    middle: [f64; 2],
}

impl Wave<'_> {
    /// The radius of the crest in a direction (m), NaN if there is none: where a parabola in the radius,
    /// fitted to the cells of a window, is highest. The window moves until that is its middle.
    fn crest(&self, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let height = |r: f64| {
            let at = [self.middle[0] + r * cos, self.middle[1] - r * sin];
            self.flow.surface_at(at).unwrap_or(f32::NEG_INFINITY)
        };
        let near = (0..400).map(|i| GONE * (0.6 + 0.0015 * f64::from(i)));
        let Some(mut radius) = near.max_by(|&a, &b| height(a).total_cmp(&height(b))) else {
            return f64::NAN;
        };
        for _ in 0..30 {
            let [_, slope, bend] = self.parabola([cos, sin], radius);
            if bend >= 0.0 {
                return f64::NAN;
            }
            // A half of the way, lest it swing between two sets of cells.
            radius += 0.5 * (-0.5 * slope / bend).clamp(-1.0, 1.0);
        }
        radius
    }

    /// `[a, b, c]` of the heights `a + b·s + c·s²` around a point, `s` metres outward of it: least squares
    /// over the cells, those towards the window's edges counting less and less.
    fn parabola(&self, [cos, sin]: [f64; 2], radius: f64) -> [f64; 3] {
        let lattice = self.flow.lattice();
        let at = [self.middle[0] + radius * cos, self.middle[1] - radius * sin];
        let range = |place: f64, cell: f64, count: usize| {
            let reach = 1.5 * WINDOW + cell;
            let low = ((place - reach) / cell).max(0.0) as usize;
            low..(((place + reach) / cell) as usize + 1).min(count)
        };
        // Of the normal equations: sums of powers of the way outward, and of heights times these.
        let (mut sums, mut heights) = ([0.0; 5], [0.0; 3]);
        for y in range(at[1], lattice.dy(), lattice.ny()) {
            for x in range(at[0], lattice.dx(), lattice.nx()) {
                let [east, south] = lattice.center(x, y);
                let (east, north) = (east - self.middle[0], self.middle[1] - south);
                let outward = east.hypot(north) - radius;
                let aside = north * cos - east * sin;
                let weight = taper(outward) * taper(aside);
                let height = f64::from(self.flow.state().depth[(x, y)]) - DEPTH;
                for (power, sum) in sums.iter_mut().enumerate() {
                    *sum += weight * outward.powi(power as i32);
                }
                for (power, sum) in heights.iter_mut().enumerate() {
                    *sum += weight * height * outward.powi(power as i32);
                }
            }
        }
        let matrix = [0, 1, 2].map(|row| [sums[row], sums[row + 1], sums[row + 2]]);
        // Cramer's rule.
        [0, 1, 2].map(|column| {
            let mut replaced = matrix;
            replaced.iter_mut().zip(heights).for_each(|(row, height)| row[column] = height);
            determinant(replaced) / determinant(matrix)
        })
    }
}

fn determinant([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1)
}

/// 1 in the middle of a window, 0 from its edge on.
fn taper(off: f64) -> f64 {
    let part = (1.0 - (off / WINDOW).powi(2)).max(0.0);
    part * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_measured_to_a_small_part_of_a_cell_on_both_lattices() {
        for hex in [false, true] {
            let squares = Setup::new(Physics::Pipes, Physics::Pipes);
            let setup = if hex { squares.on_hexagons() } else { squares };
            let lattice = setup.lattice(100, 100, 1.0).unwrap();
            let middle = lattice.center(48, 50);
            let depth = Field::from_fn(100, 100, |x, y| {
                let [east, south] = lattice.center(x, y);
                let r = (east - middle[0]).hypot(south - middle[1]);
                (DEPTH + DROP * (-(r - 36.4).powi(2) / 8.0).exp()) as f32
            });
            let bed = Field::new(100, 100, 0.0);
            let flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
            let wave = Wave { flow: &flow, middle };
            for i in 0..36 {
                let radius = wave.crest(f64::from(i) * 0.1);
                assert!((radius - 36.4).abs() < 0.03, "{hex} {i}: {radius}");
            }
        }
    }
}
