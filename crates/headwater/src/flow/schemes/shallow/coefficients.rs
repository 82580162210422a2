//! Coefficients of a time step with the shallow-water equations, and the depth thresholds of their
//! formulas.

use crate::flow::context::StepContext;
use crate::flow::params::Params;
use crate::lattice::Lattice;

/// Depth (m) below which the division of momentum by depth is regularised.
pub(super) const FILM_DEPTH: f32 = 1e-5;

/// Depth (m) below which the momentum of a cell is set to 0.
pub(super) const DRY_DEPTH: f32 = 1e-3 * FILM_DEPTH;

/// Coefficients of a time step with the shallow-water equations. All cells use the same
/// coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// Gravitational acceleration (m/s²).
    pub gravity: f32,
    /// `dt/dx` (s/m). On hexagons it is `2/3·dt/d`, with the cell distance `d`, and applies to each
    /// axis.
    pub per_x: f32,
    /// `dt/dy` (s/m). On hexagons it equals `per_x`.
    pub per_y: f32,
    /// Width of an x-face (m).
    pub width_x: f32,
    /// Width of a y-face (m).
    pub width_y: f32,
    /// `g·dt` (m/s), the factor that multiplies Manning's friction.
    pub g_dt: f32,
    /// Factor `(1 − friction)^dt` by which the parameter [`Params::friction`] reduces the momentum
    /// in a step.
    pub decay: f32,
    /// `3·dt·ν` (m²), the coefficient of laminar bed drag, with the kinematic viscosity `ν`.
    pub viscous: f32,
}

impl Coefficients {
    pub(super) fn new(step: &StepContext) -> Self {
        Self::for_step(step.params, step.lattice, step.dt)
    }

    pub(in crate::flow) fn for_step(params: &Params, lattice: &Lattice, dt: f64) -> Self {
        let along = |length: f64| match lattice {
            Lattice::Square(_) => (dt / length) as f32,
            Lattice::Hex(hex) => (2.0 / 3.0 * dt / hex.spacing()) as f32,
        };
        Self {
            gravity: params.gravity as f32,
            per_x: along(lattice.dx()),
            per_y: along(lattice.dy()),
            width_x: lattice.face_width(true) as f32,
            width_y: lattice.face_width(false) as f32,
            g_dt: (params.gravity * dt) as f32,
            // libm gives the same bits on every platform.
            decay: libm::pow(1.0 - params.friction, dt) as f32,
            viscous: (3.0 * dt * params.viscosity) as f32,
        }
    }
}

#[inline(always)]
pub(super) fn fast_max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn fast_min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
