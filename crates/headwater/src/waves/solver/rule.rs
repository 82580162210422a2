//! Coefficients of a wave step, and the formulas that update fluxes and heights.

use crate::lattice::Square;
use crate::waves::params::Params;

#[derive(Clone, Copy, Debug)]
pub(in crate::waves) struct WaveCoefficients {
    /// Factor by which the flux of the previous step is multiplied: `(2 − μt)/(2 + μt)`, with the
    /// damping rate μ and the time step t (dimensionless).
    pub(in crate::waves) flux_retention: f32,
    /// Flux per height difference (dimensionless): `2q/(2 + μt)`, with `q = c²t²/d²` for the wave
    /// speed c and the cell size d. It applies to all open faces if the wave speed is uniform.
    pub(in crate::waves) gain: f32,
    /// Height by which the magnitude of each flux is reduced per step, at most to 0 (m). With
    /// damping, it is ¾ of the unit of height, or less for slow waves; without damping, it is
    /// almost 0. Without this dry friction, rounding would keep the surface in motion forever. At
    /// rest, height differences of up to three units remain.
    pub(in crate::waves) friction: f32,
    /// 2²³ units of height (m). Adding this constant with the sign of a flux and subtracting it
    /// again rounds the flux to a multiple of the unit.
    rounding_constant: f32,
}

impl WaveCoefficients {
    pub(in crate::waves) fn zero() -> Self {
        Self { flux_retention: 0.0, gain: 0.0, friction: 0.0, rounding_constant: 0.0 }
    }

    pub(in crate::waves) fn from_params(params: &Params, lattice: &Square) -> Self {
        let q = params.courant_squared(params.long_wave_speed(), lattice);
        Self::new(q, params.damping, params.step, params.height_unit() as f32)
    }

    fn new(q: f64, damping: f64, step: f64, quantum: f32) -> Self {
        let mu_t = damping * step;
        let gain = 2.0 * q / (2.0 + mu_t);
        // Without damping, a small friction ends the fluxes that decay in absorbing layers.
        let friction = if mu_t > 0.0 { (3.0 * gain).min(0.75) } else { 1.0 / 1024.0 };
        Self {
            flux_retention: ((2.0 - mu_t) / (2.0 + mu_t)) as f32,
            gain: gain as f32,
            friction: friction as f32 * quantum,
            rounding_constant: 8_388_608.0 * quantum,
        }
    }

    #[inline(always)]
    pub(in crate::waves) fn new_flux(&self, flux: f32, before: f32, after: f32, gain: f32) -> f32 {
        let flux = self.flux_retention * flux + gain * (before - after);
        let max_loss = self.friction;
        let lost = if flux > max_loss { max_loss } else { flux };
        let lost = if lost < -max_loss { -max_loss } else { lost };
        flux - lost
    }

    /// Rounds a flux to a multiple of the unit of height. Opposite fluxes are rounded to opposite
    /// values.
    #[inline(always)]
    pub(in crate::waves) fn quantize(&self, flux: f32) -> f32 {
        let large = self.rounding_constant.copysign(flux);
        (flux + large) - large
    }

    #[inline(always)]
    pub(in crate::waves) fn new_height(
        &self,
        height: f32,
        west: f32,
        east: f32,
        north: f32,
        south: f32,
    ) -> f32 {
        let x = self.quantize(west) - self.quantize(east);
        let y = self.quantize(north) - self.quantize(south);
        height + (x + y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_fluxes_round_to_opposite_quanta() {
        let quantum = 2.0_f32.powi(-22);
        let rule = WaveCoefficients::new(0.3, 0.5, 0.01, quantum);
        for i in 1..2200_u32 {
            let flux = 0.97 * (i as f32 / 2000.0).powi(7);
            let there = rule.quantize(flux);
            assert_eq!(there, -rule.quantize(-flux));
            assert_eq!((there / quantum).fract(), 0.0);
            assert!((there - flux).abs() <= 0.5 * quantum);
        }
        for flux in [2.5, -7.3, 1e9] {
            assert_eq!((rule.quantize(flux) / quantum).fract(), 0.0);
        }
    }

    #[test]
    fn constants_equal_those_of_lengyel() {
        // k1 = 1 + A − 4B, k2 = −A, k3 = B.
        let (q, mu, t) = (0.31, 1.7, 0.02);
        let rule = WaveCoefficients::new(q, mu, t, 1e-7);
        let close = |a: f32, b: f64| (f64::from(a) - b).abs() < 1e-6;
        assert!(close(
            1.0 + rule.flux_retention - 4.0 * rule.gain,
            (4.0 - 8.0 * q) / (mu * t + 2.0)
        ));
        assert!(close(-rule.flux_retention, (mu * t - 2.0) / (mu * t + 2.0)));
        assert!(close(rule.gain, 2.0 * q / (mu * t + 2.0)));
    }
}
