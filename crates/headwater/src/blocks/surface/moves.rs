//! [`Moves`]: inflow and outflow of all bodies of liquid in one step, and functions that apply them
//! to the cells.

use super::sites::{Site, SiteKind};
use crate::blocks::stages::density_current::{is_lifted, lifted_cells};
use crate::blocks::state::cell::{AIR, FULL, Kind, PackedCell};
use crate::blocks::state::cell_labels::CellLabels;
use crate::blocks::state::cow_chunk::CowChunk;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::SIDE;
use crate::parallel::for_each_chunk_with_item;
use crate::scratch::ScratchPool;
use std::cmp::Reverse;

/// Inflow (positive) or outflow (negative) of a body of liquid at one of its surface cells, in
/// 256ths of a cell.
#[derive(Clone, Copy, Debug)]
pub(in crate::blocks) struct Move {
    pub(in crate::blocks) x: u16,
    pub(in crate::blocks) y: u16,
    pub(in crate::blocks) amount: i32,
    pub(in crate::blocks) site_kind: SiteKind,
}

impl Move {
    pub(in crate::blocks) fn new(site: &Site, amount: i32) -> Self {
        Self { x: site.x as u16, y: site.y as u16, amount, site_kind: site.site_kind }
    }

    fn chunk_column(&self) -> usize {
        usize::from(self.x) / SIDE
    }

    pub(in crate::blocks) fn position(&self) -> (u32, u32) {
        (self.x.into(), self.y.into())
    }
}

pub(in crate::blocks) type Moves = Vec<Move>;

#[derive(Debug, Default)]
pub(in crate::blocks) struct MoveBatch {
    pub(in crate::blocks) moves: Moves,
    /// Index of the first and of the last column of chunks that the moves change.
    strips: [usize; 2],
}

impl MoveBatch {
    pub(in crate::blocks) fn update_strip_range(&mut self) {
        let strips = || self.moves.iter().map(Move::chunk_column);
        self.strips = [strips().min(), strips().max()].map(Option::unwrap_or_default);
    }

    fn moves_in_strip(&self, strip: usize) -> impl Iterator<Item = &Move> {
        let [first, last] = self.strips;
        let moves = if (first..=last).contains(&strip) { &self.moves[..] } else { &[] };
        moves.iter().filter(move |moved| moved.chunk_column() == strip)
    }
}

/// Computes which cells change through an inflow (positive) or outflow (negative) of `amount` at
/// the cell `(x, y)`, and appends their positions and new contents to `into`.
pub(in crate::blocks) fn add_moved_cells(
    (x, y): (u32, u32),
    amount: i32,
    world: &impl CellLabels,
    kind: Kind,
    into: &mut Vec<(u32, u32, PackedCell)>,
) {
    let (mut y, mut rest) = (y, amount);
    while rest != 0 {
        let mut before = world.cell(x, y);
        if is_lifted(before, kind) {
            into.extend(lifted_cells(|y| world.cell(x, y), y).map(|(y, cell)| (x, y, cell)));
            before = PackedCell::AIR;
        }
        let (cell, here) = change_fill(before, kind, rest);
        into.push((x, y, cell));
        rest -= here;
        y = if amount < 0 { y + 1 } else { y.wrapping_sub(1) };
    }
}

fn change_fill(cell: PackedCell, kind: Kind, amount: i32) -> (PackedCell, i32) {
    debug_assert!(cell.kind() == AIR || cell.kind() == kind, "{cell:?} and {kind}: {amount}");
    let fill = i32::from(cell.fill());
    let here = amount.clamp(-fill, i32::from(FULL) - fill);
    (PackedCell::new(kind, (fill + here) as u16), here)
}

/// Applies the inflows and outflows of one kind of liquid to the grid. Each of them changes only
/// one column of cells, so columns of chunks are processed in parallel.
pub(in crate::blocks) fn apply_moves(
    grid: &mut Grid,
    batches: &[MoveBatch],
    kind: Kind,
    scratch: &ScratchPool,
) {
    let moving = batches.iter().filter(|batch| !batch.moves.is_empty());
    let strips = moving.map(|batch| batch.strips);
    let Some([first, last]) = strips.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]) else {
        return;
    };
    let (rows, count) = (grid.rows, last + 1 - first);
    let mut of_strip = scratch.take_at_least::<(Moves, Vec<usize>)>(count);
    let of_strip = &mut of_strip[..count];
    let chunks = &mut grid.chunks[first * rows..(last + 1) * rows];
    for_each_chunk_with_item(chunks, rows, of_strip, |i, strip, (lifts, changed)| {
        lifts.clear();
        changed.clear();
        let mut moves = batches.iter().flat_map(|batch| batch.moves_in_strip(first + i)).peekable();
        if moves.peek().is_some() {
            apply_in_strip(strip, moves, lifts, kind);
            changed.extend((0..strip.len()).filter(|row| strip[*row].has_changed()));
        }
    });
    for (strip, (_, changed)) in (first..).zip(of_strip) {
        changed.iter().for_each(|row| grid.mark_changed(strip * rows + row));
    }
}

/// Applies the given inflows and outflows in one column of chunks. Inflows that lift lighter liquid
/// are collected in `lifts` and applied last.
fn apply_in_strip<'a>(
    strip: &mut [CowChunk],
    moves: impl Iterator<Item = &'a Move>,
    lifts: &mut Moves,
    kind: Kind,
) {
    let mut row = 0;
    let mut chunk = &mut *strip[0];
    for moved in moves {
        let (x, mut y, mut rest) =
            (usize::from(moved.x) % SIDE, usize::from(moved.y), moved.amount);
        while rest != 0 {
            if y / SIDE != row {
                row = y / SIDE;
                chunk = &mut strip[row];
            }
            let before = chunk.cells[y % SIDE][x];
            if is_lifted(before, kind) {
                lifts.push(*moved);
                break;
            }
            let (cell, here) = change_fill(before, kind, rest);
            chunk.set(x, y % SIDE, cell);
            rest -= here;
            y = if moved.amount < 0 { y + 1 } else { y.wrapping_sub(1) };
        }
    }
    sort_lowest_first(lifts);
    for moved in lifts {
        lift_in_strip(strip, moved, kind);
    }
}

pub(in crate::blocks) fn sort_lowest_first(lifts: &mut [Move]) {
    lifts.sort_unstable_by_key(|moved| (Reverse(moved.y), moved.x, moved.amount));
}

fn lift_in_strip(strip: &mut [CowChunk], transfer: &Move, kind: Kind) {
    let (x, y) = (usize::from(transfer.x) % SIDE, usize::from(transfer.y));
    let cell = |strip: &[CowChunk], y: u32| strip[y as usize / SIDE].cells[y as usize % SIDE][x];
    let mut before = cell(strip, y as u32);
    // Two bodies can run into the same cell.
    if is_lifted(before, kind) {
        for (y, cell) in lifted_cells(|y| cell(strip, y), y as u32) {
            strip[y as usize / SIDE].set(x, y as usize % SIDE, cell);
        }
        before = PackedCell::AIR;
    }
    let (cell, here) = change_fill(before, kind, transfer.amount);
    debug_assert_eq!(here, transfer.amount);
    strip[y / SIDE].set(x, y % SIDE, cell);
}
