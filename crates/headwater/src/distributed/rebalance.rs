//! [`RebalancePolicy`]: when bands go from one keeper to the next, and which.

use std::ops::Range;

/// When those who keep a world's bands hand some of them on to the next, so that none has much more to do than the others. Where bands are
/// changes no bit of what they come to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RebalancePolicy {
    /// How much of the work of who has most to do has to be saved by it, from 0 (any) to 1.
    pub gain: f64,
    /// How many steps the work of is looked at; so many go by from one such move to the next at least.
    pub steps: u64,
}

impl Default for RebalancePolicy {
    fn default() -> Self {
        Self { gain: 0.2, steps: 128 }
    }
}

impl RebalancePolicy {
    /// One that moves bands for such a gain, after so many steps.
    pub fn new(gain: f64, steps: u64) -> Self {
        Self { gain, steps }
    }
}

/// How many times the rows that each would have of as many as the others one may have: they take memory, asleep or not.
const MOST_ROWS: usize = 2;

/// Of what there is to gain, a part that is left where fewer bands move then.
const LEFT: u64 = 8;

/// LocalBlocks, as far as is asked how they are shared out.
#[derive(Clone, Copy, Debug)]
pub(in crate::distributed) struct Load<'a> {
    /// What there was to do in each.
    pub(in crate::distributed) work: &'a [u64],
    /// The rows of each.
    pub(in crate::distributed) rows: &'a [usize],
}

impl Load<'_> {
    /// The first band of each keeper, and after them how many bands there are, as they had better be than at `present`; nothing if that gains too
    /// little. As few are moved as may be.
    pub(in crate::distributed) fn better(
        &self,
        present: &[usize],
        gain: f64,
    ) -> Option<Vec<usize>> {
        let keepers = present.len() - 1;
        let slowest = spans(present).map(|bands| self.work_of(bands)).max()?;
        let even = self.rows.iter().sum::<usize>().div_ceil(keepers);
        let now = spans(present).map(|bands| self.rows_of(bands)).max()?;
        let most_rows = now.max(MOST_ROWS * even);
        // The least that the slowest of them can have to do.
        let (mut low, mut high) = (self.work.iter().copied().max()?, slowest);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.first(keepers, [middle, most_rows as u64]) {
                Some(_) => high = middle,
                None => low = middle + 1,
            }
        }
        if high == slowest || (slowest - high) as f64 <= gain * slowest as f64 {
            return None;
        }
        let most = [high + (slowest - high) / LEFT, most_rows as u64];
        let first = self.first(keepers, most)?;
        let mut shares = vec![0];
        for k in 1..keepers {
            let from = shares[k - 1];
            let end = self.reach(from, self.work.len() - (keepers - k), most);
            shares.push(present[k].clamp(first[k].max(from + 1).min(end), end));
        }
        shares.push(self.work.len());
        Some(shares)
    }

    /// The least band that each may begin with, so that the rest has room from there on, if all have.
    fn first(&self, keepers: usize, most: [u64; 2]) -> Option<Vec<usize>> {
        let mut first = vec![self.work.len(); keepers + 1];
        for k in (0..keepers).rev() {
            let end = first[k + 1];
            let mut start = end.checked_sub(1)?;
            if self.work[start] > most[0] {
                return None;
            }
            while start > k && self.fits(start - 1..end, most) {
                start -= 1;
            }
            first[k] = start;
        }
        (first[0] == 0).then_some(first)
    }

    /// The last end of a share that begins with a band, of so many bands.
    fn reach(&self, from: usize, end: usize, most: [u64; 2]) -> usize {
        let mut reach = from + 1;
        while reach < end && self.fits(from..reach + 1, most) {
            reach += 1;
        }
        reach
    }

    /// One band always does.
    fn fits(&self, bands: Range<usize>, [work, rows]: [u64; 2]) -> bool {
        self.work_of(bands.clone()) <= work && self.rows_of(bands) as u64 <= rows
    }

    fn work_of(&self, bands: Range<usize>) -> u64 {
        self.work[bands].iter().sum()
    }

    fn rows_of(&self, bands: Range<usize>) -> usize {
        self.rows[bands].iter().sum()
    }
}

/// The bands of each keeper.
pub(in crate::distributed) fn spans(shares: &[usize]) -> impl Iterator<Item = Range<usize>> {
    shares.windows(2).map(|ends| ends[0]..ends[1])
}

/// The next of the moves that lead from some shares to others, in each of which bands go from one keeper to the next and no further.
pub(in crate::distributed) fn on_the_way(present: &[usize], to: &[usize]) -> Vec<usize> {
    let mut next = to.to_vec();
    for k in 1..present.len() - 1 {
        next[k] = to[k].clamp(present[k - 1], present[k + 1]);
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn better(work: &[u64], present: &[usize], gain: f64) -> Option<Vec<usize>> {
        Load { work, rows: &vec![10; work.len()] }.better(present, gain)
    }

    #[test]
    fn work_is_shared_out_so_that_none_has_much_more_than_others() {
        let work = [9, 9, 9, 9, 0, 0, 0, 0];
        assert_eq!(better(&work, &[0, 4, 8], 0.2), Some(vec![0, 2, 8]));
        // Half of it is to be gained, and no more.
        assert_eq!(better(&work, &[0, 4, 8], 0.49), Some(vec![0, 2, 8]));
        assert_eq!(better(&work, &[0, 4, 8], 0.5), None);
        assert_eq!(better(&work, &[0, 2, 8], 0.0), None, "it is so already");
        assert_eq!(better(&[0; 8], &[0, 4, 8], 0.0), None, "nobody has anything to do");
        assert_eq!(better(&[9, 0, 0, 0], &[0, 2, 4], 0.0), None, "one band cannot be shared");
        assert_eq!(better(&work, &[0, 8], 0.0), None, "one has all");
    }

    #[test]
    fn nobody_has_many_more_rows_than_others() {
        // All the work is in the north: the last two have half of the rows each, at most.
        let work: Vec<u64> = (0..16).map(|i| if i < 2 { 8 } else { 0 }).collect();
        let shares = better(&work, &[0, 4, 8, 12, 16], 0.2).unwrap();
        assert!(spans(&shares).all(|bands| bands.len() <= 8), "{shares:?}");
        assert_eq!(spans(&shares).map(|bands| work[bands].iter().sum::<u64>()).max(), Some(8));
    }

    #[test]
    fn shares_are_better_and_have_a_band_each_whatever_there_is_to_do() {
        let mut random = 7_u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            (random >> 33) % most
        };
        for _ in 0..2000 {
            let keepers = 1 + next(6) as usize;
            let count = keepers + next(12) as usize;
            let work: Vec<u64> = (0..count).map(|_| next(9) * next(3)).collect();
            let mut present: Vec<usize> = (0..keepers).chain([count]).collect();
            for k in (1..keepers).rev() {
                present[k] += next((present[k + 1] - present[k]) as u64) as usize;
            }
            let slowest = |shares: &[usize]| {
                spans(shares).map(|bands| work[bands].iter().sum::<u64>()).max().unwrap()
            };
            let Some(shares) = better(&work, &present, 0.1) else { continue };
            assert!(shares.is_sorted_by(|a, b| a < b), "{shares:?}");
            assert!((slowest(&shares) as f64) < 0.99 * slowest(&present) as f64 + 1e-9);
            // And there is a way there, over neighbours.
            let mut moves = 0;
            while present != shares {
                let step = on_the_way(&present, &shares);
                assert!(step.is_sorted_by(|a, b| a < b), "{present:?} {step:?} {shares:?}");
                for k in 1..keepers {
                    assert!((present[k - 1]..=present[k + 1]).contains(&step[k]));
                }
                present = step;
                moves += 1;
            }
            assert!(moves <= keepers);
        }
    }
}
