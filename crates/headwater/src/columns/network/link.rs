//! The law of an edge: what flows to the east, by the difference of the heads.

/// An edge of a network. Discharges in m²/s, heads in m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    /// Its columns' nodes, west and east.
    pub(super) ends: [u32; 2],
    /// Velocity (m/s) with which it begins, and how much of its change counts in the step.
    pub(super) kept: f64,
    pub(super) part: f64,
    /// Loss of velocity for a metre of difference, times the part that counts.
    pub(super) pull: f64,
    /// By the side that gives, west and east: the height that carries (m), the greatest velocity
    /// (m/s), the most that it gives.
    pub(super) carries: [f64; 2],
    pub(super) most: [f64; 2],
    pub(super) gives: [f64; 2],
    /// By how much the sill is higher above the head in the east than above that in the west.
    pub(super) fall: f64,
    /// What levels out for a metre of difference; what tumbles for a metre beyond the steepest one (m).
    pub(super) spread: f64,
    pub(super) tumble: f64,
    pub(super) steepest: f64,
}

impl Link {
    /// Mean velocity in the step by the heads of its ends; the height that carries; whether more
    /// head would change it.
    #[inline(always)]
    pub(super) fn velocity(&self, difference: f64) -> (f64, f64, bool) {
        let free = self.kept - self.pull * difference;
        let side = usize::from(free <= 0.0);
        if free > self.most[0] {
            (self.most[0], self.carries[0], false)
        } else if free < -self.most[1] {
            (-self.most[1], self.carries[1], false)
        } else {
            (free, self.carries[side], true)
        }
    }

    /// How much higher the head is in the east, as this edge feels it.
    #[inline(always)]
    pub(super) fn difference(&self, heads: &[f64]) -> f64 {
        heads[self.ends[1] as usize] - heads[self.ends[0] as usize] + self.fall
    }

    /// What flows to the east, and how much less of it for a metre more of difference.
    #[inline(always)]
    pub(super) fn flow(&self, difference: f64) -> (f64, f64) {
        let (velocity, carries, is_free) = self.velocity(difference);
        let mut flow = carries * velocity - self.spread * difference;
        let mut slope = self.spread + if is_free { carries * self.pull } else { 0.0 };
        let beyond = difference.abs() - self.steepest;
        if beyond > 0.0 {
            flow -= (self.tumble * beyond).copysign(difference);
            slope += self.tumble;
        }
        if flow > self.gives[0] {
            (self.gives[0], 0.0)
        } else if flow < -self.gives[1] {
            (-self.gives[1], 0.0)
        } else {
            (flow, slope)
        }
    }
}
