//! Ways: from where a body that stands may run into a cell beside it.

use super::cell::{FULL, Kind, LIQUIDS};
use super::labelled::Labelled;
use super::params::Params;

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

/// The edge that feeds an opening from the side, where its body stands in a cell as asked for, if
/// any. Into an unsupported cell a body runs over the edge of what it stands on, if it is as deep
/// over the edge as cells hang there: so a fall is as wide as what feeds it.
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
            let sheet = || sheet_at(world, (x, y), away, body);
            return is_asked_for(x).then(|| Edge { away, sheet: sheet() });
        }
    }
    None
}

/// What a body has so many cells over an edge (256ths). Out of a hole it comes no thicker than the hole is high.
fn sheet_at(world: &impl Labelled, (x, y): (u32, u32), over: i32, body: u32) -> u16 {
    let top = y.saturating_sub(over as u32);
    let cell = world.cell(x, top);
    if (top..y).any(|row| world.cell(x, row).is_wall()) {
        0
    } else if world.body(x, top) == body {
        cell.fill()
    } else {
        0
    }
}

/// The most that a cell holds of a fall that could hold so much: where air counts it is never full, and air gets past it.
pub(super) fn past_air(params: &Params, most: u16) -> u16 {
    if params.trapped_air { most.min(FULL / 2) } else { most }
}

/// How much of a sheet runs over an edge in a step: three times its thickness, so that a lake's
/// outflow follows its inflow steadily. Only a full cell fills its fall; the last units go at once.
pub(super) fn pace(sheet: u16) -> u16 {
    match sheet {
        0 => 0,
        1..=LAST => FULL - 1,
        FULL.. => FULL,
        _ => (3 * sheet).min(FULL - 1),
    }
}

/// The thickest sheet that runs off at once (256ths).
const LAST: u16 = 4;
