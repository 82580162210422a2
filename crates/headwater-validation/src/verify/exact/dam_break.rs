//! Dam break on a wet bed (Stoker 1957; SWASHES §4.1.1) or on a dry bed (Ritter 1892; SWASHES
//! §4.1.2). On a wet bed a rarefaction travels upstream and a shock downstream, with a constant
//! state between them. On a dry bed there is only a rarefaction, which ends at the wet–dry front.

use super::{ExactSolution, GRAVITY, bisect};

/// Dam break: water of two depths, separated by a dam that is removed at time 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DamBreak {
    /// Position of the dam (m).
    pub(crate) dam_x: f64,
    /// Depth upstream, to the west (m).
    pub(crate) upstream: f64,
    /// Depth downstream (m). It is less than `upstream`, and 0 for a dry bed.
    pub(crate) downstream: f64,
    /// Depth of the constant state (m). It is cached, because its computation requires root
    /// finding.
    middle_depth: f64,
}

impl DamBreak {
    /// Creates a dam break with the dam at position `dam`, the upstream depth `upstream` and the
    /// downstream depth `downstream` (m).
    pub(crate) fn new(dam_x: f64, upstream: f64, downstream: f64) -> Self {
        let mut dam = Self { dam_x, upstream, downstream, middle_depth: 0.0 };
        dam.middle_depth = dam.find_middle_depth();
        dam
    }

    /// Finds the depth `h_m` of the constant state (m), where the velocity `2(√(g·h_l) − √(g·h_m))`
    /// of the rarefaction equals the velocity `(h_m − h_r)·√(g/2·(1/h_m + 1/h_r))` of the shock.
    fn find_middle_depth(&self) -> f64 {
        if self.downstream == 0.0 {
            return 0.0;
        }
        bisect(self.downstream, self.upstream, |h| {
            self.shock_velocity(h) - self.rarefaction_velocity(h)
        })
    }

    /// Returns the depth (m) and the velocity (m/s) of the constant state between rarefaction and
    /// shock.
    pub(crate) fn middle_state(&self) -> [f64; 2] {
        let h = self.middle_depth;
        [h, self.rarefaction_velocity(h)]
    }

    /// Returns the velocity (m/s) at the point where the rarefaction has lowered the water to depth
    /// `h` (m).
    fn rarefaction_velocity(&self, h: f64) -> f64 {
        2.0 * ((GRAVITY * self.upstream).sqrt() - (GRAVITY * h).sqrt())
    }

    /// Returns the velocity (m/s) behind a shock that raises the water to depth `h` (m).
    fn shock_velocity(&self, h: f64) -> f64 {
        (h - self.downstream) * (0.5 * GRAVITY * (1.0 / h + 1.0 / self.downstream)).sqrt()
    }

    /// Returns the speed of the shock (m/s) from mass conservation: `h_m·u_m/(h_m − h_r)`.
    pub(crate) fn shock_speed(&self) -> f64 {
        let h = self.middle_depth;
        h * self.rarefaction_velocity(h) / (h - self.downstream)
    }
}

impl ExactSolution for DamBreak {
    fn depth(&self, [x, _]: [f64; 2], time: f64) -> f64 {
        let x = x - self.dam_x;
        if time <= 0.0 {
            return if x <= 0.0 { self.upstream } else { self.downstream };
        }
        let (c, middle) = ((GRAVITY * self.upstream).sqrt(), self.middle_depth);
        let end = self.rarefaction_velocity(middle) - (GRAVITY * middle).sqrt();
        match x / time {
            slope if slope <= -c => self.upstream,
            // In the fan u − √(g·h) = x/t and u + 2√(g·h) = 2√(g·h_l).
            slope if slope <= end => ((2.0 * c - slope) / 3.0).powi(2) / GRAVITY,
            slope if self.downstream > 0.0 && slope <= self.shock_speed() => middle,
            _ => self.downstream,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static DAM: LazyLock<DamBreak> = LazyLock::new(|| DamBreak::new(5.0, 0.005, 0.001));
    static DRY: LazyLock<DamBreak> = LazyLock::new(|| DamBreak::new(5.0, 0.005, 0.0));

    #[test]
    fn the_shock_conserves_mass_and_momentum() {
        let (h, s) = (DAM.middle_depth, DAM.shock_speed());
        let (u, r) = (DAM.rarefaction_velocity(h), DAM.downstream);
        let momentum = |h: f64, u: f64| h * u * u + 0.5 * GRAVITY * h * h;
        assert!((s * (h - r) - h * u).abs() < 1e-12);
        assert!((s * h * u - (momentum(h, u) - momentum(r, 0.0))).abs() < 1e-12);
        assert!(r < h && h < DAM.upstream && s > u);
    }

    #[test]
    fn the_middle_depth_solves_the_polynomial_of_swashes() {
        let c2 = GRAVITY * DAM.middle_depth;
        let (l, r) = ((GRAVITY * DAM.upstream).sqrt(), GRAVITY * DAM.downstream);
        let polynomial = -8.0 * r * c2 * (l - c2.sqrt()).powi(2) + (c2 - r).powi(2) * (c2 + r);
        assert!(polynomial.abs() < 1e-12 * l.powi(6), "{polynomial}");
    }

    #[test]
    fn mass_is_conserved() {
        let n = 100_000;
        let at = |i: usize, t| DAM.depth([10.0 * (i as f64 + 0.5) / f64::from(n as u32), 0.0], t);
        let volume = |t| (0..n).map(|i| at(i, t)).sum::<f64>() * 10.0 / f64::from(n as u32);
        assert!((volume(0.0) - 0.03).abs() < 1e-9);
        assert!((volume(6.0) - 0.03).abs() < 1e-7, "{}", volume(6.0));
    }

    #[test]
    fn the_depth_at_the_dam_on_a_dry_bed_is_four_ninths() {
        for time in [0.1, 1.0, 6.0] {
            assert!((DRY.depth([5.0, 0.0], time) - 4.0 / 9.0 * 0.005).abs() < 1e-15);
        }
    }

    #[test]
    fn a_dry_bed_is_the_limit_of_thin_wet_beds() {
        let wet = DamBreak::new(5.0, 0.005, 1e-12);
        for i in 0..100 {
            let at = [0.1 * f64::from(i) + 0.05, 0.0];
            assert!((DRY.depth(at, 6.0) - wet.depth(at, 6.0)).abs() < 1e-5, "{at:?}");
        }
    }

    #[test]
    fn mass_is_conserved_on_a_dry_bed() {
        let n = 10_000;
        let at = |i: i32| DRY.depth([10.0 * (f64::from(i) + 0.5) / f64::from(n), 0.0], 6.0);
        let volume = (0..n).map(at).sum::<f64>() * 10.0 / f64::from(n);
        assert!((volume - 0.025).abs() < 1e-8, "{volume}");
    }
}
