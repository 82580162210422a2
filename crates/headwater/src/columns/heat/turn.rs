//! Periodic heat updates of pools. Each update advances the heat of a pool by the time since its
//! last update.

use super::super::Params;
use super::super::layout::{Layout, NO_CEILING};
use super::super::state::State;
use super::column::Ambient;
use super::heater::PlacedHeater;
use super::one::{ColumnState, IceLayers};
use super::vectors::round_to_i64;
use crate::columns::solver::pressure::Heads;

use super::params::Heat;
use super::row::{BLOCK, COLUMNS_PER_TASK};
use super::spread::Conductance;
use super::warmth::{HeatState, heat_units, joules_per_unit};
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};

/// Number of steps between heat updates of an awake pool.
pub(super) const STEPS_PER_UPDATE: u64 = 16;
/// Number of steps between heat updates of a sleeping pool.
const STEPS_PER_UPDATE_ASLEEP: u64 = 256;

/// Largest difference from the air temperature (K) at which a pool may be at rest.
pub(super) const REST_TOLERANCE: f64 = 1e-3;

#[derive(Clone, Copy)]
pub(in super::super) struct HeatContext<'a> {
    pub(in super::super) layout: &'a Layout,
    pub(in super::super) params: &'a Params,
    pub(in super::super) heat: &'a Heat,
    pub(in super::super) step: u64,
    /// Whether the columns of a pool may be processed on several threads. The results do not depend
    /// on this value.
    pub(in super::super) is_parallel: bool,
    pub(in super::super) scratch: &'a ScratchPool,
}

pub(super) struct ColumnRange<'a> {
    pub(super) floor: &'a [i32],
    pub(super) ceiling: &'a [i32],
    pub(super) depth: &'a mut [i32],
    pub(super) lower: &'a mut [i64],
    pub(super) upper: &'a mut [i64],
    pub(super) held: &'a mut [i32],
    pub(super) tiers: &'a mut [IceLayers],
}

impl ColumnRange<'_> {
    fn split_at(self, middle: usize) -> [Self; 2] {
        let (floor, floors) = self.floor.split_at(middle);
        let (ceiling, ceilings) = self.ceiling.split_at(middle);
        let (depth, depths) = self.depth.split_at_mut(middle);
        let (lower, lowers) = self.lower.split_at_mut(middle);
        let (upper, uppers) = self.upper.split_at_mut(middle);
        let (held, other) = self.held.split_at_mut(middle);
        let (tiers, more_tiers) = self.tiers.split_at_mut(middle);
        [
            Self { floor, ceiling, depth, lower, upper, held, tiers },
            Self {
                floor: floors,
                ceiling: ceilings,
                depth: depths,
                lower: lowers,
                upper: uppers,
                held: other,
                tiers: more_tiers,
            },
        ]
    }
}

#[derive(Clone, Default)]
pub(super) struct HeatSums {
    pub(super) air: i128,
    pub(super) steam: i128,
    pub(super) steamed: i64,
    /// Whether the water of any column is hot enough for its surface to bubble.
    pub(super) any_bubbles: bool,
    /// Whether any column has ice or a temperature different from that of the air.
    pub(super) any_unlike_air: bool,
    /// Whether any column is in contact with air.
    pub(super) air_exchanged: bool,
    /// Whether any column contains water.
    pub(super) any_wet: bool,
}

impl HeatSums {
    fn merge(self, other: Self) -> Self {
        Self {
            air: self.air + other.air,
            steam: self.steam + other.steam,
            steamed: self.steamed + other.steamed,
            any_bubbles: self.any_bubbles || other.any_bubbles,
            any_unlike_air: self.any_unlike_air || other.any_unlike_air,
            air_exchanged: self.air_exchanged || other.air_exchanged,
            any_wet: self.any_wet || other.any_wet,
        }
    }
}

pub(super) struct HeatUpdate<'a> {
    pub(super) layout: &'a Layout,
    pub(super) heat: &'a Heat,
    pub(super) air: f64,
    pub(super) time: f64,
    pub(super) per_joule: f64,
    steam_is_water: bool,
}

impl HeatState {
    /// Updates the heat of all pools whose update is due. Returns the amount of steam (in height
    /// quanta of water in one column), and the indices of the sleeping pools that must wake.
    pub(in super::super) fn update_due_pools<'s>(
        &mut self,
        context: &HeatContext<'s>,
        state: &mut State,
        heads: &mut Heads,
        awake: impl Fn(usize) -> bool,
    ) -> (i64, PooledVec<'s, usize>) {
        let due = |&pool: &u32| {
            let every =
                if awake(pool as usize) { STEPS_PER_UPDATE } else { STEPS_PER_UPDATE_ASLEEP };
            (context.step + u64::from(pool)).is_multiple_of(every)
        };
        let due = context.scratch.take_collected(self.active.iter().copied().filter(due));
        let mut steamed = 0;
        for &pool in due.iter() {
            steamed += self.update_pool(context, state, heads, pool as usize);
        }
        let wakes = |&pool: &usize| !awake(pool) && self.keeps_awake(context.layout, pool);
        (
            steamed,
            context.scratch.take_collected(due.iter().map(|&pool| pool as usize).filter(wakes)),
        )
    }

    /// Updates the heat of all active pools, whether or not their update is due. Returns the amount
    /// of steam (in height quanta of water in one column).
    pub(in super::super) fn update_all_pools(
        &mut self,
        context: &HeatContext,
        state: &mut State,
        heads: &mut Heads,
    ) -> i64 {
        let all = context.scratch.take_collected(self.active.iter().copied());
        all.iter().map(|&pool| self.update_pool(context, state, heads, pool as usize)).sum()
    }

    /// Updates the heat of one pool:
    ///
    /// 1. Conduction between neighbouring columns, and through the joints (openings to other
    ///    pools) assigned to the pool.
    /// 2. Heaters.
    /// 3. Each column on its own: mixing of its halves, exchange with the air, freezing and
    ///    melting, steam.
    /// 4. Transition to rest, if all water has the temperature of the air.
    ///
    /// Returns the amount of steam (in height quanta of water in one column).
    fn update_pool(
        &mut self,
        context: &HeatContext,
        state: &mut State,
        heads: &mut Heads,
        pool: usize,
    ) -> i64 {
        let HeatContext { layout, heat, params, step, .. } = *context;
        let steps = step - self.last[pool];
        self.last[pool] = step;
        if steps == 0 {
            return 0;
        }
        let time = steps as f64 * params.step * heat.pace;
        // Number of substeps that conduction between columns requires.
        let parts = Conductance::new(heat, layout, time).substeps();
        let mut last = HeatSums::default();
        let mut steamed = 0;
        for _ in 0..parts {
            last = self.substep(context, state, pool, time / f64::from(parts));
            self.ledger.air += last.air;
            self.ledger.steam += last.steam;
            steamed += last.steamed;
        }
        let sum = last;
        self.boiling[pool] = sum.any_bubbles;
        let liquid = heat.is_calm_at(self.air);
        let calm = !sum.any_unlike_air && !self.keeps_awake(layout, pool);
        if liquid && calm && (sum.air_exchanged || !sum.any_wet) {
            self.put_pool_heat_at_rest(layout, &state.depth, pool);
        }
        self.update_ice(layout, heads, pool, context.scratch);
        steamed
    }

    fn substep(
        &mut self,
        context: &HeatContext,
        state: &mut State,
        pool: usize,
        time: f64,
    ) -> HeatSums {
        let HeatContext { layout, heat, step, .. } = *context;
        let spread = Conductance::new(heat, layout, time);
        self.conduct_heat(layout, &state.depth, spread, pool, context.is_parallel);
        for &number in &layout.pools[pool].joints {
            let joint = &layout.joints[number as usize];
            // A joint is assigned to the pool on its left, unless this pool is at rest.
            let left = joint.left_pool as usize;
            if left == pool || !self.is_active(left) {
                self.conduct_through_joint(layout, &state.depth, spread, number as usize, step);
            }
        }
        self.apply_heaters(layout, &state.depth, pool, time);
        let rule = self.heat_update(layout, heat, time, state.rate.is_empty());
        self.update_columns(context, &rule, state, pool)
    }

    fn update_columns(
        &mut self,
        context: &HeatContext,
        rule: &HeatUpdate,
        state: &mut State,
        pool: usize,
    ) -> HeatSums {
        let layout = context.layout;
        let columns = layout.pools[pool].columns.clone();
        let part = ColumnRange {
            floor: &layout.floor[columns.clone()],
            ceiling: &layout.ceiling[columns.clone()],
            depth: &mut state.depth[columns.clone()],
            lower: &mut self.lower[columns.clone()],
            upper: &mut self.upper[columns.clone()],
            held: &mut self.held[columns.clone()],
            tiers: &mut self.tiers[columns],
        };
        if context.is_parallel {
            rule.update_range(part)
        } else {
            rule.update_columns_one_by_one(part)
        }
    }

    fn heat_update<'a>(
        &self,
        layout: &'a Layout,
        heat: &'a Heat,
        time: f64,
        steam_is_water: bool,
    ) -> HeatUpdate<'a> {
        let per_joule = layout.width / joules_per_unit(layout);
        HeatUpdate { layout, heat, air: self.air, time, per_joule, steam_is_water }
    }

    /// Returns the heat state of a column of an active pool, extrapolated from the last update to
    /// the given step. The extrapolation includes the processes within the column and its exchange
    /// with the air. It excludes exchange with neighbouring columns and the heat of heaters.
    pub(super) fn current_state(
        &self,
        layout: &Layout,
        params: &Params,
        depth: i32,
        column: usize,
        step: u64,
    ) -> ColumnState {
        let mut one = self.column_state(depth, column);
        let steps = step - self.last[layout.pool_of(column)];
        if let Some(heat) = &params.heat
            && steps > 0
        {
            let time = steps as f64 * params.step * heat.pace;
            let rule = self.heat_update(layout, heat, time, false);
            rule.update_column(
                &mut one,
                layout.floor[column],
                layout.ceiling[column],
                &mut HeatSums::default(),
            );
        }
        one
    }

    /// Adds the heat of heaters to the columns of a pool. Each heater divides its heat equally
    /// among its wet columns in all pools.
    fn apply_heaters(&mut self, layout: &Layout, depth: &[i32], pool: usize, time: f64) {
        let own = layout.pools[pool].columns.clone();
        for PlacedHeater { power, columns, .. } in &self.hearths {
            let place = |of: usize| columns.partition_point(|&c| c < of);
            let here = &columns[place(own.start)..place(own.end)];
            if here.is_empty() || *power <= 0.0 {
                continue;
            }
            // Ice on a heated floor detaches and floats up.
            for &c in here {
                if depth[c] > self.held[c] {
                    self.tiers[c].ground = 0;
                }
            }
            let is_wet = |&&c: &&usize| depth[c] > self.held[c];
            let wet = columns.iter().filter(is_wet).count().max(1);
            let each = (power * time / wet as f64 / joules_per_unit(layout)).round();
            // The limit is far above boiling. Heat above 100 °C turns into steam in the same
            // update.
            let each = each.clamp(0.0, (1_i64 << 58) as f64) as i64;
            for &c in here.iter().filter(is_wet) {
                self.lower[c] += each;
                self.ledger.heaters += i128::from(each);
            }
        }
    }

    /// Puts the heat of a pool to rest, so that all its water has the temperature of the air. The
    /// ledger records the small difference in heat as exchange with the air.
    fn put_pool_heat_at_rest(&mut self, layout: &Layout, depth: &[i32], pool: usize) {
        let columns = layout.pools[pool].columns.clone();
        let air = heat_units(self.air);
        for c in columns {
            let exact = air * i64::from(depth[c]);
            self.ledger.air += 2 * i128::from(exact) - i128::from(self.column_heat(c));
        }
        self.active.retain(|&active| active as usize != pool);
    }
}

impl HeatUpdate<'_> {
    /// Updates the heat of a range of columns in blocks, on several threads if the range is long.
    fn update_range(&self, mut columns: ColumnRange) -> HeatSums {
        let n = columns.depth.len();
        if n <= BLOCK {
            return self
                .update_liquid(&mut columns)
                .unwrap_or_else(|| self.update_columns_one_by_one(columns));
        }
        let [west, east] = columns.split_at((n / 2).next_multiple_of(BLOCK));
        let (mut sum, mut other) = Default::default();
        if n > COLUMNS_PER_TASK {
            parallel::join(|| sum = self.update_range(west), || other = self.update_range(east));
        } else {
            (sum, other) = (self.update_range(west), self.update_range(east));
        }
        HeatSums::merge(sum, other)
    }

    fn update_columns_one_by_one(&self, part: ColumnRange) -> HeatSums {
        let mut sum = HeatSums::default();
        let ColumnRange { floor, ceiling, depth, lower, upper, held, tiers } = part;
        for c in 0..depth.len() {
            let mut one = ColumnState {
                depth: depth[c],
                held: held[c],
                tiers: tiers[c],
                lower: lower[c],
                upper: upper[c],
            };
            self.update_column(&mut one, floor[c], ceiling[c], &mut sum);
            (depth[c], held[c], tiers[c]) = (one.depth, one.held, one.tiers);
            (lower[c], upper[c]) = (one.lower, one.upper);
        }
        sum
    }

    fn update_column(
        &self,
        column_state: &mut ColumnState,
        floor: i32,
        ceiling: i32,
        sum: &mut HeatSums,
    ) {
        if column_state.depth <= 0 {
            return;
        }
        sum.any_wet = true;
        let metres = |quanta: i32| self.layout.to_metres(quanta);
        let mut column = column_state.to_column(self.layout.quantum);
        let room = if ceiling == NO_CEILING {
            1.0
        } else {
            let air =
                metres(ceiling - floor - column_state.depth) - column_state.freeboard(self.layout);
            (air / self.heat.air_room).clamp(0.0, 1.0)
        };
        let ambient = Ambient {
            air_temperature: self.air,
            exchange_coefficient: self.heat.air_rate * room,
            conductivity: self.heat.vertical,
            duration: self.time,
        };
        let inflow = round_to_i64(column.advance(&ambient) * self.per_joule);
        sum.air += i128::from(inflow);
        column_state.apply_update(&column, inflow, self.layout.quantum);
        let (steam, heat) = column_state.boil(self.steam_is_water);
        sum.steamed += steam;
        sum.steam -= i128::from(heat);
        let [bottom, top] = column_state.half_temperatures();
        sum.any_bubbles |= column_state.depth > column_state.held && top >= self.heat.min_boil;
        sum.air_exchanged |= ambient.exchange_coefficient > 0.0;
        let as_warm = |t: f64| (t - self.air).abs() <= REST_TOLERANCE;
        sum.any_unlike_air |=
            column_state.depth > 0 && !(column_state.held == 0 && as_warm(bottom) && as_warm(top));
    }
}
