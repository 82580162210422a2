//! Dynamic state of the columns, and the formulas for fluxes through edges that all implementations
//! of a step share.

pub(super) mod energy;
pub(super) mod fill;
pub(super) mod level;
pub(super) mod sleep;
pub(super) mod snapshot;

use super::layout::Layout;
use super::network::NetworkState;
use super::params::{MAX_COURANT_SPREAD_SUM, Params};
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// Depth of the water in each column (in height quanta, the integer unit of height). In a full
    /// column, the depth may slightly exceed the height of the column, because the water is
    /// compressed.
    #[serde(with = "crate::numbers")]
    pub(super) depth: Vec<i32>,
    /// Velocity at the eastern edge of each column (m/s, positive to the east). The value is 0 for
    /// the last column of a pool.
    #[serde(with = "crate::numbers")]
    pub(super) speed: Vec<f32>,
    /// Velocity (m/s, positive to the east) through each joint. A joint is an opening between two
    /// pools.
    #[serde(with = "crate::numbers")]
    pub(super) joint_speed: Vec<f32>,
    /// Foam on each column, from 0 (none) to 1.
    #[serde(with = "crate::numbers")]
    pub(super) foam: Vec<f32>,
    /// Displacement (m, positive upward) of each column's surface from its rest level. Used only
    /// with [`Motion::Springs`](super::Motion::Springs).
    #[serde(with = "crate::numbers")]
    pub(super) offset: Vec<f32>,
    /// Rate of change of `offset` (m/s). Used only with
    /// [`Motion::Springs`](super::Motion::Springs).
    #[serde(with = "crate::numbers")]
    pub(super) rate: Vec<f32>,
    /// State that networks (groups of columns coupled by pressure) carry from one step to the next.
    pub(super) network: NetworkState,
}

impl State {
    pub(super) fn new(depth: Vec<i32>, layout: &Layout, springs: bool) -> Self {
        let (n, joints) = (depth.len(), layout.joints.len());
        let of_springs = if springs { n } else { 0 };
        Self {
            depth,
            speed: vec![0.0; n],
            joint_speed: vec![0.0; joints],
            foam: vec![0.0; n],
            offset: vec![0.0; of_springs],
            rate: vec![0.0; of_springs],
            network: NetworkState::new(n, layout.pools.len(), joints),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Extrema {
    pub(super) shallowest: i32,
    pub(super) deepest: i32,
    pub(super) steepest: i32,
    pub(super) fastest: f32,
}

#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub(super) layout: &'a Layout,
    pub(super) rule: &'a FluxRule,
    pub(super) gravity: f64,
    pub(super) step: f64,
    /// Whether the water carries heat. If it does, no more water may leave a column in a step than
    /// the column holds.
    pub(super) carries_heat: bool,
    pub(super) awake: &'a [u32],
    /// For each joint (opening between two pools), whether the pools on both sides are awake, so
    /// that the joint is updated.
    pub(super) is_joint_open: &'a [bool],
    pub(super) scratch: &'a ScratchPool,
}

/// Largest Courant number of the flow velocity. It is below one half, so the flow through both
/// edges of a column never takes more water than the column holds.
const MAX_FLOW_COURANT: f64 = 0.49;

/// Largest fraction of the water above the sill that a column may lose through one of its edges per
/// step.
pub(super) const MAX_OUTFLOW: f32 = 0.495;

/// Largest fraction by which wave breaking reduces a height difference per step. Only the part of
/// the difference above the breaking limit counts. This constant applies to slow waves; for fast
/// waves, [`MAX_COURANT_SPREAD_SUM`] limits the fraction further.
const MAX_BREAKING_RATE: f64 = 0.2;

/// Additional damping rate below ice (1/s). An ice cover stops waves, while the water below still
/// levels out.
const ICE_DAMPING: f64 = 1.0;

/// Critical discharge per unit width over a broad-crested weir, in units of H·√(g·H) for the head
/// H. The value is (2/3)^(3/2).
pub(super) const CRITICAL_FLOW: f32 = 0.544_331_1;

#[inline(always)]
fn min_f32(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn max_f32(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Truncates an amount of magnitude below 2³¹ (in height quanta) to an integer. Unlike loops with
/// this function, loops with `as i32` are not vectorised by the compiler.
#[inline(always)]
fn truncate_to_i32(amount: f32) -> i32 {
    // Adding this constant to a number below 2²² leaves the nearest integer in the low bits.
    const MAGIC: f32 = 12_582_912.0;
    const BITS: i32 = MAGIC.to_bits() as i32;
    let size = max_f32(amount.abs() - 0.5, 0.0);
    let upper = size * (1.0 / 65536.0) + MAGIC;
    let lower = (size - (upper - MAGIC) * 65536.0) + MAGIC;
    let whole = ((upper.to_bits() as i32 - BITS) << 16) + (lower.to_bits() as i32 - BITS);
    if amount < 0.0 { -whole } else { whole }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FluxRule {
    /// Factor by which damping multiplies a velocity in each step. It applies only where the water
    /// flows toward the higher head.
    pub(super) decay: f32,
    /// Factor by which ice multiplies the velocities below it in each step.
    pub(super) decay_below_ice: f32,
    /// Velocity change per step (m/s) due to a head difference of one height quantum.
    pub(super) velocity_per_quantum: f32,
    pub(super) max_speed: f32,
    /// Number of columns that water with a velocity of 1 m/s crosses per step.
    pub(super) courant_per_speed: f32,
    /// Fraction of a height difference between neighbouring columns that is levelled per step.
    pub(super) spread: f32,
    /// Fraction of the height difference beyond `max_rise` that wave breaking levels per step.
    pub(super) breaking: f32,
    /// Largest height difference between neighbouring columns without wave breaking (in height
    /// quanta, the integer unit of height).
    pub(super) max_rise: f32,
    /// Depth beyond which waves do not become faster (in height quanta).
    pub(super) wave_depth: i32,
    pub(super) per_wave_depth: f32,
    /// Coefficient K (s/m) of the velocity loss in an opening: each step divides the velocity v by
    /// 1 + K·|v|.
    pub(super) loss: f32,
    /// Loss coefficient of openings, as a multiple of the velocity head.
    pub(super) opening_loss: f32,
    /// Width of a column (in height quanta, the integer unit of height).
    pub(super) width: f32,
    /// Squared wave speed (m²/s²) in water with a depth of one height quantum.
    pub(super) squared_celerity: f32,
}

impl FluxRule {
    pub(super) fn new(params: &Params, layout: &Layout) -> Self {
        let Params { step, gravity, .. } = *params;
        let Layout { width, quantum, .. } = *layout;
        let courant = params.courant(width);
        let spread = if params.spread < 1e-12 { 0.0 } else { params.spread };
        let wave_depth = layout.to_quanta(params.wave_depth).max(1);
        Self {
            // A wave runs against the difference in head for half of the time.
            decay: libm::exp(-2.0 * params.damping * step) as f32,
            decay_below_ice: libm::exp(-ICE_DAMPING * step) as f32,
            velocity_per_quantum: (gravity * step / width * quantum) as f32,
            max_speed: ((MAX_FLOW_COURANT - spread) * width / step) as f32,
            courant_per_speed: (step / width) as f32,
            spread: spread as f32,
            breaking: (0.5 * (MAX_COURANT_SPREAD_SUM - courant * courant) - spread)
                .clamp(0.0, MAX_BREAKING_RATE) as f32,
            max_rise: (params.breaking * width / quantum) as f32,
            wave_depth,
            per_wave_depth: 1.0 / wave_depth as f32,
            loss: (params.loss * step / (2.0 * width)) as f32,
            opening_loss: params.loss as f32,
            width: (width / quantum) as f32,
            squared_celerity: (gravity * quantum) as f32,
        }
    }

    /// Computes the flow through an edge under the open sky. Returns the new velocity (m/s) and the
    /// water that it moves in the step (height quanta of water in one column), both positive to the
    /// east. `west` and `east` are the surface heights of the two columns, and `sill` is the height
    /// of the higher floor, all in height quanta (integer units of height).
    #[inline(always)]
    pub(super) fn open_flux(&self, speed: f32, west: i32, east: i32, sill: i32) -> (f32, i32) {
        let above_sill = [west - sill, east - sill];
        let head = (above_sill[1].max(0) - above_sill[0].max(0)) as f32;
        let speed = self.wave_decay(speed, head) * speed - self.velocity_per_quantum * head;
        let (upstream, downstream) = if speed > 0.0 {
            (above_sill[0], above_sill[1])
        } else {
            (above_sill[1], above_sill[0])
        };
        let (limit, carried) = self.max_velocity_and_layer_thickness(upstream.max(0), downstream);
        let speed = max_f32(min_f32(speed, limit), -limit);
        let flux = speed * self.courant_per_speed * carried - self.spread * head;
        (speed, truncate_to_i32(self.limit_flux(flux, above_sill)))
    }

    /// Returns the largest velocity (m/s) at an edge and the thickness of the flowing layer (in
    /// height quanta). `upstream` and `downstream` are the heights of the water surface above the
    /// sill, upstream and downstream of the edge (in height quanta). The flowing layer is at most
    /// `wave_depth` thick, but the velocity limit applies to the mean over the whole depth. Where
    /// the water falls over the sill, the limit is that of critical flow.
    #[inline(always)]
    fn max_velocity_and_layer_thickness(&self, upstream: i32, downstream: i32) -> (f32, f32) {
        let depth = upstream as f32;
        let critical = (self.squared_celerity * depth).sqrt();
        let limit = if downstream <= 0 {
            min_f32(self.max_speed, CRITICAL_FLOW * critical)
        } else {
            min_f32(self.max_speed, critical) * max_f32(1.0, depth * self.per_wave_depth)
        };
        (limit, min_f32(depth, self.wave_depth as f32))
    }

    /// Returns `flux` plus the flow due to wave breaking, limited to what the upstream column can
    /// lose. Waves break if the surfaces differ too much. Flows are in height quanta of water in
    /// one column, positive to the east. `above_sill` holds the heights of the western and the
    /// eastern surface above the sill (in height quanta).
    #[inline(always)]
    fn limit_flux(&self, flux: f32, above_sill: [i32; 2]) -> f32 {
        let [west, east] = above_sill.map(|above_sill| above_sill.max(0) as f32);
        let rise = east - west;
        let beyond = max_f32(rise.abs() - self.max_rise, 0.0);
        let breaking = self.breaking * min_f32(beyond, min_f32(west, east));
        let flux = if rise > 0.0 { flux - breaking } else { flux + breaking };
        max_f32(min_f32(flux, MAX_OUTFLOW * west), -MAX_OUTFLOW * east)
    }

    /// Computes the flow through an edge between floors of equal height. Returns the new velocity
    /// (m/s) and the water that it moves in the step (height quanta of water in one column), both
    /// positive to the east. `west` and `east` are the depths of the two columns (in height quanta,
    /// the integer unit of height).
    #[inline(always)]
    pub(super) fn flat_flux(&self, speed: f32, west: i32, east: i32) -> (f32, i32) {
        let head = (east - west) as f32;
        let speed = self.wave_decay(speed, head) * speed - self.velocity_per_quantum * head;
        let (upstream, downstream) = if speed > 0.0 { (west, east) } else { (east, west) };
        let (limit, carried) = self.max_velocity_and_layer_thickness(upstream, downstream);
        let speed = max_f32(min_f32(speed, limit), -limit);
        let flux = speed * self.courant_per_speed * carried - self.spread * head;
        (speed, truncate_to_i32(self.limit_flux(flux, [west, east])))
    }

    /// Variant of [`flat_flux`](Self::flat_flux) for edges at which no limit applies (see
    /// [`is_calm`](Self::is_calm)).
    #[inline(always)]
    pub(super) fn calm_flux(&self, speed: f32, west: i32, east: i32) -> (f32, i32) {
        let head = (east - west) as f32;
        let speed = self.wave_decay(speed, head) * speed - self.velocity_per_quantum * head;
        let up = if speed > 0.0 { west } else { east };
        let carried = up.min(self.wave_depth) as f32;
        (speed, truncate_to_i32(speed * self.courant_per_speed * carried - self.spread * head))
    }

    /// Returns whether no edge with values in the given ranges can reach a limit on depth,
    /// velocity, slope or outflow.
    #[inline(always)]
    pub(super) fn is_calm(&self, range: &Extrema) -> bool {
        // Margin larger than all rounding errors.
        const MARGIN: f32 = 0.999;
        let Extrema { shallowest, deepest, steepest, fastest } = *range;
        let [low, high, head] = [shallowest, deepest, steepest].map(|quanta| quanta as f32);
        let speed = fastest + self.velocity_per_quantum * head;
        let flux = speed * self.courant_per_speed * deepest.min(self.wave_depth) as f32
            + self.spread * head;
        shallowest > 0
            && speed <= MARGIN * min_f32(self.max_speed, (self.squared_celerity * low).sqrt())
            && head + high * 1e-6 <= MARGIN * self.max_rise
            && flux <= MARGIN * MAX_OUTFLOW * low
    }

    /// Computes the flow through an edge that may have a ceiling, between columns whose heads may
    /// differ from their surfaces. Returns the new velocity (m/s) and the water that it moves in
    /// the step (height quanta of water in one column), both positive to the east.
    #[inline(always)]
    pub(super) fn edge_flux(&self, speed: f32, edge: &Edge) -> (f32, i32) {
        let Edge { sill, lintel, .. } = *edge;
        let over = |i: usize| edge.surface[i] - sill;
        let above = |i: usize| (edge.surface[i] + edge.excess[i] - sill).max(0);
        let head = (above(1) - above(0)) as f32;
        let speed = self.damped_speed(speed, head, edge) - self.velocity_per_quantum * head;
        let up = usize::from(speed <= 0.0);
        let down = over(1 - up);
        let drowned = over(up) > lintel - sill || edge.ice[up] > 0;
        let depth = edge.open_height(up);
        let (limit, carried) = self.max_velocity_and_layer_thickness(depth, down);
        let limit = if drowned && depth > 0 { self.max_speed } else { limit };
        let speed = max_f32(min_f32(speed, limit), -limit);
        // Compare surfaces, not heads: a head may exceed the height of the water.
        let shut = edge.is_closed();
        // The surface under a floating body stays lower than its neighbours, even at rest.
        let uneven = if drowned
            || shut
            || edge.is_ice_covered()
            || edge.is_under_body[0]
            || edge.is_under_body[1]
        {
            0.0
        } else {
            (over(1).max(0) - over(0).max(0)) as f32
        };
        let flux = speed * self.courant_per_speed * carried - self.spread * uneven;
        let flux = if uneven == 0.0 { flux } else { self.limit_flux(flux, [over(0), over(1)]) };
        (speed, truncate_to_i32(flux))
    }

    /// Returns the largest flow through a hole of the width `columns` (in columns) in one step, for
    /// a head in height quanta: `a·√(2·gravity·head/loss)` with the width a of the hole. The flow
    /// is in height quanta of water in one column.
    #[inline(always)]
    fn largest_hole_flux(&self, head: i32, columns: f32) -> f32 {
        let fastest = (2.0 * self.squared_celerity * head.max(0) as f32 / self.opening_loss).sqrt();
        fastest * self.courant_per_speed * columns * self.width
    }

    /// Returns the flow through the edge between a floor and a hole in this floor (height quanta of
    /// water in one column, per step). `flux` is the flow without the hole. It is returned if the
    /// water does not fall freely into the hole. Otherwise, the flow is increased to that of the
    /// whole depth above the sill, not only of the layer that carries waves, and limited to the
    /// capacity of the hole. `columns` is the width of the hole (in columns), and `flux_from_above`
    /// is the flow that already falls through it.
    #[inline(always)]
    pub(super) fn fall_flux(
        &self,
        flux: i32,
        edge: &Edge,
        columns: f32,
        flux_from_above: f32,
    ) -> i32 {
        let up = usize::from(flux <= 0);
        let depth = edge.open_height(up);
        if depth == 0 || edge.surface[1 - up] > edge.sill {
            return flux;
        }
        let head = edge.surface[up] + edge.excess[up] - edge.sill;
        let limit = max_f32(self.largest_hole_flux(head, columns) - flux_from_above, 0.0);
        let limit = min_f32(limit, MAX_OUTFLOW * depth as f32);
        let all = flux as f32 * max_f32(1.0, depth as f32 * self.per_wave_depth);
        max_f32(min_f32(all, limit), -limit) as i32
    }

    /// Returns the flow through the edge between a hole in a floor and the space below the floor
    /// (height quanta of water in one column, per step). `flux` is the flow without the hole. It is
    /// limited to the capacity of the hole if water stands in the hole, and returned unchanged
    /// otherwise. `columns` is the width of the hole (in columns). The last argument contains the
    /// side of the edge on which the hole is (0: west, 1: east), and the height of the floor's
    /// upper side (in height quanta).
    #[inline(always)]
    pub(super) fn hole_flux(
        &self,
        flux: i32,
        edge: &Edge,
        columns: f32,
        (hole_side, floor): (usize, i32),
    ) -> i32 {
        let head = |side: usize| edge.surface[side] + edge.excess[side];
        if head(hole_side) <= floor {
            return flux;
        }
        let limit =
            self.largest_hole_flux(head(hole_side) - head(1 - hole_side).max(floor), columns);
        max_f32(min_f32(flux as f32, limit), -limit) as i32
    }

    /// Returns the factor by which damping multiplies a velocity. `head` is the eastern minus the
    /// western head. Only flow toward the higher head is damped. In a wave, this is the flow during
    /// one half of each period.
    #[inline(always)]
    pub(super) fn wave_decay(&self, speed: f32, head: f32) -> f32 {
        if speed * head > 0.0 { self.decay } else { 1.0 }
    }

    /// Returns the velocity (m/s) after damping and losses. It does not yet include the
    /// acceleration by the head difference `head`, the eastern minus the western head.
    #[inline(always)]
    fn damped_speed(&self, speed: f32, head: f32, edge: &Edge) -> f32 {
        let narrow = edge.surface[0].max(edge.surface[1]) > edge.lintel;
        let lost = if narrow { 1.0 + self.loss * speed.abs() } else { 1.0 };
        let ice_decay = if edge.is_ice_covered() { self.decay_below_ice } else { 1.0 };
        ice_decay * self.wave_decay(speed, head) * speed / lost
    }
}

/// Opening between two neighbouring columns, with the state of the water on both sides. All heights
/// are in height quanta, the integer unit of height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) sill: i32,
    pub(super) lintel: i32,
    pub(super) surface: [i32; 2],
    /// Floating ice on each column (water equivalent in height quanta). The ice displaces its own
    /// weight and lies on top of the water.
    pub(super) ice: [i32; 2],
    /// Pressure head at the water surface of each column (in height quanta, the integer unit of
    /// height).
    pub(super) excess: [i32; 2],
    /// Whether a floating body lies on each column.
    pub(super) is_under_body: [bool; 2],
}

impl Edge {
    #[inline(always)]
    pub(super) fn is_closed(&self) -> bool {
        self.lintel <= self.sill
            || self.is_ice_covered() && self.open_height(0) == 0 && self.open_height(1) == 0
    }

    #[inline(always)]
    pub(super) fn is_ice_covered(&self) -> bool {
        self.ice != [0; 2]
    }

    /// Returns the height of the water that can flow from one side of the edge, which is the part
    /// below the ceiling of the opening and below the ice (in height quanta, the integer unit of
    /// height).
    #[inline(always)]
    pub(super) fn open_height(&self, side: usize) -> i32 {
        ((self.surface[side] - self.ice[side]).min(self.lintel) - self.sill).max(0)
    }

    /// Returns the thickness of the flowing layer of water (in height quanta, at most
    /// `wave_depth`). The sign of the velocity determines the upstream side.
    pub(super) fn flowing_layer_thickness(&self, speed: f32, wave_depth: i32) -> i32 {
        self.open_height(usize::from(speed <= 0.0)).min(wave_depth)
    }
}

#[cfg(test)]
mod tests {
    use super::truncate_to_i32;

    #[test]
    fn amounts_are_truncated_toward_zero() {
        for amount in [0.0, 0.4, 0.9, 1.2, 3.7, 65_535.9, 65_536.5, 98_304.3, 7e6, 1.1e9, 2.1e9_f32]
        {
            let whole = truncate_to_i32(amount);
            assert!(whole as f64 <= f64::from(amount) && whole as f64 > f64::from(amount) - 1.5);
            assert_eq!(truncate_to_i32(-amount), -whole);
        }
        assert_eq!([0.3, 1.6, 70_000.25].map(truncate_to_i32), [0, 1, 70_000]);
    }
}
