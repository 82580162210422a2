//! Heads where water has no surface of its own: under ceilings, and in the vessels beside them.
//!
//! What the heads have to satisfy is in [`rows`](super::rows). Which columns are full is found by trial: a full one that
//! would have to hang from its ceiling is let go, a free one that would run over is taken in.

use super::layout::{Layout, SKY};
use super::state::{Edge, Rule, State};
use crate::spare::{Lent, Spare};

/// How often the set of full columns is tried anew in a step. A surge fills one column after another, and each of them
/// is a trial; most steps need one or two. What is wrong after the last is mended in the next step.
const TRIALS: usize = 32;

/// Speed of sound in water (m/s).
pub(super) const SOUND: f64 = 1400.0;

pub(super) const NONE: u32 = u32::MAX;

/// What a column is, in a snapshot's marks.
const HELD: u8 = 1;
const FULL: u8 = 2;
const LOADED: u8 = 4;

/// Heads for a step, and the workspace to find them.
#[derive(Clone, Debug, Default)]
pub(super) struct Heads {
    /// By column: head above the surface (quanta); whether it is held; whether it is full. A pool that
    /// sleeps keeps the heads that it had.
    pub(super) excess: Vec<i32>,
    pub(super) held: Vec<bool>,
    pub(super) full: Vec<bool>,
    /// By column: whether a body weighs on it.
    pub(super) loaded: Vec<bool>,
    /// By pool: whether the above say anything of it.
    pub(super) pressed: Vec<bool>,
    /// By column: whether it lies under ice, which shuts its edges; by pool: whether any does.
    pub(super) lid: Vec<bool>,
    pub(super) iced: Vec<bool>,
    /// By column: the head of the air above it (quanta).
    pub(super) air: Vec<i32>,
    /// By column: a first guess of the excess (quanta), from the last step or trial.
    pub(super) guess: Vec<i32>,
    /// By column: its row of the system.
    pub(super) row: Vec<u32>,
    /// By column: the part of its water's height that goes up and down with it (m).
    pub(super) mass: Vec<f32>,
    /// Pools that are pressed, ascending.
    pub(super) pools: Vec<u32>,
}

/// What a step needs to know.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) layout: &'a Layout,
    pub(super) rule: &'a Rule,
    pub(super) gravity: f64,
    pub(super) step: f64,
    /// The pools that move, ascending.
    pub(super) awake: &'a [u32],
    /// By joint: whether the pools on both its sides move.
    pub(super) open: &'a [bool],
    pub(super) spare: &'a Spare,
}

impl Heads {
    pub(super) fn new(layout: &Layout) -> Self {
        let n = layout.columns();
        Self {
            excess: vec![0; n],
            held: vec![false; n],
            full: vec![false; n],
            loaded: vec![false; n],
            pressed: vec![false; layout.pools.len()],
            lid: vec![false; n],
            iced: vec![false; layout.pools.len()],
            air: vec![0; n],
            guess: vec![0; n],
            row: vec![NONE; n],
            mass: vec![0.0; n],
            pools: Vec::new(),
        }
    }

    /// Heads of which nothing is known but what stands above the surfaces.
    pub(super) fn of(layout: &Layout, excess: Vec<i32>) -> Self {
        let mut heads = Self::new(layout);
        for (pressed, pool) in heads.pressed.iter_mut().zip(&layout.pools) {
            *pressed = excess[pool.columns.clone()].iter().any(|&excess| excess != 0);
        }
        heads.excess = excess;
        heads
    }

    /// Heads as a snapshot holds them: those above surfaces, the [`marks`](Self::marks), and which pools are pressed.
    pub(super) fn restored(
        layout: &Layout,
        excess: Vec<i32>,
        marks: &[u8],
        pressed: Vec<bool>,
    ) -> Self {
        let marked = |mark: u8| marks.iter().map(|marks| marks & mark != 0).collect::<Vec<_>>();
        let (held, full, loaded) = (marked(HELD), marked(FULL), marked(LOADED));
        Self { held, full, loaded, excess, pressed, ..Self::new(layout) }
    }

    /// By column, what it is besides its head: edges go by that until the next step.
    pub(super) fn marks(&self) -> Vec<u8> {
        let mark = |set: &[bool], c: usize, mark: u8| if set[c] { mark } else { 0 };
        let marks = |c: usize| {
            mark(&self.held, c, HELD) | mark(&self.full, c, FULL) | mark(&self.loaded, c, LOADED)
        };
        (0..self.excess.len()).map(marks).collect()
    }

    /// The edge on the east of column `i`, to column `j` of the same pool.
    #[inline(always)]
    pub(super) fn edge(&self, layout: &Layout, depth: &[i32], i: usize, j: usize) -> Edge {
        let sill = layout.floor[i].max(layout.floor[j]);
        let lintel = layout.ceiling[i].min(layout.ceiling[j]);
        self.opening(layout, depth, [i, j], sill, lintel)
    }

    /// An opening between two columns. Beside ice it is as high as nothing.
    #[inline(always)]
    pub(super) fn opening(
        &self,
        layout: &Layout,
        depth: &[i32],
        [i, j]: [usize; 2],
        sill: i32,
        lintel: i32,
    ) -> Edge {
        let lintel = if self.lid[i] || self.lid[j] { sill } else { lintel };
        Edge {
            sill,
            lintel,
            surface: [layout.floor[i] + depth[i], layout.floor[j] + depth[j]],
            excess: [self.excess[i], self.excess[j]],
            full: [self.full[i], self.full[j]],
            held: [self.held[i], self.held[j]],
            loaded: [self.loaded[i], self.loaded[j]],
        }
    }

    /// Finds the heads for a step. `air` says which columns lie under air that presses, and by how much
    /// (quanta), `loads` on which bodies do.
    pub(super) fn find(
        &mut self,
        step: &Step,
        state: &State,
        air: &[(usize, i32)],
        loads: &[(usize, i32)],
    ) {
        let before = self.clear(step);
        loads.iter().for_each(|&(column, _)| self.loaded[column] = true);
        self.press(step, state, air);
        for &pool in before.iter() {
            if !self.pressed[pool as usize] {
                self.guess[step.layout.pools[pool as usize].columns.clone()].fill(0);
            }
        }
        if self.pools.is_empty() {
            return;
        }
        for &(column, head) in air {
            self.air[column] = head;
            self.excess[column] = head;
        }
        if !self.pools.iter().any(|&pool| self.is_full_somewhere(step.layout, pool)) {
            return;
        }
        let mut released = step.spare.vec();
        for trial in 0..TRIALS {
            self.hold(step, state);
            let heads = self.system(step, state).solve();
            self.take(step.layout, state, &heads);
            if trial + 1 == TRIALS || !self.revise(step, state, &mut released) {
                break;
            }
        }
    }

    fn is_full_somewhere(&self, layout: &Layout, pool: u32) -> bool {
        layout.pools[pool as usize].columns.clone().any(|c| self.full[c])
    }

    /// Clears what was found for the last step; gives the pools that were pressed in it.
    fn clear<'s>(&mut self, step: &Step<'s>) -> Lent<'s, u32> {
        let layout = step.layout;
        let mut before = step.spare.vec();
        for &pool in step.awake {
            if !std::mem::take(&mut self.pressed[pool as usize]) {
                continue;
            }
            before.push(pool);
            let columns = layout.pools[pool as usize].columns.clone();
            self.guess[columns.clone()].copy_from_slice(&self.excess[columns.clone()]);
            self.excess[columns.clone()].fill(0);
            self.held[columns.clone()].fill(false);
            self.full[columns.clone()].fill(false);
            self.loaded[columns.clone()].fill(false);
            self.air[columns.clone()].fill(0);
            self.row[columns].fill(NONE);
        }
        self.pools.clear();
        before
    }

    /// Notes the pools whose water reaches a ceiling or lies under air that presses, and those joined to
    /// them.
    fn press(&mut self, step: &Step, state: &State, air: &[(usize, i32)]) {
        let layout = step.layout;
        let mut found = step.spare.vec();
        for &pool in step.awake {
            let Some(lowest) = layout.lowest_ceiling[pool as usize] else { continue };
            let columns = layout.pools[pool as usize].columns.clone();
            let mut reached = false;
            for c in columns {
                let surface = layout.floor[c] + state.depth[c];
                reached |= surface >= lowest;
                self.full[c] = surface >= layout.ceiling[c] && state.depth[c] > 0;
            }
            if reached {
                found.push(pool);
            }
        }
        found.extend(air.iter().map(|&(column, _)| layout.pool_of(column) as u32));
        for &pool in found.iter() {
            self.pressed[pool as usize] = true;
            for &joint in &layout.pools[pool as usize].joints {
                let joint = &layout.joints[joint as usize];
                self.pressed[joint.left_pool as usize] = true;
                self.pressed[joint.right_pool as usize] = true;
            }
        }
        let Self { pressed, pools, .. } = self;
        pools.extend(step.awake.iter().filter(|&&pool| pressed[pool as usize]));
    }

    fn take(&mut self, layout: &Layout, state: &State, heads: &[f64]) {
        for &pool in &self.pools {
            for c in layout.pools[pool as usize].columns.clone() {
                if self.row[c] != NONE {
                    let surface = layout.floor[c] + state.depth[c];
                    // Water that a wall stops at once can press harder than heads are counted.
                    let head = layout.quanta(heads[self.row[c] as usize]);
                    // A surface up in the sky is as far from the lowest head as numbers reach, and farther.
                    self.excess[c] = head.saturating_sub(surface).clamp(-SKY, SKY);
                    self.guess[c] = self.excess[c];
                }
            }
        }
    }

    /// Lets go full columns that would hang from their ceilings, and takes in free ones that would run
    /// over. True if there was any. A column is let go no more than once in a step (`released`, ascending), so
    /// that trials come to an end.
    fn revise(&mut self, step: &Step, state: &State, released: &mut Vec<usize>) -> bool {
        let layout = step.layout;
        let mut let_go = step.spare.vec();
        let mut taken = step.spare.vec();
        for &pool in &self.pools {
            let columns = layout.pools[pool as usize].columns.clone();
            for c in columns.clone() {
                if self.full[c] {
                    let hanging = layout.floor[c] + state.depth[c] + self.excess[c];
                    if hanging < layout.ceiling[c] - 1 && released.binary_search(&c).is_err() {
                        let_go.push(c);
                    }
                } else if layout.ceiling[c] < SKY && state.depth[c] > 0 {
                    let room = layout.ceiling[c] - layout.floor[c] - state.depth[c];
                    if self.inflow(step, state, c, &columns) > room.max(0) {
                        taken.push(c);
                    }
                }
            }
        }
        for &c in let_go.iter() {
            self.full[c] = false;
            self.excess[c] = self.air[c];
        }
        released.extend_from_slice(&let_go);
        released.sort_unstable();
        for &c in taken.iter() {
            self.full[c] = true;
        }
        !(let_go.is_empty() && taken.is_empty())
    }

    /// What would come into a column in a step (quanta).
    fn inflow(&self, step: &Step, state: &State, c: usize, pool: &std::ops::Range<usize>) -> i32 {
        let (layout, rule) = (step.layout, step.rule);
        let mut sum = 0;
        if c > pool.start {
            let edge = self.edge(layout, &state.depth, c - 1, c);
            sum += rule.through(state.speed[c - 1], &edge).1;
        }
        if c + 1 < pool.end {
            let edge = self.edge(layout, &state.depth, c, c + 1);
            sum -= rule.through(state.speed[c], &edge).1;
        }
        if c == pool.start || c + 1 == pool.end {
            for &number in &layout.pools[layout.pool_of(c)].joints {
                if !step.open[number as usize] {
                    continue;
                }
                let joint = &layout.joints[number as usize];
                let ends = [joint.left, joint.right];
                let edge = self.opening(layout, &state.depth, ends, joint.sill, joint.lintel);
                let moved = rule.through(state.joint_speed[number as usize], &edge).1;
                if joint.right == c {
                    sum += moved;
                }
                if joint.left == c {
                    sum -= moved;
                }
            }
        }
        sum
    }
}

/// How much water stands in a column that water of a surface at `level` reaches (all quanta): up to its ceiling,
/// and as much more as the head above presses together.
pub(super) fn standing(layout: &Layout, column: usize, level: i32, gravity: f64) -> i32 {
    let (floor, ceiling) = (layout.floor[column], layout.ceiling[column]);
    if level <= ceiling {
        return (level - floor).max(0);
    }
    let height = layout.metres(ceiling - floor);
    let head = layout.metres(level - ceiling);
    ceiling - floor + layout.quanta(height * gravity * head / (SOUND * SOUND))
}
