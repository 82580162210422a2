//! How the drops of a batch are dealt to groups spread over all the land, and in these to chunks of
//! drops that start near one another, so that maps stay in cache.

use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};

/// Drops whose notes are kept together. Part of the model: it says in which order notes are added up.
pub(super) const CHUNK: usize = 64;
/// The size (cells, a power of two) of squares whose drops are taken together.
const SQUARE: u32 = 3;
/// Starts that are worth a task of their own.
const STARTS: usize = 1024;

/// Drops by place along a Morton curve of squares (G. M. Morton, 1966); `start` gives column and
/// row.
pub(super) fn by_place(
    count: usize,
    start: impl Fn(usize) -> [f32; 2] + Sync,
    scratch: &ScratchPool,
) -> PooledVec<'_, u64> {
    let key = |i: usize| {
        let [x, y] = start(i).map(|at| spread(at as u32 >> SQUARE));
        u64::from(x | y << 1) << 32 | i as u64
    };
    let mut order = scratch.filled(count, 0);
    parallel::for_each_item(&mut order, STARTS, |i, order| *order = key(i));
    parallel::sort(&mut order);
    order.iter_mut().for_each(|key| *key &= u64::from(u32::MAX));
    order
}

/// A number below 2¹⁶ with a 0 between each two of its bits.
fn spread(number: u32) -> u32 {
    let spaced = |number: u32, (by, kept): (u32, u32)| (number | number << by) & kept;
    [(8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)]
        .into_iter()
        .fold(number & 0xFFFF, spaced)
}

/// How ordered drops are dealt to chunks: consecutive chunks belong to different groups, and have
/// neighbouring drops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deal {
    drops: usize,
    groups: usize,
}

impl Deal {
    pub(super) fn new(drops: usize, groups: usize) -> Self {
        Self { drops, groups: groups.min(drops.div_ceil(CHUNK)).max(1) }
    }

    pub(super) fn chunks(self) -> usize {
        self.drops.div_ceil(CHUNK * self.groups) * self.groups
    }

    pub(super) fn group(self, chunk: usize) -> usize {
        chunk % self.groups
    }

    pub(super) fn drops(self, chunk: usize) -> impl Iterator<Item = usize> {
        let first = chunk / self.groups * CHUNK * self.groups + self.group(chunk);
        (0..CHUNK).map(move |k| first + k * self.groups).take_while(move |&drop| drop < self.drops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drop_is_dealt_once_and_groups_are_alike() {
        for drops in [0, 1, 63, 64, 65, 700, 1024, 1025, 5000] {
            for groups in [1, 2, 16, 100] {
                let deal = Deal::new(drops, groups);
                let mut all = vec![0; drops];
                let mut sizes = vec![0; deal.groups];
                for chunk in 0..deal.chunks() {
                    for drop in deal.drops(chunk) {
                        all[drop] += 1;
                        sizes[deal.group(chunk)] += 1;
                    }
                }
                assert!(all.iter().all(|&times| times == 1), "{drops} to {groups}");
                let (least, most) = (sizes.iter().min(), sizes.iter().max());
                assert!(most.unwrap() - least.unwrap() <= 1, "{drops} to {groups}: {sizes:?}");
            }
        }
    }

    #[test]
    fn drops_by_place_are_each_there_once_and_near_the_next() {
        let start = |i: usize| [(i * 7919 % 512) as f32, (i * 104_729 % 777) as f32];
        let scratch = ScratchPool::default();
        let order = by_place(4000, start, &scratch);
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &drop)| drop == i as u64));
        let way = |pair: &[u64]| {
            let [a, b] = [pair[0], pair[1]].map(|i| start(i as usize));
            (a[0] - b[0]).abs() + (a[1] - b[1]).abs()
        };
        let mean = order.windows(2).map(way).sum::<f32>() / 4000.0;
        // As they come: 170 columns and 259 rows.
        assert!(mean < 25.0, "{mean}");
    }
}
