//! Wetting fronts: a spreading body of liquid advances by two cells per step, over free dry floor
//! and down falling streams of full cells. At one cell per step, the front would lag behind the
//! levelling of the body.

use super::edges::{edge_outflow, fall_width, limit_by_air, sheet_outflow};
use super::sites::{Site, SiteKind, is_full_above, with_drop_limits};
use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, FULL, Kind, PackedCell};
use crate::blocks::state::cell_labels::CellLabels;

/// Returns the site (a cell that the body can fill, with its limits) one cell beyond an opening.
/// The body can reach this cell in the same step as the opening. It is the next cell of dry floor,
/// or the second cell below a full unsupported cell. Returns `None` if there is no such cell, or if
/// another body can reach it.
pub(in crate::blocks) fn site_beyond(
    world: &impl CellLabels,
    params: &Params,
    first: &Site,
    body: u32,
) -> Option<Site> {
    match first.site_kind {
        SiteKind::Floor => floor_site(world, params, first, body),
        SiteKind::Top | SiteKind::Drop => fall_site(world, first, body),
    }
}

fn floor_site(world: &impl CellLabels, params: &Params, first: &Site, body: u32) -> Option<Site> {
    let (y, film) = (first.y, i32::from(params.film));
    let is_beside = |side: i32| world.body(first.x.wrapping_add_signed(side), y) == body;
    let side = if is_beside(-1) { 1 } else { -1 };
    let away = |cells: i32| first.x.wrapping_add_signed(side * cells);
    let x = away(1);
    // A body approaching from the other side also advances by two cells.
    let is_free = world.cell(x, y) == PackedCell::AIR
        && world.cell(x, y + 1).is_wall()
        && [(x, y.wrapping_sub(1)), (away(2), y), (away(3), y)]
            .into_iter()
            .all(belongs_to_no_body(world));
    let (max_inflow, entry_level) = (params.flow_limit().into(), first.head + 2 * film);
    if is_free {
        return Some(Site { x, max_inflow, entry_level, min_inflow: film, ..*first });
    }
    // The site may lie beyond an edge if the last cell before the edge is dry, for example because
    // it was drained. Otherwise, that cell would act as a dam.
    let from = world.cell(away(-1), y);
    let below = world.cell(x, y + 1);
    let falls =
        below == PackedCell::AIR || below.kind() == from.kind() && !world.is_supported(x, y + 1);
    let others = [(x, y.wrapping_sub(1)), (x, y.wrapping_sub(2)), (away(2), y), (away(3), y)];
    let is_edge = falls
        && world.cell(x, y) == PackedCell::AIR
        && others.into_iter().all(belongs_to_no_body(world));
    let max_inflow = limit_by_air(
        params,
        params.pour_limit().min(params.flow_limit()).min(edge_outflow(from.fill())),
    );
    let site = Site {
        x,
        max_inflow: max_inflow.into(),
        entry_level,
        min_inflow: film.min(max_inflow.into()),
        site_kind: SiteKind::Drop,
        ..*first
    };
    (is_edge && max_inflow > 0).then_some(site)
}

/// Returns the site (a cell that liquid can enter, with its limits) at the second cell of a falling
/// stream. This cell takes a full cell of liquid or nothing, because a partial amount would
/// interrupt the stream. Smaller amounts fall in stage 5 of a step.
fn fall_site(world: &impl CellLabels, first: &Site, body: u32) -> Option<Site> {
    let (x, y, full) = (first.x, first.y + 1, i32::from(FULL));
    let is_free = first.max_inflow == full
        && is_full_above(world, (x, first.y), body)
        && [(x, first.y), (x, y)].into_iter().all(|(x, y)| world.cell(x, y) == PackedCell::AIR)
        && !world.cell(x, y + 1).is_wall()
        && [(x, y + 1), (x.wrapping_sub(1), y), (x + 1, y)]
            .into_iter()
            .all(belongs_to_no_body(world));
    is_free.then_some(Site {
        y,
        entry_level: first.entry_level.max(first.head + 2 * full),
        min_inflow: full,
        site_kind: SiteKind::Top,
        ..*first
    })
}

/// Adds the sites (cells that liquid can enter) of all columns of a falling stream except the
/// first, whose site is `first`. Each column takes one sheet (a horizontal layer of the liquid on
/// the edge), so the stream is as wide as its inflow requires.
pub(in crate::blocks) fn add_sheet_sites(
    world: &impl CellLabels,
    params: &Params,
    first: &Site,
    (body, kind): (u32, Kind),
    sites: &mut Vec<Site>,
) {
    let y = first.y;
    for side in [-1, 1] {
        let away = |cells: i32| first.x.wrapping_add_signed(side * cells);
        let edge = (away(-1), y);
        if !world.is_supported(edge.0, y) || world.body(edge.0, y) != body {
            continue;
        }
        let width = fall_width(world, edge, side);
        for column in 1..width {
            let x = away(column);
            let is_open = |y: u32| [AIR, kind].contains(&world.cell(x, y).kind());
            // A body above fills up to two cells of its fall.
            let above = [1, 2].map(|up| (x, y.wrapping_sub(up)));
            let places =
                [(x, y), (x, y + 1), (x.wrapping_sub(1), y), (x + 1, y), above[0], above[1]];
            let outflow = sheet_outflow(world, edge, side, body, width, column);
            if outflow == 0
                || !is_open(y)
                || !is_open(y + 1)
                || !places.into_iter().all(belongs_to_no_body(world))
            {
                break;
            }
            let max_fill =
                limit_by_air(params, params.pour_limit().min(params.flow_limit()).min(outflow));
            let max_inflow = i32::from(max_fill) - i32::from(world.cell(x, y).fill());
            if max_inflow > 0 {
                let site = Site { x, max_inflow, ..*first };
                sites.push(with_drop_limits(world, site, 0, kind));
            }
        }
    }
}

fn belongs_to_no_body(world: &impl CellLabels) -> impl Fn((u32, u32)) -> bool {
    |(x, y)| world.body(x, y) == NONE
}
