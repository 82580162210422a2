//! Partition of the drops of a batch into groups and chunks. The drops of each group are spread
//! over the whole land. Each group is divided into chunks of drops that start close together, so
//! that the parts of the maps that they read stay in the cache.

use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};

/// Number of drops per chunk. This value is part of the model, because it determines the order in
/// which bed changes are applied.
pub(in crate::hydrology) const DROPS_PER_CHUNK: usize = 64;
/// Base-2 logarithm of the side length (cells) of the squares into which the start positions of
/// drops are sorted.
const SQUARE_LOG2: u32 = 3;
/// Number of start positions computed per parallel task.
const STARTS_PER_TASK: usize = 1024;

/// Returns the indices of `count` drops in the order of their start positions along a Morton curve
/// over squares of cells (G. M. Morton, 1966). `start` returns the start position (column, row) of
/// a drop.
pub(in crate::hydrology) fn sort_by_position(
    count: usize,
    start: impl Fn(usize) -> [f32; 2] + Sync,
    scratch: &ScratchPool,
) -> PooledVec<'_, u64> {
    let key = |i: usize| {
        let [x, y] = start(i).map(|at| interleave_zeros(at as u32 >> SQUARE_LOG2));
        u64::from(x | y << 1) << 32 | i as u64
    };
    let mut order = scratch.take_filled(count, 0);
    parallel::for_each_item(&mut order, STARTS_PER_TASK, |i, order| *order = key(i));
    parallel::sort(&mut order);
    order.iter_mut().for_each(|key| *key &= u64::from(u32::MAX));
    order
}

/// Returns the lowest 16 bits of a number with a 0 inserted before each bit. Two such numbers
/// combine into a Morton code.
fn interleave_zeros(number: u32) -> u32 {
    let spaced = |number: u32, (by, mask): (u32, u32)| (number | number << by) & mask;
    [(8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)]
        .into_iter()
        .fold(number & 0xFFFF, spaced)
}

/// Assignment of drops, sorted by position, to chunks. Consecutive chunks belong to different
/// groups. Each chunk contains drops that start close together.
#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct DropPartition {
    drops: usize,
    groups: usize,
}

impl DropPartition {
    pub(in crate::hydrology) fn new(drops: usize, groups: usize) -> Self {
        Self { drops, groups: groups.min(drops.div_ceil(DROPS_PER_CHUNK)).max(1) }
    }

    pub(in crate::hydrology) fn chunk_count(self) -> usize {
        self.drops.div_ceil(DROPS_PER_CHUNK * self.groups) * self.groups
    }

    pub(in crate::hydrology) fn group_of_chunk(self, chunk: usize) -> usize {
        chunk % self.groups
    }

    pub(in crate::hydrology) fn drops_in_chunk(self, chunk: usize) -> impl Iterator<Item = usize> {
        let first =
            chunk / self.groups * DROPS_PER_CHUNK * self.groups + self.group_of_chunk(chunk);
        (0..DROPS_PER_CHUNK)
            .map(move |k| first + k * self.groups)
            .take_while(move |&drop| drop < self.drops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drop_is_assigned_once_and_groups_have_equal_size() {
        for drops in [0, 1, 63, 64, 65, 700, 1024, 1025, 5000] {
            for groups in [1, 2, 16, 100] {
                let partition = DropPartition::new(drops, groups);
                let mut all = vec![0; drops];
                let mut sizes = vec![0; partition.groups];
                for chunk in 0..partition.chunk_count() {
                    for drop in partition.drops_in_chunk(chunk) {
                        all[drop] += 1;
                        sizes[partition.group_of_chunk(chunk)] += 1;
                    }
                }
                assert!(all.iter().all(|&times| times == 1), "{drops} to {groups}");
                let (min, max) = (sizes.iter().min(), sizes.iter().max());
                assert!(max.unwrap() - min.unwrap() <= 1, "{drops} to {groups}: {sizes:?}");
            }
        }
    }

    #[test]
    fn sorted_drops_are_a_permutation_with_near_neighbours() {
        let start = |i: usize| [(i * 7919 % 512) as f32, (i * 104_729 % 777) as f32];
        let scratch = ScratchPool::default();
        let order = sort_by_position(4000, start, &scratch);
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &drop)| drop == i as u64));
        let distance = |pair: &[u64]| {
            let [a, b] = [pair[0], pair[1]].map(|i| start(i as usize));
            (a[0] - b[0]).abs() + (a[1] - b[1]).abs()
        };
        let mean = order.windows(2).map(distance).sum::<f32>() / 4000.0;
        // Without sorting, the mean distance is 170 columns and 259 rows.
        assert!(mean < 25.0, "{mean}");
    }
}
