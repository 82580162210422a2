//! Ways: from where a body that stands may run into a cell beside it.

use super::cell::{FULL, Kind, LIQUIDS};
use super::labelled::Labelled;

/// Whether a kind of liquid stands on a cell.
pub(super) fn is_firm(world: &impl Labelled, (x, y): (u32, u32), kind: Kind) -> bool {
    let cell = world.cell(x, y);
    cell.is_wall()
        || cell.kind() == kind && cell.fill() == FULL && world.stands(x, y)
        || cell.kind() > kind && cell.is_liquid() && world.stands(x, y)
}

/// The most cells side by side that a fall is wide.
const WIDEST: i32 = 64;

/// Where what runs over an edge comes from.
pub(super) struct Edge {
    /// How many cells that hang are between an opening and the cell beside it in which its body stands.
    pub(super) away: i32,
    /// How thick the sheet is that feeds the opening over the edge (256ths): a cell where it runs out of a hole.
    pub(super) sheet: u16,
}

/// The edge that feeds an opening from the side: where its body stands in a cell that is as asked for. `None` if there is
/// none: what only hangs falls straight down.
///
/// Into a cell that nothing holds up a body runs over the edge of what it stands on, if it is as many cells deep over the edge
/// as cells hang there: so a fall is as wide as what feeds it. A body that stands on itself stands beside the air too; else a
/// fall that has landed, and is thus a column that stands, would burst.
pub(super) fn way_to_stand(
    world: &impl Labelled,
    (x, y): (u32, u32),
    body: u32,
    is_asked_for: impl Fn(u32) -> bool,
) -> Option<Edge> {
    match [-1, 1].map(|side| way_from(world, (x, y), body, side, &is_asked_for)).into() {
        (Some(west), Some(east)) => {
            Some(Edge { away: west.away.min(east.away), sheet: west.sheet.max(east.sheet) })
        }
        (west, east) => west.or(east),
    }
}

/// [`way_to_stand`] from one side, the west (-1) or the east (1).
pub(super) fn way_from(
    world: &impl Labelled,
    (x, y): (u32, u32),
    body: u32,
    side: i32,
    is_asked_for: impl Fn(u32) -> bool,
) -> Option<Edge> {
    let first = x.wrapping_add_signed(side);
    let kind = world.cell(first, y).kind();
    if !LIQUIDS.contains(&kind) || world.body(first, y) != body {
        return None;
    }
    for away in 0..WIDEST {
        let x = x.wrapping_add_signed(side * (away + 1));
        if away > 0 && !world.has_part(x, y, kind) {
            return None;
        }
        if world.stands(x, y) {
            let sheet = || sheet_at(world, (x, y.saturating_sub(away as u32)), body);
            return is_asked_for(x).then(|| Edge { away, sheet: sheet() });
        }
    }
    None
}

/// What a body has in a cell over an edge (256ths): a full one under a ceiling.
fn sheet_at(world: &impl Labelled, (x, y): (u32, u32), body: u32) -> u16 {
    let cell = world.cell(x, y);
    if cell.is_wall() {
        FULL
    } else if world.body(x, y) == body {
        cell.fill()
    } else {
        0
    }
}
