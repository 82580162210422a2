//! Foam: white where columns move fast, fading where they do not.

use super::layout::Layout;
use super::params::Params;
use super::state::State;

/// Every so many steps foam is brought up to date.
pub(super) const EVERY: u64 = 8;

/// Brings the foam of the pools that are awake up to date: what a column has left, or what it makes now, by
/// how fast its water runs or its surface rises or falls, whichever is more.
pub(super) fn update(layout: &Layout, params: &Params, state: &mut State, awake: &[u32]) {
    let left = libm::exp(-params.step * EVERY as f64 / params.foam_time) as f32;
    let fast = params.foam_speed as f32;
    let deepest = layout.quanta(params.wave_depth);
    let over_width = (layout.quantum / layout.width) as f32;
    for &pool in awake {
        let columns = layout.pools[pool as usize].columns.clone();
        let mut west = 0.0_f32;
        for c in columns {
            let east = state.speed[c];
            let depth = state.depth[c];
            let swing = state.rate.get(c).copied().unwrap_or(0.0);
            let rise = depth.min(deepest) as f32 * over_width * (east - west);
            let quick = west.abs().max(east.abs()).max(rise.abs()).max(swing.abs());
            let made = if depth > 0 { (quick / fast - 1.0).clamp(0.0, 1.0) } else { 0.0 };
            state.foam[c] = made.max(left * state.foam[c]);
            west = east;
        }
    }
}
