//! Elimination order of the ends of pools, chosen to keep fill-in small (minimum-degree ordering).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Computes the elimination rank of each pool end. The rank at index `2·pool` belongs to the first
/// column of a pool, and that at `2·pool + 1` to its last column. A pool marked in `single`
/// consists of one column and has only one end. Each entry of `joints` is a pair of pools in which
/// the last column of the first pool adjoins the first column of the second pool.
pub(in super::super) fn elimination_ranks(single: &[bool], joints: &[(u32, u32)]) -> Vec<u32> {
    let n = 2 * single.len();
    let last = |pool: u32| 2 * pool + u32::from(!single[pool as usize]);
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut link = |a: u32, b: u32| {
        neighbours[a as usize].push(b);
        neighbours[b as usize].push(a);
    };
    for pool in 0..single.len() as u32 {
        if !single[pool as usize] {
            link(2 * pool, 2 * pool + 1);
        }
    }
    for &(left, right) in joints {
        if last(left) != 2 * right {
            link(last(left), 2 * right);
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let mut queue: BinaryHeap<_> =
        neighbours.iter().enumerate().map(|(end, list)| Reverse((list.len(), end))).collect();
    let mut ranks = vec![u32::MAX; n];
    let mut rank = 0;
    let mut merged = Vec::new();
    while let Some(Reverse((degree, end))) = queue.pop() {
        if ranks[end] != u32::MAX || degree != neighbours[end].len() {
            continue;
        }
        ranks[end] = rank;
        rank += 1;
        // Eliminating a node couples all its neighbours with one another.
        let adjacent = std::mem::take(&mut neighbours[end]);
        for &other in &adjacent {
            let own = &neighbours[other as usize];
            merged.clear();
            let (mut i, mut j) = (0, 0);
            while i < own.len() || j < adjacent.len() {
                let next = match (own.get(i), adjacent.get(j)) {
                    (Some(&a), Some(&b)) => a.min(b),
                    (Some(&a), None) | (None, Some(&a)) => a,
                    (None, None) => break,
                };
                i += usize::from(own.get(i) == Some(&next));
                j += usize::from(adjacent.get(j) == Some(&next));
                if next != other && next as usize != end {
                    merged.push(next);
                }
            }
            std::mem::swap(&mut neighbours[other as usize], &mut merged);
            queue.push(Reverse((neighbours[other as usize].len(), other as usize)));
        }
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::elimination_ranks;

    #[test]
    fn every_pool_end_has_a_unique_rank_and_branches_precede_the_hub() {
        // A pool of one column has four pools of two columns each on its eastern side.
        let single = [true, false, false, false, false];
        let ranks = elimination_ranks(&single, &[(0, 1), (0, 2), (0, 3), (0, 4)]);
        let mut sorted = ranks.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..10).collect::<Vec<_>>());
        assert!([3, 5, 7].iter().all(|&end| ranks[end] < ranks[0]), "{ranks:?}");
    }
}
