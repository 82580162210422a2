//! Transfers across borders. Liquids are taken out of ghost chunks at the end of each step, and
//! wait to enter the chunk when it is loaded.

use super::group::Group;
use super::store::Store;
use crate::blocks::cell::{FULL, Kind, LIQUIDS, Liquid, Packed};
use crate::blocks::grid::Grid;
use crate::blocks::label::set_bits;
use crate::open::{CHUNK, ChunkStore, InTransit, TransferKey};

/// A liquid that has passed a border and waits in an unloaded chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transfer {
    /// Column and row of the cell through which it entered.
    pub cell: [i64; 2],
    /// Liquid.
    pub liquid: Liquid,
    /// Amount (256ths of a cell).
    pub amount: u64,
}

/// The number of a cell in its chunk, and a kind of liquid.
impl TransferKey for (u16, Kind) {
    fn cell(self) -> u16 {
        self.0
    }

    fn substance(self) -> usize {
        usize::from(self.1).wrapping_sub(1)
    }
}

type Waiting = InTransit<<Store as ChunkStore>::Key>;

/// Moves the liquids in a group's ghosts to `waiting`.
pub(super) fn collect(group: &mut Group, waiting: &mut Waiting) {
    let Group { grid, bounds, ghosts, spare, .. } = group;
    for &ghost in &*ghosts {
        let Some(slot) = bounds.slot(ghost) else { continue };
        if !LIQUIDS.into_iter().any(|kind| grid.chunks[slot].has(kind)) {
            continue;
        }
        let (left, top) = grid.origin(slot);
        for y in 0..CHUNK {
            let wet = grid.chunks[slot].liquid.iter().fold(0, |all, mask| all | mask[y]);
            for x in set_bits(wet) {
                let cell = grid.chunks[slot].cells[y][x];
                let key = ((y * CHUNK + x) as u16, cell.kind());
                waiting.add(ghost, key, cell.fill().into());
                grid.set(left + x, top + y, Packed::AIR);
            }
        }
    }
    grid.refresh(spare);
}

/// The row with room for a kind of liquid: the given one, or one above it over cells that are full
/// of the same liquid.
fn row_with_room(
    grid: &Grid,
    (x, y): (usize, usize),
    kind: Kind,
    is_loaded: impl Fn(usize) -> bool,
) -> Option<usize> {
    let full = Packed::of(kind, FULL);
    let y = (0..=y).rev().find(|&y| grid.at(x, y) != full)?;
    (grid.at(x, y).room(kind) > 0 && is_loaded(grid.chunk_of(x, y))).then_some(y)
}

/// Whether any of the waiting liquids has room in a group.
pub(super) fn can_enter(group: &Group, waiting: &Waiting) -> bool {
    let Group { grid, bounds, loaded, .. } = group;
    let is_loaded = |slot| bounds.chunk(slot).is_some_and(|chunk| loaded.contains(&chunk));
    loaded.iter().any(|&chunk| {
        let (left, top) = bounds.cell(chunk.origin());
        waiting.of(chunk).any(|(key, _)| {
            let (x, y) = key.place();
            row_with_room(grid, (left + x, top + y), key.1, is_loaded).is_some()
        })
    })
}

/// Brings in what waits in a group's chunks, as far as there is room, at most the volume of a cell
/// through each cell.
pub(super) fn deliver(group: &mut Group, waiting: &mut Waiting) {
    let Group { grid, bounds, loaded, .. } = group;
    let is_loaded = |slot| bounds.chunk(slot).is_some_and(|chunk| loaded.contains(&chunk));
    waiting.deliver(&*loaded, |chunk, key, amount| {
        let ((left, top), (x, y)) = (bounds.cell(chunk.origin()), key.place());
        let (x, y, kind) = (left + x, top + y, key.1);
        let most = amount.min(FULL.into()) as u16;
        let mut rest = most;
        while rest > 0
            && let Some(y) = row_with_room(grid, (x, y), kind, is_loaded)
        {
            let here = grid.at(x, y);
            let part = rest.min(here.room(kind));
            grid.set(x, y, Packed::of(kind, here.fill() + part));
            rest -= part;
        }
        u64::from(most - rest)
    });
}
