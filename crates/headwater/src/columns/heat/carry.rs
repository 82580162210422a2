//! Water that moves takes its heat along.

use super::super::layout::Layout;
use super::edges::{Stretch, part};
use super::one::{One, Tiers};
use super::row::Row;
use super::vectors::whole;
use super::warmth::{Warmth, units};
use crate::scratch::ScratchPool;

impl Warmth {
    /// Ends the rest of pools into which water from active ones comes, or the other way round. `moves` are the
    /// joints through which any goes, and how much (quanta).
    pub(in super::super) fn reach(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        moves: &[(usize, i32)],
        step: u64,
    ) {
        if self.active.is_empty() {
            return;
        }
        // One that is reached may reach on.
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

    /// Lets heat go with the water of a step: over the edges within the pools that are awake, as `fluxes` says, and
    /// through joints, as `moves` does. `depth` is after the former and before the latter. What a column gives
    /// is the same part of the heat of both its halves as of its water; ice stays. The outcome is the same by chunks and by plain loops.
    pub(in super::super) fn carry(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        awake: &[u32],
        moves: &[(usize, i32)],
        by_chunks: bool,
        scratch: &ScratchPool,
    ) {
        let before = |fluxes: &[i32], c: usize| {
            let first = layout.pools[layout.pool_of(c)].columns.start == c;
            depth[c] + fluxes[c] - if first { 0 } else { fluxes[c - 1] }
        };
        let mut through = scratch.vec();
        for &(number, moved) in moves {
            let joint = &layout.joints[number];
            if moved == 0 || !self.is_active(joint.left_pool as usize) {
                continue;
            }
            let donor = if moved > 0 { joint.left } else { joint.right };
            let of = before(&self.fluxes, donor) - self.held[donor];
            let heats = [self.lower[donor], self.upper[donor]];
            through.push((joint.left, joint.right, heats.map(|heat| part(heat, moved, of))));
        }
        let mut next = self.active.iter().copied().peekable();
        for &pool in awake {
            while next.next_if(|&active| active < pool).is_some() {}
            if next.peek() != Some(&pool) {
                continue;
            }
            let columns = layout.pools[pool as usize].columns.clone();
            let stretch = Stretch {
                depth: &depth[columns.clone()],
                held: &self.held[columns.clone()],
                fluxes: &self.fluxes[columns.clone()],
                west: 0,
                lower: &mut self.lower[columns.clone()],
                upper: &mut self.upper[columns],
            };
            if by_chunks {
                stretch.pass();
            } else {
                stretch.pass_plain();
            }
        }
        for &(left, right, [lower, upper]) in through.iter() {
            self.lower[left] -= lower;
            self.upper[left] -= upper;
            self.lower[right] += lower;
            self.upper[right] += upper;
        }
    }

    /// Books the heat of water that came into a column from outside or went from it. `before` and `after` are its
    /// depths. What comes is as warm as the air, if there is water of that temperature; what goes takes its own
    /// warmth, and the ice only if there is not enough water.
    pub(in super::super) fn came(&mut self, active: bool, c: usize, before: i32, after: i32) {
        let gain = i64::from(after) - i64::from(before);
        let came = units(self.air.clamp(0.0, 100.0));
        if !active {
            self.books.water += 2 * i128::from(came) * i128::from(gain);
            return;
        }
        let old = self.heat_of(c);
        if gain >= 0 {
            self.lower[c] += came * gain;
            self.upper[c] += came * gain;
        } else {
            let water = before - self.held[c];
            let left = (after - self.held[c]).max(0);
            if left == 0 {
                (self.lower[c], self.upper[c]) = (0, 0);
            } else {
                for heat in [&mut self.lower[c], &mut self.upper[c]] {
                    *heat -= part(*heat, water - left, water);
                }
            }
            self.hold_no_more(c, after);
        }
        self.books.water += i128::from(self.heat_of(c) - old);
    }

    /// The same of what falls on a column, or dries from it: if it has ice that floats, it comes to the pond on that, and is
    /// taken from there first.
    pub(in super::super) fn came_on_top(
        &mut self,
        active: bool,
        c: usize,
        before: i32,
        after: i32,
    ) {
        let one = active.then(|| self.one(before, c)).filter(One::has_sheet);
        let Some(pond) = one.map(|one| one.tiers.pond) else {
            return self.came(active, c, before, after);
        };
        let old = self.heat_of(c);
        let Tiers { warmth, .. } = self.tiers[c];
        // No pond is deeper than what a board can hold.
        let gain = (after - before).max(-pond);
        self.tiers[c].warmth += if gain >= 0 {
            2 * units(self.air.clamp(0.0, 100.0)) * i64::from(gain)
        } else {
            -part(warmth, -gain, pond)
        };
        self.tiers[c].pond += gain;
        self.held[c] += gain;
        if self.tiers[c].pond == 0 {
            // What lay on it lies on the ice.
            self.upper[c] += std::mem::take(&mut self.tiers[c].warmth);
            self.tiers[c].crust = 0;
        }
        self.books.water += i128::from(self.heat_of(c) - old);
        if before + gain != after {
            self.came(active, c, before + gain, after);
        }
    }

    /// Leaves at most so much of what does not flow in a column: its ice goes last, without an order.
    fn hold_no_more(&mut self, c: usize, most: i32) {
        if self.held[c] > most {
            let pond = self.tiers[c].pond;
            self.held[c] = (self.held[c] - pond).min(most);
            self.tiers[c] = Tiers::default();
        }
    }

    /// Moves the heat of water that was moved within a pool: from the columns that have less now than `before` to those
    /// that have more, by how much more that is. The columns have no ice that floats.
    pub(in super::super) fn moved(&mut self, columns: &[usize], before: &[i32], depth: &[i32]) {
        let (mut bucket, mut gained) = ([0_i64; 2], 0_i64);
        for (&c, &before) in columns.iter().zip(before) {
            let lost = before - depth[c];
            gained += i64::from((-lost).max(0));
            let ground = self.tiers[c].ground;
            if lost > 0 {
                for (bucket, heat) in
                    bucket.iter_mut().zip([&mut self.lower[c], &mut self.upper[c]])
                {
                    let part = part(*heat, lost, before - ground);
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
                let share = whole(*bucket as f64 * (gain as f64 / gained as f64));
                // Large amounts are rounded: the last takes what is left.
                let part = if gain == gained { *bucket } else { share };
                *heat += part;
                *bucket -= part;
            }
            gained -= gain;
        }
    }
}
