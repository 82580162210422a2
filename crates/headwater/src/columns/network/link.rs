//! Flow equation of an edge between two columns of a network (columns coupled by pressure). It
//! gives the eastward discharge as a function of the head difference (eastern minus western head).

/// Edge between two columns of a network (columns coupled by pressure). Discharges are in m²/s,
/// heads in m. In pairs of values, the first applies to eastward flow and the second to westward
/// flow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EdgeFlow {
    /// Node indices of the columns to the west and to the east of the edge.
    pub(super) ends: [u32; 2],
    /// Velocity at the start of the step (m/s, positive to the east), after damping.
    pub(super) speed: f64,
    /// Weight θ (dimensionless) of the velocity at the end of the step in the mean velocity of the
    /// step. The velocity at the start has the weight 1 − θ.
    pub(super) weight: f64,
    /// Decrease in the mean eastward velocity (m/s) per metre of head difference. The value
    /// includes the weight θ.
    pub(super) velocity_per_head: f64,
    /// Loss coefficient K (s/m) for eastward flow and for westward flow. The loss reduces a speed v
    /// to w, where w + K·w² = v. Both speeds are relative to `bypass_speed`.
    pub(super) loss: [f64; 2],
    /// Velocity (m/s, positive to the east) of the part of the discharge that passes below a hole
    /// in a floor without flowing through the hole.
    pub(super) bypass_speed: f64,
    /// Thickness of the flowing layer of water (m) for eastward flow and for westward flow.
    pub(super) carrying_height: [f64; 2],
    /// Largest speed (m/s) for eastward flow and for westward flow.
    pub(super) max_speed: [f64; 2],
    /// Largest discharge (m²/s) for eastward flow and for westward flow.
    pub(super) max_flow: [f64; 2],
    /// Largest discharge (m²/s), for eastward flow and for westward flow, that cannot empty the
    /// upstream column even without inflow.
    pub(super) safe_flow: [f64; 2],
    /// Correction added to the head difference (m). It raises a head that is below the sill to the
    /// height of the sill.
    pub(super) sill_offset: f64,
    /// Discharge due to artificial levelling, per metre of head difference (m²/s per m).
    pub(super) levelling_rate: f64,
    /// Discharge due to wave breaking, per metre of head difference beyond `max_rise` (m²/s per m).
    pub(super) breaking_rate: f64,
    /// Largest head difference without wave breaking (m).
    pub(super) max_rise: f64,
}

impl EdgeFlow {
    /// Returns three values for a head difference (eastern minus western head, m): the mean
    /// velocity during the step (m/s, positive to the east), the thickness of the flowing layer of
    /// water (m), and the decrease in the velocity per metre of head difference.
    #[inline(always)]
    pub(super) fn velocity(&self, difference: f64) -> (f64, f64, f64) {
        let without_loss = self.speed - self.velocity_per_head * difference;
        let (mut root, mut velocity) = (1.0, without_loss);
        let relative = without_loss - self.bypass_speed;
        let loss = self.loss[usize::from(relative <= 0.0)];
        if loss > 0.0 {
            root = (1.0 + 4.0 * loss * relative.abs()).sqrt();
            velocity = self.bypass_speed + 2.0 * relative / (1.0 + root);
        }
        let side = usize::from(velocity <= 0.0);
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

    /// Returns two values for a head difference (eastern minus western head, m): the discharge
    /// (m²/s, positive to the east), and the decrease in the discharge per metre of head
    /// difference.
    #[inline(always)]
    pub(super) fn discharge(&self, difference: f64) -> (f64, f64) {
        let (velocity, carries, gain) = self.velocity(difference);
        let mut flow = carries * velocity - self.levelling_rate * difference;
        let mut slope = self.levelling_rate + carries * gain;
        let beyond = difference.abs() - self.max_rise;
        if beyond > 0.0 {
            flow -= (self.breaking_rate * beyond).copysign(difference);
            slope += self.breaking_rate;
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
