//! Transport of heat with moving water.

use super::super::layout::Layout;
use super::edges::{AdvectionRow, carried_heat};
use super::one::{ColumnState, IceLayers};
use super::row::ColumnRow;
use super::vectors::round_to_i64;
use super::warmth::{HeatState, heat_units};
use crate::scratch::ScratchPool;

impl HeatState {
    /// Activates the heat simulation of pools at rest that exchange water with active pools. Each
    /// element of `moves` is a flow between two pools: the index of the joint (an opening between
    /// them), and the amount of water, in height quanta (the integer unit of height) of water in
    /// one column.
    pub(in super::super) fn activate_connected_pools(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        moves: &[(usize, i32)],
        step: u64,
    ) {
        if self.active.is_empty() {
            return;
        }
        // A newly activated pool may activate others.
        let mut reached = true;
        while std::mem::take(&mut reached) {
            for &(number, moved) in moves {
                let joint = &layout.joints[number];
                let pools = [joint.left_pool, joint.right_pool].map(|pool| pool as usize);
                if moved != 0 && self.is_active(pools[0]) != self.is_active(pools[1]) {
                    pools.into_iter().for_each(|pool| self.activate(layout, depth, pool, step));
                    reached = true;
                }
            }
        }
    }

    /// Moves heat along with the water that flows in a step. `self.fluxes` contains the flows
    /// across the edges between the columns of awake pools, and `moves` those through joints
    /// (openings between two pools). `depth` holds the depths after the flow across edges and
    /// before the flow through joints.
    ///
    /// The fraction of heat that leaves each half of a column equals the fraction of liquid water
    /// that leaves the column. Ice does not move. If `is_parallel` is true, the computation is
    /// parallel; the result is the same.
    pub(in super::super) fn advect_heat(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        awake: &[u32],
        moves: &[(usize, i32)],
        is_parallel: bool,
        scratch: &ScratchPool,
    ) {
        let before = |fluxes: &[i32], c: usize| {
            let first = layout.pools[layout.pool_of(c)].columns.start == c;
            depth[c] + fluxes[c] - if first { 0 } else { fluxes[c - 1] }
        };
        let mut through = scratch.take_vec();
        for &(number, moved) in moves {
            let joint = &layout.joints[number];
            if moved == 0 || !self.is_active(joint.left_pool as usize) {
                continue;
            }
            let donor = if moved > 0 { joint.left } else { joint.right };
            let water = before(&self.fluxes, donor) - self.held[donor];
            let heats = [self.lower[donor], self.upper[donor]];
            through.push((
                joint.left,
                joint.right,
                heats.map(|heat| carried_heat(heat, moved, water)),
            ));
        }
        let mut next = self.active.iter().copied().peekable();
        for &pool in awake {
            while next.next_if(|&active| active < pool).is_some() {}
            if next.peek() != Some(&pool) {
                continue;
            }
            let columns = layout.pools[pool as usize].columns.clone();
            let row = AdvectionRow {
                depth: &depth[columns.clone()],
                immobile_water: &self.held[columns.clone()],
                fluxes: &self.fluxes[columns.clone()],
                west_flux: 0,
                lower: &mut self.lower[columns.clone()],
                upper: &mut self.upper[columns],
            };
            if is_parallel {
                row.exchange_heat();
            } else {
                row.exchange_heat_plain();
            }
        }
        for &(left, right, [lower, upper]) in through.iter() {
            self.lower[left] -= lower;
            self.upper[left] -= upper;
            self.lower[right] += lower;
            self.upper[right] += upper;
        }
    }

    /// Records the heat of water that was added to a column from outside the world, or removed to
    /// the outside. `before` and `after` are the depths of the column (in height quanta). Added
    /// water has the temperature of the air, limited to the range from 0 to 100 °C. Removed water
    /// takes its own heat along. Ice is removed only if there is not enough liquid water.
    pub(in super::super) fn record_exchange(
        &mut self,
        active: bool,
        c: usize,
        before: i32,
        after: i32,
    ) {
        let gain = i64::from(after) - i64::from(before);
        let inflow = heat_units(self.air.clamp(0.0, 100.0));
        if !active {
            self.ledger.water += 2 * i128::from(inflow) * i128::from(gain);
            return;
        }
        let old = self.column_heat(c);
        if gain >= 0 {
            self.lower[c] += inflow * gain;
            self.upper[c] += inflow * gain;
        } else {
            let water = before - self.held[c];
            let left = (after - self.held[c]).max(0);
            if left == 0 {
                (self.lower[c], self.upper[c]) = (0, 0);
            } else {
                for heat in [&mut self.lower[c], &mut self.upper[c]] {
                    *heat -= carried_heat(*heat, water - left, water);
                }
            }
            self.limit_immobile_water(c, after);
        }
        self.ledger.water += i128::from(self.column_heat(c) - old);
    }

    /// Records the heat of rain and evaporation in the same way as
    /// [`record_exchange`](Self::record_exchange). If the column is covered by floating ice, rain
    /// is added to the pond on the ice, and evaporation removes water from the pond first.
    pub(in super::super) fn record_surface_exchange(
        &mut self,
        active: bool,
        c: usize,
        before: i32,
        after: i32,
    ) {
        let one =
            active.then(|| self.column_state(before, c)).filter(ColumnState::has_floating_ice);
        let Some(pond) = one.map(|one| one.tiers.pond) else {
            return self.record_exchange(active, c, before, after);
        };
        let old = self.column_heat(c);
        let IceLayers { warmth, .. } = self.tiers[c];
        // A pond cannot be deeper than the height of the grid.
        let gain = (after - before).max(-pond);
        self.tiers[c].warmth += if gain >= 0 {
            2 * heat_units(self.air.clamp(0.0, 100.0)) * i64::from(gain)
        } else {
            -carried_heat(warmth, -gain, pond)
        };
        self.tiers[c].pond += gain;
        self.held[c] += gain;
        if self.tiers[c].pond == 0 {
            // The crust now lies directly on the ice.
            self.upper[c] += std::mem::take(&mut self.tiers[c].warmth);
            self.tiers[c].crust = 0;
        }
        self.ledger.water += i128::from(self.column_heat(c) - old);
        if before + gain != after {
            self.record_exchange(active, c, before + gain, after);
        }
    }

    /// Removes the pond and then ice until the part of a column's water that does not flow is at
    /// most `limit` height quanta (integer units of height). The remaining ice forms a single
    /// layer.
    fn limit_immobile_water(&mut self, column: usize, limit: i32) {
        if self.held[column] > limit {
            let pond = self.tiers[column].pond;
            self.held[column] = (self.held[column] - pond).min(limit);
            self.tiers[column] = IceLayers::default();
        }
    }

    /// Moves heat along with water that was redistributed within a pool. `before` and `depth` are
    /// the depths before and after. Heat moves from columns that lost water to columns that gained
    /// water, in proportion to their gains. The columns must not have floating ice.
    pub(in super::super) fn move_heat(&mut self, columns: &[usize], before: &[i32], depth: &[i32]) {
        let (mut bucket, mut gained) = ([0_i64; 2], 0_i64);
        for (&c, &before) in columns.iter().zip(before) {
            let lost = before - depth[c];
            gained += i64::from((-lost).max(0));
            let ground = self.tiers[c].ground;
            if lost > 0 {
                for (bucket, heat) in
                    bucket.iter_mut().zip([&mut self.lower[c], &mut self.upper[c]])
                {
                    let part = carried_heat(*heat, lost, before - ground);
                    *heat -= part;
                    *bucket += part;
                }
            }
        }
        for (&c, &before) in columns.iter().zip(before) {
            let gain = i64::from(depth[c] - before);
            if gain <= 0 {
                continue;
            }
            for (bucket, heat) in bucket.iter_mut().zip([&mut self.lower[c], &mut self.upper[c]]) {
                let share = round_to_i64(*bucket as f64 * (gain as f64 / gained as f64));
                // Large amounts are rounded, so the last column takes the rest.
                let part = if gain == gained { *bucket } else { share };
                *heat += part;
                *bucket -= part;
            }
            gained -= gain;
        }
    }
}
