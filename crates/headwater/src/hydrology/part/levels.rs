//! Levels of lakes whose floors lie in the rows of several parts.
//!
//! The level that a volume V reaches is the highest L for which Σ max(0, L − z) over the floor is no more than V. From above, L ← (V + Σz)/n,
//! rounded down, over the n cells that are no higher than the last L, comes down to it: a chord of a convex curve. Each round asks all parts for n and Σz of all
//! lakes that are not there yet; as a rule a few rounds do.

use super::talk::Talk;
use crate::hydrology::lakes::DRY;
use crate::hydrology::water::Waters;
use std::collections::HashMap;

/// A lake whose level is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// What it holds (quanta).
    pub(super) volume: i64,
    /// The level from which the search goes down: not below the one looked for.
    pub(super) level: i64,
}

/// Finds levels. `below` gives, of the part's own floor of a lake, the number and the sum (quanta) of the cells that are no higher than
/// a level. Gives each level with what is below it in all parts.
pub(super) fn settle(
    searches: &[Search],
    mut below: impl FnMut(usize, i64) -> [i64; 2],
    talk: &mut Talk,
) -> Vec<(i64, [i64; 2])> {
    let mut found: Vec<_> = searches.iter().map(|search| (search.level, [0; 2])).collect();
    let mut open: Vec<usize> = (0..searches.len()).collect();
    while !open.is_empty() {
        let own = open.iter().enumerate().map(|(k, &i)| (k, below(i, found[i].0)));
        let own: Vec<_> = own.collect();
        let all = talk.sums(open.len(), own.into_iter());
        let mut k = 0;
        open.retain(|&i| {
            let [count, sum] = all[k];
            k += 1;
            let level = match count {
                0 => found[i].0,
                _ => (searches[i].volume + sum).div_euclid(count),
            };
            let moves = level < found[i].0;
            found[i] = (level.min(found[i].0), [count, sum]);
            moves
        });
    }
    found
}

/// Heights of a part's own floor of a lake, from the lowest, and the sums of the first 0, 1, 2 … of them.
#[derive(Debug)]
struct Curve {
    heights: Vec<i64>,
    sums: Vec<i64>,
}

/// The curves of a hierarchy that have been asked for.
#[derive(Debug, Default)]
pub(super) struct Curves(HashMap<u32, Curve>);

impl Curves {
    /// Forgets all: the hierarchy is another now.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    fn below(&mut self, waters: &Waters, bed: &[i64], node: u32, level: i64) -> [i64; 2] {
        let curve = self.0.entry(node).or_insert_with(|| {
            let depression = &waters.hierarchy.nodes[node as usize];
            let floor = waters.hierarchy.floor(depression).iter().map(|&cell| bed[cell as usize]);
            let mut heights: Vec<i64> = floor.filter(|&z| z < depression.spill).collect();
            heights.sort_unstable();
            let mut sum = 0;
            let mut sums = vec![0];
            sums.extend(heights.iter().map(|z| {
                sum += z;
                sum
            }));
            Curve { heights, sums }
        });
        let count = curve.heights.partition_point(|&z| z <= level);
        [count as i64, curve.sums[count]]
    }

    /// The levels (quanta) of nodes, of which all parts ask alike.
    pub(super) fn levels(
        &mut self,
        waters: &Waters,
        (bed, sea): (&[i64], i64),
        nodes: &[u32],
        talk: &mut Talk,
    ) -> Vec<i64> {
        let mut levels = vec![DRY; nodes.len()];
        let (mut asked, mut searches) = (Vec::new(), Vec::new());
        for (i, (&node, level)) in nodes.iter().zip(&mut levels).enumerate() {
            if let Some(plain) = waters.lakes.level_without_curve(&waters.hierarchy, sea, node) {
                *level = plain;
                continue;
            }
            let depression = &waters.hierarchy.nodes[node as usize];
            let volume = waters.lakes.water(node);
            let level = (volume + depression.sum).div_euclid(i64::from(depression.cells));
            asked.push((i, node));
            searches.push(Search { volume, level });
        }
        let below = |k: usize, level| self.below(waters, bed, asked[k].1, level);
        for (&(i, _), (level, _)) in asked.iter().zip(settle(&searches, below, talk)) {
            levels[i] = level;
        }
        levels
    }
}
