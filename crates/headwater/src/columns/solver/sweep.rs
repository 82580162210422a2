//! Parallel implementation of the flux and depth update. The columns are divided into chunks, which
//! are distributed to threads. Each chunk uses the simplest formula that applies to it.

use super::loops;
use super::pressure::Heads;
use super::tasks::for_each_chunk;
use crate::columns::heat::HeatState;
use crate::columns::layout::rects::HoleSide;
use crate::columns::layout::{CHUNK, Chunk, Joint, Layout};
use crate::columns::state::{Edge, FluxRule, State, StepContext};
use crate::parallel;
use crate::scratch::PooledVec;
use std::ops::Range;

struct ChunkTask<'a> {
    depth: &'a mut [i32],
    speed: &'a mut [f32],
    floor: &'a [i32],
    kind: ChunkKind<'a>,
    /// Output buffer for the water that crosses the eastern edge of each column in the step (height
    /// quanta of water in one column). `None` if these amounts are not needed.
    fluxes: Option<&'a mut [i32]>,
}

enum ChunkKind<'a> {
    Flat,
    Open,
    Through {
        ceiling: &'a [i32],
        excess: &'a [i32],
        ice: &'a [i32],
        ground: &'a [i32],
        is_under_body: &'a [bool],
    },
}

impl<'a> ChunkKind<'a> {
    fn for_chunk(
        chunk: &Chunk,
        columns: &Range<usize>,
        layout: &'a Layout,
        heads: &'a Heads,
    ) -> Self {
        let (pool, columns) = (chunk.pool as usize, columns.clone());
        if heads.has_excess[pool] || heads.has_ice[pool] {
            Self::Through {
                ceiling: &layout.ceiling[columns.clone()],
                excess: &heads.excess[columns.clone()],
                ice: &heads.ice[columns.clone()],
                ground: &heads.ground[columns.clone()],
                is_under_body: &heads.is_under_body[columns],
            }
        } else if chunk.flat {
            Self::Flat
        } else {
            Self::Open
        }
    }
}

/// Moves water through the edges within each awake pool, and records the fluxes in pools whose heat
/// is simulated.
pub(in crate::columns) fn update_pools(
    step: &StepContext,
    heads: &Heads,
    state: &mut State,
    warmth: Option<&mut HeatState>,
) {
    let layout = step.layout;
    let edges = chunk_edge_fluxes(step, heads, state);
    let (mut fluxes, active) = match warmth {
        Some(warmth) => (Some(&mut warmth.fluxes[..]), &warmth.active[..]),
        None => (None, &[][..]),
    };
    let mut chunks = step.scratch.take_vec();
    for &pool in step.awake {
        let own = layout.pool_chunks[pool as usize].clone();
        chunks.extend(
            own.filter(|&number| !separate_columns(heads, &layout.chunks[number]).is_empty()),
        );
    }
    let State { depth, speed, .. } = state;
    let values = ((&mut depth[..], &mut speed[..]), fluxes.as_deref_mut());
    for_each_chunk(layout, &chunks, values, &|chunk, ((depth, speed), fluxes)| {
        let columns = separate_columns(heads, chunk);
        let own = columns.start - chunk.columns.start..columns.end - chunk.columns.start;
        let fluxes = fluxes.filter(|_| active.binary_search(&chunk.pool).is_ok());
        let task = ChunkTask {
            depth: &mut depth[own.clone()],
            speed: &mut speed[own.clone()],
            fluxes: fluxes.map(|fluxes| &mut fluxes[own]),
            floor: &layout.floor[columns.clone()],
            kind: ChunkKind::for_chunk(chunk, &columns, layout, heads),
        };
        update_chunk(task, step.rule);
    });
    for &ChunkEdge { column, flux, .. } in edges.iter() {
        state.depth[column] -= flux;
        state.depth[column + 1] += flux;
        if let Some(fluxes) = &mut fluxes {
            fluxes[column] = flux;
        }
    }
}

fn separate_columns(heads: &Heads, chunk: &Chunk) -> Range<usize> {
    let own = heads.separate_columns(chunk.pool as usize);
    let start = chunk.columns.start.max(own.start);
    start..chunk.columns.end.min(own.end).max(start)
}

/// Computes the flows between the columns of a network (columns coupled by pressure) and the other
/// columns of the same pool. Each entry of the result is the index of the western column, and the
/// water that flows in the step (height quanta of water in one column, positive to the east).
pub(in crate::columns) fn network_edge_fluxes<'s>(
    step: &StepContext<'s>,
    heads: &Heads,
    state: &mut State,
) -> PooledVec<'s, (usize, i32)> {
    let mut fluxes = step.scratch.take_vec();
    let mut before = usize::MAX;
    for part in &heads.network_parts {
        let (all, own) = (&step.layout.pools[part.pool].columns, heads.separate_columns(part.pool));
        if own.is_empty() || std::mem::replace(&mut before, part.pool) == part.pool {
            continue;
        }
        for east in [own.start, own.end] {
            if all.start < east && east < all.end {
                let c = east - 1;
                let edge = heads.edge(step.layout, &state.depth, c, east);
                let (speed, flux) = step.rule.edge_flux(state.speed[c], &edge);
                state.speed[c] = speed;
                fluxes.push((c, flux));
            }
        }
    }
    fluxes
}

/// Number of edges between chunks that one task processes. Each of these edges causes about a dozen
/// cache misses.
const CHUNK_EDGES_PER_TASK: usize = 64;

#[derive(Clone, Copy)]
struct ChunkEdge {
    column: usize,
    speed: f32,
    flux: i32,
}

fn chunk_edge_fluxes<'s>(
    step: &StepContext<'s>,
    heads: &Heads,
    state: &mut State,
) -> PooledVec<'s, ChunkEdge> {
    let mut edges = step.scratch.take_vec();
    for &pool in step.awake {
        let chunks = step.layout.pool_chunks[pool as usize].clone();
        let own = heads.separate_columns(pool as usize);
        for chunk in &step.layout.chunks[chunks.start..chunks.end - 1] {
            let c = chunk.columns.end - 1;
            if c < own.start || c + 1 >= own.end {
                continue;
            }
            edges.push(ChunkEdge { column: c, speed: 0.0, flux: 0 });
        }
    }
    let before: &State = state;
    parallel::for_each_item(&mut edges, CHUNK_EDGES_PER_TASK, |_, item| {
        let c = item.column;
        let edge = heads.edge(step.layout, &before.depth, c, c + 1);
        (item.speed, item.flux) = step.rule.edge_flux(before.speed[c], &edge);
    });
    edges.iter().for_each(|item| state.speed[item.column] = item.speed);
    edges
}

fn update_chunk(task: ChunkTask, rule: &FluxRule) {
    let ChunkTask { depth, speed, floor, kind, fluxes } = task;
    let n = depth.len();
    // Flux through the western edge of each column.
    let mut workspace = [0_i32; CHUNK + 1];
    let flux = &mut workspace[..=n];
    let inner = &mut speed[..n - 1];
    match kind {
        ChunkKind::Flat => loops::update_flat_fluxes(rule, depth, inner, &mut flux[1..n]),
        ChunkKind::Open => loops::update_open_fluxes(rule, depth, floor, inner, &mut flux[1..n]),
        ChunkKind::Through { ceiling, excess, ice, ground, is_under_body } => {
            for (i, (speed, flux)) in inner.iter_mut().zip(&mut flux[1..n]).enumerate() {
                let j = i + 1;
                let sill = (floor[i] + ground[i]).max(floor[j] + ground[j]);
                let edge = Edge {
                    sill,
                    lintel: ceiling[i].min(ceiling[j]),
                    surface: [floor[i] + depth[i], floor[j] + depth[j]],
                    ice: [ice[i], ice[j]],
                    excess: [excess[i], excess[j]],
                    is_under_body: [is_under_body[i], is_under_body[j]],
                };
                (*speed, *flux) = rule.edge_flux(*speed, &edge);
            }
        }
    }
    if let Some(fluxes) = fluxes {
        fluxes[..n - 1].copy_from_slice(&flux[1..n]);
    }
    loops::update_depths(flux, depth);
}

/// Computes the flows through open joints (openings between two pools) that belong to no network.
/// Each entry of the result is the index of a joint, and the flow (in height quanta of water in one
/// column, positive to the east).
pub(in crate::columns) fn joint_fluxes<'s>(
    step: &StepContext<'s>,
    heads: &Heads,
    state: &mut State,
) -> PooledVec<'s, (usize, i32)> {
    let StepContext { layout, scratch, .. } = *step;
    let mut fluxes = scratch.take_vec();
    for (number, joint) in layout.joints.iter().enumerate() {
        if !step.is_joint_open[number] {
            state.joint_speed[number] = 0.0;
            continue;
        }
        if heads.is_joint_linked(step, number) {
            continue;
        }
        let ends = [joint.left, joint.right];
        let edge = heads.opening(layout, &state.depth, ends, joint.sill, joint.lintel);
        let (speed, flux) = step.rule.edge_flux(state.joint_speed[number], &edge);
        state.joint_speed[number] = speed;
        fluxes.push((number, flux));
    }
    limit_hole_fluxes(step, heads, state, &mut fluxes);
    fluxes
}

/// Limits the flows through holes in floors to the capacity of each hole. `fluxes` is sorted by
/// joint. Water that falls from a higher floor uses part of the capacity.
fn limit_hole_fluxes(
    step: &StepContext,
    heads: &Heads,
    state: &mut State,
    fluxes: &mut [(usize, i32)],
) {
    let StepContext { layout, scratch, .. } = *step;
    let mut order = scratch.take_vec();
    let holes = fluxes.iter().enumerate().filter_map(|(place, &(number, _))| {
        let joint = &layout.joints[number];
        joint.hole.map(|_| (-joint.sill, place))
    });
    order.extend(holes);
    order.sort_unstable();
    for &(_, place) in order.iter() {
        let (number, flux) = fluxes[place];
        let joint = &layout.joints[number];
        let Some(hole) = joint.hole else { continue };
        let opening = |joint: &Joint| {
            let ends = [joint.left, joint.right];
            heads.opening(layout, &state.depth, ends, joint.sill, joint.lintel)
        };
        let edge = opening(joint);
        let discharge = |number: usize| {
            let joint = &layout.joints[number];
            let edge = opening(joint);
            let shaft = usize::from(joint.right_pool == hole.pool);
            let head = |side: usize| edge.surface[side] + edge.excess[side];
            layout.to_metres((head(shaft) - head(1 - shaft).max(hole.floor)).max(0)).sqrt()
        };
        let share = layout.hole_share(number, &hole, &state.depth, discharge) as f32;
        let columns = share * hole.columns as f32;
        let from_above = layout.joints_higher_up(hole).filter_map(|higher| {
            let place = fluxes.binary_search_by_key(&higher, |&(number, _)| number).ok()?;
            Some(fluxes[place].1.abs() as f32)
        });
        let from_above = share * from_above.sum::<f32>();
        let shaft = usize::from(joint.right_pool == hole.pool);
        let limited = match hole.side {
            HoleSide::Above => step.rule.fall_flux(flux, &edge, columns, from_above),
            HoleSide::Below => step.rule.hole_flux(flux, &edge, columns, (shaft, hole.floor)),
        };
        fluxes[place].1 = limited;
        // Otherwise, water that does not flow would gain kinetic energy.
        if limited.abs() < flux.abs() {
            state.joint_speed[number] *= limited as f32 / flux as f32;
        }
    }
}
