//! Openings: cells at the side of a body of liquid, or below it, into which liquid of the body can
//! flow. The liquid reaches an opening over a floor, over an edge, or from unsupported cells above.

use super::cliff::{cliff_inflow, hole_height};
use super::edges::{Edge, feeding_edge, is_support, limit_by_air};
use super::room_share::free_space_share;
use super::sites::{
    Site, SiteKind, air_pocket_above, air_pocket_at, can_rise_into, is_full_above, scale_by_flow,
    weight_above, with_drop_limits,
};
use super::wetting_front::{add_sheet_sites, site_beyond};
use crate::blocks::params::Params;
use crate::blocks::stages::density_current::density_current_site;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{FULL, Kind, PackedCell, WATER};
use crate::blocks::state::cell_labels::{CellLabels, floor_height};

/// Returns the bodies of liquid that can flow into a cell from the west, from the east and from
/// above, in this order. Each body comes with the position of the adjacent cell. The index of the
/// body is [`NONE`] if no body can flow in from that direction.
pub(in crate::blocks) fn bodies_at(
    world: &impl CellLabels,
    (x, y): (u32, u32),
) -> [(u32, (u32, u32)); 3] {
    let adjacent = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1))];
    let of = |(x, y): (u32, u32), min_fill: u16| {
        if world.cell(x, y).fill() >= min_fill { world.body(x, y) } else { NONE }
    };
    let [mut west, mut east, mut above] = [NONE, NONE, of(adjacent[2], FULL)];
    let here = world.cell(x, y);
    // A member of a body is filled only from above, but heavier liquid can run in under it.
    let is_part = here != PackedCell::AIR && world.is_member(x, y);
    let from = |(x, y): (u32, u32)| {
        let runs_in = !is_part || world.cell(x, y).kind() > here.kind();
        if runs_in { of((x, y), 1) } else { NONE }
    };
    if !is_part || here.kind() < WATER {
        west = from(adjacent[0]);
        east = from(adjacent[1]);
        if east == west {
            east = NONE;
        }
        if above == west || above == east {
            above = NONE;
        }
    }
    [(west, adjacent[0]), (east, adjacent[1]), (above, adjacent[2])]
}

pub(in crate::blocks) fn add_opening_sites(
    world: &impl CellLabels,
    params: &Params,
    at: (u32, u32),
    body: u32,
    kind: Kind,
    sites: &mut Vec<Site>,
) {
    if let Some(first) = opening_site(world, params, at, body, kind) {
        sites.push(first);
        sites.extend(site_beyond(world, params, &first, body));
        if first.site_kind == SiteKind::Drop {
            add_sheet_sites(world, params, &first, (body, kind), sites);
        }
    }
}

/// Returns the limits on the inflow from an adjacent `body` into an opening at `(x, y)`. Returns
/// `None` if the body cannot flow into the cell. Cells into which a column of the body can rise do
/// not count as openings.
fn opening_site(
    world: &impl CellLabels,
    params: &Params,
    (x, y): (u32, u32),
    body: u32,
    kind: Kind,
) -> Option<Site> {
    let here = world.cell(x, y);
    if here.is_liquid() && here.kind() < kind {
        return density_current_site(world, params, (x, y), body, kind);
    }
    let room = i32::from(here.free_space(kind));
    let hangs = is_full_above(world, (x, y), body);
    let grows = !hangs
        && world.cell(x, y + 1).kind() == kind
        && world.body(x, y + 1) == body
        && world.body(x, y) == NONE
        && can_rise_into(world, (x, y + 1), (x, y), body);
    if room == 0 || grows {
        return None;
    }
    let share = |room: i32| free_space_share(room, world, params, (x, y), body, kind);
    let (head, max_outflow) =
        (floor_height(world, y) + weight_above(world, params, (x, y), kind), 0);
    let air = air_pocket_at(world, params, x, y, true);
    let site = if hangs {
        // Unsupported liquid drops under the air above it.
        let over = if params.trapped_air { air_pocket_above(world, x, y) } else { None };
        let max_fill = if world.body(x, y) == NONE { limit_by_air(params, FULL) } else { FULL };
        let max_inflow = share((i32::from(max_fill) - i32::from(here.fill())).max(0));
        let site = Site::new_top(
            (x, y),
            head + i32::from(here.fill()),
            max_outflow,
            max_inflow,
            over.unwrap_or(air),
        );
        // A full pipe without air runs over its bend like a siphon.
        let is_siphon = params.trapped_air && over.is_none();
        match world.sill_row((x, y - 1)).filter(|_| !is_siphon) {
            Some(sill) => {
                let entry_level = site.entry_level.max(floor_height(world, sill));
                Site {
                    entry_level,
                    min_inflow: 1.max(max_inflow),
                    site_kind: SiteKind::Drop,
                    ..site
                }
            }
            None => site,
        }
    } else if is_support(world, (x, y + 1), kind) {
        feeding_edge(world, (x, y), body, |_| true)?;
        let mut max_inflow = share(room.min(params.flow_limit().into()));
        if max_inflow == i32::from(params.flow_limit()) {
            max_inflow =
                max_inflow.max(scale_by_flow(params, cliff_inflow(world, (x, y), body, kind)));
            let rows = hole_height(world, (x, y), body, kind);
            max_inflow = max_inflow.max(scale_by_flow(params, i32::from(FULL) * (1 + rows)));
        }
        let below = world.cell(x, y + 1);
        // The top of a full column is wet.
        let film = if below.kind() == kind { 1 } else { i32::from(params.film) };
        let site_kind = SiteKind::Floor;
        let is_lifted = below.is_liquid() && below.kind() > kind;
        let head = head + if is_lifted { i32::from(here.fill()) } else { 0 };
        Site {
            entry_level: head + film,
            min_inflow: film,
            site_kind,
            ..Site::new_top((x, y), head, max_outflow, max_inflow, air)
        }
    } else {
        let is_edge = |x| world.cell(x, y + 1).kind() != kind;
        let Edge { distance, outflow } = feeding_edge(world, (x, y), body, is_edge)?;
        let max_fill =
            limit_by_air(params, params.pour_limit().min(params.flow_limit()).min(outflow));
        let max_inflow = share((i32::from(max_fill) - i32::from(here.fill())).max(0));
        let site = Site::new_top((x, y), head, max_outflow, max_inflow, air);
        with_drop_limits(world, site, distance * i32::from(FULL), kind)
    };
    (site.max_inflow > 0).then_some(site)
}
