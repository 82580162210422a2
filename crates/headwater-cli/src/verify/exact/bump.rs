//! Steady flow over a bump without friction (SWASHES §3.1.3 to §3.1.5; Goutal & Maurel 1997).
//!
//! Between jumps the head `H = z + h + q²/(2·g·h²)` (Bernoulli) is the same everywhere, so h is a root
//! of the cubic `h³ + (z − H)·h² + q²/(2·g) = 0`; across a jump it is the momentum that is kept.

use super::{Exact, GRAVITY, bisect, critical_depth, specific_energy};

/// Where the crest is (m), and its height (m).
const CREST: (f64, f64) = (10.0, 0.2);

/// A steady flow to the east.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bump {
    /// Unit discharge (m²/s).
    pub(crate) discharge: f64,
    /// How it passes the crest.
    pub(crate) regime: Regime,
}

/// How a flow passes the crest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Regime {
    /// Slower than its waves throughout, and this deep (m) downstream.
    Subcritical(f64),
    /// Slower before the crest and faster behind it.
    Transcritical,
    /// The same, and back by a jump to this depth (m) downstream.
    Shock(f64),
}

impl Bump {
    /// The depth over a bed `z` under the head `head`: the slow root of the cubic or the fast one.
    ///
    /// With `E = H − z` the roots are `E/3·(1 + 2·cos(θ/3 − 2πk/3))`, `cos θ = 1 − 27·q²/(4·g·E³)`.
    fn root(&self, head: f64, z: f64, slow: bool) -> f64 {
        let e = head - z;
        let cosine = 1.0 - 27.0 * self.discharge.powi(2) / (4.0 * GRAVITY * e.powi(3));
        let third = cosine.clamp(-1.0, 1.0).acos() / 3.0;
        let turn = if slow { 0.0 } else { std::f64::consts::TAU / 3.0 };
        e / 3.0 * (1.0 + 2.0 * (third - turn).cos())
    }

    /// The head of a flow that is critical over the crest.
    fn critical_head(&self) -> f64 {
        CREST.1 + 1.5 * critical_depth(self.discharge)
    }

    /// Depth without a jump, critical over the crest.
    fn transcritical(&self, x: f64) -> f64 {
        self.root(self.critical_head(), bed(x), x < CREST.0)
    }

    /// Where the jump stands (m) if the depth behind the bump is `out`: the depth conjugate to the one
    /// before the jump is the one behind it.
    fn jump(&self, out: f64) -> f64 {
        let head = specific_energy(self.discharge, out);
        let behind = |x: f64| self.root(head, bed(x), true);
        // Further up, the bump is too high for a flow with the head that is left behind the jump.
        let highest = head - 1.5 * critical_depth(self.discharge);
        let first = CREST.0 + ((CREST.1 - highest) / 0.05).sqrt();
        bisect(first, 12.0, |x| behind(x) - self.conjugate(self.transcritical(x)))
    }

    /// The depth behind a standing jump from depth `h`: `h/2·(√(1 + 8·Fr²) − 1)` (Bélanger).
    fn conjugate(&self, h: f64) -> f64 {
        let froude2 = self.discharge.powi(2) / (GRAVITY * h.powi(3));
        0.5 * h * ((1.0 + 8.0 * froude2).sqrt() - 1.0)
    }
}

/// The bump: `0.2 − 0.05·(x − 10)²` on 8 < x < 12, else 0.
fn bed(x: f64) -> f64 {
    (CREST.1 - 0.05 * (x - CREST.0).powi(2)).max(0.0)
}

impl Exact for Bump {
    fn bed(&self, [x, _]: [f64; 2]) -> f64 {
        bed(x)
    }

    fn depth(&self, [x, _]: [f64; 2], _: f64) -> f64 {
        let slow = |out| self.root(specific_energy(self.discharge, out), bed(x), true);
        match self.regime {
            Regime::Subcritical(out) => slow(out),
            Regime::Shock(out) if x > self.jump(out) => slow(out),
            Regime::Shock(_) | Regime::Transcritical => self.transcritical(x),
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
    fn the_head_is_kept_up_to_the_jump_and_lost_there() {
        for (flow, end) in [(SUBCRITICAL, 25.0), (TRANSCRITICAL, 25.0), (SHOCK, SHOCK.jump(0.33))] {
            for i in 1..200 {
                let x = end * f64::from(i) / 200.0;
                assert!((head(&flow, x) - head(&flow, 0.0)).abs() < 1e-9, "{flow:?} at {x}");
            }
        }
        assert!(head(&SHOCK, 20.0) < head(&SHOCK, 0.0) - 0.01);
    }

    #[test]
    fn the_jump_keeps_momentum() {
        let at = SHOCK.jump(0.33);
        let force = |x: f64| {
            let h = SHOCK.depth([x, 0.0], 0.0);
            0.18 * 0.18 / h + 0.5 * GRAVITY * h * h
        };
        let (before, behind) = (force(at - 1e-9), force(at + 1e-9));
        assert!((before - behind).abs() < 1e-6 * before, "{before} {behind}");
        // SWASHES draws it between 11.6 and 11.7 m.
        assert!((11.6..11.7).contains(&at), "{at}");
    }

    #[test]
    fn each_regime_is_on_its_side_of_critical() {
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
