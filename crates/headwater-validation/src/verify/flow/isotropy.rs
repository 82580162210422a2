//! Case for the isotropy of waves. On squares, waves travel faster along diagonals than along axes.
//! On hexagons the anisotropic error is two orders higher in the cell size, so it is much smaller.

use super::levels::Setup;
use crate::verify::exact::GRAVITY;
use crate::verify::plot::{Drawing, Ring};
use crate::verify::{Case, FROZEN, Outcome, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::Field;
use headwater::flow::{Flow, Params, Physics};
use headwater_cli::span::min_max;

pub(in crate::verify) fn cases() -> Vec<Case> {
    let levels = [Physics::Pipes, Physics::Inertial, Physics::ShallowWater];
    let levels = levels.map(|level| Setup::new(level, Physics::Pipes));
    cases_for_setups(&levels, NAME, measure_relative_anisotropy)
}

const NAME: &str = "flow/hex-isotropy";

/// Uniform depth of the water (m).
const DEPTH: f64 = 4.0;
/// Height of the initial hump of water (m), low enough for linear waves.
const HUMP_HEIGHT: f64 = 0.01;
/// Half-width of the initial hump (m), for cells of 1 m². Directional dispersion grows with the
/// square of the wave number, so only waves that are a few cells long show it. A narrower hump
/// would be a single cell.
const HALF_WIDTH: f64 = 1.5;
/// Distance (m) that long waves travel until the measurement.
const TRAVEL_DISTANCE: f64 = 40.0;
/// Side length of the world (m), large enough that the ring of waves does not reach the walls.
const SIZE: f64 = 110.0;
/// Number of directions in which the ring of waves is measured.
const DIRECTIONS: usize = 72;
/// Half the length of the window in which the crest is fitted (m).
const WINDOW_HALF_LENGTH: f64 = 2.5;

/// Measures the anisotropy of a ring-shaped wave on hexagons, divided by the anisotropy on squares
/// of the same cell area.
fn measure_relative_anisotropy(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let hexagons = wave_ring_radii(setup.on_hexagons(), stepper)?;
    let squares = wave_ring_radii(setup, stepper)?;
    let (hex, square) = (anisotropy(&hexagons), anisotropy(&squares));
    let ratio = if square > 0.0 && square.is_finite() { hex / square } else { FROZEN };
    let metric = "(max − min radius) / mean radius of a ring";
    let rows = vec![
        setup.row(NAME, "anisotropy relative to squares", ratio, 0.5),
        setup.row("flow/hex-isotropy-hex", metric, hex, None),
        setup.row("flow/hex-isotropy-square", metric, square, None),
    ];
    let ring = Ring { figure: NAME, level: setup.physics.name(), squares, hexagons };
    Ok(Outcome { rows, drawing: Some(Drawing::Ring(ring)) })
}

/// Returns the anisotropy (max − min)/mean of the ring radii, or [`FROZEN`] if there is no
/// ring-shaped wave.
fn anisotropy(radii: &[f64]) -> f64 {
    let mean = radii.iter().sum::<f64>() / radii.len() as f64;
    // Dispersion delays the crest, but only slightly.
    if !((0.7 * TRAVEL_DISTANCE..1.1 * TRAVEL_DISTANCE).contains(&mean)
        && radii.iter().all(|r| r.is_finite()))
    {
        return FROZEN;
    }
    let [min, max] = min_max(radii.iter().copied());
    (max - min) / mean
}

/// Returns the radius of the ring of waves (m) in each direction.
fn wave_ring_radii(setup: Setup, stepper: &dyn Stepper) -> Result<Vec<f64>> {
    let spacing = setup.lattice(1, 1, 1.0)?;
    let columns = (SIZE / spacing.dx()) as usize;
    let rows = (SIZE / spacing.dy()) as usize;
    let lattice = setup.lattice(columns, rows, 1.0)?;
    // The hump is at a cell centre, so that it is symmetric about the centre.
    let middle = lattice.center(columns / 2, rows / 2);
    let depth = Field::from_fn(columns, rows, |x, y| {
        let [east, south] = lattice.center(x, y);
        let r2 = (east - middle[0]).powi(2) + (south - middle[1]).powi(2);
        (DEPTH + HUMP_HEIGHT * (-r2 / (2.0 * HALF_WIDTH * HALF_WIDTH)).exp()) as f32
    });
    let params = Params {
        level: setup.physics,
        pipe_area: DEPTH * lattice.face_width(true),
        manning: 0.0,
        ..Params::default()
    };
    let mut flow = Flow::new(lattice, params, Field::new(columns, rows, 0.0), depth)?;
    stepper.run_until(&mut flow, TRAVEL_DISTANCE / (GRAVITY * DEPTH).sqrt())?;
    let wave = Wave { flow: &flow, middle };
    let angle = |i: usize| i as f64 / DIRECTIONS as f64 * std::f64::consts::TAU;
    Ok((0..DIRECTIONS).map(|i| wave.crest_radius(angle(i))).collect())
}

/// Circular wave around a centre point of a flow world.
struct Wave<'a> {
    flow: &'a Flow,
    middle: [f64; 2],
}

impl Wave<'_> {
    /// Returns the radius (m) of the wave crest in a direction, or NaN if there is no crest. A
    /// parabola is fitted to the surface elevations in a window, and the window is moved until the
    /// parabola's maximum is at its centre.
    fn crest_radius(&self, angle: f64) -> f64 {
        let (sin, cos) = angle.sin_cos();
        let height = |r: f64| {
            let at = [self.middle[0] + r * cos, self.middle[1] - r * sin];
            self.flow.surface_at(at).unwrap_or(f32::NEG_INFINITY)
        };
        let near = (0..400).map(|i| TRAVEL_DISTANCE * (0.6 + 0.0015 * f64::from(i)));
        let Some(mut radius) = near.max_by(|&a, &b| height(a).total_cmp(&height(b))) else {
            return f64::NAN;
        };
        for _ in 0..30 {
            let [_, slope, bend] = self.fit_parabola([cos, sin], radius);
            if bend >= 0.0 {
                return f64::NAN;
            }
            // Move by half a step, to avoid oscillation between two sets of cells.
            radius += 0.5 * (-0.5 * slope / bend).clamp(-1.0, 1.0);
        }
        radius
    }

    /// Returns the least-squares coefficients `[a, b, c]` of the surface elevation `a + b·s +
    /// c·s²`. `s` is the distance (m) outward from the point at `radius` (m) in the direction
    /// `[cos, sin]`. The weights of cells decrease toward the edges of the window around this
    /// point.
    fn fit_parabola(&self, [cos, sin]: [f64; 2], radius: f64) -> [f64; 3] {
        let lattice = self.flow.lattice();
        let at = [self.middle[0] + radius * cos, self.middle[1] - radius * sin];
        let range = |place: f64, cell: f64, count: usize| {
            let reach = 1.5 * WINDOW_HALF_LENGTH + cell;
            let low = ((place - reach) / cell).max(0.0) as usize;
            low..(((place + reach) / cell) as usize + 1).min(count)
        };
        // Normal equations: sums of powers of the outward distance, and of heights times these.
        let (mut sums, mut heights) = ([0.0; 5], [0.0; 3]);
        for y in range(at[1], lattice.dy(), lattice.ny()) {
            for x in range(at[0], lattice.dx(), lattice.nx()) {
                let [east, south] = lattice.center(x, y);
                let (east, north) = (east - self.middle[0], self.middle[1] - south);
                let outward = east.hypot(north) - radius;
                let aside = north * cos - east * sin;
                let weight = window_weight(outward) * window_weight(aside);
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

/// Returns the weight of a cell at the distance `offset` (m) from the middle of the fitting window:
/// 1 in the middle, decreasing to 0 at the edge and beyond.
fn window_weight(offset: f64) -> f64 {
    let part = (1.0 - (offset / WINDOW_HALF_LENGTH).powi(2)).max(0.0);
    part * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ring_radii_are_accurate_to_a_fraction_of_a_cell() {
        for hex in [false, true] {
            let squares = Setup::new(Physics::Pipes, Physics::Pipes);
            let setup = if hex { squares.on_hexagons() } else { squares };
            let lattice = setup.lattice(100, 100, 1.0).unwrap();
            let middle = lattice.center(48, 50);
            let depth = Field::from_fn(100, 100, |x, y| {
                let [east, south] = lattice.center(x, y);
                let r = (east - middle[0]).hypot(south - middle[1]);
                (DEPTH + HUMP_HEIGHT * (-(r - 36.4).powi(2) / 8.0).exp()) as f32
            });
            let bed = Field::new(100, 100, 0.0);
            let flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
            let wave = Wave { flow: &flow, middle };
            for i in 0..36 {
                let radius = wave.crest_radius(f64::from(i) * 0.1);
                assert!((radius - 36.4).abs() < 0.03, "{hex} {i}: {radius}");
            }
        }
    }
}
