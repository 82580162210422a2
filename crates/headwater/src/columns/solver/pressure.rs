//! Pressure heads of water without a free surface, and the selection of pools that form networks.
//!
//! A pool in which water reaches a ceiling, or would reach it in this step, belongs to a
//! [`network`](super::network) together with the pools connected to it. The head of water below
//! trapped air or floating bodies is known.

use crate::columns::layout::vessel::{self, NetworkPart, Vessel};
use crate::columns::layout::{Layout, MAX_LEVEL, NO_CEILING};
use crate::columns::state::{Edge, State, StepContext};
use std::ops::Range;

/// Speed of sound in water (m/s). It is about ten times the physical value, so that compression is
/// not visible.
pub(in crate::columns) const SPEED_OF_SOUND: f64 = 14_000.0;

/// Bit of [`column_flags`](Heads::column_flags) that is set for a column under a floating body.
const LOADED_FLAG: u8 = 1;

/// Pressure heads of all columns in one step, and the data from which they are computed.
#[derive(Clone, Debug, Default)]
pub(in crate::columns) struct Heads {
    /// Pressure head at the water surface of each column (in height quanta, the integer unit of
    /// height). A sleeping pool keeps its values.
    pub(in crate::columns) excess: Vec<i32>,
    pub(in crate::columns) is_under_body: Vec<bool>,
    /// For each pool, whether `excess` and `is_under_body` hold values for the pool.
    pub(in crate::columns) has_excess: Vec<bool>,
    /// Floating ice in each column, including the pond and the crust on it (water equivalent in
    /// height quanta).
    pub(in crate::columns) ice: Vec<i32>,
    /// Ice on the ground in each column (water equivalent in height quanta).
    pub(in crate::columns) ground: Vec<i32>,
    /// For each pool, whether there is any ice in the pool.
    pub(in crate::columns) has_ice: Vec<bool>,
    pub(in crate::columns) air: Vec<i32>,
    /// Estimate of `excess` for each column (in height quanta), taken from the last step.
    pub(in crate::columns) guess: Vec<i32>,
    /// For each pool, whether `guess` holds values for the pool.
    has_guess: Vec<bool>,
    /// Ranges of columns that belong to networks (columns coupled by pressure), from west to east.
    pub(in crate::columns) network_parts: Vec<NetworkPart>,
    /// For each pool, bit flags for the parts that belong to a network: the whole pool, its western
    /// end or its eastern end.
    network_flags: Vec<u8>,
    /// For each pool, its columns that do not belong to a network.
    separate_columns: Vec<Range<usize>>,
    /// Vessels (columns whose water moves as one mass) in the networks, from west to east.
    pub(in crate::columns) vessels: Vec<Vessel>,
    /// For each column, whether the column is full at the start of the step.
    pub(in crate::columns) full: Vec<bool>,
    /// For each column of a network (columns coupled by pressure), the fraction of its water (from
    /// 0 to 1) that moves as one mass with that of neighbouring columns.
    pub(in crate::columns) collective: Vec<f32>,
    /// For each column of a network, the index of its node in the system of equations.
    pub(in crate::columns) node: Vec<u32>,
}

/// Flag that marks a whole pool as part of a network. Two further flags mark only the western or
/// the eastern end of a pool.
const WHOLE_POOL: u8 = 1;
const WEST_END: u8 = 2;
const EAST_END: u8 = 4;

/// Smallest number of columns of a lake, counted from an opening, that belong to a network (columns
/// coupled by pressure). With fewer columns, outflow from the opening could not spread along the
/// lake.
const MIN_SHORE_COLUMNS: usize = 8;

/// Margin below the ceiling, as a divisor of the height of a grid cell. A pool stays in its network
/// while its water surface is within this margin. Without the margin, waves would make the pool
/// leave and join the network repeatedly.
const NEAR_CEILING_DIVISOR: i32 = 4;

pub(in crate::columns) const NONE: u32 = u32::MAX;

impl Heads {
    pub(in crate::columns) fn new(layout: &Layout) -> Self {
        let n = layout.column_count();
        Self {
            excess: vec![0; n],
            is_under_body: vec![false; n],
            has_excess: vec![false; layout.pools.len()],
            ice: vec![0; n],
            ground: vec![0; n],
            has_ice: vec![false; layout.pools.len()],
            air: vec![0; n],
            guess: vec![0; n],
            has_guess: vec![false; layout.pools.len()],
            network_parts: Vec::new(),
            network_flags: vec![0; layout.pools.len()],
            separate_columns: layout.pools.iter().map(|pool| pool.columns.clone()).collect(),
            full: vec![false; n],
            collective: vec![0.0; n],
            vessels: Vec::new(),
            node: vec![NONE; n],
        }
    }

    pub(in crate::columns) fn from_excess(layout: &Layout, excess: Vec<i32>) -> Self {
        let mut heads = Self::new(layout);
        for (has_excess, pool) in heads.has_excess.iter_mut().zip(&layout.pools) {
            *has_excess = excess[pool.columns.clone()].iter().any(|&excess| excess != 0);
        }
        heads.excess = excess;
        heads
    }

    /// Restores the pressure heads from the values in a snapshot. `marks` are the
    /// [`column_flags`](Self::column_flags), and `has_excess` specifies which pools have values.
    pub(in crate::columns) fn from_snapshot(
        layout: &Layout,
        excess: Vec<i32>,
        marks: &[u8],
        has_excess: Vec<bool>,
    ) -> Self {
        let is_under_body = marks.iter().map(|marks| marks & LOADED_FLAG != 0).collect();
        Self { is_under_body, excess, has_excess, ..Self::new(layout) }
    }

    /// Returns one byte of flags per column, to be stored in a snapshot. The fluxes of the next
    /// step depend on these flags.
    pub(in crate::columns) fn column_flags(&self) -> Vec<u8> {
        self.is_under_body
            .iter()
            .map(|&is_under_body| if is_under_body { LOADED_FLAG } else { 0 })
            .collect()
    }

    /// Returns the edge between two neighbouring columns of a pool. `i` is the western column, and
    /// `j` is the eastern column.
    #[inline(always)]
    pub(in crate::columns) fn edge(
        &self,
        layout: &Layout,
        depth: &[i32],
        i: usize,
        j: usize,
    ) -> Edge {
        let sill = i32::MIN;
        let lintel = layout.ceiling[i].min(layout.ceiling[j]);
        self.opening(layout, depth, [i, j], sill, lintel)
    }

    /// Returns the height at which the liquid water of a column begins (in height quanta, the
    /// integer unit of height): the floor, or the top of the ice on the ground.
    #[inline(always)]
    pub(in crate::columns) fn bed_height(&self, layout: &Layout, c: usize) -> i32 {
        layout.floor[c] + self.ground[c]
    }

    /// Returns whether a column of this depth has water that ice does not immobilize.
    pub(in crate::columns) fn has_free_surface(&self, c: usize, depth: i32) -> bool {
        self.ice[c] == 0 && depth > self.ground[c]
    }

    #[inline(always)]
    pub(in crate::columns) fn opening(
        &self,
        layout: &Layout,
        depth: &[i32],
        [i, j]: [usize; 2],
        sill: i32,
        lintel: i32,
    ) -> Edge {
        Edge {
            sill: sill.max(self.bed_height(layout, i)).max(self.bed_height(layout, j)),
            lintel,
            surface: [layout.floor[i] + depth[i], layout.floor[j] + depth[j]],
            ice: [self.ice[i], self.ice[j]],
            excess: [self.excess[i], self.excess[j]],
            is_under_body: [self.is_under_body[i], self.is_under_body[j]],
        }
    }

    /// Returns whether the edge between a column and its eastern neighbour belongs to a network.
    pub(in crate::columns) fn is_edge_linked(&self, column: usize) -> bool {
        self.node[column] != NONE && self.node[column + 1] != NONE
    }

    pub(in crate::columns) fn is_joint_linked(&self, step: &StepContext, joint: usize) -> bool {
        let ends = &step.layout.joints[joint];
        step.is_joint_open[joint] && self.node[ends.left] != NONE && self.node[ends.right] != NONE
    }

    pub(in crate::columns) fn separate_columns(&self, pool: usize) -> Range<usize> {
        self.separate_columns[pool].clone()
    }

    /// Sets the pressure heads that are known before a step, and finds the pools that form
    /// networks. `air` lists the columns under trapped air or floating bodies, each with its
    /// pressure head (in height quanta). `loads` lists the columns under floating bodies.
    pub(in crate::columns) fn begin_step(
        &mut self,
        step: &StepContext,
        state: &State,
        air: &[(usize, i32)],
        loads: &[(usize, i32)],
    ) {
        let layout = step.layout;
        self.reset_awake_pools(step);
        loads.iter().for_each(|&(column, _)| self.is_under_body[column] = true);
        for &(column, head) in air {
            let head = head.clamp(-MAX_LEVEL, MAX_LEVEL);
            self.air[column] = head;
            self.excess[column] = head;
            self.mark_pools_with_excess(layout, layout.pool_of(column));
        }
        for &pool in step.awake {
            let pool = pool as usize;
            let Some(lowest) = layout.lowest_ceiling[pool] else { continue };
            let [reached, near, full] = self.update_full_columns(layout, state, pool, lowest);
            self.has_excess[pool] |= reached;
            if full || near && state.network.linked[pool] {
                self.add_to_network(step, pool);
            }
        }
        self.assign_node_numbers(step, state);
    }

    /// Adds to the networks those pools that would become full if their edges were updated one by
    /// one. Then finds the vessels of the networks (columns whose water moves as one mass).
    pub(in crate::columns) fn add_filling_pools(&mut self, step: &StepContext, state: &State) {
        let mut more = false;
        for &pool in step.awake {
            let pool = pool as usize;
            if self.network_flags[pool] & WHOLE_POOL == 0
                && self.would_fill_any_column(step, state, pool)
            {
                self.add_to_network(step, pool);
                more = true;
            }
        }
        if more {
            self.assign_node_numbers(step, state);
        }
        if !self.network_parts.is_empty() {
            let Self { network_parts, full, collective, vessels, .. } = self;
            vessel::find_vessels(step, state, network_parts, full, collective, vessels);
        }
    }

    /// Adds a pool to a network, together with everything that its openings connect to: whole pools
    /// that have a ceiling, and the nearer ends of pools under the open sky.
    fn add_to_network(&mut self, step: &StepContext, pool: usize) {
        let layout = step.layout;
        let mut waiting = step.scratch.take_vec();
        waiting.push(pool);
        while let Some(pool) = waiting.pop() {
            if self.network_flags[pool] & WHOLE_POOL != 0 {
                continue;
            }
            self.network_flags[pool] |= WHOLE_POOL;
            for &number in &layout.pools[pool].joints {
                let joint = &layout.joints[number as usize];
                if !step.is_joint_open[number as usize] {
                    continue;
                }
                for (other, end) in [(joint.left_pool, EAST_END), (joint.right_pool, WEST_END)] {
                    let other = other as usize;
                    if layout.lowest_ceiling[other].is_some() {
                        waiting.push(other);
                    } else {
                        self.network_flags[other] |= end;
                    }
                }
            }
        }
    }

    fn assign_node_numbers(&mut self, step: &StepContext, state: &State) {
        let layout = step.layout;
        self.network_parts.clear();
        let mut next = 0;
        for &number in step.awake {
            let pool = number as usize;
            let share = self.network_flags[pool];
            if share == 0 {
                continue;
            }
            self.has_excess[pool] = true;
            let all = layout.pools[pool].columns.clone();
            let shore = |from_west| {
                vessel::shore_columns(layout, state, &all, from_west, MIN_SHORE_COLUMNS)
            };
            let west = if share & WEST_END != 0 { shore(true) } else { 0 };
            let east = if share & EAST_END != 0 { shore(false) } else { 0 };
            let mut take = |columns: Range<usize>| {
                for c in columns.clone() {
                    self.node[c] = next;
                    next += 1;
                }
                self.network_parts.push(NetworkPart { pool, columns });
            };
            if share & WHOLE_POOL != 0 || west + east >= all.len() {
                take(all.clone());
                self.separate_columns[pool] = all.end..all.end;
                continue;
            }
            let separate = all.start + west..all.end - east;
            if west > 0 {
                take(all.start..separate.start);
            }
            if east > 0 {
                take(separate.end..all.end);
            }
            self.separate_columns[pool] = separate;
        }
    }

    /// Marks a pool, and the pools to which it is connected by an opening, as pools whose pressure
    /// heads must be computed or stored.
    fn mark_pools_with_excess(&mut self, layout: &Layout, pool: usize) {
        self.has_excess[pool] = true;
        for &joint in &layout.pools[pool].joints {
            let joint = &layout.joints[joint as usize];
            self.has_excess[joint.left_pool as usize] = true;
            self.has_excess[joint.right_pool as usize] = true;
        }
    }

    fn reset_awake_pools(&mut self, step: &StepContext) {
        let layout = step.layout;
        for &pool in step.awake {
            let pool = pool as usize;
            let columns = layout.pools[pool].columns.clone();
            if !std::mem::take(&mut self.has_excess[pool]) {
                // Discard old estimates, because a run restored from a snapshot does not have them.
                if std::mem::take(&mut self.has_guess[pool]) {
                    self.guess[columns].fill(0);
                }
                continue;
            }
            self.network_flags[pool] = 0;
            self.has_guess[pool] = true;
            self.separate_columns[pool] = columns.clone();
            self.guess[columns.clone()].copy_from_slice(&self.excess[columns.clone()]);
            self.excess[columns.clone()].fill(0);
            self.full[columns.clone()].fill(false);
            self.is_under_body[columns.clone()].fill(false);
            self.air[columns.clone()].fill(0);
            self.node[columns].fill(NONE);
        }
        self.network_parts.clear();
        self.vessels.clear();
    }

    /// Updates which columns of a pool are full. Returns three values: whether the water reaches
    /// the lowest ceiling of the pool, whether it is near the ceiling in any column, and whether
    /// any column is full.
    fn update_full_columns(
        &mut self,
        layout: &Layout,
        state: &State,
        pool: usize,
        lowest: i32,
    ) -> [bool; 3] {
        let [mut reached, mut near, mut any] = [false; 3];
        for c in layout.pools[pool].columns.clone() {
            let surface = layout.floor[c] + state.depth[c];
            reached |= surface >= lowest;
            near |= surface >= layout.ceiling[c] - layout.quanta_per_cell / NEAR_CEILING_DIVISOR;
            self.full[c] = surface >= layout.ceiling[c] && state.depth[c] > 0;
            any |= self.full[c];
        }
        [reached, near, any]
    }

    /// Returns whether any column of a pool would be full after a step in which the edges of the
    /// pool were updated one by one.
    fn would_fill_any_column(&self, step: &StepContext, state: &State, pool: usize) -> bool {
        let layout = step.layout;
        if layout.lowest_ceiling[pool].is_none() {
            return false;
        }
        let columns = layout.pools[pool].columns.clone();
        let mut inflow = step.scratch.take_filled(columns.len(), 0_i64);
        let roofed = |c: usize| layout.ceiling[c] < NO_CEILING;
        for c in columns.start..columns.end - 1 {
            if !roofed(c) && !roofed(c + 1) {
                continue;
            }
            let edge = self.edge(layout, &state.depth, c, c + 1);
            let moved = i64::from(step.rule.edge_flux(state.speed[c], &edge).1);
            inflow[c - columns.start] -= moved;
            inflow[c + 1 - columns.start] += moved;
        }
        for &number in &layout.pools[pool].joints {
            if !step.is_joint_open[number as usize] {
                continue;
            }
            let joint = &layout.joints[number as usize];
            let ends = [joint.left, joint.right];
            let edge = self.opening(layout, &state.depth, ends, joint.sill, joint.lintel);
            let moved = i64::from(step.rule.edge_flux(state.joint_speed[number as usize], &edge).1);
            for (c, sign) in [(joint.left, -1), (joint.right, 1)] {
                if columns.contains(&c) {
                    inflow[c - columns.start] += sign * moved;
                }
            }
        }
        columns.clone().any(|c| {
            let surface = i64::from(layout.floor[c] + state.depth[c]);
            roofed(c) && surface + inflow[c - columns.start] >= layout.ceiling[c].into()
        })
    }
}

/// Returns the amount of still water in a column whose piezometric level is `level`. Both are in
/// height quanta, the integer unit of height. The amount is the height of the water up to the
/// ceiling, plus the height by which the head above the ceiling compresses the water.
pub(in crate::columns) fn still_water_amount(
    layout: &Layout,
    column: usize,
    level: i32,
    gravity: f64,
) -> i32 {
    let (floor, ceiling) = (layout.floor[column], layout.ceiling[column]);
    if level <= ceiling {
        return (level - floor).max(0);
    }
    let height = layout.to_metres(ceiling - floor);
    let head = layout.to_metres(level - ceiling);
    ceiling - floor + layout.to_quanta(height * gravity * head / (SPEED_OF_SOUND * SPEED_OF_SOUND))
}
