//! Sleep of calm pools. Sleeping pools are skipped in each step. This module also defines the
//! conditions that wake them.

use super::{Edge, State};
use crate::columns::layout::Layout;
use crate::columns::params::Params;
use crate::columns::solver::pressure::Heads;
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

/// Number of steps between checks of whether pools may sleep.
pub(in crate::columns) const STEPS_PER_CHECK: u64 = 16;

/// Time (s) for which a pool must be calm before it falls asleep.
const CALM_TIME: f64 = 1.0;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::columns) struct SleepState {
    /// For each pool, the number of consecutive checks that found the pool calm, or `ASLEEP` if it
    /// sleeps.
    calm: Vec<u16>,
    /// Sorted indices of the awake pools.
    pub(in crate::columns) awake: Vec<u32>,
    /// For each pool, whether the pool is outside the visible area.
    pub(in crate::columns) hidden: Vec<bool>,
}

const ASLEEP: u16 = u16::MAX;

/// Largest thickness of a film of water over a sill, in multiples of
/// [`Params::sleep_height`]. Films run off ever more slowly, so they do not keep pools awake.
const MAX_FILM_THICKNESS: f64 = 4.0;

/// Depth of water in multiples of the largest film thickness. In deeper water, the speed limit for
/// calm water is constant; in shallower water, it is inversely proportional to the depth.
const SHALLOW_DEPTH: f32 = 4.0;

impl SleepState {
    /// Creates the sleep state of a world with `pools` pools, all of them awake.
    pub(in crate::columns) fn new(pools: usize) -> Self {
        Self {
            calm: vec![0; pools],
            awake: (0..pools as u32).collect(),
            hidden: vec![false; pools],
        }
    }

    pub(in crate::columns) fn is_awake(&self, pool: usize) -> bool {
        self.calm[pool] != ASLEEP
    }

    pub(in crate::columns) fn fits(&self, pools: usize) -> bool {
        let awake = (0..self.calm.len()).filter(|&p| self.is_awake(p)).map(|p| p as u32);
        self.calm.len() == pools
            && self.hidden.len() == pools
            && awake.eq(self.awake.iter().copied())
    }

    /// Wakes a pool. If the pool is already awake, restarts its count of calm checks.
    pub(in crate::columns) fn wake(&mut self, pool: usize) {
        if self.calm[pool] == ASLEEP
            && let Err(place) = self.awake.binary_search(&(pool as u32))
        {
            self.awake.insert(place, pool as u32);
        }
        self.calm[pool] = 0;
    }

    pub(in crate::columns) fn inherit(&mut self, pool: usize, from: &Self, other: usize) {
        self.calm[pool] = from.calm[other];
        if from.calm[other] == ASLEEP
            && let Ok(place) = self.awake.binary_search(&(pool as u32))
        {
            self.awake.remove(place);
        }
    }

    /// Wakes each sleeping pool that is connected by a joint (an opening between two pools) to an
    /// awake pool with a different head. Sets `open` to true for the joints between two awake
    /// pools.
    pub(in crate::columns) fn wake_across_joints(
        &mut self,
        layout: &Layout,
        params: &Params,
        heads: &Heads,
        state: &State,
        open: &mut Vec<bool>,
        scratch: &ScratchPool,
    ) {
        let mut waiting = scratch.take_collected(self.awake.iter().copied());
        while let Some(pool) = waiting.pop() {
            for &number in &layout.pools[pool as usize].joints {
                let joint = &layout.joints[number as usize];
                let pools = [joint.left_pool, joint.right_pool];
                let Some(&other) = pools.iter().find(|&&p| !self.is_awake(p as usize)) else {
                    continue;
                };
                let ends = [joint.left, joint.right];
                let edge = heads.opening(layout, &state.depth, ends, joint.sill, joint.lintel);
                if edge.is_closed() {
                    continue;
                }
                let head =
                    |c: usize| (layout.floor[c] + state.depth[c] + heads.excess[c]).max(edge.sill);
                let [left, right] = [head(joint.left), head(joint.right)];
                let step = layout.to_metres((right - left).abs());
                let tolerance = if self.hidden[other as usize] { params.sleep_hidden } else { 1.0 };
                let film = if left.min(right) == edge.sill { MAX_FILM_THICKNESS } else { 1.0 };
                if step > film * tolerance * params.sleep_height {
                    self.wake(other as usize);
                    waiting.push(other);
                }
            }
        }
        open.clear();
        open.extend(layout.joints.iter().map(|joint| {
            self.is_awake(joint.left_pool as usize) && self.is_awake(joint.right_pool as usize)
        }));
    }

    /// Puts pools to sleep that have been calm for long enough. `keeps_awake` returns whether a
    /// pool must stay awake for another reason.
    pub(in crate::columns) fn check_pools(
        &mut self,
        layout: &Layout,
        params: &Params,
        heads: &Heads,
        state: &mut State,
        keeps_awake: impl Fn(usize) -> bool,
    ) {
        let times =
            (CALM_TIME / (params.step * STEPS_PER_CHECK as f64)).ceil().clamp(1.0, 1e4) as u16;
        let Self { calm, awake, hidden } = self;
        awake.retain(|&pool| {
            let pool = pool as usize;
            let tolerance = if hidden[pool] { params.sleep_hidden } else { 1.0 };
            let max_speed = tolerance * params.sleep_speed;
            let level = tolerance * params.sleep_height;
            let levels = [level, MAX_FILM_THICKNESS * level].map(|level| layout.to_quanta(level));
            let calm_now = is_calm(layout, heads, state, pool, max_speed as f32, levels);
            if !calm_now || keeps_awake(pool) {
                calm[pool] = 0;
                return true;
            }
            calm[pool] += 1;
            if calm[pool] < times {
                return true;
            }
            calm[pool] = ASLEEP;
            let columns = layout.pools[pool].columns.clone();
            state.speed[columns.clone()].fill(0.0);
            state.foam[columns.clone()].fill(0.0);
            if !state.rate.is_empty() {
                state.rate[columns.clone()].fill(0.0);
                state.offset[columns].fill(0.0);
            }
            false
        });
    }
}

/// Returns whether a pool is calm: nothing moves faster than `max_speed` (m/s), and all heads in
/// connected water agree to within `head_tolerance` (in height quanta). Films no thicker than
/// `max_film` (in height quanta) may move, and do not connect the water on their two sides. Water
/// that is only a few times thicker than a film may move faster than `max_speed`, because its
/// surface hardly moves.
fn is_calm(
    layout: &Layout,
    heads: &Heads,
    state: &State,
    pool: usize,
    max_speed: f32,
    [head_tolerance, max_film]: [i32; 2],
) -> bool {
    if max_speed <= 0.0 {
        return false;
    }
    let columns = layout.pools[pool].columns.clone();
    if !state.rate.is_empty() {
        let off = layout.to_metres(head_tolerance) as f32;
        return state.rate[columns.clone()].iter().all(|rate| rate.abs() <= max_speed)
            && state.offset[columns].iter().all(|offset| offset.abs() <= off);
    }
    let is_fast = |speed: f32, edge: &dyn Fn() -> Edge| {
        speed.abs() > max_speed && {
            let depth = edge().open_height(usize::from(speed <= 0.0));
            let shallow = SHALLOW_DEPTH * max_film as f32;
            depth > max_film && speed.abs() * (depth as f32).min(shallow) > max_speed * shallow
        }
    };
    let edge = |c: usize| heads.edge(layout, &state.depth, c, c + 1);
    if (columns.start..columns.end - 1).any(|c| is_fast(state.speed[c], &|| edge(c))) {
        return false;
    }
    let opening = |number: usize| {
        let joint = &layout.joints[number];
        let ends = [joint.left, joint.right];
        heads.opening(layout, &state.depth, ends, joint.sill, joint.lintel)
    };
    let mut joints = layout.pools[pool].joints.iter().map(|&joint| joint as usize);
    if joints.any(|joint| is_fast(state.joint_speed[joint], &|| opening(joint))) {
        return false;
    }
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for c in columns.clone() {
        let surface = layout.floor[c] + state.depth[c];
        let connected = c > columns.start && {
            let sill = heads.bed_height(layout, c).max(heads.bed_height(layout, c - 1));
            let shut = heads.edge(layout, &state.depth, c - 1, c).is_closed();
            let threshold = sill + max_film;
            !shut && surface > threshold && layout.floor[c - 1] + state.depth[c - 1] > threshold
        };
        if !connected {
            (low, high) = (i32::MAX, i32::MIN);
        }
        if state.depth[c] > 0 {
            let head = surface + heads.excess[c];
            (low, high) = (low.min(head), high.max(head));
            if high - low > head_tolerance {
                return false;
            }
        }
    }
    true
}
