//! Friction on the ground: Manning's for water, that of a laminar layer for viscous liquids, and the
//! plain share per second.

use super::coefficients::{Coefficients, DRY, THIN, larger};

/// Manning's friction over half a step per velocity, `½·dt·g·n²/h^(4/3)` (s/m), for the half-step in time.
#[inline(always)]
pub(super) fn half_drag(h: f32, n: f32, g_dt: f32) -> f32 {
    let root = per_cube_root(larger(h, THIN));
    let fourth = (root * root) * (root * root);
    0.5 * g_dt * (n * n) * fourth
}

/// The part of a velocity `speed` (m/s, 0 or above) that the ground's friction leaves after half a step; `drag` is from
/// [`half_drag`]. Solved for the new velocity as [`kept`] is: what a film gains on a slope in half a step may be many times
/// the velocity at which it creeps.
#[inline(always)]
pub(super) fn half_kept(speed: f32, h: f32, drag: f32, c: &Coefficients) -> f32 {
    let h2 = h * h;
    let laminar = h2 + 0.5 * c.viscous;
    let manning = 1.0 + (1.0 + 4.0 * drag * speed).sqrt();
    (2.0 * h2) / (laminar * manning)
}

/// Manning's friction over a step per unit discharge, `dt·g·n²/h^(7/3)` (s/m²).
#[inline(always)]
pub(super) fn drag(h: f32, n: f32, g_dt: f32) -> f32 {
    let root = per_cube_root(larger(h, DRY));
    let third = root * (root * root);
    g_dt * (n * n) * (third * third * root)
}

/// The part of a unit discharge `q` (m²/s, 0 or above) that all friction leaves after a step.
///
/// Manning's is solved for the new discharge: `q' + drag·q'² = q` gives `q'/q = 2/(1 + √(1 + 4·drag·q))`
/// (Xia & Liang 2018; the laminar layer's is `q'/q = h²/(h² + 3·dt·ν)`), so that a thin film creeps at its normal velocity whatever the step.
#[inline(always)]
pub(super) fn kept(q: f32, h: f32, drag: f32, c: &Coefficients) -> f32 {
    let h2 = h * h;
    let laminar = h2 + c.viscous;
    let manning = 1.0 + (1.0 + 4.0 * drag * q).sqrt();
    c.keep * ((2.0 * h2) / (laminar * manning))
}

/// `h^(−1/3)` for a normal number above 0, to the last bits of a float. Newton's steps from a guess by
/// the exponent: no platform's cube root, and no branch or division that would stop a loop from
/// vectorising.
#[inline(always)]
fn per_cube_root(h: f32) -> f32 {
    // A third of the bits: 5/16·17/16·257/256 = 0.33333.
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
    fn the_cube_root_is_one() {
        for i in -30..40 {
            let h = libm::exp2f(i as f32 * 0.37);
            let exact = 1.0 / libm::cbrt(f64::from(h));
            let off = f64::from(per_cube_root(h)) / exact - 1.0;
            assert!(off.abs() < 4e-7, "{h}: {off}");
        }
    }

    #[test]
    fn friction_drives_any_start_to_the_normal_velocity() {
        // u = h^(2/3)·√S/n, one long step from rest and one from a torrent.
        let (h, n, slope, g_dt) = (0.02_f32, 0.03_f32, 0.05_f32, 9.81 * 1e3);
        let normal = f64::from(h).powf(5.0 / 3.0) * f64::from(slope).sqrt() / f64::from(n);
        for start in [0.0, 1.0] {
            let mut q: f32 = start;
            for _ in 0..3 {
                let pushed = q + g_dt * h * slope;
                q = pushed * 2.0 / (1.0 + (1.0 + 4.0 * drag(h, n, g_dt) * pushed).sqrt());
            }
            assert!((f64::from(q) / normal - 1.0).abs() < 1e-3, "{q} {normal}");
        }
    }
}
