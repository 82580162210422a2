//! Steady flow with Manning friction over a bed that is constructed for a given depth (MacDonald
//! 1996; SWASHES §3.2.1, the channel of 1000 m).

use super::{ExactSolution, GRAVITY, specific_energy};

/// Length of the channel (m). The formulas are valid beyond the ends of the channel.
pub(crate) const LENGTH: f64 = 1000.0;

/// Steady flow in a channel with a given depth and a bed that is derived from the depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MacDonald {
    /// Unit discharge (m²/s).
    pub(crate) discharge: f64,
    /// Manning's roughness coefficient (s/m^⅓).
    pub(crate) manning: f64,
    /// Additional depth in the middle of the channel, as a fraction of the depth at the ends.
    relative_bulge: f64,
    /// Parameter `k` (dimensionless) in the shape `exp(−k·(x/L − ½)²)` of the deeper part. The
    /// larger the value, the narrower the deeper part.
    shape_factor: f64,
}

impl MacDonald {
    /// Channel with subcritical flow throughout.
    pub(crate) const SUBCRITICAL: Self =
        Self { discharge: 2.0, manning: 0.033, relative_bulge: 0.5, shape_factor: 16.0 };
    /// Channel with supercritical flow throughout.
    pub(crate) const SUPERCRITICAL: Self =
        Self { discharge: 2.5, manning: 0.04, relative_bulge: -0.2, shape_factor: 36.0 };

    /// Returns the depth (m) at position `x` (m): `h(x) = (4/g)^(1/3)·(1 + b·exp(−k·(x/L − ½)²))`.
    fn depth_at(&self, x: f64) -> f64 {
        let from_middle = x / LENGTH - 0.5;
        let bulge = self.relative_bulge * (-self.shape_factor * from_middle.powi(2)).exp();
        (4.0 / GRAVITY).cbrt() * (1.0 + bulge)
    }

    /// Returns the friction slope (m/m) at position `x` (m): `n²·q²/h^(10/3)`.
    fn friction_slope(&self, x: f64) -> f64 {
        (self.manning * self.discharge).powi(2) / self.depth_at(x).powf(10.0 / 3.0)
    }
}

impl ExactSolution for MacDonald {
    /// Returns the bed height (m), which is 0 at the end of the channel. In steady flow, `z' =
    /// (q²/(g·h³) − 1)·h' − S_f`: the head falls by the friction slope S_f. Integration gives `z(x)
    /// = E(L) − E(x) + ∫ S_f` from x to L, where E is the specific energy.
    fn bed(&self, [x, _]: [f64; 2]) -> f64 {
        let energy = |x| specific_energy(self.discharge, self.depth_at(x));
        // Simpson's rule on intervals of about 5 m, for a function that varies over 100 m.
        let intervals = ((LENGTH - x).abs() / 5.0).ceil().max(1.0);
        let step = (LENGTH - x) / intervals;
        let simpson = |i: u32| {
            let at = |part: f64| self.friction_slope(x + (f64::from(i) + part) * step);
            (at(0.0) + 4.0 * at(0.5) + at(1.0)) * step / 6.0
        };
        energy(LENGTH) - energy(x) + (0..intervals as u32).map(simpson).sum::<f64>()
    }

    fn depth(&self, [x, _]: [f64; 2], _: f64) -> f64 {
        self.depth_at(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bed_slope_satisfies_the_momentum_equation() {
        for flow in [MacDonald::SUBCRITICAL, MacDonald::SUPERCRITICAL] {
            for i in 0..50 {
                let (x, d) = (20.0 * f64::from(i) + 3.0, 1e-3);
                let slope = |f: &dyn Fn(f64) -> f64| (f(x + d) - f(x - d)) / (2.0 * d);
                let h = flow.depth_at(x);
                let froude2 = flow.discharge.powi(2) / (GRAVITY * h.powi(3));
                let expected =
                    (froude2 - 1.0) * slope(&|x| flow.depth_at(x)) - flow.friction_slope(x);
                let found = slope(&|x| flow.bed([x, 0.0]));
                assert!((found - expected).abs() < 1e-8, "{found} {expected} at {x}");
            }
            assert_eq!(flow.bed([LENGTH, 0.0]), 0.0);
        }
    }

    #[test]
    fn regimes_have_the_right_froude_number() {
        let froude2 = |flow: &MacDonald, x: f64| {
            flow.discharge.powi(2) / (GRAVITY * flow.depth_at(x).powi(3))
        };
        for i in -10..=100 {
            let x = 10.0 * f64::from(i);
            assert!(froude2(&MacDonald::SUBCRITICAL, x) < 1.0);
            assert!(froude2(&MacDonald::SUPERCRITICAL, x) > 1.0);
        }
    }
}
