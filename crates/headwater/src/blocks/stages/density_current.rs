//! Density currents: a heavier body of liquid flows along the floor below a lighter body and lifts
//! the columns of the lighter body.

use super::slicks::CellPos;
use crate::blocks::params::Params;
use crate::blocks::state::cell::{FULL, Kind, PackedCell};
use crate::blocks::state::cell_labels::{CellLabels, floor_height};
use crate::blocks::surface::edges::is_support;
use crate::blocks::surface::room_share::free_space_share;
use crate::blocks::surface::sites::{Site, SiteKind, air_pocket_at, liquid_weight_above};

/// Returns the site through which a heavier body enters the lighter liquid in the adjacent cell
/// `(x, y)`, or `None` if it cannot enter. A site is a cell where a body can gain liquid, with
/// limits on the inflow. The inflow runs along the floor or over an edge, and must overcome the
/// weight of the lighter column.
pub(in crate::blocks) fn density_current_site(
    world: &impl CellLabels,
    params: &Params,
    (x, y): CellPos,
    body: u32,
    kind: Kind,
) -> Option<Site> {
    let may_run = |side: i32| {
        let adjacent = x.wrapping_add_signed(side);
        world.body(adjacent, y) == body && can_flow_in_from(world, (x, y), adjacent)
    };
    if !world.is_supported(x, y) || ![-1, 1].into_iter().any(may_run) {
        return None;
    }
    let sinks = !is_support(world, (x, y + 1), kind);
    let over = lifted_top_row(world, (x, y))?;
    // Spreading liquid keeps its weight here. Otherwise it would be lifted before it has spread.
    let weight =
        if params.trapped_air { 0 } else { liquid_weight_above(world, (x, y + 1), kind).0 };
    let head = floor_height(world, y) + weight;
    let limit =
        if sinks { params.pour_limit().min(params.flow_limit()) } else { params.flow_limit() };
    let room = free_space_share(FULL.into(), world, params, (x, y), body, kind);
    let (max_inflow, site_kind) =
        (room.min(limit.into()), if sinks { SiteKind::Drop } else { SiteKind::Floor });
    let min_inflow = if sinks { 1 } else { params.film.into() };
    let air = air_pocket_at(world, params, x, over, true);
    let site = Site {
        entry_level: head + exchange_margin(world, (x, y)) + min_inflow,
        min_inflow,
        site_kind,
        ..Site::new_top((x, y), head, 0, max_inflow, air)
    };
    (max_inflow > 0).then_some(site)
}

/// Returns the amount (256ths of a cell) by which the head of a heavier column must exceed that of
/// the lighter column at the cell `(x, y)` before it flows in. This is a whole cell if the cell
/// above holds the same lighter liquid, so that deep liquid is exchanged in whole cells. Otherwise
/// it is 0.
fn exchange_margin(world: &impl CellLabels, (x, y): CellPos) -> i32 {
    let is_deep = world.cell(x, y.wrapping_sub(1)).kind() == world.cell(x, y).kind();
    if is_deep { i32::from(FULL) } else { 0 }
}

/// Returns the row that the top of the column at `(x, y)` reaches when heavier liquid flows in at
/// this cell and lifts the column. Returns `None` if the column cannot be lifted. If there is too
/// little space above the column for all inflows into it, only the lowest inflow lifts the column.
fn lifted_top_row(world: &impl CellLabels, (x, y): CellPos) -> Option<u32> {
    let top = top_row(|y| world.cell(x, y), y);
    let over = top.checked_sub(1)?;
    let lighter = world.cell(x, y).kind();
    let is_whole = top == y || world.cell(x, y).fill() == FULL;
    // A column that hangs above comes down first. The lifted column must not join it in this step.
    let hangs = over.checked_sub(1).is_some_and(|row| world.cell(x, row).kind() == lighter);
    if !is_whole || hangs || !world.is_member(x, top) || !stays_air(world, (x, over), lighter) {
        return None;
    }
    let is_lifted_from = |y: &u32| has_inflow(world, (x, *y));
    let below = (y + 1..).take_while(|&y| world.cell(x, y).kind() == lighter);
    let others = below.clone().chain(top..y).filter(is_lifted_from).count() as u32;
    let has_room =
        others <= over && (1..=others).all(|up| stays_air(world, (x, over - up), lighter));
    let bottom = below.last().unwrap_or(y);
    let may_lift = || (top..=bottom).rev().find(|&y| is_outweighed(world, (x, y))) == Some(y);
    (has_room || may_lift()).then_some(over)
}

/// Returns whether an adjacent column of heavier liquid is heavy enough to flow into the column at
/// the cell `(x, y)`. The weights of both columns are measured from this cell upward.
fn is_outweighed(world: &impl CellLabels, (x, y): CellPos) -> bool {
    [-1, 1].into_iter().any(|side| {
        let adjacent = x.wrapping_add_signed(side);
        let kind = world.cell(adjacent, y).kind();
        let rows = (0..=y).rev().take_while(|&y| world.cell(adjacent, y).kind() == kind);
        let weighs = || {
            let own: i32 = rows.clone().map(|y| i32::from(world.cell(adjacent, y).fill())).sum();
            own + liquid_weight_above(world, (adjacent, rows.last().unwrap_or(y)), kind).0
        };
        can_flow_in_from(world, (x, y), adjacent)
            && weighs()
                > liquid_weight_above(world, (x, y + 1), kind).0 + exchange_margin(world, (x, y))
    })
}

fn has_inflow(world: &impl CellLabels, (x, y): CellPos) -> bool {
    [-1, 1].into_iter().any(|side| can_flow_in_from(world, (x, y), x.wrapping_add_signed(side)))
}

/// Returns whether the cell in column `adjacent` and row `y` holds supported heavier liquid that
/// can flow into the cell `(x, y)`. The liquid can flow over a floor, onto another body of the same
/// heavier liquid, or over an edge.
fn can_flow_in_from(world: &impl CellLabels, (x, y): CellPos, adjacent: u32) -> bool {
    let (cell, below) = (world.cell(adjacent, y), world.cell(x, y + 1));
    if !cell.is_liquid()
        || cell.kind() <= world.cell(x, y).kind()
        || !world.is_supported(adjacent, y)
    {
        return false;
    }
    if is_support(world, (x, y + 1), cell.kind()) {
        return true;
    }
    // The column of the body below is filled first.
    let is_own = || world.body(x, y + 1) == world.body(adjacent, y);
    if below.kind() == cell.kind() {
        !is_own()
    } else {
        world.cell(adjacent, y + 1).kind() != cell.kind()
    }
}

/// Returns whether a cell is air into which no liquid heavier than `lighter` can flow in this step.
fn stays_air(world: &impl CellLabels, (x, y): CellPos, lighter: Kind) -> bool {
    let heavy = |x: u32, y: u32| {
        let cell = world.cell(x, y);
        let is_heavy = cell.is_liquid() && cell.kind() > lighter && world.is_member(x, y);
        is_heavy.then_some(cell)
    };
    // Liquid supported by its own kind does not run over an edge.
    let may_come = |side: i32| {
        let x = x.wrapping_add_signed(side);
        let stays = |cell: PackedCell| {
            world.is_supported(x, y) && world.cell(x, y + 1).kind() == cell.kind()
        };
        heavy(x, y).is_some_and(|cell| !stays(cell))
    };
    let comes_down = || heavy(x, y.wrapping_sub(1)).is_some_and(|cell| cell.fill() == FULL);
    world.cell(x, y) == PackedCell::AIR && !comes_down() && ![-1, 1].into_iter().any(may_come)
}

fn top_row(cell: impl Fn(u32) -> PackedCell, y: u32) -> u32 {
    let kind = cell(y).kind();
    (0..y).rev().take_while(|&y| cell(y).kind() == kind).last().unwrap_or(y)
}

/// Returns whether a cell holds liquid lighter than `heavier`. Such a cell is lifted when liquid of
/// kind `heavier` flows in below.
pub(in crate::blocks) fn is_lifted(cell: PackedCell, heavier: Kind) -> bool {
    cell.is_liquid() && cell.kind() < heavier
}

/// Returns the changed cells of a column that is lifted by one cell: the row and new content of the
/// current top cell, then those of the cell above it.
pub(in crate::blocks) fn lifted_cells(
    cell: impl Fn(u32) -> PackedCell,
    y: u32,
) -> [(u32, PackedCell); 2] {
    let top = top_row(&cell, y);
    [(top, PackedCell::new(cell(y).kind(), FULL)), (top - 1, cell(top))]
}
