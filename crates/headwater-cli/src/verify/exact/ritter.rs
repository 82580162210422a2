//! Dam break on a dry bed (Ritter 1892; SWASHES §4.1.2): a single rarefaction that ends in a front.

use super::{Exact, GRAVITY};

/// A dam at `dam` that vanishes at time 0, with nothing behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ritter {
    /// Where the dam stood (m).
    pub(crate) dam: f64,
    /// Depth before it, to the west (m).
    pub(crate) before: f64,
}

impl Exact for Ritter {
    fn bed(&self, _: [f64; 2]) -> f64 {
        0.0
    }

    fn depth(&self, [x, _]: [f64; 2], time: f64) -> f64 {
        let x = x - self.dam;
        if time <= 0.0 {
            return if x <= 0.0 { self.before } else { 0.0 };
        }
        let c = (GRAVITY * self.before).sqrt();
        match x / time {
            slope if slope <= -c => self.before,
            // u − √(g·h) = x/t and u + 2√(g·h) = 2√(g·h_l).
            slope if slope < 2.0 * c => ((2.0 * c - slope) / 3.0).powi(2) / GRAVITY,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Stoker;
    use super::*;

    const DAM: Ritter = Ritter { dam: 5.0, before: 0.005 };

    #[test]
    fn at_the_dam_the_depth_stays_at_four_ninths() {
        for time in [0.1, 1.0, 6.0] {
            assert!((DAM.depth([5.0, 0.0], time) - 4.0 / 9.0 * 0.005).abs() < 1e-15);
        }
    }

    #[test]
    fn it_is_the_limit_of_a_bed_that_is_hardly_wet() {
        let wet = Stoker { dam: 5.0, before: 0.005, behind: 1e-12 };
        for i in 0..100 {
            let at = [0.1 * f64::from(i) + 0.05, 0.0];
            assert!((DAM.depth(at, 6.0) - wet.depth(at, 6.0)).abs() < 1e-5, "{at:?}");
        }
    }

    #[test]
    fn no_water_is_lost() {
        let n = 10_000;
        let at = |i: i32| DAM.depth([10.0 * (f64::from(i) + 0.5) / f64::from(n), 0.0], 6.0);
        let volume = (0..n).map(at).sum::<f64>() * 10.0 / f64::from(n);
        assert!((volume - 0.025).abs() < 1e-8, "{volume}");
    }
}
