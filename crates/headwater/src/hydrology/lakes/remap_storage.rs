//! Transfer of the contents of lakes to a changed bed. Before the land changes, water and sediment
//! are stored by cell. Afterwards, they are poured into the depressions of the new land.

use super::DRY;
use super::hierarchy::{NONE, Terrain};
use super::water::{Outflow, Waters};
use crate::hydrology::state::sums::AtomicSums;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Water and sediment of a lake that are stored at one cell while the land changes (quanta of 2⁻²⁰
/// m times the cell area). Afterwards, they belong to the depression that contains the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::hydrology) struct StoredVolume {
    pub(in crate::hydrology) cell: u32,
    pub(in crate::hydrology) water: i64,
    pub(in crate::hydrology) sediment: i64,
}

/// Number of floor cells of a lake per parallel task.
const CELLS_PER_PIECE: usize = 4096;

struct FloorPiece {
    lake: u32,
    level: i64,
    /// Cells of this piece of a lake floor, as a range of the list of all lakes' floor cells.
    floor: Range<usize>,
    /// Index of the piece's first entry in the list of all stored volumes. A piece has one entry
    /// per cell. The last piece of each lake has one more, for water that cannot be assigned to a
    /// cell.
    start: usize,
    is_last: bool,
    water: i64,
    evaporated: i64,
}

struct FloorPieces<'a> {
    pieces: &'a mut [FloorPiece],
    stored: &'a mut [StoredVolume],
}

impl FloorPieces<'_> {
    fn split_at(self, count: usize) -> [Self; 2] {
        let first = self.pieces.first().map_or(0, |piece| piece.start);
        let (pieces, rest) = self.pieces.split_at_mut(count);
        let cut = rest.first().map_or(self.stored.len(), |piece| piece.start - first);
        let (stored, rest_stored) = self.stored.split_at_mut(cut);
        [Self { pieces, stored }, Self { pieces: rest, stored: rest_stored }]
    }
}

const ABSENT: StoredVolume = StoredVolume { cell: NONE, water: 0, sediment: 0 };

impl StoredVolume {
    pub(in crate::hydrology) fn is_present(&self) -> bool {
        self.cell != NONE
    }
}

impl Waters {
    /// Returns two values: the water of all lakes, as a list of volumes by cell, and the total
    /// volume that evaporates from open water. Volumes are in quanta of 2⁻²⁰ m times the cell area.
    /// `evaporation` is the depth that evaporates (quanta of 2⁻²⁰ m). Unused entries of the list
    /// are equal to [`ABSENT`].
    pub(in crate::hydrology) fn stored_volumes<'s>(
        &self,
        terrain: Terrain,
        evaporation: i64,
        scratch: &'s ScratchPool,
    ) -> (PooledVec<'s, StoredVolume>, i64) {
        let Self { hierarchy, lakes, .. } = self;
        let (mut pieces, mut count) = (scratch.take_vec(), 0);
        for lake in lakes.active_nodes() {
            let depression = &hierarchy.nodes[lake as usize];
            if lakes.water_volume(lake) == 0 || depression.is_sea {
                continue;
            }
            let level = self.leaves[depression.first as usize].height;
            let Range { start, end } = hierarchy.floor_range(depression);
            let mut rest = if level == DRY { start..start } else { start..end };
            loop {
                let floor = rest.start..(rest.start + CELLS_PER_PIECE).min(rest.end);
                rest.start = floor.end;
                let (start, is_last) = (count, rest.is_empty());
                count += floor.len() + usize::from(is_last);
                pieces.push(FloorPiece {
                    lake,
                    level,
                    floor,
                    start,
                    is_last,
                    water: 0,
                    evaporated: 0,
                });
                if is_last {
                    break;
                }
            }
        }
        let mut stored = scratch.take_filled(count, ABSENT);
        let work = |FloorPieces { pieces, stored }: FloorPieces<'_>| {
            for piece in pieces {
                let floor = hierarchy.floor_cells(piece.floor.clone());
                for (&cell, stored) in floor.iter().zip(&mut *stored) {
                    let depth = piece.level - terrain.bed[cell as usize];
                    if depth > 0 {
                        let lost = depth.min(evaporation);
                        piece.water += depth;
                        piece.evaporated += lost;
                        if lost < depth {
                            *stored = StoredVolume { cell, water: depth - lost, sediment: 0 };
                        }
                    }
                }
            }
        };
        let parts = pieces.len();
        let all = FloorPieces { pieces: &mut pieces, stored: &mut stored };
        parallel::for_each_part(all, parts, &FloorPieces::split_at, &work);
        let (mut water, mut evaporated) = (0, 0);
        for piece in pieces.iter() {
            water += piece.water;
            evaporated += piece.evaporated;
            if piece.is_last {
                // Water above the capacity, and the remainder of less than one quantum per cell.
                let water = lakes.water_volume(piece.lake) - std::mem::take(&mut water);
                let cell = hierarchy.nodes[piece.lake as usize].pit;
                stored[piece.start + piece.floor.len()] = StoredVolume { cell, water, sediment: 0 };
            }
        }
        (stored, evaporated)
    }

    pub(in crate::hydrology) fn suspended_volumes(&self) -> impl Iterator<Item = StoredVolume> {
        let all = self.suspended.iter().zip(&self.hierarchy.nodes);
        let some = all.filter(|&(&sediment, _)| sediment > 0);
        some.map(|(&sediment, node)| StoredVolume { cell: node.pit, water: 0, sediment })
    }

    /// Builds the hierarchy of depressions of a changed bed and pours the stored volumes into it.
    /// Excess water spills immediately, without eroding the land. Returns the volumes of water and
    /// sediment that leave the map (quanta of 2⁻²⁰ m times the cell area).
    pub(in crate::hydrology) fn refill_lakes(
        &mut self,
        terrain: Terrain,
        stored: &[StoredVolume],
        scratch: &ScratchPool,
    ) -> Outflow {
        let hierarchy = &mut self.hierarchy;
        hierarchy.build(terrain, scratch);
        // Volumes are summed per leaf, so the result does not depend on their order.
        let sum = |field: fn(&StoredVolume) -> i64| {
            let sums = AtomicSums::new(hierarchy.leaves, scratch);
            sums.add_all(stored.len(), |i| {
                let holding = stored[i];
                holding
                    .is_present()
                    .then(|| (hierarchy.label[holding.cell as usize], field(&holding)))
            });
            sums
        };
        let (mut water, mut sediment) = (sum(|stored| stored.water), sum(|stored| stored.sediment));
        let poured = scratch.take_collected(water.iter().zip(sediment.iter()));
        let outflow = self.fill_leaves(&poured, scratch);
        self.update_all_levels(terrain, scratch);
        outflow
    }
}
