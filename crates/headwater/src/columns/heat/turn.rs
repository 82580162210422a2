//! Heat update of a pool: every few steps its heat advances by the time since its last update.

use super::super::Params;
use super::super::layout::{Layout, SKY};
use super::super::pressure::Heads;
use super::super::state::State;
use super::column::Around;
use super::heater::Hearth;
use super::one::{One, Tiers};
use super::vectors::whole;

use super::params::Heat;
use super::row::{BLOCK, TASK};
use super::spread::Spread;
use super::warmth::{Warmth, joules, units};
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};

/// Steps between heat updates of a pool that is awake, and of one that sleeps.
pub(super) const EVERY: u64 = 16;
const EVERY_ASLEEP: u64 = 256;

/// Largest difference from air temperature (K) at which a pool may rest.
pub(super) const AS_WARM: f64 = 1e-3;

#[derive(Clone, Copy)]
pub(in super::super) struct Turn<'a> {
    pub(in super::super) layout: &'a Layout,
    pub(in super::super) params: &'a Params,
    pub(in super::super) heat: &'a Heat,
    pub(in super::super) step: u64,
    /// True if chunks may run on several threads. The result is the same.
    pub(in super::super) by_chunks: bool,
    pub(in super::super) scratch: &'a ScratchPool,
}

pub(super) struct Part<'a> {
    pub(super) floor: &'a [i32],
    pub(super) ceiling: &'a [i32],
    pub(super) depth: &'a mut [i32],
    pub(super) lower: &'a mut [i64],
    pub(super) upper: &'a mut [i64],
    pub(super) held: &'a mut [i32],
    pub(super) tiers: &'a mut [Tiers],
}

impl Part<'_> {
    fn cut(self, middle: usize) -> [Self; 2] {
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
pub(super) struct Sum {
    pub(super) air: i128,
    pub(super) steam: i128,
    pub(super) steamed: i64,
    /// True if the surface bubbles anywhere; if any column has ice or differs from the air
    /// temperature; if any is in contact with air; if any is wet.
    pub(super) boils: bool,
    pub(super) apart: bool,
    pub(super) aired: bool,
    pub(super) wet: bool,
}

impl Sum {
    fn and(self, other: Self) -> Self {
        Self {
            air: self.air + other.air,
            steam: self.steam + other.steam,
            steamed: self.steamed + other.steamed,
            boils: self.boils || other.boils,
            apart: self.apart || other.apart,
            aired: self.aired || other.aired,
            wet: self.wet || other.wet,
        }
    }
}

pub(super) struct Rule<'a> {
    pub(super) layout: &'a Layout,
    pub(super) heat: &'a Heat,
    pub(super) air: f64,
    pub(super) time: f64,
    pub(super) per_joule: f64,
    steam_is_water: bool,
}

impl Warmth {
    /// Updates the heat of all pools that are due. Returns the quanta of steam, and the sleeping
    /// pools that must wake.
    pub(in super::super) fn turn<'s>(
        &mut self,
        turn: &Turn<'s>,
        state: &mut State,
        heads: &mut Heads,
        awake: impl Fn(usize) -> bool,
    ) -> (i64, PooledVec<'s, usize>) {
        let due = |&pool: &u32| {
            let every = if awake(pool as usize) { EVERY } else { EVERY_ASLEEP };
            (turn.step + u64::from(pool)).is_multiple_of(every)
        };
        let due = turn.scratch.collect(self.active.iter().copied().filter(due));
        let mut steamed = 0;
        for &pool in due.iter() {
            steamed += self.pass(turn, state, heads, pool as usize);
        }
        let wakes = |&pool: &usize| !awake(pool) && self.keeps_awake(turn.layout, pool);
        (steamed, turn.scratch.collect(due.iter().map(|&pool| pool as usize).filter(wakes)))
    }

    /// Updates the heat of all active pools, due or not. Returns the quanta of steam.
    pub(in super::super) fn turn_all(
        &mut self,
        turn: &Turn,
        state: &mut State,
        heads: &mut Heads,
    ) -> i64 {
        let all = turn.scratch.collect(self.active.iter().copied());
        all.iter().map(|&pool| self.pass(turn, state, heads, pool as usize)).sum()
    }

    /// Updates the heat of one pool:
    ///
    /// 1. Conduction between neighbouring columns, and through the joints assigned to the pool.
    /// 2. Heaters.
    /// 3. Each column on its own: mixing of its halves, exchange with the air, freezing and
    ///    melting, steam.
    /// 4. Rest, if all water has the temperature of the air.
    ///
    /// Returns the quanta of steam.
    fn pass(&mut self, turn: &Turn, state: &mut State, heads: &mut Heads, pool: usize) -> i64 {
        let Turn { layout, heat, params, step, .. } = *turn;
        let steps = step - self.last[pool];
        self.last[pool] = step;
        if steps == 0 {
            return 0;
        }
        let time = steps as f64 * params.step * heat.pace;
        // As many substeps as conduction between columns needs.
        let parts = Spread::new(heat, layout, time).parts();
        let mut last = Sum::default();
        let mut steamed = 0;
        for _ in 0..parts {
            last = self.pass_part(turn, state, pool, time / f64::from(parts));
            self.books.air += last.air;
            self.books.steam += last.steam;
            steamed += last.steamed;
        }
        let sum = last;
        self.boiling[pool] = sum.boils;
        let liquid = heat.is_calm_at(self.air);
        let calm = !sum.apart && !self.keeps_awake(layout, pool);
        if liquid && calm && (sum.aired || !sum.wet) {
            self.rest(layout, &state.depth, pool);
        }
        self.note_ice(layout, heads, pool, turn.scratch);
        steamed
    }

    fn pass_part(&mut self, turn: &Turn, state: &mut State, pool: usize, time: f64) -> Sum {
        let Turn { layout, heat, step, .. } = *turn;
        let spread = Spread::new(heat, layout, time);
        self.spread(layout, &state.depth, spread, pool, turn.by_chunks);
        for &number in &layout.pools[pool].joints {
            let joint = &layout.joints[number as usize];
            // A joint is assigned to the pool on its left, unless that pool is at rest.
            let left = joint.left_pool as usize;
            if left == pool || !self.is_active(left) {
                self.spread_through(layout, &state.depth, spread, number as usize, step);
            }
        }
        self.fire(layout, &state.depth, pool, time);
        let rule = self.rule(layout, heat, time, state.rate.is_empty());
        self.pass_columns(turn, &rule, state, pool)
    }

    fn pass_columns(&mut self, turn: &Turn, rule: &Rule, state: &mut State, pool: usize) -> Sum {
        let layout = turn.layout;
        let columns = layout.pools[pool].columns.clone();
        let part = Part {
            floor: &layout.floor[columns.clone()],
            ceiling: &layout.ceiling[columns.clone()],
            depth: &mut state.depth[columns.clone()],
            lower: &mut self.lower[columns.clone()],
            upper: &mut self.upper[columns.clone()],
            held: &mut self.held[columns.clone()],
            tiers: &mut self.tiers[columns],
        };
        if turn.by_chunks { rule.pass(part) } else { rule.pass_singly(part) }
    }

    fn rule<'a>(
        &self,
        layout: &'a Layout,
        heat: &'a Heat,
        time: f64,
        steam_is_water: bool,
    ) -> Rule<'a> {
        let per_joule = layout.width / joules(layout);
        Rule { layout, heat, air: self.air, time, per_joule, steam_is_water }
    }

    /// Returns a column of an active pool at the given step, without exchange with neighbours and
    /// heaters.
    pub(super) fn present(
        &self,
        layout: &Layout,
        params: &Params,
        depth: i32,
        c: usize,
        step: u64,
    ) -> One {
        let mut one = self.one(depth, c);
        let steps = step - self.last[layout.pool_of(c)];
        if let Some(heat) = &params.heat
            && steps > 0
        {
            let time = steps as f64 * params.step * heat.pace;
            let rule = self.rule(layout, heat, time, false);
            rule.pass_one(&mut one, layout.floor[c], layout.ceiling[c], &mut Sum::default());
        }
        one
    }

    /// Adds a pool's share of the heat of heaters, in proportion to its number of wet columns.
    fn fire(&mut self, layout: &Layout, depth: &[i32], pool: usize, time: f64) {
        let own = layout.pools[pool].columns.clone();
        for Hearth { power, columns, .. } in &self.hearths {
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
            let each = (power * time / wet as f64 / joules(layout)).round();
            // Bounded far above boiling: heat above 100 °C turns into steam in the same update.
            let each = each.clamp(0.0, (1_i64 << 58) as f64) as i64;
            for &c in here.iter().filter(is_wet) {
                self.lower[c] += each;
                self.books.heaters += i128::from(each);
            }
        }
    }

    /// Puts a pool to rest. The air supplies the small difference of heat.
    fn rest(&mut self, layout: &Layout, depth: &[i32], pool: usize) {
        let columns = layout.pools[pool].columns.clone();
        let air = units(self.air);
        for c in columns {
            let exact = air * i64::from(depth[c]);
            self.books.air += 2 * i128::from(exact) - i128::from(self.heat_of(c));
        }
        self.active.retain(|&active| active as usize != pool);
    }
}

impl Rule<'_> {
    /// Updates a range of columns block by block, on several threads if it is long.
    fn pass(&self, mut part: Part) -> Sum {
        let n = part.depth.len();
        if n <= BLOCK {
            return self.pass_liquid(&mut part).unwrap_or_else(|| self.pass_singly(part));
        }
        let [west, east] = part.cut((n / 2).next_multiple_of(BLOCK));
        let (mut sum, mut other) = Default::default();
        if n > TASK {
            parallel::join(|| sum = self.pass(west), || other = self.pass(east));
        } else {
            (sum, other) = (self.pass(west), self.pass(east));
        }
        Sum::and(sum, other)
    }

    fn pass_singly(&self, part: Part) -> Sum {
        let mut sum = Sum::default();
        let Part { floor, ceiling, depth, lower, upper, held, tiers } = part;
        for c in 0..depth.len() {
            let mut one = One {
                depth: depth[c],
                held: held[c],
                tiers: tiers[c],
                lower: lower[c],
                upper: upper[c],
            };
            self.pass_one(&mut one, floor[c], ceiling[c], &mut sum);
            (depth[c], held[c], tiers[c]) = (one.depth, one.held, one.tiers);
            (lower[c], upper[c]) = (one.lower, one.upper);
        }
        sum
    }

    fn pass_one(&self, one: &mut One, floor: i32, ceiling: i32, sum: &mut Sum) {
        if one.depth <= 0 {
            return;
        }
        sum.wet = true;
        let metres = |quanta: i32| self.layout.metres(quanta);
        let mut column = one.column(self.layout.quantum);
        let room = if ceiling == SKY {
            1.0
        } else {
            let air = metres(ceiling - floor - one.depth) - one.freeboard(self.layout);
            (air / self.heat.air_room).clamp(0.0, 1.0)
        };
        let around = Around {
            air: self.air,
            exchange: self.heat.air_rate * room,
            mixing: self.heat.vertical,
            time: self.time,
        };
        let came = whole(column.pass(&around) * self.per_joule);
        sum.air += i128::from(came);
        one.take(&column, came, self.layout.quantum);
        let (steam, heat) = one.boil(self.steam_is_water);
        sum.steamed += steam;
        sum.steam -= i128::from(heat);
        let [bottom, top] = one.halves();
        sum.boils |= one.depth > one.held && top >= self.heat.min_boil;
        sum.aired |= around.exchange > 0.0;
        let as_warm = |t: f64| (t - self.air).abs() <= AS_WARM;
        sum.apart |= one.depth > 0 && !(one.held == 0 && as_warm(bottom) && as_warm(top));
    }
}
