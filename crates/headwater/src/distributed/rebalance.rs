//! [`RebalancePolicy`]: conditions for load balancing by moving row blocks between processes, and
//! the algorithm that determines the new partition.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Conditions for moving row blocks between neighbouring processes. Moving blocks balances the load
/// and does not change results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RebalancePolicy {
    /// Minimum reduction in the work of the busiest process that justifies a move, as a fraction of
    /// that work (0 to 1, dimensionless).
    pub gain: f64,
    /// Number of steps over which work is measured before blocks may move. It is also the minimum
    /// number of steps between moves.
    pub steps: u64,
}

impl Default for RebalancePolicy {
    fn default() -> Self {
        Self { gain: 0.2, steps: 128 }
    }
}

impl RebalancePolicy {
    /// Creates a policy from the minimum gain (0 to 1) and the number of steps between moves.
    pub fn new(gain: f64, steps: u64) -> Self {
        Self { gain, steps }
    }
}

/// Maximum ratio of the rows of a process to an equal share of all rows. The limit bounds memory,
/// because sleeping rows occupy memory but cause no work.
const MAX_ROWS_RATIO: usize = 2;

/// Divisor for the work that the busiest process may have in excess of the smallest possible work,
/// so that fewer blocks move. The excess is the possible reduction in work divided by this number.
const INVERSE_SLACK: u64 = 8;

/// Work and number of rows of every block in the world, in order from north to south.
#[derive(Clone, Copy, Debug)]
pub(in crate::distributed) struct BlockLoads<'a> {
    /// Work of each block (number of cell updates).
    pub(in crate::distributed) work: &'a [u64],
    /// Number of rows of each block.
    pub(in crate::distributed) rows: &'a [usize],
}

impl BlockLoads<'_> {
    /// Returns a partition in which the busiest process has less work than in the partition
    /// `current`. Among such partitions, one that moves few blocks is chosen. Returns `None` if the
    /// work would decrease by at most the fraction `gain`. A partition lists the index of the first
    /// block of each process, followed by the total number of blocks.
    pub(in crate::distributed) fn rebalance(
        &self,
        current: &[usize],
        gain: f64,
    ) -> Option<Vec<usize>> {
        let processes = current.len() - 1;
        let slowest = block_ranges(current).map(|blocks| self.total_work(blocks)).max()?;
        let even = self.rows.iter().sum::<usize>().div_ceil(processes);
        let now = block_ranges(current).map(|blocks| self.total_rows(blocks)).max()?;
        let max_rows = now.max(MAX_ROWS_RATIO * even);
        // Bisect to find the smallest possible work of the busiest process.
        let (mut low, mut high) = (self.work.iter().copied().max()?, slowest);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.earliest_starts(processes, [middle, max_rows as u64]) {
                Some(_) => high = middle,
                None => low = middle + 1,
            }
        }
        if high == slowest || (slowest - high) as f64 <= gain * slowest as f64 {
            return None;
        }
        let limits = [high + (slowest - high) / INVERSE_SLACK, max_rows as u64];
        let first = self.earliest_starts(processes, limits)?;
        let mut shares = vec![0];
        for k in 1..processes {
            let from = shares[k - 1];
            let end = self.latest_end(from, self.work.len() - (processes - k), limits);
            shares.push(current[k].clamp(first[k].max(from + 1).min(end), end));
        }
        shares.push(self.work.len());
        Some(shares)
    }

    /// Returns, for each process, the smallest possible index of its first block. From this block
    /// on, all blocks must fit into this process and the later ones. Returns `None` if the blocks
    /// do not fit into `processes` processes. `limits` contains the maximum work and the maximum
    /// number of rows per process.
    fn earliest_starts(&self, processes: usize, limits: [u64; 2]) -> Option<Vec<usize>> {
        let mut first = vec![self.work.len(); processes + 1];
        for k in (0..processes).rev() {
            let end = first[k + 1];
            let mut start = end.checked_sub(1)?;
            if self.work[start] > limits[0] {
                return None;
            }
            while start > k && self.fit_one_process(start - 1..end, limits) {
                start -= 1;
            }
            first[k] = start;
        }
        (first[0] == 0).then_some(first)
    }

    /// Returns the largest index `i`, at most `end`, such that the blocks `first_block..i` fit into
    /// one process. `limits` contains the maximum work and the maximum number of rows per process.
    fn latest_end(&self, first_block: usize, end: usize, limits: [u64; 2]) -> usize {
        let mut last = first_block + 1;
        while last < end && self.fit_one_process(first_block..last + 1, limits) {
            last += 1;
        }
        last
    }

    /// Returns whether a range of blocks fits into one process, given the maximum work and the
    /// maximum number of rows of a process.
    fn fit_one_process(&self, blocks: Range<usize>, [work, rows]: [u64; 2]) -> bool {
        self.total_work(blocks.clone()) <= work && self.total_rows(blocks) as u64 <= rows
    }

    fn total_work(&self, blocks: Range<usize>) -> u64 {
        self.work[blocks].iter().sum()
    }

    fn total_rows(&self, blocks: Range<usize>) -> usize {
        self.rows[blocks].iter().sum()
    }
}

/// Iterates over the ranges of blocks of all processes. `starts` lists the first block of each
/// process, followed by the number of blocks.
pub(in crate::distributed) fn block_ranges(starts: &[usize]) -> impl Iterator<Item = Range<usize>> {
    starts.windows(2).map(|ends| ends[0]..ends[1])
}

/// Returns the next partition on the way from the partition `current` to the partition `target`. In
/// one move, a block can move only to a neighbouring process.
pub(in crate::distributed) fn next_partition(current: &[usize], target: &[usize]) -> Vec<usize> {
    let mut next = target.to_vec();
    for k in 1..current.len() - 1 {
        next[k] = target[k].clamp(current[k - 1], current[k + 1]);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rebalance(work: &[u64], current: &[usize], gain: f64) -> Option<Vec<usize>> {
        BlockLoads { work, rows: &vec![10; work.len()] }.rebalance(current, gain)
    }

    #[test]
    fn work_is_balanced_over_the_processes() {
        let work = [9, 9, 9, 9, 0, 0, 0, 0];
        assert_eq!(rebalance(&work, &[0, 4, 8], 0.2), Some(vec![0, 2, 8]));
        // The possible gain is one half.
        assert_eq!(rebalance(&work, &[0, 4, 8], 0.49), Some(vec![0, 2, 8]));
        assert_eq!(rebalance(&work, &[0, 4, 8], 0.5), None);
        assert_eq!(rebalance(&work, &[0, 2, 8], 0.0), None, "the partition is optimal already");
        assert_eq!(rebalance(&[0; 8], &[0, 4, 8], 0.0), None, "there is no work");
        assert_eq!(rebalance(&[9, 0, 0, 0], &[0, 2, 4], 0.0), None, "one block cannot be split");
        assert_eq!(rebalance(&work, &[0, 8], 0.0), None, "there is one process");
    }

    #[test]
    fn no_process_owns_far_more_rows_than_an_equal_share() {
        // All the work is in the north, so the last two processes may own at most half of the rows
        // each.
        let work: Vec<u64> = (0..16).map(|i| if i < 2 { 8 } else { 0 }).collect();
        let shares = rebalance(&work, &[0, 4, 8, 12, 16], 0.2).unwrap();
        assert!(block_ranges(&shares).all(|blocks| blocks.len() <= 8), "{shares:?}");
        assert_eq!(
            block_ranges(&shares).map(|blocks| work[blocks].iter().sum::<u64>()).max(),
            Some(8)
        );
    }

    #[test]
    fn every_process_keeps_a_block_and_the_busiest_one_gains() {
        let mut random = 7_u64;
        let mut next = |bound: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            (random >> 33) % bound
        };
        for _ in 0..2000 {
            let processes = 1 + next(6) as usize;
            let count = processes + next(12) as usize;
            let work: Vec<u64> = (0..count).map(|_| next(9) * next(3)).collect();
            let mut current: Vec<usize> = (0..processes).chain([count]).collect();
            for k in (1..processes).rev() {
                current[k] += next((current[k + 1] - current[k]) as u64) as usize;
            }
            let slowest = |shares: &[usize]| {
                block_ranges(shares).map(|blocks| work[blocks].iter().sum::<u64>()).max().unwrap()
            };
            let Some(shares) = rebalance(&work, &current, 0.1) else { continue };
            assert!(shares.is_sorted_by(|a, b| a < b), "{shares:?}");
            assert!((slowest(&shares) as f64) < 0.99 * slowest(&current) as f64 + 1e-9);
            // Moves between neighbours reach the target.
            let mut moves = 0;
            while current != shares {
                let step = next_partition(&current, &shares);
                assert!(step.is_sorted_by(|a, b| a < b), "{current:?} {step:?} {shares:?}");
                for k in 1..processes {
                    assert!((current[k - 1]..=current[k + 1]).contains(&step[k]));
                }
                current = step;
                moves += 1;
            }
            assert!(moves <= processes);
        }
    }
}
