//! Cliffs: steps in the surface of a body of liquid, between a column and a much higher neighbour.
//! The lower column takes more than one cell of inflow from the side per step. Without this rule, a
//! lake would stand as a vertical wall next to a drain.

use crate::blocks::state::cell::{FULL, Kind, PackedCell};
use crate::blocks::state::cell_labels::CellLabels;

/// Fraction of a cliff's height that flows into the adjacent column in a step, as numerator and
/// denominator. It is the relative water depth at the site of a dam after the dam breaks (Ritter
/// 1892).
const DAM_BREAK_RATIO: [i32; 2] = [4, 9];
/// Largest cliff height (cells) that counts toward the inflow from a cliff. The limit keeps the
/// sums in `share.rs` below 2³¹.
const MAX_CLIFF_CELLS: u32 = 127;

/// Returns the inflow (256ths of a cell) from a cliff, which is a much higher adjacent column, into
/// the cells above the top of a column. The inflow is [`DAM_BREAK_RATIO`] times the height of the
/// cliff or, if this is less, times the width of the higher body. Returns 0 if other liquid could
/// fill these cells.
pub(in crate::blocks) fn cliff_inflow(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> i32 {
    if y < 2 {
        return 0;
    }
    let on_side = |side: i32| {
        let away = |cells: i32| x.wrapping_add_signed(side * cells);
        // A member of the same kind that touches this body belongs to it.
        let is_part =
            |x: u32, row: u32| world.cell(x, row).kind() == kind && world.is_member(x, row);
        let is_cliff = |row: u32| is_part(away(1), row);
        if !is_cliff(y - 2) || !is_cliff(y - 1) || !world.is_supported(away(1), y - 1) {
            return 0;
        }
        if world.body(away(1), y) != body {
            return 0;
        }
        let is_free = |row: u32| {
            is_cliff(row)
                && world.cell(x, row) == PackedCell::AIR
                && !world.is_member(away(-1), row)
        };
        let rows = (1..=MAX_CLIFF_CELLS.min(y)).take_while(|up| is_free(y - up)).count() as u32;
        // Liquid that hangs above may drop by up to two cells.
        let above = y - rows;
        let is_air =
            |row: u32| world.cell(x, row) == PackedCell::AIR || world.cell(x, row).is_wall();
        if !(1..3).all(|up| above < up || is_air(above - up)) {
            return 0;
        }
        (1..=rows as i32).take_while(|&cells| is_part(away(cells), y - 1)).count() as i32
    };
    on_side(-1).max(on_side(1)) * i32::from(FULL) * DAM_BREAK_RATIO[0] / DAM_BREAK_RATIO[1]
}

/// Returns the number of cells by which a column can rise until it reaches the ceiling of the hole
/// through which its body flows in from the west or east. Returns 0 if there is no such hole, or if
/// other liquid could fill these cells.
pub(in crate::blocks) fn hole_height(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> i32 {
    let on_side = |side: i32| {
        let away = |cells: i32| x.wrapping_add_signed(side * cells);
        let full = PackedCell::new(kind, FULL);
        let is_free = |row: u32| {
            world.cell(x, row) == PackedCell::AIR
                && world.cell(away(1), row) == full
                && world.is_supported(away(1), row)
                && !world.is_member(away(-1), row)
        };
        let highest = (MAX_CLIFF_CELLS - 1).min(y);
        let rows = (1..=highest).take_while(|up| is_free(y - up)).count() as u32;
        let is_under_ceiling = || rows < y && world.cell(x, y - rows - 1).is_wall();
        // A fall that has reached the ground is not a hole.
        let is_thick =
            || (1..=rows as i32 + 1).all(|cells| world.was_in_body(away(cells), y - rows, kind));
        let is_hole = rows > 0 && is_under_ceiling() && is_thick();
        if is_hole && world.body(away(1), y) == body { rows as i32 } else { 0 }
    };
    on_side(-1).max(on_side(1))
}
