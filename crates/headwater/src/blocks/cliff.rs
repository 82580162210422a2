//! Cliffs: where a column of a body is much lower than the one beside it. There more than a cell
//! comes in a step, from the side; else a lake would stand upright beside a drain.

use super::cell::{FULL, Kind, Packed};
use super::labelled::Labelled;

/// Share of a cliff's height that a column beside it takes in a step: the depth at a dam's place
/// after it breaks (Ritter 1892).
const PART: [i32; 2] = [4, 9];
/// The most cells of a cliff that are looked at; sums stay below 2³¹ in `share.rs`.
const HIGHEST: u32 = 127;

/// Room (256ths) above a column's last cell that fills up from a higher column beside it: [`PART`]
/// of the cliff, counted no higher than the body is thick behind it. Only where nothing else may
/// fill it.
pub(super) fn room_beside(world: &impl Labelled, (x, y): (u32, u32), body: u32, kind: Kind) -> i32 {
    if y < 2 {
        return 0;
    }
    let of_side = |side: i32| {
        let away = |cells: i32| x.wrapping_add_signed(side * cells);
        // What is of its kind and part of a body is of the same one as what it touches.
        let is_part =
            |x: u32, row: u32| world.cell(x, row).kind() == kind && world.is_member(x, row);
        let is_cliff = |row: u32| is_part(away(1), row);
        if !is_cliff(y - 2) || !is_cliff(y - 1) || !world.stands(away(1), y - 1) {
            return 0;
        }
        if world.body(away(1), y) != body {
            return 0;
        }
        let is_free = |row: u32| {
            is_cliff(row) && world.cell(x, row) == Packed::AIR && !world.is_member(away(-1), row)
        };
        let rows = (1..=HIGHEST.min(y)).take_while(|up| is_free(y - up)).count() as u32;
        // What hangs over it may be let down by two cells.
        let above = y - rows;
        let is_air = |row: u32| world.cell(x, row) == Packed::AIR || world.cell(x, row).is_wall();
        if !(1..3).all(|up| above < up || is_air(above - up)) {
            return 0;
        }
        (1..=rows as i32).take_while(|&cells| is_part(away(cells), y - 1)).count() as i32
    };
    of_side(-1).max(of_side(1)) * i32::from(FULL) * PART[0] / PART[1]
}

/// Cells of air above a column's last cell up to the ceiling of a hole out of which the body comes
/// from one side. Only where nothing else may fill them.
pub(super) fn rows_of_hole(
    world: &impl Labelled,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> i32 {
    let of_side = |side: i32| {
        let away = |cells: i32| x.wrapping_add_signed(side * cells);
        let full = Packed::of(kind, FULL);
        let is_free = |row: u32| {
            world.cell(x, row) == Packed::AIR
                && world.cell(away(1), row) == full
                && world.stands(away(1), row)
                && !world.is_member(away(-1), row)
        };
        let highest = (HIGHEST - 1).min(y);
        let rows = (1..=highest).take_while(|up| is_free(y - up)).count() as u32;
        let is_under_ceiling = || rows < y && world.cell(x, y - rows - 1).is_wall();
        // A fall that has landed is no hole.
        let is_thick =
            || (1..=rows as i32 + 1).all(|cells| world.has_part(away(cells), y - rows, kind));
        let is_hole = rows > 0 && is_under_ceiling() && is_thick();
        if is_hole && world.body(away(1), y) == body { rows as i32 } else { 0 }
    };
    of_side(-1).max(of_side(1))
}
