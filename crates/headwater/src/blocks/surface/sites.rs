//! [`Site`]: a cell at the surface of a body of liquid through which liquid can leave or enter the
//! body. This module handles the top cells of columns; `openings.rs` handles the cells at the sides
//! of the body and below it.

use super::cliff::{cliff_inflow, hole_height};
use super::room_share::free_space_share;
use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, FULL, Kind, PackedCell, density};
use crate::blocks::state::cell_labels::{CellLabels, SKY, floor_height};

/// Position of a site (a cell where a body of liquid gains or loses liquid) relative to its body.
/// It determines the rules for inflow and outflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::blocks) enum SiteKind {
    /// Top cell of a column of the body, through which liquid can leave or enter.
    Top,
    /// Dry supported cell next to the body. Liquid enters it only if the inflow has at least the
    /// thickness of a film.
    Floor,
    /// Unsupported cell next to the body. Liquid that flows over the edge of the body's floor falls
    /// into it.
    Drop,
}

/// Surface cell of a body of liquid through which liquid can leave or enter the body in a step,
/// with its limits on outflow and inflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blocks) struct Site {
    pub(in crate::blocks) x: u32,
    pub(in crate::blocks) y: u32,
    /// Surface height (256ths of a cell above the bottom of the world). Includes the weight of
    /// lighter liquid above, converted to a height of the body's liquid. For cells at the side of
    /// the body or below it, the height of the floor or edge.
    pub(in crate::blocks) head: i32,
    /// Largest outflow (256ths of a cell). For a given level of the body, the outflow is the height
    /// difference between `head` and this level, up to `max_outflow`.
    pub(in crate::blocks) max_outflow: i32,
    pub(in crate::blocks) max_inflow: i32,
    /// Lowest level of the body (256ths of a cell above the bottom of the world) at which liquid
    /// enters. The inflow at this level is `min_inflow`. At higher levels, it increases by the same
    /// amount as the level.
    pub(in crate::blocks) entry_level: i32,
    /// Inflow at the level `entry_level` (256ths of a cell).
    pub(in crate::blocks) min_inflow: i32,
    pub(in crate::blocks) site_kind: SiteKind,
    /// Unfilled part of the column's top cell (256ths of a cell).
    pub(in crate::blocks) headroom: i32,
    /// Whether the cell above the column's top cell is air or holds falling liquid of the same kind
    /// as the column.
    pub(in crate::blocks) is_open_above: bool,
    /// Whether the column may hold more liquid than `max_outflow`.
    pub(in crate::blocks) may_be_deeper: bool,
    /// Label of the air pocket above this cell. Liquid moves only between cells under the same air
    /// pocket.
    pub(in crate::blocks) air: u32,
}

impl Site {
    pub(in crate::blocks) fn new_top(
        (x, y): (u32, u32),
        head: i32,
        max_outflow: i32,
        max_inflow: i32,
        air: u32,
    ) -> Self {
        let (entry_level, site_kind) = (head + 1, SiteKind::Top);
        Self {
            x,
            y,
            head,
            max_outflow,
            max_inflow,
            entry_level,
            min_inflow: 1,
            site_kind,
            headroom: 0,
            is_open_above: false,
            may_be_deeper: false,
            air,
        }
    }
}

/// Returns the site (a cell with limits on inflow and outflow) at the top of a column of `body`, or
/// `None` if the column cannot exchange liquid. The volume of the column limits the outflow.
/// [`flow`](Params::flow) and any ceiling limit the inflow. With trapped air, a full cell under a
/// ceiling has outflow only if air can enter from the side.
pub(in crate::blocks) fn top_site(
    world: &impl CellLabels,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> Option<Site> {
    let here = world.cell(x, y);
    let fill = here.fill();
    // Heavier liquid has replaced this liquid in the current step.
    if here.kind() != kind {
        return None;
    }
    let over = world.cell(x, y.wrapping_sub(1));
    let grows = over.kind() == AIR || over.kind() == kind;
    let air = if fill < FULL || !params.trapped_air {
        air_pocket_at(world, params, x, y, fill < FULL)
    } else if y == 0 {
        SKY
    } else {
        air_pocket_above(world, x, y).or_else(|| air_pocket_beside(world, x, y))?
    };
    let space = if y > 0 && grows && can_rise_into(world, (x, y), (x, y - 1), body) {
        free_space_share(over.free_space(kind).into(), world, params, (x, y - 1), body, kind)
    } else {
        0
    };
    let own_room =
        if can_rise_into(world, (x, y), (x, y), body) { i32::from(FULL - fill) } else { 0 };
    // The surface under a fall stays in its row. Otherwise, the falling liquid would hang over the
    // lowered surface, and separate the bodies on both sides.
    let (max_outflow, may_be_deeper) = if over.kind() == kind {
        (fill.into(), false)
    } else {
        column_volume(world, (x, y), FIRST_COLUMN_CELLS)
    };
    let mut max_inflow = (own_room + space).min(params.flow_limit().into());
    if space == i32::from(FULL) {
        max_inflow = max_inflow.max(scale_by_flow(params, cliff_inflow(world, (x, y), body, kind)));
        let rows = hole_height(world, (x, y), body, kind);
        max_inflow = max_inflow.max(scale_by_flow(params, i32::from(FULL) * rows));
    }
    // Liquid that lands in this step counts, as it does if it lies on a full cell.
    let lands = if over.kind() == kind { i32::from(over.fill()) } else { 0 };
    let head = floor_height(world, y)
        + i32::from(fill)
        + lands
        + weight_above(world, params, (x, y), kind);
    let (headroom, is_open_above) = (i32::from(FULL - fill), grows);
    Some(Site {
        headroom,
        is_open_above,
        may_be_deeper,
        ..Site::new_top((x, y), head, max_outflow, max_inflow, air)
    })
}

/// Returns `amount` (256ths of a cell) multiplied by [`flow`](Params::flow) / 256. Viscous liquids
/// have a `flow` below 256.
pub(in crate::blocks) fn scale_by_flow(params: &Params, amount: i32) -> i32 {
    amount * i32::from(params.flow_limit()) / i32::from(FULL)
}

#[inline(always)]
pub(in crate::blocks) fn weight_above(
    world: &impl CellLabels,
    params: &Params,
    at: (u32, u32),
    kind: Kind,
) -> i32 {
    if params.trapped_air || !world.may_hold_lighter(kind) {
        0
    } else {
        effective_weight_above(world, at, kind)
    }
}

/// Largest depth (cells) at which spreading liquid exerts no pressure on the liquid below it.
const SHALLOW_CELLS: u32 = 3;

/// Returns the weight of lighter liquid above a cell, converted to a height of liquid `kind`
/// (256ths of a cell). The weight includes liquid that is separated from the cell by a single air
/// cell. Shallow spreading liquid counts as 0, because it would otherwise hold back the heavier
/// liquid.
pub(in crate::blocks) fn effective_weight_above(
    world: &impl CellLabels,
    at: (u32, u32),
    kind: Kind,
) -> i32 {
    let (weight, runs_out) = liquid_weight_above(world, at, kind);
    if runs_out { 0 } else { weight }
}

#[inline(never)]
pub(in crate::blocks) fn liquid_weight_above(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    kind: Kind,
) -> (i32, bool) {
    let is_gap = y > 1 && world.cell(x, y - 1) == PackedCell::AIR;
    let (mut weight, mut cells, mut runs_out) = (0, 0, false);
    for y in (0..y - u32::from(is_gap)).rev() {
        let above = world.cell(x, y);
        let body = world.body(x, y);
        if !above.is_liquid() || above.kind() >= kind || body == NONE {
            break;
        }
        weight += i64::from(above.fill()) * i64::from(density(above.kind()));
        cells += 1;
        runs_out |= world.is_spreading(body);
    }
    ((weight / i64::from(density(kind))) as i32, runs_out && cells <= SHALLOW_CELLS)
}

pub(in crate::blocks) fn is_full_above(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    body: u32,
) -> bool {
    let above = (x, y.wrapping_sub(1));
    world.cell(above.0, above.1).fill() == FULL && world.body(above.0, above.1) == body
}

/// Returns whether the column whose top cell is `top` can rise into the cell `(x, y)`. The column
/// must be supported, or adjoin supported liquid of its body in row `y`. No liquid of the body may
/// drop into the cell.
pub(in crate::blocks) fn can_rise_into(
    world: &impl CellLabels,
    top: (u32, u32),
    (x, y): (u32, u32),
    body: u32,
) -> bool {
    let is_body_at = |x: u32| world.is_supported(x, y) && world.body(x, y) == body;
    let is_stable =
        world.is_supported(top.0, top.1) || is_body_at(x.wrapping_sub(1)) || is_body_at(x + 1);
    is_stable && ((x, y) == top || !is_full_above(world, (x, y), body))
}

/// Number of top cells of a column that initially count toward the column's largest outflow.
/// [`extend_columns`] adds more cells if needed.
pub(in crate::blocks) const FIRST_COLUMN_CELLS: i32 = 2;
/// Largest number of top cells of a column that count toward the column's outflow. The limit keeps
/// the sums in `share.rs` below 2³¹.
const MAX_COLUMN_CELLS: i32 = 127;

/// Returns the volume (256ths of a cell) of the top `cells` cells of a column, and whether the
/// column may be deeper than these cells.
#[inline(always)]
pub(in crate::blocks) fn column_volume(
    world: &impl CellLabels,
    (x, y): (u32, u32),
    cells: i32,
) -> (i32, bool) {
    let top = world.cell(x, y);
    let full = PackedCell::new(top.kind(), FULL);
    let mut below = 0;
    while below + 1 < cells && world.cell(x, y + 1 + below as u32) == full {
        below += 1;
    }
    (i32::from(top.fill()) + below * i32::from(FULL), below + 1 == cells)
}

/// Increases the outflow limit of each column whose outflow has reached the limit, by including
/// more of its cells. Returns whether the limit of any column has increased.
pub(in crate::blocks) fn extend_columns(
    world: &impl CellLabels,
    sites: &mut [Site],
    shares: &[i32],
) -> bool {
    let mut has_grown = false;
    // Up to two units stay behind when a remainder cannot be divided evenly.
    let all =
        |(site, moved): &(&mut Site, &i32)| site.may_be_deeper && -**moved >= site.max_outflow - 2;
    for (site, _) in sites.iter_mut().zip(shares).filter(all) {
        let cells = (4 * site.max_outflow / i32::from(FULL))
            .clamp(4 * FIRST_COLUMN_CELLS, MAX_COLUMN_CELLS);
        let before = site.max_outflow;
        (site.max_outflow, site.may_be_deeper) = column_volume(world, (site.x, site.y), cells);
        has_grown |= site.max_outflow > before;
    }
    has_grown
}

pub(in crate::blocks) fn air_pocket_at(
    world: &impl CellLabels,
    params: &Params,
    x: u32,
    y: u32,
    has_space: bool,
) -> u32 {
    if params.trapped_air && has_space { world.air_pocket(x, y) } else { SKY }
}

/// Returns the air pocket above a column of full cells, or `None` if the column ends under a
/// ceiling.
pub(in crate::blocks) fn air_pocket_above(world: &impl CellLabels, x: u32, y: u32) -> Option<u32> {
    let mut y = y;
    loop {
        if y == 0 {
            return Some(SKY);
        }
        y -= 1;
        let cell = world.cell(x, y);
        if cell.is_wall() {
            return None;
        }
        if cell.fill() < FULL {
            return Some(world.air_pocket(x, y));
        }
    }
}

/// Returns the air pocket from which air can enter a full cell under a ceiling from the west or
/// east and replace its liquid. Returns `None` if there is no air on either side, or if the two
/// sides belong to different pockets.
fn air_pocket_beside(world: &impl CellLabels, x: u32, y: u32) -> Option<u32> {
    let air = |x: u32| {
        let cell = world.cell(x, y);
        (!cell.is_wall() && cell.fill() < FULL).then(|| world.air_pocket(x, y))
    };
    match (air(x.wrapping_sub(1)), air(x + 1)) {
        (Some(west), Some(east)) if west != east => None,
        (west, east) => west.or(east),
    }
}

/// Returns a copy of `site` with the limits for inflow over an edge into an unsupported cell.
/// Liquid flows in only if the body stands at least `min_depth` (256ths of a cell) above the edge.
pub(in crate::blocks) fn with_drop_limits(
    world: &impl CellLabels,
    site: Site,
    min_depth: i32,
    kind: Kind,
) -> Site {
    let at = (site.x, site.y);
    let (falls, fill) = (falling_volume(world, at, kind), i32::from(world.cell(at.0, at.1).fill()));
    // Existing content takes liquid only from a higher level.
    let (min_inflow, over) =
        if falls > fill { (1 + falls - fill, 0) } else { (1, 1 + fill - falls) };
    Site {
        entry_level: site.head + min_depth + over,
        min_inflow: min_inflow.min(1 + site.max_inflow),
        site_kind: SiteKind::Drop,
        ..site
    }
}

/// Returns the volume (256ths of a cell) of liquid `kind` that flows down out of an unsupported
/// cell in this step. Inflow into the cell can use the freed space in the same step.
fn falling_volume(world: &impl CellLabels, (x, y): (u32, u32), kind: Kind) -> i32 {
    let below = world.cell(x, y + 1);
    let falls = [AIR, kind].contains(&below.kind()) && !world.is_supported(x, y + 1);
    i32::from(if falls { FULL } else { below.free_space(kind) })
}
