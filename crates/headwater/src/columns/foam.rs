//! Foam: made where columns move fast, and fading with time.

use super::layout::{CHUNK, Layout};
use super::params::Params;
use super::state::State;
use super::tasks::for_each_chunk;
use crate::scratch::ScratchPool;
use multiversion::multiversion;

/// Steps between updates of foam.
pub(super) const EVERY: u64 = 8;

/// Updates the foam of awake pools: the larger of the decayed old foam and the new foam of fast
/// water.
pub(super) fn update(
    layout: &Layout,
    params: &Params,
    state: &mut State,
    awake: &[u32],
    scratch: &ScratchPool,
) {
    let rise = Rise {
        left: libm::exp(-params.step * EVERY as f64 / params.foam_time) as f32,
        fast: params.foam_speed as f32,
        deepest: layout.quanta(params.wave_depth),
        over_width: (layout.quantum / layout.width) as f32,
    };
    let chunks = awake.iter().flat_map(|&pool| layout.pool_chunks[pool as usize].clone());
    let chunks = scratch.collect(chunks);
    // Only springs have rates.
    let still = scratch.filled(if state.rate.is_empty() { CHUNK } else { 0 }, 0.0);
    let State { depth, speed, rate, foam, .. } = state;
    for_each_chunk(layout, &chunks, &mut foam[..], &|chunk, foam| {
        let columns = chunk.columns.clone();
        let is_first = layout.pools[chunk.pool as usize].columns.start == columns.start;
        let west = if is_first { 0.0 } else { speed[columns.start - 1] };
        let swings = if rate.is_empty() { &still[..foam.len()] } else { &rate[columns.clone()] };
        sweep(&rise, &depth[columns.clone()], west, &speed[columns], swings, foam);
    });
}

#[derive(Clone, Copy)]
struct Rise {
    /// Factor of old foam per update.
    left: f32,
    /// Speed (m/s) above which columns make foam.
    fast: f32,
    /// Largest depth that drives waves (quanta).
    deepest: i32,
    /// Size of a quantum relative to the width of a column.
    over_width: f32,
}

impl Rise {
    /// Returns the foam of a column of `depth` (quanta) between edges of velocities `west` and
    /// `east` (m/s), whose spring surface moves at `swing` (m/s).
    #[inline(always)]
    fn foam(&self, foam: f32, depth: i32, [west, east]: [f32; 2], swing: f32) -> f32 {
        let rise = depth.min(self.deepest) as f32 * self.over_width * (east - west);
        let quick = west.abs().max(east.abs()).max(rise.abs()).max(swing.abs());
        let made = if depth > 0 { (quick / self.fast - 1.0).clamp(0.0, 1.0) } else { 0.0 };
        made.max(self.left * foam)
    }
}

/// Updates the foam of neighbouring columns; `west` is the velocity over the first one's western
/// edge, `speed` that over each one's eastern edge.
#[multiversion(targets = "simd")]
fn sweep(rise: &Rise, depth: &[i32], west: f32, speed: &[f32], swing: &[f32], foam: &mut [f32]) {
    let n = foam.len();
    let (rise, depth, speed, swing) = (*rise, &depth[..n], &speed[..n], &swing[..n]);
    let mut west = west;
    for i in 0..n {
        foam[i] = rise.foam(foam[i], depth[i], [west, speed[i]], swing[i]);
        west = speed[i];
    }
}
