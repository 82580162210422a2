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
    /// Number of unsupported cells between the opening and the supported cell from which the body's
    /// liquid flows.
    pub(in crate::blocks) distance: i32,
    /// Outflow over the edge into the opening in one step (256ths of a cell).
    pub(in crate::blocks) outflow: u16,
}

/// Returns the edge over which `body` flows sideways into the opening at `(x, y)`. On the other
/// side of the edge is a supported cell of the body; `is_wanted` must return true for the column of
/// this cell. The opening may lie several unsupported cells beyond the edge. Liquid reaches it only
/// if the body's depth above the edge (cells) is at least the number of these cells.
pub(in crate::blocks) fn feeding_edge(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
    is_wanted: impl Fn(u32) -> bool,
) -> Option<Edge> {
    match [-1, 1].map(|side| feeding_edge_on(world, (x, y), body, side, &is_wanted)).into() {
        (Some(west), Some(east)) => Some(Edge {
            distance: west.distance.min(east.distance),
            outflow: west.outflow.max(east.outflow),
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
            let outflow = || outflow_at(world, (x, y), -side, distance, body);
            return is_wanted(x).then(|| Edge { distance, outflow: outflow() });
        }
    }
    None
}

/// Returns the outflow of a body in one step (256ths of a cell) over the edge next to its supported
/// cell `(x, y)`, into the falling column at `distance` (cells) from the edge. `side` is the
/// direction of the flow: −1 for west, 1 for east. Returns 0 if the body is not deep enough: the
/// cell `distance` rows above `(x, y)` must belong to it, with no wall in between.
pub(in crate::blocks) fn outflow_at(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    side: i32,
    distance: i32,
    body: u32,
) -> u16 {
    let top = y.saturating_sub(distance as u32);
    if (top..y).any(|row| world.cell(x, row).is_wall()) || world.body(x, top) != body {
        return 0;
    }
    let fill = world.cell(x, top).fill();
    match fill {
        0..=MAX_REMNANT => edge_outflow(fill),
        FULL if fills_falling_stream(world, (x, y), side, body) => FULL,
        _ => {
            let width = fall_width(world, (x, top), side);
            sheet_outflow(world, (x, top), side, body, width, 0)
        }
    }
}

/// Returns the outflow (256ths of a cell) of one sheet in one step over the edge next to the
/// supported cell `(x, y)`. The liquid on the edge is divided into horizontal layers called sheets,
/// each of which falls in its own column. `sheet` is the index of the sheet, counted from the
/// bottom upward. `width` is the largest number of columns in the falling stream.
///
/// A sheet advances by [`SHEET_CELLS`] cells per step, so the outflow is the content of the sheet
/// in the last cells before the edge. It can change by single units, so a lake can find a level at
/// which its outflow equals its inflow. If the liquid is deeper than all sheets together, the
/// sheets become thicker, up to the depth from which the falling stream fills its cells.
pub(in crate::blocks) fn sheet_outflow(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    side: i32,
    body: u32,
    width: i32,
    sheet: i32,
) -> u16 {
    let depth = depth_above(world, (x, y), body);
    let all_sheets = width * SHEET_THICKNESS;
    let max_excess = rows_needed_to_fill_stream(width) * i32::from(FULL) - all_sheets;
    let thickness = |cells_back: i32| {
        let x = x.wrapping_add_signed(-side * cells_back);
        let is_part = world.body(x, y) == body && !world.cell(x, y).is_wall();
        let here = if is_part { depth_above(world, (x, y), body) } else { depth };
        // The surface of a body at rest is level within one unit. Liquid that has just landed
        // does not count.
        let here = here.clamp(depth - 1, depth + 1);
        let excess = (here - all_sheets).clamp(0, max_excess);
        (here - sheet * SHEET_THICKNESS).clamp(0, SHEET_THICKNESS)
            + excess * MAX_SWELL / max_excess.max(1)
    };
    let outflow = (0..SHEET_CELLS).map(thickness).sum::<i32>();
    let lower_sheets = sheet * SHEET_CELLS * SHEET_THICKNESS;
    let limit = max_lake_outflow(world, (x, y), side, body) - lower_sheets;
    outflow.min(limit.max(0)) as u16
}

/// Returns the largest total outflow (256ths of a cell) in one step over the edge next to the
/// supported cell `(x, y)`, summed over all sheets (horizontal layers that each fall in their own
/// column). It is at most three quarters of the liquid in the columns before the edge, because a
/// narrow lake that gave away all its content would alternate between empty and full.
fn max_lake_outflow(world: &impl CellLabels, (x, y): (u32, u32), side: i32, body: u32) -> i32 {
    let away = |cells: i32| x.wrapping_add_signed(-side * cells);
    let is_lake = |cells: &i32| world.body(away(*cells), y) == body;
    let width = (0..MAX_LAKE_COLUMNS).take_while(is_lake).count() as i32;
    let content: i32 = (0..width).map(|cells| depth_above(world, (away(cells), y), body)).sum();
    // The other half runs off over an edge on the other side.
    let is_pillar = width < MAX_LAKE_COLUMNS && !world.cell(away(width), y).is_wall();
    let content = if is_pillar { content / 2 } else { content };
    content - content / 4
}

/// Largest number of columns, counted back from an edge, whose liquid limits the outflow over the
/// edge.
const MAX_LAKE_COLUMNS: i32 = 12;

/// Returns whether liquid that falls over the edge next to the supported cell `(x, y)` of `body`
/// fills its cells completely. This is the case if the liquid flows out of a hole, or if the body's
/// depth above the edge exceeds the total thickness of the sheets for which there is room beyond
/// the edge. Sheets are horizontal layers that each fall in their own column.
fn fills_falling_stream(world: &impl CellLabels, (x, y): (u32, u32), side: i32, body: u32) -> bool {
    (0..rows_needed_to_fill_stream(fall_width(world, (x, y), side)))
        .map(|up| y.wrapping_sub(up as u32))
        .take_while(|row| !world.cell(x, *row).is_wall())
        .all(|row| world.cell(x, row).fill() == FULL && world.body(x, row) == body)
}

/// Returns the number of rows above an edge that must be full of liquid so that a falling stream of
/// the given width (columns) fills its cells.
fn rows_needed_to_fill_stream(width: i32) -> i32 {
    (width * SHEET_THICKNESS / i32::from(FULL) + 1).min(MAX_ROWS)
}

/// Returns the depth of a body above the edge next to its supported cell `(x, y)` (256ths of a
/// cell), limited to the total thickness of [`MAX_SHEETS`] sheets (layers of liquid that fall over
/// the edge in a column each).
pub(in crate::blocks) fn depth_above(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
) -> i32 {
    let rows = (0..MAX_ROWS as u32).map(|up| y.wrapping_sub(up));
    let rows = rows.take_while(|row| world.body(x, *row) == body);
    rows.map(|row| i32::from(world.cell(x, row).fill())).sum()
}

/// Returns the largest number of sheets (horizontal layers, each of which falls in its own column)
/// for which there is room in the gap beyond the edge next to the supported cell `(x, y)`. If the
/// far side of the gap is not a wall, liquid can fall into the gap from there too, so only half of
/// the gap counts.
pub(in crate::blocks) fn fall_width(world: &impl CellLabels, (x, y): (u32, u32), side: i32) -> i32 {
    let away = |cells: i32| x.wrapping_add_signed(side * cells);
    let is_gap = |cells: &i32| {
        let x = away(*cells);
        !world.cell(x, y).is_wall() && !world.cell(x, y + 1).is_wall() && !world.is_supported(x, y)
    };
    let width = (1..=2 * MAX_SHEETS).take_while(is_gap).count() as i32;
    let is_walled = world.cell(away(width + 1), y).is_wall();
    (if is_walled { width } else { width / 2 }).clamp(1, MAX_SHEETS)
}

/// Thickness of a sheet (256ths of a cell). A sheet is a horizontal layer of the liquid on an edge
/// that falls in a column of its own. The thickness is chosen so that falling cells are three
/// quarters full, which leaves room for liquid that backs up.
pub(in crate::blocks) const SHEET_THICKNESS: i32 = 64;
/// Largest increase in the thickness of each sheet (256ths of a cell), for liquid that is deeper
/// than all sheets together.
const MAX_SWELL: i32 = 21;
/// Number of cells by which a sheet advances toward an edge in one step.
const SHEET_CELLS: i32 = 3;
/// Largest number of sheets in a falling stream that does not fill its cells. Each sheet falls in
/// its own column.
pub(in crate::blocks) const MAX_SHEETS: i32 = 8;
/// Number of rows above an edge that all sheets together occupy.
const MAX_ROWS: i32 = MAX_SHEETS * SHEET_THICKNESS / FULL as i32;

/// Returns the largest fill of a falling cell (256ths of a cell): `limit`, or at most half a cell
/// if the world simulates trapped air, so that air can pass.
pub(in crate::blocks) fn limit_by_air(params: &Params, limit: u16) -> u16 {
    if params.trapped_air { limit.min(FULL / 2) } else { limit }
}

/// Returns the outflow over an edge in one step (256ths of a cell) for a layer of liquid with the
/// given thickness (256ths of a cell). Layers up to [`MAX_REMNANT`] run off completely.
pub(in crate::blocks) fn edge_outflow(thickness: u16) -> u16 {
    match thickness {
        0 => 0,
        1..=MAX_REMNANT => FULL - 1,
        _ => SHEET_CELLS as u16 * thickness.min(SHEET_THICKNESS as u16),
    }
}

/// Largest thickness (256ths of a cell) of a layer on an edge that runs off completely in one step.
const MAX_REMNANT: u16 = 4;
