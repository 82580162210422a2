//! Transfer of the state of unchanged pools when chunks are regrouped. The transfer keeps sleeping
//! pools asleep and preserves the state of the pressure solver.

use super::group::ConnectedColumns;
use super::heights::grid_bottom;
use crate::open::ChunkPos;
use std::collections::{BTreeMap, BTreeSet};

/// Joint (opening to another pool) at an end of a pool: whether it is at the western end, then the
/// heights of its lower and upper ends (in height quanta above the top of row 0).
type PoolEnd = (bool, i64, i64);

/// Key for finding the same pool before and after regrouping. It consists of the horizontal
/// position of the first water column, the floor, ceiling and depth of each column, and the joints
/// of the pool.
type PoolKey = (i64, Vec<(i64, i64, i32)>, Vec<PoolEnd>);

impl ConnectedColumns {
    fn pool_key(&self, pool: usize) -> PoolKey {
        let (layout, depth) = (&self.world.layout, &self.world.state.depth);
        let height = |quanta: i32| grid_bottom(&self.bounds) + i64::from(quanta);
        let column = |c| (height(layout.floor[c]), height(layout.ceiling[c]), depth[c]);
        let west = self.bounds.first[0] * layout.per_cell as i64 + layout.pools[pool].x0 as i64;
        let columns = layout.pools[pool].columns.clone().map(column).collect();
        (west, columns, self.joint_ends(pool).into_iter().map(|(end, _)| end).collect())
    }

    fn joint_ends(&self, pool: usize) -> Vec<(PoolEnd, usize)> {
        let layout = &self.world.layout;
        let base = grid_bottom(&self.bounds);
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

    /// Copies the state of unchanged pools from earlier groups. Pools in the chunks listed in
    /// `changed` are skipped.
    pub(super) fn inherit_pools(&mut self, old_groups: &[Self], changed: &BTreeSet<ChunkPos>) {
        let mut known = BTreeMap::new();
        for (i, old) in old_groups.iter().enumerate() {
            known.extend((0..old.world.pool_count()).map(|pool| (old.pool_key(pool), (i, pool))));
        }
        let same = |pool: usize| {
            let has_changed = self.chunks_of(pool).any(|chunk| changed.contains(&chunk));
            known.get(&self.pool_key(pool)).copied().filter(|_| !has_changed)
        };
        let found: Vec<Option<(usize, usize)>> = (0..self.world.pool_count()).map(same).collect();
        for (pool, old) in found.iter().enumerate() {
            if let &Some((i, other)) = old {
                self.inherit_pool(pool, &old_groups[i], other);
            }
        }
        for number in 0..self.world.layout.joints.len() {
            let joint = &self.world.layout.joints[number];
            let [left, right] = [joint.left_pool, joint.right_pool].map(|pool| pool as usize);
            let (Some((i, west)), Some((j, _))) = (found[left], found[right]) else { continue };
            if i != j {
                continue;
            }
            let own = self.joint_ends(left).into_iter().position(|(_, own)| own == number);
            let theirs = own.and_then(|place| old_groups[i].joint_ends(west).get(place).copied());
            if let Some((_, other)) = theirs {
                let old = &old_groups[i].world.state;
                let state = &mut self.world.state;
                state.joint_speed[number] = old.joint_speed[other];
                state.network.joint[number] = old.network.joint[other];
            }
        }
    }

    fn inherit_pool(&mut self, pool: usize, old_group: &Self, old_pool: usize) {
        let (world, before) = (&mut self.world, &old_group.world);
        let a = world.layout.pools[pool].columns.clone();
        let b = before.layout.pools[old_pool].columns.clone();
        world.sleep.inherit(pool, &before.sleep, old_pool);
        world.heads.has_excess[pool] = before.heads.has_excess[old_pool];
        world.heads.excess[a.clone()].copy_from_slice(&before.heads.excess[b.clone()]);
        let (network, known) = (&mut world.state.network, &before.state.network);
        network.linked[pool] = known.linked[old_pool];
        network.edge[a.clone()].copy_from_slice(&known.edge[b.clone()]);
        network.rise[a.clone()].copy_from_slice(&known.rise[b.clone()]);
        network.mass[a.clone()].copy_from_slice(&known.mass[b.clone()]);
        world.state.speed[a].copy_from_slice(&before.state.speed[b]);
    }
}
