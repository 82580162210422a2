//! Foam on the water surface. Fast water produces foam, and foam decays with time.

use crate::columns::layout::{CHUNK, Layout};
use crate::columns::params::Params;
use crate::columns::solver::tasks::for_each_chunk;
use crate::columns::state::State;
use crate::scratch::ScratchPool;
use multiversion::multiversion;

/// Number of steps between updates of foam.
pub(in crate::columns) const STEPS_PER_UPDATE: u64 = 8;

/// Updates the foam of all awake pools. The new value is the larger of the decayed old foam and the
/// foam that fast water produces.
pub(in crate::columns) fn update_foam(
    layout: &Layout,
    params: &Params,
    state: &mut State,
    awake: &[u32],
    scratch: &ScratchPool,
) {
    let rule = FoamRule {
        decay: libm::exp(-params.step * STEPS_PER_UPDATE as f64 / params.foam_time) as f32,
        min_speed: params.foam_speed as f32,
        wave_depth: layout.to_quanta(params.wave_depth),
        quantum_per_width: (layout.quantum / layout.width) as f32,
    };
    let chunks = awake.iter().flat_map(|&pool| layout.pool_chunks[pool as usize].clone());
    let chunks = scratch.take_collected(chunks);
    // Only the spring scheme has vertical surface velocities.
    let still = scratch.take_filled(if state.rate.is_empty() { CHUNK } else { 0 }, 0.0);
    let State { depth, speed, rate, foam, .. } = state;
    for_each_chunk(layout, &chunks, &mut foam[..], &|chunk, foam| {
        let columns = chunk.columns.clone();
        let is_first = layout.pools[chunk.pool as usize].columns.start == columns.start;
        let west = if is_first { 0.0 } else { speed[columns.start - 1] };
        let swings = if rate.is_empty() { &still[..foam.len()] } else { &rate[columns.clone()] };
        update_run(&rule, &depth[columns.clone()], west, &speed[columns], swings, foam);
    });
}

#[derive(Clone, Copy)]
struct FoamRule {
    /// Factor by which decay multiplies existing foam in each update.
    decay: f32,
    /// Speed (m/s) above which a column produces foam.
    min_speed: f32,
    /// Depth (in height quanta, the integer unit of height) beyond which waves do not become
    /// faster.
    wave_depth: i32,
    /// One height quantum divided by the width of a column.
    quantum_per_width: f32,
}

impl FoamRule {
    /// Returns the new foam of a column (from 0 to 1), given its old foam and its `depth` (in
    /// height quanta). `west` and `east` are the velocities at its edges (m/s). `swing` is the
    /// vertical velocity of the surface, with [`Motion::Springs`](super::Motion::Springs) (m/s).
    #[inline(always)]
    fn updated_foam(&self, foam: f32, depth: i32, [west, east]: [f32; 2], swing: f32) -> f32 {
        let rise = depth.min(self.wave_depth) as f32 * self.quantum_per_width * (east - west);
        let quick = west.abs().max(east.abs()).max(rise.abs()).max(swing.abs());
        let made = if depth > 0 { (quick / self.min_speed - 1.0).clamp(0.0, 1.0) } else { 0.0 };
        made.max(self.decay * foam)
    }
}

/// Updates the foam of a sequence of adjacent columns. `west` is the velocity at the western edge
/// of the first column (m/s). `speed` holds the velocity at the eastern edge of each column (m/s),
/// and `swing` the vertical velocity of each surface (m/s).
#[multiversion(targets = "simd")]
fn update_run(
    rule: &FoamRule,
    depth: &[i32],
    west: f32,
    speed: &[f32],
    swing: &[f32],
    foam: &mut [f32],
) {
    let n = foam.len();
    let (rule, depth, speed, swing) = (*rule, &depth[..n], &speed[..n], &swing[..n]);
    let mut west = west;
    for i in 0..n {
        foam[i] = rule.updated_foam(foam[i], depth[i], [west, speed[i]], swing[i]);
        west = speed[i];
    }
}
