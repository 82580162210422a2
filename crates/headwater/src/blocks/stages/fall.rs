//! Stage 5 of a step: unsupported liquid that belongs to no body falls by one cell, and a heavier
//! liquid swaps places with a lighter liquid below it. Full cells always belong to a body of
//! liquid, so they move in stage 3 instead.

use crate::blocks::state::cell::{AIR, FULL, Kind, LAVA, LIQUIDS, PackedCell};
use crate::blocks::state::chunk::{Chunk, Row, pack_lowest_bits};
use crate::blocks::state::cow_chunk::CowChunk;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::SIDE;
use crate::parallel::for_each_chunk_with_item;
use crate::scratch::ScratchPool;
use multiversion::multiversion;

pub(in crate::blocks) fn move_falling_liquids(
    grid: &mut Grid,
    lava_moves: bool,
    scratch: &ScratchPool,
) {
    if grid.falling.is_empty() && !grid.has_changed() {
        return;
    }
    let (rows, mixed) = (grid.rows, grid.is_mixed());
    let mut pending = scratch.take_filled(grid.chunks.len(), false);
    let (mut first, mut end) = (grid.chunks.len() / rows, 0);
    for chunk in grid.falling.iter().chain(grid.changed_chunks().iter()) {
        pending[chunk] = true;
        (first, end) = (first.min(chunk / rows), end.max(chunk / rows + 1));
    }
    let mut moved = scratch.take_at_least::<Vec<usize>>(end);
    let (chunks, moved) = (&mut grid.chunks[first * rows..end * rows], &mut moved[first..end]);
    for_each_chunk_with_item(chunks, rows, moved, |i, strip, moved| {
        moved.clear();
        let pending = &pending[(first + i) * rows..][..rows];
        if pending.contains(&true) {
            move_falling_liquid_in_strip(strip, pending, (mixed, lava_moves), moved);
        }
    });
    for (moved, strip) in moved.iter().zip(first..) {
        moved.iter().for_each(|row| grid.mark_changed(strip * rows + row));
    }
}

/// Moves all falling liquid in one column of chunks, from the bottom up. Chunks without falling
/// liquid are skipped, unless the top row of the chunk below has changed.
fn move_falling_liquid_in_strip(
    strip: &mut [CowChunk],
    pending: &[bool],
    (mixed, lava_moves): (bool, bool),
    moved: &mut Vec<usize>,
) {
    let mut swapped = [false; SIDE];
    for row in (0..strip.len()).rev() {
        let (upper, lower) = strip.split_at_mut(row + 1);
        let (chunk, below) = (&mut upper[row], lower.first_mut());
        let below_changed = below.as_ref().is_some_and(|below| below.top_row_changed());
        if !pending[row] && !below_changed {
            swapped = [false; SIDE];
            continue;
        }
        // Changes since the last labelling may have brought in another liquid.
        let may_be_mixed = |chunk: &Chunk| chunk.is_mixed() || chunk.has_changed();
        let mixed_here = mixed && may_be_mixed(chunk);
        if let Some(below) = below {
            let mixed =
                mixed && (mixed_here || may_be_mixed(below) || chunk.has_different_liquids(below));
            let (up, down) = (&mut chunk.cells[SIDE - 1], &mut below.cells[0]);
            let columns = move_falling_liquid_in_row(up, down, &mut swapped, mixed, lava_moves);
            if columns != 0 {
                chunk.mark_changed(1 << (SIDE - 1), columns);
                below.mark_changed(1, columns);
                moved.extend([row, row + 1]);
            }
        }
        let (mut rows, mut columns) = (0, 0);
        for y in (0..SIDE - 1).rev() {
            let (up, down) = chunk.cells.split_at_mut(y + 1);
            let found = move_falling_liquid_in_row(
                &mut up[y],
                &mut down[0],
                &mut swapped,
                mixed_here,
                lava_moves,
            );
            columns |= found;
            rows |= u64::from(found != 0) * (0b11 << y);
        }
        if rows != 0 {
            chunk.mark_changed(rows, columns);
            moved.push(row);
        }
    }
}

/// Moves the liquids of a row into the row below and returns the columns that changed, as a bit
/// mask. `swapped` marks the columns in which two cells have swapped. The lighter liquid in these
/// columns stays in place for the rest of the step.
#[multiversion(targets = "simd")]
fn move_falling_liquid_in_row(
    upper_row: &mut Row,
    lower_row: &mut Row,
    swapped: &mut [bool; SIDE],
    mixed: bool,
    lava_moves: bool,
) -> u64 {
    if mixed {
        let mut columns = 0;
        for x in 0..SIDE {
            let before = std::mem::take(&mut swapped[x]);
            if !before {
                let (a, b, outcome) = fall_cell(upper_row[x], lower_row[x], lava_moves);
                (upper_row[x], lower_row[x], swapped[x]) = (a, b, outcome == FallOutcome::Swapped);
                columns |= u64::from(outcome != FallOutcome::Nothing) << x;
            }
        }
        return columns;
    }
    *swapped = [false; SIDE];
    let mut moved = [0_u16; SIDE];
    let immobile = if lava_moves { AIR } else { LAVA };
    for x in 0..SIDE {
        let (upper, lower) = (upper_row[x].0, lower_row[x].0);
        let (kind, kind_below) = (upper >> 9, lower >> 9);
        let (fill, room) = (upper & 511, FULL - (lower & 511));
        let open = (kind_below == AIR) | (kind_below == kind);
        let flows = open & (kind != immobile) & (fill < FULL);
        let amount = if flows { fill.min(room) } else { 0 };
        let left = if amount == fill { 0 } else { upper - amount };
        let got = kind << 9 | ((lower & 511) + amount);
        upper_row[x].0 = if amount > 0 { left } else { upper };
        lower_row[x].0 = if amount > 0 { got } else { lower };
        moved[x] = amount;
    }
    if moved.iter().fold(0, |all, amount| all | amount) == 0 {
        return 0;
    }
    let (parts, _) = moved.as_chunks::<8>();
    parts.iter().rev().fold(0, |all, part| {
        all << 8 | pack_lowest_bits(u64::from_le_bytes(part.map(|amount| u8::from(amount > 0))))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blocks) enum FallOutcome {
    Nothing,
    /// Liquid fell from the upper cell into the lower cell.
    Fell,
    /// The heavier liquid of the upper cell and the lighter liquid of the lower cell swapped
    /// places.
    Swapped,
}

pub(in crate::blocks) fn fall_cell(
    up: PackedCell,
    down: PackedCell,
    lava_moves: bool,
) -> (PackedCell, PackedCell, FallOutcome) {
    let (kind, below) = (up.kind(), down.kind());
    let may = |kind: Kind| kind != LAVA || lava_moves;
    if !LIQUIDS.contains(&kind) || !may(kind) {
        return (up, down, FallOutcome::Nothing);
    }
    if below == AIR || below == kind {
        let amount = if up.fill() < FULL { up.fill().min(down.free_space(kind)) } else { 0 };
        let outcome = if amount > 0 { FallOutcome::Fell } else { FallOutcome::Nothing };
        let upper = PackedCell::new(kind, up.fill() - amount);
        (upper, PackedCell::new(kind, down.fill() + amount), outcome)
    } else if below < kind {
        (down, up, FallOutcome::Swapped)
    } else {
        (up, down, FallOutcome::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_a_row_equals_moving_each_cell() {
        let cells: Vec<PackedCell> =
            [0, SOLID_AT, 2 << 9 | 1, 2 << 9 | 100, 2 << 9 | 256, 3 << 9 | 77]
                .map(PackedCell)
                .to_vec();
        for &a in &cells {
            for &b in &cells {
                if a.kind() != b.kind() && a.is_liquid() && b.is_liquid() {
                    continue;
                }
                for lava in [false, true] {
                    let (mut up, mut down) = ([a; SIDE], [b; SIDE]);
                    let columns = move_falling_liquid_in_row(
                        &mut up,
                        &mut down,
                        &mut [false; SIDE],
                        false,
                        lava,
                    );
                    let (upper, lower, outcome) = fall_cell(a, b, lava);
                    assert_eq!((up, down), ([upper; SIDE], [lower; SIDE]), "{a:?} over {b:?}");
                    assert_eq!(columns != 0, outcome != FallOutcome::Nothing);
                }
            }
        }
    }

    const SOLID_AT: u16 = 4 << 9;
}
