//! What pools that have stayed as they were take over from the island that they were in: their sleep, and what their networks
//! remember.

use super::island::Island;
use crate::open::ChunkPos;
use std::collections::{BTreeMap, BTreeSet};

/// Where a pool begins: column of water, floor and ceiling of its first one.
type Place = [i64; 3];

/// A joint at an end of a pool: whether it is its western end, and between which heights it is open.
type End = (bool, i64, i64);

impl Island {
    /// The column of water and the height at which its board begins in the world.
    fn origin(&self) -> [i64; 2] {
        let per_cell = self.world.layout.per_cell as i64;
        [self.tract.cell_of(0, 0)[0] * per_cell, self.tract.bottom()]
    }

    fn place(&self, pool: usize) -> Place {
        let layout = &self.world.layout;
        let ([west, base], pool) = (self.origin(), &layout.pools[pool]);
        let first = pool.columns.start;
        let [floor, ceiling] = [layout.floor[first], layout.ceiling[first]].map(i64::from);
        [west + pool.x0 as i64, base + floor, base + ceiling]
    }

    fn ends(&self, pool: usize) -> Vec<(End, usize)> {
        let layout = &self.world.layout;
        let base = self.tract.bottom();
        let numbers = layout.pools[pool].joints.iter().map(|&number| number as usize);
        let mut ends: Vec<_> = numbers
            .map(|number| {
                let joint = &layout.joints[number];
                let [sill, lintel] = [joint.sill, joint.lintel].map(|at| base + i64::from(at));
                ((joint.right_pool as usize == pool, sill, lintel), number)
            })
            .collect();
        ends.sort_unstable();
        ends
    }

    /// Whether a pool is the same as another island's: its space, its water and its joints.
    fn is_same(&self, pool: usize, old: &Self, other: usize) -> bool {
        let up = (self.tract.bottom() - old.tract.bottom()) as i32;
        let (new, before) = (&self.world.layout, &old.world.layout);
        let [a, b] = [new.pools[pool].columns.clone(), before.pools[other].columns.clone()];
        let ends = |island: &Self, pool| -> Vec<End> {
            island.ends(pool).into_iter().map(|(end, _)| end).collect()
        };
        let depths = [&self.world.state.depth[a.clone()], &old.world.state.depth[b.clone()]];
        a.len() == b.len()
            && depths[0] == depths[1]
            && a.zip(b).all(|(c, d)| {
                new.floor[c] + up == before.floor[d] && new.ceiling[c] + up == before.ceiling[d]
            })
            && ends(self, pool) == ends(old, other)
    }

    /// Whether a pool has cells in any of some chunks.
    fn reaches(&self, pool: usize, chunks: &BTreeSet<ChunkPos>) -> bool {
        let mut found = false;
        self.for_each_chunk_of(pool, |chunk| found |= chunks.contains(&chunk));
        found
    }

    /// Takes over what is known of pools that were in other islands, apart from what is in chunks that have changed.
    pub(super) fn inherit(&mut self, olds: &[Self], changed: &BTreeSet<ChunkPos>) {
        let mut places = BTreeMap::new();
        for (i, old) in olds.iter().enumerate() {
            places.extend((0..old.world.pools()).map(|pool| (old.place(pool), (i, pool))));
        }
        let same = |pool: usize| {
            let &(i, other) = places.get(&self.place(pool))?;
            let is_same = self.is_same(pool, &olds[i], other) && !self.reaches(pool, changed);
            is_same.then_some((i, other))
        };
        let found: Vec<Option<(usize, usize)>> = (0..self.world.pools()).map(same).collect();
        for (pool, old) in found.iter().enumerate() {
            if let &Some((i, other)) = old {
                self.inherit_pool(pool, &olds[i], other);
            }
        }
        for number in 0..self.world.layout.joints.len() {
            let joint = &self.world.layout.joints[number];
            let [left, right] = [joint.left_pool, joint.right_pool].map(|pool| pool as usize);
            let (Some((i, west)), Some((j, _))) = (found[left], found[right]) else { continue };
            if i != j {
                continue;
            }
            let own = self.ends(left).into_iter().position(|(_, own)| own == number);
            let theirs = own.and_then(|place| olds[i].ends(west).get(place).copied());
            if let Some((_, other)) = theirs {
                let old = &olds[i].world.state;
                let state = &mut self.world.state;
                state.joint_speed[number] = old.joint_speed[other];
                state.network.joint[number] = old.network.joint[other];
            }
        }
    }

    fn inherit_pool(&mut self, pool: usize, old: &Self, other: usize) {
        let (world, before) = (&mut self.world, &old.world);
        let a = world.layout.pools[pool].columns.clone();
        let b = before.layout.pools[other].columns.clone();
        world.sleep.inherit(pool, &before.sleep, other);
        world.heads.pressed[pool] = before.heads.pressed[other];
        world.heads.excess[a.clone()].copy_from_slice(&before.heads.excess[b.clone()]);
        let (network, known) = (&mut world.state.network, &before.state.network);
        network.linked[pool] = known.linked[other];
        network.edge[a.clone()].copy_from_slice(&known.edge[b.clone()]);
        network.rise[a.clone()].copy_from_slice(&known.rise[b.clone()]);
        network.mass[a.clone()].copy_from_slice(&known.mass[b.clone()]);
        world.state.speed[a].copy_from_slice(&before.state.speed[b]);
    }
}
