//! Flow law of a network edge: discharge to the east by difference of heads.

/// Edge of a network. Discharges in m²/s, heads in m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    /// Nodes of its columns, west and east.
    pub(super) ends: [u32; 2],
    /// Velocity (m/s) at the start, and weight of the new velocity in the step (θ).
    pub(super) speed: f64,
    pub(super) weight: f64,
    /// Loss of velocity per metre of head difference, times the weight.
    pub(super) head_gain: f64,
    /// By upstream side, west and east: the height that carries (m), the greatest velocity (m/s),
    /// and the greatest discharge.
    pub(super) carrying_height: [f64; 2],
    pub(super) max_speed: [f64; 2],
    pub(super) max_flow: [f64; 2],
    /// Difference between east and west of the height of the sill above the head (m).
    pub(super) sill_offset: f64,
    /// Discharge per metre of difference from levelling; discharge per metre beyond the steepest
    /// difference (m), from breaking.
    pub(super) spread: f64,
    pub(super) breaking: f64,
    pub(super) max_rise: f64,
}

impl Link {
    /// Returns the mean velocity in the step for a difference of heads, the height that carries,
    /// and whether the velocity depends on the heads (is not at its limit).
    #[inline(always)]
    pub(super) fn velocity(&self, difference: f64) -> (f64, f64, bool) {
        let free = self.speed - self.head_gain * difference;
        let side = usize::from(free <= 0.0);
        if free > self.max_speed[0] {
            (self.max_speed[0], self.carrying_height[0], false)
        } else if free < -self.max_speed[1] {
            (-self.max_speed[1], self.carrying_height[1], false)
        } else {
            (free, self.carrying_height[side], true)
        }
    }

    /// Returns the difference of heads, east minus west, that acts on this edge.
    #[inline(always)]
    pub(super) fn head_difference(&self, heads: &[f64]) -> f64 {
        heads[self.ends[1] as usize] - heads[self.ends[0] as usize] + self.sill_offset
    }

    /// Returns the discharge to the east, and its decrease per metre of difference.
    #[inline(always)]
    pub(super) fn flow(&self, difference: f64) -> (f64, f64) {
        let (velocity, carries, is_free) = self.velocity(difference);
        let mut flow = carries * velocity - self.spread * difference;
        let mut slope = self.spread + if is_free { carries * self.head_gain } else { 0.0 };
        let beyond = difference.abs() - self.max_rise;
        if beyond > 0.0 {
            flow -= (self.breaking * beyond).copysign(difference);
            slope += self.breaking;
        }
        if flow > self.max_flow[0] {
            (self.max_flow[0], 0.0)
        } else if flow < -self.max_flow[1] {
            (-self.max_flow[1], 0.0)
        } else {
            (flow, slope)
        }
    }
}
