//! Sediment in lakes: deposition where drops enter, suspension in the water, and the filling of
//! lakes with sediment.

use super::DRY;
use super::hierarchy::{Hierarchy, NONE, Node, Terrain};
use super::water::Waters;
use crate::hydrology::drops::batch::{self, DropChunk};
use crate::hydrology::drops::exchange::LakeDelivery;
use crate::hydrology::state::grid::Grid;
use crate::hydrology::state::sums::AtomicSums;
use crate::scratch::{PooledVec, ScratchPool};

/// Smallest ratio of the volume of a lake's water to that of its suspended sediment. It limits the
/// sediment that can stay in suspension.
pub(in crate::hydrology) const MIN_WATER_PER_SEDIMENT: i64 = 8;

pub(in crate::hydrology) struct LakeDeposits<'s> {
    pub(in crate::hydrology) deposits: PooledVec<'s, (u32, i64)>,
    pub(in crate::hydrology) outflow: i64,
}

impl Waters {
    /// Deposits the sediment that drops delivered to lakes, at most up to the water level. These
    /// deposits form deltas. Raises the bed and the soil in `ground` (quanta of 2⁻²⁰ m). The
    /// remaining sediment becomes suspended in the lake, or leaves the map if it entered the sea.
    /// Returns the volume that leaves the map (quanta of 2⁻²⁰ m times the cell area).
    pub(in crate::hydrology) fn deposit_deliveries(
        &mut self,
        chunks: &[DropChunk],
        ground: [&mut [i64]; 2],
        grid: Grid,
        scratch: &ScratchPool,
    ) -> i64 {
        let Self { hierarchy, suspended, .. } = self;
        let mut suspended_sums = AtomicSums::new(suspended.len(), scratch);
        let (label, leaves) = (&hierarchy.label, &self.leaves);
        batch::deposit_in_lakes(chunks, ground, grid, |z, LakeDelivery { cell, sediment }| {
            let water = leaves[label[cell as usize] as usize];
            let free = if water.height == DRY { 0 } else { (water.height - z).max(0) };
            let deposit = sediment.min(free);
            suspended_sums.add(water.node, sediment - deposit);
            deposit
        });
        let mut outflow = 0;
        for ((suspended, node), rest) in
            suspended.iter_mut().zip(&hierarchy.nodes).zip(suspended_sums.iter())
        {
            let to = if node.is_sea { &mut outflow } else { suspended };
            *to += rest;
        }
        outflow
    }

    /// Deposits the suspended sediment of each lake on its floor. The thickness of the deposit is
    /// proportional to the water depth and at most half of it. Of the remaining sediment, a volume
    /// of up to 1/[`MIN_WATER_PER_SEDIMENT`] of the lake's water stays in suspension. The rest
    /// leaves the lake through the outlet. In a dry depression, all sediment is deposited.
    pub(in crate::hydrology) fn deposit_suspended<'s>(
        &mut self,
        terrain: Terrain,
        scratch: &'s ScratchPool,
    ) -> LakeDeposits<'s> {
        let Self { hierarchy, lakes, suspended, leaves } = self;
        let mut sunk = LakeDeposits { deposits: scratch.take_vec(), outflow: 0 };
        let mut ground = scratch.take_vec();
        let active_nodes = scratch.take_collected(lakes.active_nodes());
        for &node in active_nodes.iter() {
            let depression = &hierarchy.nodes[node as usize];
            let all = suspended[node as usize];
            if all == 0 || depression.is_sea {
                continue;
            }
            let level = leaves[depression.first as usize].height;
            let floor = hierarchy.node_floor(depression);
            let depth = |&cell: &u32| match level {
                DRY => 0,
                level => (level - terrain.bed[cell as usize]).max(0),
            };
            let volume: i64 = floor.iter().map(depth).sum();
            let mut deposited = 0;
            let mut deposit = |cell, amount| {
                deposited += amount;
                sunk.deposits.push((cell, amount));
            };
            if volume > 0 {
                let share = ((i128::from(all) << 32) / i128::from(volume)).min(1 << 31);
                for cell in floor {
                    let amount = ((i128::from(depth(cell)) * share) >> 32) as i64;
                    if amount > 0 {
                        deposit(*cell, amount);
                    }
                }
            } else {
                ground.clear();
                ground.extend(floor.iter().map(|&cell| (terrain.bed[cell as usize], cell)));
                deposit_from_lowest(&mut ground, depression.spill_height, all, deposit);
            }
            suspended[node as usize] -= deposited;
            let excess = all - deposited - volume / MIN_WATER_PER_SEDIMENT;
            match spill_target(hierarchy, depression).filter(|_| excess > 0) {
                None => {}
                Some(SpillTarget::Off) => {
                    suspended[node as usize] -= excess;
                    sunk.outflow += excess;
                }
                Some(SpillTarget::Leaf(leaf)) => {
                    suspended[node as usize] -= excess;
                    suspended[lakes.active_node(leaf) as usize] += excess;
                }
            }
        }
        sunk
    }
}

pub(in crate::hydrology) enum SpillTarget {
    Off,
    Leaf(u32),
}

pub(in crate::hydrology) fn spill_target(
    hierarchy: &Hierarchy,
    node: &Node,
) -> Option<SpillTarget> {
    let leaf = node.far_leaf;
    if leaf == NONE {
        return (node.near_cell != NONE).then_some(SpillTarget::Off);
    }
    Some(if hierarchy.nodes[leaf as usize].is_sea {
        SpillTarget::Off
    } else {
        SpillTarget::Leaf(leaf)
    })
}

/// Distributes a volume of sediment (quanta of 2⁻²⁰ m times the cell area) over cells, from the
/// lowest cell up to `max_height`. `ground` lists the heights (quanta of 2⁻²⁰ m) and
/// numbers of the cells in any order. Calls `deposit` with each cell that receives sediment and the
/// thickness of the deposit.
fn deposit_from_lowest(
    ground: &mut [(i64, u32)],
    max_height: i64,
    mut volume: i64,
    mut deposit: impl FnMut(u32, i64),
) {
    ground.sort_unstable();
    let below = ground.partition_point(|&(z, _)| z < max_height);
    let ground = &ground[..below];
    let Some(&(lowest, _)) = ground.first() else { return };
    // Number of cells under sediment, and the height of the sediment surface.
    let (mut count, mut level) = (0, lowest);
    while level < max_height {
        count += ground[count..].iter().take_while(|&&(z, _)| z <= level).count();
        let next = ground.get(count).map_or(max_height, |&(z, _)| z);
        let rise = next.saturating_sub(level).min(volume / count as i64);
        (level, volume) = (level + rise, volume - rise * count as i64);
        if level < next {
            break;
        }
    }
    // Remainder that cannot raise all cells.
    let more = if level < max_height { volume as usize } else { 0 };
    for (i, &(z, cell)) in ground[..count].iter().enumerate() {
        let amount = level - z + i64::from(i < more);
        if amount > 0 {
            deposit(cell, amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mud_is_level_and_conserves_volume(
            heights in prop::collection::vec(-50..50_i64, 0..40),
            max_height in -60..120_i64,
            volume in 0..4000_i64,
        ) {
            let mut ground: Vec<_> = heights.iter().copied().zip(0..).collect();
            let mut after = heights.clone();
            deposit_from_lowest(&mut ground, max_height, volume, |cell, amount| after[cell as usize] += amount);
            let deposited: i64 = after.iter().zip(&heights).map(|(a, z)| a - z).sum();
            let excess = volume - deposited;
            prop_assert!(excess >= 0);
            let raised = || after.iter().zip(&heights).filter(|(a, z)| a > z).map(|(a, _)| *a);
            let (low, high) = (raised().min(), raised().max());
            prop_assert!(high.is_none_or(|high| high <= max_height && high - low.unwrap() <= 1));
            // All ground is at or above the sediment surface. Remaining sediment did not fit below
            // `max_height`.
            let lowest = heights.iter().zip(&after).map(|(_, a)| *a).min();
            prop_assert!(low.is_none_or(|low| lowest.unwrap() >= low - 1));
            prop_assert!(excess == 0 || lowest.is_none_or(|lowest| lowest >= max_height));
        }
    }
}
