//! Edges over which a supported body can run into an adjacent cell.

use super::cell::{FULL, Kind, LIQUIDS};
use super::cell_labels::CellLabels;
use super::params::Params;

pub(super) fn is_support(world: &impl CellLabels, (x, y): (u32, u32), kind: Kind) -> bool {
    let cell = world.cell(x, y);
    cell.is_wall()
        || cell.kind() == kind && cell.fill() == FULL && world.is_supported(x, y)
        || cell.kind() > kind && cell.is_liquid() && world.is_supported(x, y)
}

/// Largest width of a fall (cells).
const MAX_FALL_WIDTH: i32 = 64;

/// An edge that feeds an opening from the side.
pub(super) struct Edge {
    /// Number of unsupported cells between the opening and the supported cell that feeds it.
    pub(super) distance: i32,
    /// Thickness of the sheet that flows over the edge (256ths); a full cell where it flows out of
    /// a hole.
    pub(super) thickness: u16,
}

/// Returns the edge that feeds an opening from the side, if the body's supported cell there
/// satisfies `is_wanted`. A body runs over an edge into an unsupported cell only if its depth above
/// the edge is at least the number of unsupported cells in between. So a fall is as wide as its
/// inflow is deep.
pub(super) fn feeding_edge(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
    is_wanted: impl Fn(u32) -> bool,
) -> Option<Edge> {
    match [-1, 1].map(|side| feeding_edge_on(world, (x, y), body, side, &is_wanted)).into() {
        (Some(west), Some(east)) => Some(Edge {
            distance: west.distance.min(east.distance),
            thickness: west.thickness.max(east.thickness),
        }),
        (west, east) => west.or(east),
    }
}

pub(super) fn feeding_edge_on(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
    side: i32,
    is_wanted: impl Fn(u32) -> bool,
) -> Option<Edge> {
    let first = x.wrapping_add_signed(side);
    let kind = world.cell(first, y).kind();
    if !LIQUIDS.contains(&kind) || world.body(first, y) != body {
        return None;
    }
    for distance in 0..MAX_FALL_WIDTH {
        let x = x.wrapping_add_signed(side * (distance + 1));
        if distance > 0 && !world.was_in_body(x, y, kind) {
            return None;
        }
        if world.is_supported(x, y) {
            let thickness = || thickness_at(world, (x, y), distance, body);
            return is_wanted(x).then(|| Edge { distance, thickness: thickness() });
        }
    }
    None
}

/// Returns the thickness of a body `over` cells above an edge (256ths). Out of a hole it is at most
/// the height of the hole.
fn thickness_at(world: &impl CellLabels, (x, y): (u32, u32), over: i32, body: u32) -> u16 {
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

/// Limits the fill of a falling cell. With trapped air, falls are at most half full so that air can
/// pass.
pub(super) fn limit_by_air(params: &Params, most: u16) -> u16 {
    if params.trapped_air { most.min(FULL / 2) } else { most }
}

/// Returns the outflow of a sheet over an edge in a step: three times its thickness, so that a
/// lake's outflow follows its inflow smoothly. Only a full cell gives a full fall. Thin remnants
/// run off at once.
pub(super) fn edge_outflow(thickness: u16) -> u16 {
    match thickness {
        0 => 0,
        1..=MAX_REMNANT => FULL - 1,
        FULL.. => FULL,
        _ => (3 * thickness).min(FULL - 1),
    }
}

/// Largest thickness that runs off at once (256ths).
const MAX_REMNANT: u16 = 4;
