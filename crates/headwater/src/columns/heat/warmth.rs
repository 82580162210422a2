//! Heat state of a world: the heat and ice of each column, and the set of active pools.

use super::super::layout::Layout;
use super::column::{HEAT_CAPACITY, WATER_DENSITY};
use super::heater::PlacedHeater;
use super::ledger::{HeatLedger, UNITS_PER_KELVIN};
use super::one::{ColumnState, IceLayers, temperatures};
use super::params::{AIR, Heat};
use super::vectors::{Scalar, round_to_i64};
use crate::columns::solver::pressure::Heads;
use crate::columns::solver::tasks::for_each_chunk;
use crate::ids::IdList;
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct HeatState {
    pub(in super::super) air: f64,
    /// Heat of the lower half of the water in each column (in heat units, relative to 0 °C).
    /// Undefined in pools at rest (all water at air temperature).
    #[serde(with = "crate::numbers")]
    pub(in super::super) lower: Vec<i64>,
    /// Heat of the upper half of the water in each column (in heat units, relative to 0 °C).
    /// Undefined in pools at rest (all water at air temperature).
    #[serde(with = "crate::numbers")]
    pub(in super::super) upper: Vec<i64>,
    /// Part of each column's depth that does not flow: ice, and the pond on it (in height quanta,
    /// the integer unit of height). Undefined in pools at rest (all water at air temperature).
    #[serde(with = "crate::numbers")]
    pub(in super::super) held: Vec<i32>,
    /// Layers of ice and pond in each column. Undefined in pools at rest (all water at air
    /// temperature).
    pub(in super::super) tiers: Vec<IceLayers>,
    /// Sorted indices of the active pools. All other pools are at rest, which means that their
    /// water has the temperature of the air.
    pub(in super::super) active: Vec<u32>,
    /// Number of the step in which each pool's heat was last updated.
    pub(super) last: Vec<u64>,
    /// For each pool, whether the surface of any of its columns bubbles.
    pub(super) boiling: Vec<bool>,
    pub(super) hearths: IdList<PlacedHeater>,
    pub(super) ledger: HeatLedger,
    /// Water that crosses the eastern edge of each column in the current step (height quanta of
    /// water in one column, positive to the east). A height quantum is the integer unit of height.
    #[serde(skip)]
    pub(in super::super) fluxes: Vec<i32>,
}

pub(super) fn heat_units(celsius: f64) -> i64 {
    round_to_i64(celsius * UNITS_PER_KELVIN)
}

impl HeatState {
    pub(in super::super) fn new(heat: &Heat, layout: &Layout, depth: &[i32]) -> Self {
        let n = layout.column_count();
        let mut warmth = Self {
            air: heat.air,
            lower: vec![0; n],
            upper: vec![0; n],
            held: vec![0; n],
            tiers: vec![IceLayers::default(); n],
            active: Vec::new(),
            last: vec![0; layout.pools.len()],
            boiling: vec![false; layout.pools.len()],
            hearths: IdList::default(),
            ledger: HeatLedger::default(),
            fluxes: Vec::new(),
        };
        warmth.make_workspace(n);
        let start = heat_units(heat.initial_water_temperature());
        if start != heat_units(heat.air) || heat.initial_water_temperature() > heat.min_boil {
            warmth.active = (0..layout.pools.len() as u32).collect();
            for (c, &depth) in depth.iter().enumerate() {
                (warmth.lower[c], warmth.upper[c]) =
                    (start * i64::from(depth), start * i64::from(depth));
            }
        }
        warmth.ledger.start = warmth.total_heat(layout, depth);
        warmth
    }

    pub(in super::super) fn make_workspace(&mut self, columns: usize) {
        self.fluxes = vec![0; columns];
    }

    pub(in super::super) fn fits(&self, layout: &Layout, depth: &[i32], steps: u64) -> bool {
        let n = layout.column_count();
        let pools = layout.pools.len();
        [self.lower.len(), self.upper.len(), self.held.len(), self.tiers.len()] == [n; 4]
            && [self.last.len(), self.boiling.len()] == [pools; 2]
            && AIR.contains(self.air)
            && self.last.iter().all(|&last| last <= steps)
            && self.active.is_sorted_by(|a, b| a < b)
            && self.active.iter().all(|&pool| (pool as usize) < pools)
            && self.held.iter().zip(depth).all(|(held, depth)| (0..=*depth).contains(held))
            && self.tiers.iter().zip(&self.held).all(|(tiers, &held)| tiers.fits_in(held))
            && self.lower.iter().chain(&self.upper).all(|heat| heat.unsigned_abs() < 1 << 62)
            && self.hearths.iter().all(PlacedHeater::fits)
    }

    pub(in super::super) fn is_active(&self, pool: usize) -> bool {
        self.active.binary_search(&(pool as u32)).is_ok()
    }

    /// Activates the heat simulation of a pool at rest, starting at `step`. All water of the pool
    /// then has the temperature of the air. Does nothing if the pool is already active.
    pub(in super::super) fn activate(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        pool: usize,
        step: u64,
    ) {
        let Err(place) = self.active.binary_search(&(pool as u32)) else { return };
        self.active.insert(place, pool as u32);
        self.last[pool] = step;
        let air = heat_units(self.air);
        for c in layout.pools[pool].columns.clone() {
            let heat = air * i64::from(depth[c]);
            (self.lower[c], self.upper[c], self.held[c]) = (heat, heat, 0);
            self.tiers[c] = IceLayers::default();
        }
    }

    /// Returns whether a pool must stay awake because it boils or contains an active heater.
    pub(in super::super) fn keeps_awake(&self, layout: &Layout, pool: usize) -> bool {
        let columns = &layout.pools[pool].columns;
        let heated = |hearth: &PlacedHeater| {
            hearth.power > 0.0 && hearth.columns.iter().any(|c| columns.contains(c))
        };
        self.boiling[pool] || self.hearths.iter().any(heated)
    }

    #[inline]
    pub(super) fn half_temperatures(&self, depth: &[i32], column: usize) -> [f64; 2] {
        temperatures::<Scalar>(
            depth[column] - self.held[column],
            [self.lower[column], self.upper[column]],
        )
    }

    pub(super) fn total_heat(&self, layout: &Layout, depth: &[i32]) -> i128 {
        let mut total = 0;
        let air = heat_units(self.air);
        let mut active = self.active.iter().peekable();
        for (number, pool) in layout.pools.iter().enumerate() {
            let columns = pool.columns.clone();
            if active.next_if(|&&pool| pool as usize == number).is_some() {
                total += columns.map(|c| i128::from(self.column_heat(c))).sum::<i128>();
            } else {
                let quanta: i64 = columns.map(|c| i64::from(depth[c])).sum();
                total += 2 * i128::from(air) * i128::from(quanta);
            }
        }
        total
    }

    /// Returns the heat of a column in an active pool (in heat units), including the negative
    /// latent heat of its ice.
    pub(super) fn column_heat(&self, column: usize) -> i64 {
        self.column_state(self.held[column], column).heat()
    }

    pub(super) fn column_state(&self, depth: i32, column: usize) -> ColumnState {
        let [lower, upper] = [self.lower[column], self.upper[column]];
        ColumnState { depth, held: self.held[column], tiers: self.tiers[column], lower, upper }
    }

    pub(super) fn update_ice(
        &self,
        layout: &Layout,
        heads: &mut Heads,
        pool: usize,
        scratch: &ScratchPool,
    ) {
        let active = self.is_active(pool);
        let iced = AtomicBool::new(false);
        let chunks = scratch.take_collected(layout.pool_chunks[pool].clone());
        let Heads { ground, ice, .. } = heads;
        for_each_chunk(
            layout,
            &chunks,
            (&mut ground[..], &mut ice[..]),
            &|chunk, (ground, ice)| {
                let mut any = false;
                for ((c, ground), ice) in chunk.columns.clone().zip(ground).zip(ice) {
                    *ground = if active { self.tiers[c].ground } else { 0 };
                    *ice = if active { self.held[c] - *ground } else { 0 };
                    any |= *ice > 0 || *ground > 0;
                }
                iced.fetch_or(any, Ordering::Relaxed);
            },
        );
        heads.has_ice[pool] = iced.into_inner();
    }

    pub(in super::super) fn update_column_ice(&self, heads: &mut Heads, active: bool, c: usize) {
        if !active {
            return;
        }
        let ground = self.tiers[c].ground;
        heads.ground[c] = ground;
        heads.ice[c] = self.held[c] - ground;
    }

    pub(in super::super) fn update_all_ice(
        &self,
        layout: &Layout,
        heads: &mut Heads,
        scratch: &ScratchPool,
    ) {
        (0..layout.pools.len()).for_each(|pool| self.update_ice(layout, heads, pool, scratch));
    }

    pub(in super::super) fn hashed_state(&self) -> impl Serialize + '_ {
        let Self { air, lower, upper, held, tiers, active, last, boiling, hearths, .. } = self;
        ((air, lower, upper), (held, tiers), active, last, boiling, hearths)
    }
}

/// Returns the heat that one heat unit stands for (J for a world 1 m thick).
pub(super) fn joules_per_unit(layout: &Layout) -> f64 {
    layout.quantum_volume() * WATER_DENSITY * HEAT_CAPACITY / (2.0 * UNITS_PER_KELVIN)
}
