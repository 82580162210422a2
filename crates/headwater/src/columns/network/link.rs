//! Flow equation of an edge in a network (columns coupled by pressure): discharge to the east as a
//! function of the head difference.

/// Edge between two columns of a network (columns coupled by pressure). Discharges are in m²/s, and
/// heads in m.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EdgeFlow {
    /// Node indices of the columns to the west and to the east of the edge.
    pub(super) ends: [u32; 2],
    /// Velocity at the start of the step (m/s, positive to the east), after damping.
    pub(super) speed: f64,
    /// Weight θ of the velocity at the end of the step in the mean velocity of the step
    /// (dimensionless).
    pub(super) weight: f64,
    /// Decrease in the mean velocity (m/s) per metre of head difference. The value includes the
    /// weight θ of the velocity at the end of the step.
    pub(super) velocity_per_head: f64,
    /// Relative loss K of the velocity at a velocity of 1 m/s if the western column is upstream,
    /// and if the eastern column is upstream. It reduces a velocity v to w, with w + K·w² = v.
    pub(super) loss: [f64; 2],
    /// Height of the flowing water (m) if the western column is upstream, and if the eastern column
    /// is upstream.
    pub(super) carrying_height: [f64; 2],
    /// Largest velocity (m/s) if the western column is upstream, and if the eastern column is
    /// upstream.
    pub(super) max_speed: [f64; 2],
    /// Largest discharge (m²/s) if the western column is upstream, and if the eastern column is
    /// upstream.
    pub(super) max_flow: [f64; 2],
    /// Largest discharge (m²/s) at which the upstream column keeps some water without any inflow.
    pub(super) safe_flow: [f64; 2],
    /// Correction of the head difference (m), so that a head below the sill counts as the height of
    /// the sill.
    pub(super) sill_offset: f64,
    /// Discharge due to artificial levelling (m²/s), per metre of head difference.
    pub(super) spread: f64,
    /// Discharge due to wave breaking (m²/s), per metre of head difference beyond `max_rise`.
    pub(super) breaking: f64,
    /// Largest head difference without wave breaking (m).
    pub(super) max_rise: f64,
}

impl EdgeFlow {
    /// Returns three values for a head difference (m): the mean velocity during the step (m/s,
    /// positive to the east), the height of the flowing water (m), and the decrease in the velocity
    /// per metre of head difference.
    #[inline(always)]
    pub(super) fn velocity(&self, difference: f64) -> (f64, f64, f64) {
        let without_loss = self.speed - self.velocity_per_head * difference;
        let side = usize::from(without_loss <= 0.0);
        let (mut root, mut velocity) = (1.0, without_loss);
        if self.loss[side] > 0.0 {
            root = (1.0 + 4.0 * self.loss[side] * without_loss.abs()).sqrt();
            velocity = 2.0 * without_loss / (1.0 + root);
        }
        if velocity.abs() > self.max_speed[side] {
            (self.max_speed[side].copysign(velocity), self.carrying_height[side], 0.0)
        } else {
            (velocity, self.carrying_height[side], self.velocity_per_head / root)
        }
    }

    /// Returns the head difference that acts on the edge (m): the eastern head minus the western
    /// head.
    #[inline(always)]
    pub(super) fn head_difference(&self, heads: &[f64]) -> f64 {
        heads[self.ends[1] as usize] - heads[self.ends[0] as usize] + self.sill_offset
    }

    /// Returns two values for a head difference (m): the discharge to the east (m²/s), and the
    /// decrease in this discharge per metre of head difference.
    #[inline(always)]
    pub(super) fn discharge(&self, difference: f64) -> (f64, f64) {
        let (velocity, carries, gain) = self.velocity(difference);
        let mut flow = carries * velocity - self.spread * difference;
        let mut slope = self.spread + carries * gain;
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
