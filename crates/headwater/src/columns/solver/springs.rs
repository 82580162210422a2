//! Spring scheme ("2D magic in detail, part four: water", 2016): the surface of each column
//! oscillates about its rest level and pulls its neighbours along. The scheme conserves
//! neither volume nor energy.

use super::pressure::Heads;
use crate::columns::layout::{Joint, Layout, NO_CEILING};
use crate::columns::params::Params;
use crate::columns::state::State;
use crate::scratch::ScratchPool;

/// Advances all columns of awake pools by one step. Each column first moves individually; then
/// motion is transferred between neighbouring columns.
pub(in crate::columns) fn update_pools(
    layout: &Layout,
    params: &Params,
    heads: &Heads,
    state: &mut State,
    awake: &[u32],
    scratch: &ScratchPool,
) {
    let dt = params.step as f32;
    let pull = (params.tension * params.step) as f32;
    let decay = libm::exp(-params.damping * params.step) as f32;
    for &pool in awake {
        let columns = layout.pools[pool as usize].columns.clone();
        let ice = heads.ice[columns.clone()].iter().zip(&heads.ground[columns.clone()]);
        let wet = state.depth[columns.clone()].iter().zip(ice);
        let swings = state.offset[columns.clone()].iter_mut().zip(&mut state.rate[columns]);
        for ((offset, rate), (&depth, (&ice, &ground))) in swings.zip(wet) {
            let rest = if depth > ground && ice == 0 { 1.0 } else { 0.0 };
            *rate = rest * (decay * *rate - pull * *offset);
            *offset += dt * *rate;
        }
    }
    let mut transfers = scratch.take_vec();
    for _ in 0..params.passes {
        for &pool in awake {
            transfer_motion_to_neighbours(
                layout,
                params,
                heads,
                state,
                pool as usize,
                &mut transfers,
            );
        }
        for &pool in awake {
            for &number in &layout.pools[pool as usize].joints {
                let joint = &layout.joints[number as usize];
                // Enter from the west, so that a joint between two awake pools is handled once
                // only.
                let left_awake = awake.binary_search(&joint.left_pool).is_ok();
                if joint.left_pool == pool || !left_awake {
                    transfer_motion_through_joint(layout, params, heads, state, joint);
                }
            }
        }
    }
    for &pool in awake {
        for c in layout.pools[pool as usize].columns.clone() {
            clamp_surface_offset(layout, state, c);
        }
    }
}

fn transfer_motion_to_neighbours(
    layout: &Layout,
    params: &Params,
    heads: &Heads,
    state: &mut State,
    pool: usize,
    transfers: &mut Vec<f32>,
) {
    let columns = layout.pools[pool].columns.clone();
    let (offset, rate) = (&mut state.offset[columns.clone()], &mut state.rate[columns.clone()]);
    let surfaces = &layout.floor[columns.clone()];
    let (ice, ground) = (&heads.ice[columns.clone()], &heads.ground[columns.clone()]);
    let depth = &state.depth[columns];
    let (part, dt) = (params.pass as f32, params.step as f32);
    transfers.clear();
    transfers.extend((1..offset.len()).map(|i| {
        let level = |i: usize| surfaces[i] + depth[i];
        let free = |i: usize| ice[i] == 0 && depth[i] > ground[i];
        let joined = free(i - 1) && free(i) && level(i - 1) == level(i);
        if joined { part * (offset[i - 1] - offset[i]) } else { 0.0 }
    }));
    for (i, &transfer) in transfers.iter().enumerate() {
        offset[i] -= transfer;
        offset[i + 1] += transfer;
        rate[i] -= transfer / dt;
        rate[i + 1] += transfer / dt;
    }
}

/// Transfers motion of the surface through a joint (an opening between two pools), in one of
/// several passes. Does nothing unless the surface on at least one side reaches the opening and
/// both sides have the same rest level.
fn transfer_motion_through_joint(
    layout: &Layout,
    params: &Params,
    heads: &Heads,
    state: &mut State,
    joint: &Joint,
) {
    let Joint { left, right, sill, lintel, .. } = *joint;
    let level = |c: usize| layout.floor[c] + state.depth[c];
    let crest = |c: usize| level(c) + layout.to_quanta(state.offset[c].into());
    let meets = |c: usize| (sill..=lintel).contains(&crest(c));
    let free = |c: usize| heads.has_free_surface(c, state.depth[c]);
    if !free(left) || !free(right) || level(left) != level(right) || !(meets(left) || meets(right))
    {
        return;
    }
    let transfer = params.pass as f32 * (state.offset[left] - state.offset[right]);
    for (c, transfer) in [(left, -transfer), (right, transfer)] {
        state.offset[c] += transfer;
        state.rate[c] += transfer / params.step as f32;
    }
}

/// Limits the offset of the water surface in a column, so that the surface stays between the floor
/// and the ceiling. If the offset changes, its rate of change becomes 0.
fn clamp_surface_offset(layout: &Layout, state: &mut State, column: usize) {
    let rest = layout.floor[column] + state.depth[column];
    let lowest = -layout.to_metres(state.depth[column]) as f32;
    let highest = if layout.ceiling[column] < NO_CEILING {
        layout.to_metres((layout.ceiling[column] - rest).max(0)) as f32
    } else {
        f32::INFINITY
    };
    let offset = &mut state.offset[column];
    let clamped = offset.max(lowest).min(highest);
    if clamped != *offset {
        *offset = clamped;
        state.rate[column] = 0.0;
    }
}
