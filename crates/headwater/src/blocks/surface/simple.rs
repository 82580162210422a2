//! Fast path for simple surface cells: cells whose limits on inflow and outflow depend only on a
//! few neighbouring cells. More than half of all surface cells are simple. They are found by bit
//! operations on whole rows. The results equal those of `sites.rs` and `openings.rs`.

use super::edges::outflow_at;
use super::openings;
use super::sites::{self, Site, SiteKind};
use super::wetting_front::{add_sheet_sites, site_beyond};
use crate::blocks::params::Params;
use crate::blocks::state::cell::{FULL, Kind, PackedCell};
use crate::blocks::state::cell_labels::{CellLabels, SKY, floor_height};
use crate::blocks::state::chunk::{Chunk, KINDS};
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::SIDE;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::blocks) struct SimpleCells {
    /// Bit mask of the columns whose top cell in this row is simple, which means that its limits
    /// depend only on a few neighbouring cells. Such a column is supported, and is either under a
    /// ceiling or free to rise. It is free to rise if no body lies next to the cell above its top
    /// and no liquid drops into that cell.
    pub(in crate::blocks) tops: u64,
    /// Bit mask of the columns with a simple opening in this row: a cell into which a body of
    /// liquid can flow, with limits that depend only on a few neighbouring cells. A simple opening
    /// has supported liquid on exactly one side, and no liquid drops into it. It is either a cell
    /// of dry floor with no body next to the cell above, or a cell of air or falling liquid beyond
    /// an edge.
    pub(in crate::blocks) openings: u64,
    /// Bit mask of the openings (cells at the side of a body of liquid, or below it) that receive
    /// no inflow if the world holds only one liquid. They are cells of air next to columns that
    /// rest on their own kind of liquid.
    pub(in crate::blocks) inert: u64,
}

/// Bit mask of the columns whose western and eastern neighbours are in the same chunk.
const INNER: u64 = !(1 | 1 << (SIDE - 1));

impl SimpleCells {
    pub(in crate::blocks) fn from_row(chunk: &Chunk, y: usize) -> Self {
        if !(2..SIDE - 1).contains(&y) {
            return Self::default();
        }
        let air = |y: usize| {
            !(0..KINDS).fold(chunk.walls[y], |closed, kind| closed | chunk.liquid[kind][y])
        };
        let (members, supported) = (chunk.members[y], chunk.supported_row(y));
        let above = chunk.members[y - 1];
        let is_free = INNER & !(above << 1 | above >> 1);
        let grows = is_free & air(y - 1) & !chunk.full[y - 2];
        let tops = chunk.tops[y] & supported & (chunk.walls[y - 1] | grows);
        let [west, east] = [members << 1, members >> 1];
        let is_supported = west & supported << 1 & !east | east & supported >> 1 & !west;
        let floors = air(y) & is_free & chunk.walls[y + 1];
        let columns = chunk.liquid.iter().fold(0, |all, kind| all | kind[y] & kind[y + 1]);
        let falls = (0..KINDS).fold(0, |all, kind| {
            let [here, below] = [y, y + 1].map(|y| chunk.liquid[kind][y]);
            // Liquid above its own kind does not run over an edge.
            let edge = here & !below;
            let adjacent = west & edge << 1 | east & edge >> 1;
            let open = (air(y) | here) & (air(y + 1) | below) & !(members | chunk.members[y + 1]);
            all | adjacent & open
        });
        let may_run = INNER & is_supported & !chunk.full[y - 1] & (floors | falls);
        let openings = chunk.openings[y] & may_run;
        // Cells outside bodies have no outflow, and liquid supported by its own kind runs over no
        // edge.
        let column = supported & columns;
        let gives_nothing = (!west | column << 1) & (!east | column >> 1);
        let blocked = members | chunk.members[y + 1] | chunk.walls[y + 1] | chunk.full[y - 1];
        let inert = chunk.openings[y] & INNER & gives_nothing & !blocked;
        Self { tops, openings, inert }
    }
}

/// Returns whether the fast path can be used for a kind of liquid. It cannot be used with trapped
/// air, or if lighter liquid can rest on this kind.
pub(in crate::blocks) fn can_use_fast_path(grid: &Grid, params: &Params, kind: Kind) -> bool {
    !params.trapped_air && !grid.may_hold_lighter(kind)
}

type BodyCell = ((u32, u32), u32, Kind);

pub(in crate::blocks) fn top_site(
    world: &impl CellLabels,
    params: &Params,
    (at, body, kind): BodyCell,
) -> Site {
    let (x, y) = at;
    let (fill, is_open_above) = (world.cell(x, y).fill(), world.cell(x, y - 1) == PackedCell::AIR);
    let headroom = i32::from(FULL - fill);
    let max_inflow = headroom + if is_open_above { i32::from(FULL) } else { 0 };
    let (max_outflow, may_be_deeper) = sites::column_volume(world, at, sites::FIRST_COLUMN_CELLS);
    let head = floor_height(world, y) + i32::from(fill);
    let top = Site::new_top(at, head, max_outflow, max_inflow.min(params.flow_limit().into()), SKY);
    let site = Site { headroom, is_open_above, may_be_deeper, ..top };
    debug_assert_eq!(Some(site), sites::top_site(world, params, at, body, kind));
    site
}

pub(in crate::blocks) fn add_opening_sites(
    world: &impl CellLabels,
    params: &Params,
    (at, body, kind): BodyCell,
    sites: &mut Vec<Site>,
) {
    let (x, y) = at;
    let before = sites.len();
    let (head, flow) = (floor_height(world, y), params.flow_limit());
    if world.cell(x, y + 1).is_wall() {
        let (film, site_kind) = (i32::from(params.film), SiteKind::Floor);
        let top = Site::new_top(at, head, 0, flow.min(FULL).into(), SKY);
        let first = Site { entry_level: head + film, min_inflow: film, site_kind, ..top };
        sites.push(first);
        sites.extend(site_beyond(world, params, &first, body));
    } else {
        let side = if world.is_member(x - 1, y) { 1 } else { -1 };
        let outflow = outflow_at(world, (x.wrapping_add_signed(-side), y), side, 0, body);
        let max_fill = i32::from(params.pour_limit().min(flow).min(outflow));
        let fill = i32::from(world.cell(x, y).fill());
        let max_inflow = max_fill - fill;
        if max_inflow > 0 {
            let min_inflow = (1 + i32::from(FULL) - fill).min(1 + max_inflow);
            let top = Site::new_top(at, head, 0, max_inflow, SKY);
            let first = Site { entry_level: head, min_inflow, site_kind: SiteKind::Drop, ..top };
            sites.push(first);
            add_sheet_sites(world, params, &first, (body, kind), sites);
        }
    }
    if cfg!(debug_assertions) {
        let after = sites.len();
        openings::add_opening_sites(world, params, at, body, kind, sites);
        debug_assert_eq!(sites[before..after], sites[after..]);
        sites.truncate(after);
    }
}
