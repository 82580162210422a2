//! Steady frictionless flow over a bump (SWASHES §3.1.3 to §3.1.5; Goutal & Maurel 1997).
//!
//! Outside of jumps the head `H = z + h + q²/(2·g·h²)` (Bernoulli) is constant, so h is a root of
//! the cubic `h³ + (z − H)·h² + q²/(2·g) = 0`. Across a jump, momentum is conserved.

use super::{ExactSolution, GRAVITY, bisect, critical_depth, specific_energy};

/// Position and height of the bump's crest (m).
const CREST: (f64, f64) = (10.0, 0.2);

/// Steady flow to the east over a bump.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bump {
    /// Unit discharge (m²/s).
    pub(crate) discharge: f64,
    /// Flow regime.
    pub(crate) regime: Regime,
}

/// Flow regime over the crest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Regime {
    /// Flow that is subcritical everywhere. The depth downstream is given (m).
    Subcritical(f64),
    /// Flow that is subcritical upstream of the crest and supercritical downstream.
    Transcritical,
    /// Transcritical flow with a hydraulic jump. The depth downstream is given (m).
    Shock(f64),
}

impl Bump {
    /// Returns the depth (m) over a bed of height `bed_height` (m) for a head (m): the subcritical
    /// or the supercritical root of the cubic.
    ///
    /// With `E = H − bed_height` the roots are `E/3·(1 + 2·cos(θ/3 − 2πk/3))`, where
    /// `cos θ = 1 − 27·q²/(4·g·E³)`.
    fn depth_for_head(&self, head: f64, bed_height: f64, is_subcritical: bool) -> f64 {
        let e = head - bed_height;
        let cosine = 1.0 - 27.0 * self.discharge.powi(2) / (4.0 * GRAVITY * e.powi(3));
        let third = cosine.clamp(-1.0, 1.0).acos() / 3.0;
        let turn = if is_subcritical { 0.0 } else { std::f64::consts::TAU / 3.0 };
        e / 3.0 * (1.0 + 2.0 * (third - turn).cos())
    }

    /// Returns the head (m) of a flow that is critical over the crest.
    fn critical_head(&self) -> f64 {
        CREST.1 + 1.5 * critical_depth(self.discharge)
    }

    /// Returns the depth (m) at position `x` (m) of a flow that is critical over the crest and has
    /// no jump.
    fn transcritical_depth(&self, x: f64) -> f64 {
        self.depth_for_head(self.critical_head(), bed(x), x < CREST.0)
    }

    /// Returns the position (m) of the hydraulic jump for a downstream depth `outlet_depth` (m). At
    /// this position the conjugate of the upstream depth equals the downstream depth.
    fn jump_position(&self, outlet_depth: f64) -> f64 {
        let head = specific_energy(self.discharge, outlet_depth);
        let behind = |x: f64| self.depth_for_head(head, bed(x), true);
        // Upstream of this position the head behind the jump does not suffice for the bump.
        let highest = head - 1.5 * critical_depth(self.discharge);
        let first = CREST.0 + ((CREST.1 - highest) / 0.05).sqrt();
        bisect(first, 12.0, |x| behind(x) - self.conjugate_depth(self.transcritical_depth(x)))
    }

    /// Returns the depth (m) downstream of a stationary hydraulic jump whose upstream depth is `h`
    /// (m), the conjugate depth `h/2·(√(1 + 8·Fr²) − 1)` (Bélanger).
    fn conjugate_depth(&self, h: f64) -> f64 {
        let froude2 = self.discharge.powi(2) / (GRAVITY * h.powi(3));
        0.5 * h * ((1.0 + 8.0 * froude2).sqrt() - 1.0)
    }
}

/// Returns the bed height (m) at position `x` (m): `0.2 − 0.05·(x − 10)²` on 8 < x < 12, and 0
/// elsewhere.
fn bed(x: f64) -> f64 {
    (CREST.1 - 0.05 * (x - CREST.0).powi(2)).max(0.0)
}

impl ExactSolution for Bump {
    fn bed(&self, [x, _]: [f64; 2]) -> f64 {
        bed(x)
    }

    fn depth(&self, [x, _]: [f64; 2], _: f64) -> f64 {
        let subcritical = |outlet_depth| {
            self.depth_for_head(specific_energy(self.discharge, outlet_depth), bed(x), true)
        };
        match self.regime {
            Regime::Subcritical(outlet_depth) => subcritical(outlet_depth),
            Regime::Shock(outlet_depth) if x > self.jump_position(outlet_depth) => {
                subcritical(outlet_depth)
            }
            Regime::Shock(_) | Regime::Transcritical => self.transcritical_depth(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBCRITICAL: Bump = Bump { discharge: 4.42, regime: Regime::Subcritical(2.0) };
    const TRANSCRITICAL: Bump = Bump { discharge: 1.53, regime: Regime::Transcritical };
    const SHOCK: Bump = Bump { discharge: 0.18, regime: Regime::Shock(0.33) };

    fn head(flow: &Bump, x: f64) -> f64 {
        bed(x) + specific_energy(flow.discharge, flow.depth([x, 0.0], 0.0))
    }

    #[test]
    fn head_is_conserved_except_at_the_jump() {
        for (flow, end) in
            [(SUBCRITICAL, 25.0), (TRANSCRITICAL, 25.0), (SHOCK, SHOCK.jump_position(0.33))]
        {
            for i in 1..200 {
                let x = end * f64::from(i) / 200.0;
                assert!((head(&flow, x) - head(&flow, 0.0)).abs() < 1e-9, "{flow:?} at {x}");
            }
        }
        assert!(head(&SHOCK, 20.0) < head(&SHOCK, 0.0) - 0.01);
    }

    #[test]
    fn the_jump_conserves_momentum() {
        let at = SHOCK.jump_position(0.33);
        let force = |x: f64| {
            let h = SHOCK.depth([x, 0.0], 0.0);
            0.18 * 0.18 / h + 0.5 * GRAVITY * h * h
        };
        let (before, behind) = (force(at - 1e-9), force(at + 1e-9));
        assert!((before - behind).abs() < 1e-6 * before, "{before} {behind}");
        // SWASHES shows the jump between 11.6 and 11.7 m.
        assert!((11.6..11.7).contains(&at), "{at}");
    }

    #[test]
    fn regimes_have_the_right_froude_number() {
        let froude = |flow: &Bump, x: f64| {
            flow.discharge / (GRAVITY * flow.depth([x, 0.0], 0.0).powi(3)).sqrt()
        };
        assert!((0..250).all(|i| froude(&SUBCRITICAL, 0.1 * f64::from(i)) < 1.0));
        for flow in [TRANSCRITICAL, SHOCK] {
            assert!(froude(&flow, 9.9) < 1.0 && froude(&flow, 10.1) > 1.0);
            assert!((froude(&flow, 10.0) - 1.0).abs() < 1e-6);
        }
        assert!(froude(&TRANSCRITICAL, 20.0) > 1.0 && froude(&SHOCK, 20.0) < 1.0);
        assert!((SUBCRITICAL.depth([25.0, 0.0], 0.0) - 2.0).abs() < 1e-12);
    }
}
