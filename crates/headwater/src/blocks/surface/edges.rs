//! Edges over which a supported body of liquid can flow into an adjacent unsupported cell.

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

/// Largest width (cells) of the falling stream below an edge.
const MAX_FALL_WIDTH: i32 = 64;

/// An edge over which a body of liquid flows sideways into an opening (an adjacent cell that it can
/// enter).
pub(in crate::blocks) struct Edge {
    /// Number of unsupported cells between the opening and the supported cell of the body from
    /// which the liquid flows.
    pub(in crate::blocks) distance: i32,
    /// Thickness of the layer of liquid that flows over the edge (256ths of a cell). It is that of
    /// a full cell if the liquid flows out of a hole.
    pub(in crate::blocks) thickness: u16,
}

/// Returns the edge over which `body` flows sideways into an opening, if the column of the body's
/// supported cell at that edge satisfies `is_wanted`. A body of liquid flows over an edge into an
/// unsupported cell only if its depth above the edge (in cells) is at least the number of
/// unsupported cells in between. Therefore, a falling stream is as wide as its inflow is deep.
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

/// Returns the thickness (256ths of a cell) of the layer of liquid with which a body flows over an
/// edge: the fill of the cell that lies `over` cells above the edge. Returns 0 if this cell does
/// not belong to the body, or if a wall lies between the cell and the edge.
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

/// Returns the limit `most` on the fill of a falling cell (256ths of a cell), reduced to half a
/// cell with trapped air, so that air can pass.
pub(in crate::blocks) fn limit_by_air(params: &Params, most: u16) -> u16 {
    if params.trapped_air { most.min(FULL / 2) } else { most }
}

/// Returns the outflow over an edge in one step (256ths of a cell), given the thickness of the
/// layer on the edge. The outflow is three times the thickness, so that a lake's outflow follows
/// its inflow smoothly. Only a full cell has an outflow of a full cell. Layers up to
/// [`MAX_REMNANT`] run off completely.
pub(in crate::blocks) fn edge_outflow(thickness: u16) -> u16 {
    match thickness {
        0 => 0,
        1..=MAX_REMNANT => FULL - 1,
        FULL.. => FULL,
        _ => (3 * thickness).min(FULL - 1),
    }
}

/// Largest thickness (256ths of a cell) of a layer on an edge that runs off completely in one step.
const MAX_REMNANT: u16 = 4;
