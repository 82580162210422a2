//! What lakes hold from one bed to the next: noted by cell, then poured into the new land's
//! depressions.

use super::hierarchy::{NONE, Terrain};
use super::lakes::DRY;
use super::sums::Sums;
use super::water::{Gone, Waters};
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Water and sediment that belong to the depression which a cell is in (quanta on a cell).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Holding {
    pub(super) cell: u32,
    pub(super) water: i64,
    pub(super) sediment: i64,
}

/// Cells of a floor that are worth a task of their own.
const PIECE: usize = 4096;

struct Piece {
    lake: u32,
    level: i64,
    /// Where they stand in the list of all floors, and what they hold in that of all holdings. The last piece of a lake has one more there.
    floor: Range<usize>,
    start: usize,
    is_last: bool,
    water: i64,
    dried: i64,
}

struct Pieces<'a> {
    pieces: &'a mut [Piece],
    held: &'a mut [Holding],
}

impl Pieces<'_> {
    fn split(self, count: usize) -> [Self; 2] {
        let first = self.pieces.first().map_or(0, |piece| piece.start);
        let (pieces, rest) = self.pieces.split_at_mut(count);
        let cut = rest.first().map_or(self.held.len(), |piece| piece.start - first);
        let (held, behind) = self.held.split_at_mut(cut);
        [Self { pieces, held }, Self { pieces: rest, held: behind }]
    }
}

const NOTHING: Holding = Holding { cell: NONE, water: 0, sediment: 0 };

impl Holding {
    pub(super) fn is_something(&self) -> bool {
        self.cell != NONE
    }
}

impl Waters {
    /// The water of all depressions by cell, with gaps. Open water loses a depth `dry` (quanta);
    /// returns the sum of that.
    pub(super) fn holdings<'s>(
        &self,
        terrain: Terrain,
        dry: i64,
        scratch: &'s ScratchPool,
    ) -> (PooledVec<'s, Holding>, i64) {
        let Self { hierarchy, lakes, .. } = self;
        let (mut pieces, mut count) = (scratch.vec(), 0);
        for lake in lakes.wholes() {
            let depression = &hierarchy.nodes[lake as usize];
            if lakes.water(lake) == 0 || depression.sea {
                continue;
            }
            let level = self.leaves[depression.first as usize].height;
            let Range { start, end } = hierarchy.floor_range(depression);
            let mut rest = if level == DRY { start..start } else { start..end };
            loop {
                let floor = rest.start..(rest.start + PIECE).min(rest.end);
                rest.start = floor.end;
                let (start, is_last) = (count, rest.is_empty());
                count += floor.len() + usize::from(is_last);
                pieces.push(Piece { lake, level, floor, start, is_last, water: 0, dried: 0 });
                if is_last {
                    break;
                }
            }
        }
        let mut held = scratch.filled(count, NOTHING);
        let work = |Pieces { pieces, held }: Pieces<'_>| {
            for piece in pieces {
                let floor = hierarchy.floors(piece.floor.clone());
                for (&cell, held) in floor.iter().zip(&mut *held) {
                    let depth = piece.level - terrain.bed[cell as usize];
                    if depth > 0 {
                        let lost = depth.min(dry);
                        piece.water += depth;
                        piece.dried += lost;
                        if lost < depth {
                            *held = Holding { cell, water: depth - lost, sediment: 0 };
                        }
                    }
                }
            }
        };
        let parts = pieces.len();
        let all = Pieces { pieces: &mut pieces, held: &mut held };
        parallel::for_each_part(all, parts, &Pieces::split, &work);
        let (mut water, mut dried) = (0, 0);
        for piece in pieces.iter() {
            water += piece.water;
            dried += piece.dried;
            if piece.is_last {
                // What is too much, and what is not enough for a quantum on every cell.
                let water = lakes.water(piece.lake) - std::mem::take(&mut water);
                let cell = hierarchy.nodes[piece.lake as usize].pit;
                held[piece.start + piece.floor.len()] = Holding { cell, water, sediment: 0 };
            }
        }
        (held, dried)
    }

    pub(super) fn suspensions(&self) -> impl Iterator<Item = Holding> {
        let all = self.suspended.iter().zip(&self.hierarchy.nodes);
        let some = all.filter(|&(&sediment, _)| sediment > 0);
        some.map(|(&sediment, node)| Holding { cell: node.pit, water: 0, sediment })
    }

    /// Refills the depressions of a bed with what is held. The excess runs over at once, without
    /// carving.
    pub(super) fn refill(
        &mut self,
        terrain: Terrain,
        held: &[Holding],
        scratch: &ScratchPool,
    ) -> Gone {
        let hierarchy = &mut self.hierarchy;
        hierarchy.follow(terrain, scratch);
        // All of a leaf at once: what fills it first does not depend on how it came.
        let sum = |of: fn(&Holding) -> i64| {
            let sums = Sums::new(hierarchy.leaves, scratch);
            sums.add_all(held.len(), |i| {
                let holding = held[i];
                holding
                    .is_something()
                    .then(|| (hierarchy.label[holding.cell as usize], of(&holding)))
            });
            sums
        };
        let (mut water, mut sediment) = (sum(|held| held.water), sum(|held| held.sediment));
        let poured = scratch.collect(water.iter().zip(sediment.iter()));
        let gone = self.fill(&poured, scratch);
        self.find_levels(terrain, scratch);
        gone
    }
}
