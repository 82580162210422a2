//! Manning's bed friction in the shallow-water equations.

use super::coefficients::{DRY_DEPTH, FILM_DEPTH, fast_max};

/// Returns the coefficient of Manning's friction over half a time step, `½·dt·g·n²/h^(4/3)` (s/m).
/// Multiplied by the speed, it gives the relative loss of velocity.
#[inline(always)]
pub(super) fn half_step_drag_coefficient(h: f32, n: f32, g_dt: f32) -> f32 {
    let root = inverse_cube_root(fast_max(h, FILM_DEPTH));
    let fourth = (root * root) * (root * root);
    0.5 * g_dt * (n * n) * fourth
}

/// Returns the coefficient of Manning's friction over a time step, `dt·g·n²/h^(7/3)` (s/m²).
/// Multiplied by the unit discharge, it gives the relative loss of momentum.
#[inline(always)]
pub(super) fn drag_coefficient(h: f32, n: f32, g_dt: f32) -> f32 {
    let root = inverse_cube_root(fast_max(h, DRY_DEPTH));
    let third = root * (root * root);
    g_dt * (n * n) * (third * third * root)
}

/// Returns the vector `q`, a unit discharge or a velocity, after a step. `push` is the change in
/// `q` without friction, and `drag·|q|·q` is the loss by quadratic drag. `laminar[0]/laminar[1]` is
/// the factor by which laminar drag reduces `q`.
///
/// In one dimension, with time measured in steps, `q' = push − drag·q²` is a Riccati equation. With
/// `Q = √(push/drag)` and `τ = √(push·drag)`, its solution after a step is `Q·(q + Q·tanh τ)/(Q +
/// q·tanh τ)`. Replacing `tanh τ` by `τ/√(1 + τ²)` gives `(q·s + push)/(s + drag·q)` with `s =
/// √(1 + push·drag)`. Thin films of water reach their normal velocity with any time step, and the
/// decay without `push` is exact.
#[inline(always)]
pub(super) fn apply_friction(
    q: [f32; 2],
    push: [f32; 2],
    drag: f32,
    laminar: [f32; 2],
) -> [f32; 2] {
    let size = |a: [f32; 2]| (a[0] * a[0] + a[1] * a[1]).sqrt();
    let s = (1.0 + drag * size(push)).sqrt();
    let left = laminar[0] / ((s + drag * size(q)) * laminar[1]);
    [(q[0] * s + push[0]) * left, (q[1] * s + push[1]) * left]
}

/// Returns `h^(−1/3)` for a positive normal number `h`. The bits of the float give a first guess,
/// and Newton's method refines it. The computation needs no branches, no division and no platform
/// math functions.
#[inline(always)]
fn inverse_cube_root(h: f32) -> f32 {
    // One third of the bits: 5/16·17/16·257/256 = 0.33333.
    let bits = h.to_bits();
    let third = (bits >> 2) + (bits >> 4);
    let third = third + (third >> 4);
    let third = third + (third >> 8);
    let guess = f32::from_bits(0x54a2_fa8c - third);
    let closer = |r: f32| r * (4.0 / 3.0 - (1.0 / 3.0 * h * r) * (r * r));
    closer(closer(closer(guess)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_cube_root_is_accurate() {
        for i in -30..40 {
            let h = libm::exp2f(i as f32 * 0.37);
            let exact = 1.0 / libm::cbrt(f64::from(h));
            let off = f64::from(inverse_cube_root(h)) / exact - 1.0;
            assert!(off.abs() < 4e-7, "{h}: {off}");
        }
    }

    #[test]
    fn friction_drives_any_start_to_the_normal_velocity() {
        // u = h^(2/3)·√S/n, one long step from rest and one from a high velocity.
        let (h, n, slope, g_dt) = (0.02_f32, 0.03_f32, 0.05_f32, 9.81 * 1e3);
        let normal = f64::from(h).powf(5.0 / 3.0) * f64::from(slope).sqrt() / f64::from(n);
        for start in [0.0, 1.0] {
            let mut q: f32 = start;
            for _ in 0..3 {
                let apply_friction = apply_friction(
                    [q * 0.8, q * 0.6],
                    [g_dt * h * slope * 0.8, g_dt * h * slope * 0.6],
                    drag_coefficient(h, n, g_dt),
                    [1.0; 2],
                );
                q = apply_friction[0].hypot(apply_friction[1]);
            }
            assert!((f64::from(q) / normal - 1.0).abs() < 1e-3, "{q} {normal}");
        }
    }

    #[test]
    fn decay_without_forcing_is_exact() {
        // 1/q grows by `drag` per step.
        let (q, drag) = (1.5_f32, 0.7);
        let once = apply_friction([0.0, q], [0.0; 2], 4.0 * drag, [1.0; 2]);
        let mut often = [0.0, q];
        for _ in 0..4 {
            often = apply_friction(often, [0.0; 2], drag, [1.0; 2]);
        }
        assert!((once[1] / often[1] - 1.0).abs() < 1e-6);
        assert!((once[1] - 1.0 / (1.0 / q + 4.0 * drag)).abs() < 1e-6);
    }
}
