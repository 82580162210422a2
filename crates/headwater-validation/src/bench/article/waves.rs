//! Reference scheme: the wave equation, discretised with three constant coefficients, as in
//! Lengyel's *Mathematics for 3D Game Programming and Computer Graphics* (ch. 15). Two surfaces are
//! stored, and a step overwrites the older one. The height is fixed at the edges.

use super::{row, row_mut};
use headwater::Field;
use multiversion::multiversion;

/// Water surface with waves, simulated with the scheme of this module.
pub(in crate::bench) struct Ripples {
    /// Numbers of columns and rows.
    size: [usize; 2],
    surface: Vec<f32>,
    older: Vec<f32>,
    /// Coefficients by which the current surface, the older surface, and the sum of the four
    /// neighbours are multiplied.
    coefficients: [f32; 3],
}

impl Ripples {
    /// Creates a surface with the given heights and no velocity. `q` is `c²t²/d²` with wave speed
    /// `c`, time step `t` and cell size `d`; `damping_per_step` is `μ·t` with damping rate `μ`.
    pub(in crate::bench) fn new(surface: &Field<f32>, q: f64, damping_per_step: f64) -> Self {
        let below = damping_per_step + 2.0;
        let coefficients =
            [(4.0 - 8.0 * q) / below, (damping_per_step - 2.0) / below, 2.0 * q / below];
        Self {
            size: [surface.nx(), surface.ny()],
            surface: surface.as_slice().to_vec(),
            older: surface.as_slice().to_vec(),
            coefficients: coefficients.map(|k| k as f32),
        }
    }

    pub(in crate::bench) fn step(&mut self) {
        advance_surface(&mut self.older, &self.surface, self.size, self.coefficients);
        std::mem::swap(&mut self.older, &mut self.surface);
    }
}

#[multiversion(targets = "simd")]
fn advance_surface(older: &mut [f32], surface: &[f32], size: [usize; 2], coefficients: [f32; 3]) {
    let [nx, ny] = size;
    for y in 1..ny - 1 {
        let north = row(surface, nx, y - 1);
        let (here, south) = (row(surface, nx, y), row(surface, nx, y + 1));
        let new = row_mut(older, nx, y);
        for x in 1..nx - 1 {
            let around = here[x - 1] + here[x + 1] + north[x] + south[x];
            new[x] =
                coefficients[0] * here[x] + coefficients[1] * new[x] + coefficients[2] * around;
        }
    }
}
