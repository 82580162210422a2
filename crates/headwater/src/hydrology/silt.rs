//! Sediment that is suspended in lakes: how it settles, and what becomes of lakes that are full of it.

use super::batch::{self, Chunk};
use super::exchange::Delivery;
use super::grid::Grid;
use super::hierarchy::{Hierarchy, NONE, Node, Terrain};
use super::lakes::DRY;
use super::sums::Sums;
use super::water::Waters;
use crate::scratch::{PooledVec, ScratchPool};

/// The part of a lake's water (one over this) that suspended sediment takes up at most.
pub(super) const LADEN: i64 = 8;

pub(super) struct Settled<'s> {
    pub(super) laid: PooledVec<'s, (u32, i64)>,
    pub(super) gone: i64,
}

impl Waters {
    /// Takes the sediment that drops have brought to lakes. It settles up to the level as deltas on
    /// heights and soil (quanta); the rest is suspended, or leaves, which is returned (quanta).
    pub(super) fn receive(
        &mut self,
        chunks: &[Chunk],
        ground: [&mut [i64]; 2],
        grid: Grid,
        scratch: &ScratchPool,
    ) -> i64 {
        let Self { hierarchy, suspended, .. } = self;
        let mut rests = Sums::new(suspended.len(), scratch);
        let (label, leaves) = (&hierarchy.label, &self.leaves);
        batch::settle(chunks, ground, grid, |z, Delivery { cell, sediment }| {
            let over = leaves[label[cell as usize] as usize];
            let free = if over.height == DRY { 0 } else { (over.height - z).max(0) };
            let laid = sediment.min(free);
            rests.add(over.node, sediment - laid);
            laid
        });
        let mut gone = 0;
        for ((suspended, node), rest) in
            suspended.iter_mut().zip(&hierarchy.nodes).zip(rests.iter())
        {
            let to = if node.sea { &mut gone } else { suspended };
            *to += rest;
        }
        gone
    }

    /// Suspended sediment sinks over each lake's floor in proportion to the depth, at most half of
    /// that at once. A lake keeps a part of its water of the rest, which otherwise leaves over the
    /// outlet. In a dried lake all becomes mud.
    pub(super) fn sink<'s>(&mut self, terrain: Terrain, scratch: &'s ScratchPool) -> Settled<'s> {
        let Self { hierarchy, lakes, suspended, leaves } = self;
        let mut settled = Settled { laid: scratch.vec(), gone: 0 };
        let mut ground = scratch.vec();
        let wholes = scratch.collect(lakes.wholes());
        for &node in wholes.iter() {
            let depression = &hierarchy.nodes[node as usize];
            let all = suspended[node as usize];
            if all == 0 || depression.sea {
                continue;
            }
            let level = leaves[depression.first as usize].height;
            let floor = hierarchy.floor(depression);
            let depth = |&cell: &u32| match level {
                DRY => 0,
                level => (level - terrain.bed[cell as usize]).max(0),
            };
            let volume: i64 = floor.iter().map(depth).sum();
            let mut laid = 0;
            let mut lay = |cell, lays| {
                laid += lays;
                settled.laid.push((cell, lays));
            };
            if volume > 0 {
                let share = ((i128::from(all) << 32) / i128::from(volume)).min(1 << 31);
                for cell in floor {
                    let lays = ((i128::from(depth(cell)) * share) >> 32) as i64;
                    if lays > 0 {
                        lay(*cell, lays);
                    }
                }
            } else {
                ground.clear();
                ground.extend(floor.iter().map(|&cell| (terrain.bed[cell as usize], cell)));
                fill(&mut ground, depression.spill, all, lay);
            }
            suspended[node as usize] -= laid;
            let over = all - laid - volume / LADEN;
            match beyond(hierarchy, depression).filter(|_| over > 0) {
                None => {}
                Some(Beyond::Off) => {
                    suspended[node as usize] -= over;
                    settled.gone += over;
                }
                Some(Beyond::Leaf(leaf)) => {
                    suspended[node as usize] -= over;
                    suspended[lakes.node(leaf) as usize] += over;
                }
            }
        }
        settled
    }
}

pub(super) enum Beyond {
    Off,
    Leaf(u32),
}

pub(super) fn beyond(hierarchy: &Hierarchy, node: &Node) -> Option<Beyond> {
    let leaf = node.outer;
    if leaf == NONE {
        return (node.inside != NONE).then_some(Beyond::Off);
    }
    Some(if hierarchy.nodes[leaf as usize].sea { Beyond::Off } else { Beyond::Leaf(leaf) })
}

/// Fills ground (heights in quanta, and cells, in any order) from the lowest up with a volume, up
/// to `top`; returns what each cell gets.
fn fill(ground: &mut [(i64, u32)], top: i64, mut volume: i64, mut lay: impl FnMut(u32, i64)) {
    ground.sort_unstable();
    let below = ground.partition_point(|&(z, _)| z < top);
    let ground = &ground[..below];
    let Some(&(lowest, _)) = ground.first() else { return };
    // Cells under the mud, and how high it stands.
    let (mut count, mut level) = (0, lowest);
    while level < top {
        count += ground[count..].iter().take_while(|&&(z, _)| z <= level).count();
        let next = ground.get(count).map_or(top, |&(z, _)| z);
        let rise = next.saturating_sub(level).min(volume / count as i64);
        (level, volume) = (level + rise, volume - rise * count as i64);
        if level < next {
            break;
        }
    }
    // What is not enough to raise all.
    let more = if level < top { volume as usize } else { 0 };
    for (i, &(z, cell)) in ground[..count].iter().enumerate() {
        let lays = level - z + i64::from(i < more);
        if lays > 0 {
            lay(cell, lays);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mud_is_level_and_none_is_lost(
            heights in prop::collection::vec(-50..50_i64, 0..40),
            top in -60..120_i64,
            volume in 0..4000_i64,
        ) {
            let mut ground: Vec<_> = heights.iter().copied().zip(0..).collect();
            let mut after = heights.clone();
            fill(&mut ground, top, volume, |cell, lays| after[cell as usize] += lays);
            let laid: i64 = after.iter().zip(&heights).map(|(a, z)| a - z).sum();
            let over = volume - laid;
            prop_assert!(over >= 0);
            let raised = || after.iter().zip(&heights).filter(|(a, z)| a > z).map(|(a, _)| *a);
            let (low, high) = (raised().min(), raised().max());
            prop_assert!(high.is_none_or(|high| high <= top && high - low.unwrap() <= 1));
            // No ground lies lower than the mud, and what is left over had no room.
            let lowest = heights.iter().zip(&after).map(|(_, a)| *a).min();
            prop_assert!(low.is_none_or(|low| lowest.unwrap() >= low - 1));
            prop_assert!(over == 0 || lowest.is_none_or(|lowest| lowest >= top));
        }
    }
}
