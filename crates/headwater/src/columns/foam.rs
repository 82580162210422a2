//! Foam: white where columns move fast, fading where they do not.

use super::layout::Layout;
use super::params::Params;
use super::state::State;
use crate::spare::Spare;
use multiversion::multiversion;

/// Every so many steps foam is brought up to date.
pub(super) const EVERY: u64 = 8;

/// Brings the foam of the pools that are awake up to date: what a column has left, or what it makes now, by
/// how fast its water runs or its surface rises or falls, whichever is more.
pub(super) fn update(
    layout: &Layout,
    params: &Params,
    state: &mut State,
    awake: &[u32],
    spare: &Spare,
) {
    let left = libm::exp(-params.step * EVERY as f64 / params.foam_time) as f32;
    let fast = params.foam_speed as f32;
    let deepest = layout.quanta(params.wave_depth);
    let over_width = (layout.quantum / layout.width) as f32;
    // Only springs have rates.
    let mut still = spare.vec();
    for &pool in awake {
        let columns = layout.pools[pool as usize].columns.clone();
        let rise = Rise { left, fast, deepest, over_width };
        let speed = &state.speed[columns.clone()];
        let depth = &state.depth[columns.clone()];
        let foam = &mut state.foam[columns.clone()];
        let swings = if state.rate.is_empty() {
            still.resize(depth.len(), 0.0);
            &still
        } else {
            &state.rate[columns]
        };
        sweep(&rise, depth, speed, swings, foam);
    }
}

/// What foam is reckoned with.
#[derive(Clone, Copy)]
struct Rise {
    /// The part of old foam that is left.
    left: f32,
    /// The speed (m/s) above which columns make foam.
    fast: f32,
    /// The depth that waves reach (quanta).
    deepest: i32,
    /// Size of a quantum over the width of a column.
    over_width: f32,
}

impl Rise {
    /// The foam of a column of `depth` (quanta) that had `foam`, between edges with the velocities `west` and
    /// `east` (m/s), and whose surface swings by `swing` (m/s).
    #[inline(always)]
    fn foam(&self, foam: f32, depth: i32, [west, east]: [f32; 2], swing: f32) -> f32 {
        let rise = depth.min(self.deepest) as f32 * self.over_width * (east - west);
        let quick = west.abs().max(east.abs()).max(rise.abs()).max(swing.abs());
        let made = if depth > 0 { (quick / self.fast - 1.0).clamp(0.0, 1.0) } else { 0.0 };
        made.max(self.left * foam)
    }
}

/// Brings the foam of a pool up to date, compiled as the loops of a step are; `speed` is over the edge on the east of each column.
#[multiversion(targets = "simd")]
fn sweep(rise: &Rise, depth: &[i32], speed: &[f32], swing: &[f32], foam: &mut [f32]) {
    let n = foam.len();
    let (rise, depth, speed, swing) = (*rise, &depth[..n], &speed[..n], &swing[..n]);
    let mut west = 0.0;
    for i in 0..n {
        foam[i] = rise.foam(foam[i], depth[i], [west, speed[i]], swing[i]);
        west = speed[i];
    }
}
