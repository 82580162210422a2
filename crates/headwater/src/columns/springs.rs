//! Spring scheme: each column oscillates about its rest level and pulls its neighbours along ("2D
//! magic in detail, part four: water", 2016). Nothing is conserved.

use super::layout::{Joint, Layout, SKY};
use super::params::Params;
use super::pressure::Heads;
use super::state::State;
use crate::scratch::ScratchPool;

/// Steps all columns of awake pools: first each on its own, then in passes between neighbours.
pub(super) fn drive(
    layout: &Layout,
    params: &Params,
    heads: &Heads,
    state: &mut State,
    awake: &[u32],
    scratch: &ScratchPool,
) {
    let dt = params.step as f32;
    let pull = (params.tension * params.step) as f32;
    let keep = libm::exp(-params.damping * params.step) as f32;
    for &pool in awake {
        let columns = layout.pools[pool as usize].columns.clone();
        let ice = heads.ice[columns.clone()].iter().zip(&heads.ground[columns.clone()]);
        let wet = state.depth[columns.clone()].iter().zip(ice);
        let swings = state.offset[columns.clone()].iter_mut().zip(&mut state.rate[columns]);
        for ((offset, rate), (&depth, (&ice, &ground))) in swings.zip(wet) {
            let rest = if depth > ground && ice == 0 { 1.0 } else { 0.0 };
            *rate = rest * (keep * *rate - pull * *offset);
            *offset += dt * *rate;
        }
    }
    let mut given = scratch.vec();
    for _ in 0..params.passes {
        for &pool in awake {
            spread(layout, params, heads, state, pool as usize, &mut given);
        }
        for &pool in awake {
            for &number in &layout.pools[pool as usize].joints {
                let joint = &layout.joints[number as usize];
                // Enter from the west, so that a joint between two awake pools is handled once.
                let left_awake = awake.binary_search(&joint.left_pool).is_ok();
                if joint.left_pool == pool || !left_awake {
                    join(layout, params, heads, state, joint);
                }
            }
        }
    }
    for &pool in awake {
        for c in layout.pools[pool as usize].columns.clone() {
            clamp(layout, state, c);
        }
    }
}

fn spread(
    layout: &Layout,
    params: &Params,
    heads: &Heads,
    state: &mut State,
    pool: usize,
    given: &mut Vec<f32>,
) {
    let columns = layout.pools[pool].columns.clone();
    let (offset, rate) = (&mut state.offset[columns.clone()], &mut state.rate[columns.clone()]);
    let surfaces = &layout.floor[columns.clone()];
    let (ice, ground) = (&heads.ice[columns.clone()], &heads.ground[columns.clone()]);
    let depth = &state.depth[columns];
    let (part, dt) = (params.pass as f32, params.step as f32);
    given.clear();
    given.extend((1..offset.len()).map(|i| {
        let level = |i: usize| surfaces[i] + depth[i];
        let free = |i: usize| ice[i] == 0 && depth[i] > ground[i];
        let joined = free(i - 1) && free(i) && level(i - 1) == level(i);
        if joined { part * (offset[i - 1] - offset[i]) } else { 0.0 }
    }));
    for (i, &given) in given.iter().enumerate() {
        offset[i] -= given;
        offset[i + 1] += given;
        rate[i] -= given / dt;
        rate[i + 1] += given / dt;
    }
}

/// Performs one pass through a joint, if the wave on either side reaches the opening and both sides
/// have the same rest level.
fn join(layout: &Layout, params: &Params, heads: &Heads, state: &mut State, joint: &Joint) {
    let Joint { left, right, sill, lintel, .. } = *joint;
    let level = |c: usize| layout.floor[c] + state.depth[c];
    let crest = |c: usize| level(c) + layout.quanta(state.offset[c].into());
    let meets = |c: usize| (sill..=lintel).contains(&crest(c));
    let free = |c: usize| heads.is_free(c, state.depth[c]);
    if !free(left) || !free(right) || level(left) != level(right) || !(meets(left) || meets(right))
    {
        return;
    }
    let given = params.pass as f32 * (state.offset[left] - state.offset[right]);
    for (c, given) in [(left, -given), (right, given)] {
        state.offset[c] += given;
        state.rate[c] += given / params.step as f32;
    }
}

fn clamp(layout: &Layout, state: &mut State, c: usize) {
    let rest = layout.floor[c] + state.depth[c];
    let lowest = -layout.metres(state.depth[c]) as f32;
    let highest = if layout.ceiling[c] < SKY {
        layout.metres((layout.ceiling[c] - rest).max(0)) as f32
    } else {
        f32::INFINITY
    };
    let offset = &mut state.offset[c];
    let kept = offset.max(lowest).min(highest);
    if kept != *offset {
        *offset = kept;
        state.rate[c] = 0.0;
    }
}
