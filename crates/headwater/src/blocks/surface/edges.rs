//! Edges over which a supported body can run into an adjacent, unsupported cell.

use crate::blocks::params::Params;
use crate::blocks::state::cell::{FULL, Kind, LIQUIDS};
use crate::blocks::state::cell_labels::CellLabels;

pub(in crate::blocks) fn is_support(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    kind: Kind,
) -> bool {
    let cell = world.cell(x, y);
    cell.is_wall()
        || cell.kind() == kind && cell.fill() == FULL && world.is_supported(x, y)
        || cell.kind() > kind && cell.is_liquid() && world.is_supported(x, y)
}

/// Largest width of the falling stream below an edge (cells).
const MAX_FALL_WIDTH: i32 = 64;

/// An edge over which a body runs into an opening from the side.
pub(in crate::blocks) struct Edge {
    /// Number of unsupported cells between the opening and the supported cell of the body that
    /// feeds it.
    pub(in crate::blocks) distance: i32,
    /// Thickness of the layer of liquid that flows over the edge (256ths). A full cell if the
    /// liquid flows out of a hole.
    pub(in crate::blocks) thickness: u16,
}

/// Returns the edge over which `body` runs into an opening from the side, if the body's supported
/// cell at that edge satisfies `is_wanted`. A body runs over an edge into an unsupported cell only
/// if its depth above the edge (cells) is at least the number of unsupported cells in between. So
/// the width of a fall equals the depth of its inflow.
pub(in crate::blocks) fn feeding_edge(
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

pub(in crate::blocks) fn feeding_edge_on(
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

/// Returns the thickness (256ths) of a body above an edge, where `over` is its depth in cells. If
/// the body flows out of a hole, the thickness is at most the height of the hole.
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

/// Returns `most`, the largest fill of a falling cell (256ths), limited so that air can pass: with
/// trapped air, a falling cell is at most half full.
pub(in crate::blocks) fn limit_by_air(params: &Params, most: u16) -> u16 {
    if params.trapped_air { most.min(FULL / 2) } else { most }
}

/// Returns the outflow over an edge in one step (256ths): three times the thickness of the layer on
/// the edge, so that a lake's outflow follows its inflow smoothly. Only a full cell gives a full
/// fall. Layers up to [`MAX_REMNANT`] run off completely.
pub(in crate::blocks) fn edge_outflow(thickness: u16) -> u16 {
    match thickness {
        0 => 0,
        1..=MAX_REMNANT => FULL - 1,
        FULL.. => FULL,
        _ => (3 * thickness).min(FULL - 1),
    }
}

/// Largest thickness (256ths) of a layer on an edge that runs off completely in one step.
const MAX_REMNANT: u16 = 4;
