//! The fast path of a step: chunks over threads, and for each chunk the plainest formula that holds there.
//! Equal to the plain loops in every bit.

use super::heat::Warmth;
use super::layout::{CHUNK, Layout};
use super::loops;
use super::pressure::{Heads, Step};
use super::state::{Edge, Rule, State};
use crate::parallel;

/// A chunk on its way.
struct Task<'a> {
    depth: &'a mut [i32],
    speed: &'a mut [f32],
    floor: &'a [i32],
    kind: Kind<'a>,
    /// Where to note what goes over the edge on the east of each column, if anyone asks.
    fluxes: Option<&'a mut [i32]>,
}

/// Which formula holds in a chunk.
enum Kind<'a> {
    Flat,
    Open,
    Through {
        ceiling: &'a [i32],
        excess: &'a [i32],
        full: &'a [bool],
        held: &'a [bool],
        lid: &'a [bool],
        loaded: &'a [bool],
    },
}

/// Moves the water of all pools that are awake over the edges within them, and notes for those whose heat goes
/// with it what does.
pub(super) fn drive(step: &Step, heads: &Heads, state: &mut State, warmth: Option<&mut Warmth>) {
    let layout = step.layout;
    let seams = seam_fluxes(step, heads, state);
    let (mut fluxes, active) =
        warmth.map_or((&mut [][..], &[][..]), |w| (&mut w.fluxes[..], &w.active[..]));
    let mut active = active.iter().copied().peekable();
    let mut tasks = Vec::new();
    let (mut depth, mut speed) = (&mut state.depth[..], &mut state.speed[..]);
    let (mut passed, mut noted) = (0, 0);
    for &pool in step.awake {
        while active.next_if(|&next| next < pool).is_some() {}
        let notes = active.peek() == Some(&pool);
        for number in layout.pool_chunks[pool as usize].clone() {
            let chunk = &layout.chunks[number];
            let columns = chunk.columns.clone();
            let skip = columns.start - passed;
            let part = |values| split(values, skip, columns.len());
            let (own, rest) = part(std::mem::take(&mut depth));
            depth = rest;
            let (own_speed, rest) = split(std::mem::take(&mut speed), skip, columns.len());
            speed = rest;
            passed = columns.end;
            let own_crossed = notes.then(|| {
                let skip = columns.start - noted;
                let (own, rest) = split(std::mem::take(&mut fluxes), skip, columns.len());
                fluxes = rest;
                noted = columns.end;
                own
            });
            let kind = if heads.pressed[pool as usize] || heads.iced[pool as usize] {
                Kind::Through {
                    ceiling: &layout.ceiling[columns.clone()],
                    excess: &heads.excess[columns.clone()],
                    full: &heads.full[columns.clone()],
                    held: &heads.held[columns.clone()],
                    lid: &heads.lid[columns.clone()],
                    loaded: &heads.loaded[columns.clone()],
                }
            } else if chunk.flat {
                Kind::Flat
            } else {
                Kind::Open
            };
            let floor = &layout.floor[columns];
            let (speed, fluxes) = (own_speed, own_crossed);
            tasks.push(Task { depth: own, speed, floor, kind, fluxes });
        }
    }
    parallel::for_each_task(tasks, |task| update_chunk(task, step.rule));
    for (column, flux) in seams {
        state.depth[column] -= flux;
        state.depth[column + 1] += flux;
    }
}

/// The values from `skip` on, `len` of them, and what is beyond.
fn split<T>(values: &mut [T], skip: usize, len: usize) -> (&mut [T], &mut [T]) {
    values.split_at_mut(skip).1.split_at_mut(len)
}

/// The edges between chunks of a pool: the column on the west of each, and what goes east.
fn seam_fluxes(step: &Step, heads: &Heads, state: &mut State) -> Vec<(usize, i32)> {
    let mut seams = Vec::new();
    for &pool in step.awake {
        let chunks = step.layout.pool_chunks[pool as usize].clone();
        for chunk in &step.layout.chunks[chunks.start..chunks.end - 1] {
            let c = chunk.columns.end - 1;
            let edge = heads.edge(step.layout, &state.depth, c, c + 1);
            let (speed, flux) = step.rule.through(state.speed[c], &edge);
            state.speed[c] = speed;
            seams.push((c, flux));
        }
    }
    seams
}

fn update_chunk(task: Task, rule: &Rule) {
    let Task { depth, speed, floor, kind, fluxes } = task;
    let n = depth.len();
    // What crosses the edge on the west of each column.
    let mut workspace = [0_i32; CHUNK + 1];
    let flux = &mut workspace[..=n];
    let inner = &mut speed[..n - 1];
    match kind {
        Kind::Flat => loops::flux_flat(rule, depth, inner, &mut flux[1..n]),
        Kind::Open => loops::flux_open(rule, depth, floor, inner, &mut flux[1..n]),
        Kind::Through { ceiling, excess, full, held, lid, loaded } => {
            for (i, (speed, flux)) in inner.iter_mut().zip(&mut flux[1..n]).enumerate() {
                let j = i + 1;
                let sill = floor[i].max(floor[j]);
                let shut = lid[i] || lid[j];
                let edge = Edge {
                    sill,
                    lintel: if shut { sill } else { ceiling[i].min(ceiling[j]) },
                    surface: [floor[i] + depth[i], floor[j] + depth[j]],
                    excess: [excess[i], excess[j]],
                    full: [full[i], full[j]],
                    held: [held[i], held[j]],
                    loaded: [loaded[i], loaded[j]],
                };
                (*speed, *flux) = rule.through(*speed, &edge);
            }
        }
    }
    if let Some(fluxes) = fluxes {
        fluxes[..n - 1].copy_from_slice(&flux[1..n]);
    }
    loops::update_depths(flux, depth);
}

/// The flows through the joints that are open: their numbers and what goes east (quanta).
pub(super) fn joint_fluxes(step: &Step, heads: &Heads, state: &mut State) -> Vec<(usize, i32)> {
    let layout: &Layout = step.layout;
    let mut fluxes = Vec::new();
    for (number, joint) in layout.joints.iter().enumerate() {
        if !step.open[number] {
            state.joint_speed[number] = 0.0;
            continue;
        }
        let ends = [joint.left, joint.right];
        let edge = heads.opening(layout, &state.depth, ends, joint.sill, joint.lintel);
        let (speed, flux) = step.rule.through(state.joint_speed[number], &edge);
        state.joint_speed[number] = speed;
        fluxes.push((number, flux));
    }
    fluxes
}
