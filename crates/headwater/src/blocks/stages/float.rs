//! Stage 4 of a step: buoyancy of oil. Oil that lies next to or on a heavier body of liquid, and
//! below the top of that body, swaps places with a cell at the top. The oil must be able to reach
//! the top along the surface ([`Slicks`]) or past the end of a ceiling. If oil lies on a column
//! that weighs less than other columns of its body, the column and the oil are lifted by one cell.
//! Water does not need this stage, because lava that touches water turns to wall.

use super::slicks::{CellPos, MAX_CELLS_PER_TOP, OIL, Slicks, is_under_ceiling};
use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, FULL, LAVA, PackedCell};
use crate::blocks::state::cell_labels::{CellLabels, floor_height};
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::set_bits;
use crate::blocks::surface::moves::add_moved_cells;
use crate::blocks::surface::share::{ShareScratch, share_flow};
use crate::blocks::surface::sites::{Site, SiteKind, effective_weight_above};
use crate::scratch::{PooledVec, ScratchPool};
use std::cmp::Reverse;

/// A site (a cell that gives or takes liquid) with the key of its group: the index of the heavier
/// body and that of the connected oil.
type KeyedSite = ((u32, u32), Site);

type CellChanges = Vec<(CellPos, PackedCell)>;

pub(in crate::blocks) fn apply_buoyancy(
    grid: &mut Grid,
    active: &[u32],
    params: &Params,
    lava_moves: bool,
    scratch: &ScratchPool,
) {
    if active.is_empty() || !grid.may_hold(OIL) {
        return;
    }
    let (mut tops, mut oil) = (scratch.take_vec(), scratch.take_vec());
    for (c, chunk) in grid.chunks.iter().enumerate() {
        let (left, top) = grid.origin(c);
        for row in set_bits(chunk.surface_rows) {
            let place = |column| ((left + column) as u32, (top + row) as u32);
            tops.extend(set_bits(chunk.tops[row]).map(place));
        }
        for row in 0..chunk.cells.len() {
            let place = |column| ((left + column) as u32, (top + row) as u32);
            oil.extend(set_bits(chunk.body_row(0, row)).map(place));
        }
    }
    for &((x, y), cell) in &*buoyancy_changes(grid, &tops, &oil, params, lava_moves, scratch) {
        grid.set(x as usize, y as usize, cell);
    }
}

/// Returns the cells that change through buoyancy, each with its new content. `tops` lists the top
/// cells of all columns in bodies of liquid, and `oil` lists all cells of oil in bodies. Only whole
/// cells swap, so the pairing of cells does not affect the result.
pub(in crate::blocks) fn buoyancy_changes<'s>(
    world: &impl CellLabels,
    tops: &[CellPos],
    oil: &[CellPos],
    params: &Params,
    lava_moves: bool,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, (CellPos, PackedCell)> {
    let mut changed = scratch.take_vec();
    if oil.is_empty() {
        return changed;
    }
    let (mut keyed_sites, mut partial, mut sites) =
        (scratch.take_vec(), scratch.take_vec(), scratch.take_vec());
    let mut arrays = scratch.take::<ShareScratch>();
    add_rising_sites(world, tops, oil, lava_moves, (&mut keyed_sites, &mut partial), scratch);
    let mut busy = scratch.take_vec();
    let oil_body_size = |(x, y): CellPos| {
        let body = world.body(x, y);
        oil.iter().filter(|at| world.body(at.0, at.1) == body).count()
    };
    let mut swap = |(heavy, _): (u32, u32), from: CellPos, to: CellPos, busy: &mut Vec<u32>| {
        busy.extend([heavy, world.body(to.0, to.1)]);
        changed.extend([(from, world.cell(to.0, to.1)), (to, world.cell(from.0, from.1))]);
    };
    pair_sites(&mut keyed_sites, &mut sites, &mut arrays, oil_body_size, |key, a, b| {
        swap(key, a, b, &mut busy);
    });
    // Bodies that have just moved are skipped.
    let skip_busy = |keyed_sites: &mut Vec<KeyedSite>, busy: &mut Vec<u32>| {
        busy.sort_unstable();
        keyed_sites.retain(|((heavy, _), Site { x, y, .. })| {
            [*heavy, world.body(*x, *y)].iter().all(|body| busy.binary_search(body).is_err())
        });
    };
    skip_busy(&mut partial, &mut busy);
    keep_fullest_top_cells(world, &mut partial);
    pair_sites(&mut partial, &mut sites, &mut arrays, oil_body_size, |key, a, b| {
        swap(key, a, b, &mut busy);
    });
    if params.trapped_air {
        return changed;
    }
    add_lift_sites(world, tops, oil, lava_moves, &mut keyed_sites);
    skip_busy(&mut keyed_sites, &mut busy);
    lift_columns(world, &mut keyed_sites, &mut sites, &mut arrays, &mut changed, scratch);
    changed
}

/// Pairs sites that give a cell of liquid with sites that take one, separately for each group of
/// sites with equal keys. `oil_body_size` returns the size of the body of oil at a position.
fn pair_sites(
    keyed_sites: &mut [KeyedSite],
    sites: &mut Vec<Site>,
    arrays: &mut ShareScratch,
    oil_body_size: impl Fn(CellPos) -> usize,
    mut on_pair: impl FnMut((u32, u32), CellPos, CellPos),
) {
    keyed_sites.sort_unstable_by_key(|(key, site)| (*key, site.y, site.x));
    for keyed_sites in keyed_sites.chunk_by(|a, b| a.0 == b.0) {
        sites.clear();
        sites.extend(keyed_sites.iter().map(|(_, site)| *site));
        let shares = share_flow(sites, arrays);
        // Expand each share into single cells, counted down from the site.
        let moving = |side: i32| {
            let these = sites.iter().zip(shares).map(move |(site, moved)| (site, side * moved));
            these.flat_map(|(site, count)| (0..count.max(0)).map(|i| (site.x, site.y + i as u32)))
        };
        let pairs =
            moving(-1).zip(moving(1)).map(|(from, to)| on_pair(keyed_sites[0].0, from, to)).count();
        if pairs == 0
            && let Some((from, to)) = select_symmetric_pair(sites, &oil_body_size)
        {
            on_pair(keyed_sites[0].0, from, to);
        }
    }
}

/// Marker in [`Site::air`] for top cells that oil can reach past the end of a ceiling. These top
/// cells are preferred if several mirror-symmetric pairs of cells could swap.
const AT_EXIT: u32 = 1;

/// Breaks ties of mirror-symmetric configurations by selecting one outlet and one inlet. The
/// candidate inlets are the lowest ones. The candidate outlets are the highest of those that oil
/// reaches past the end of a ceiling. If there are none, they are the highest of all outlets.
///
/// From each set, the function selects the site nearest to the midpoint of the other set. If that
/// choice is ambiguous, it selects the site nearest to the midpoint of its own set. If an inlet is
/// still ambiguous, only the inlets in the largest body of oil are compared. Returns `None` if a
/// tie remains.
fn select_symmetric_pair(
    sites: &[Site],
    oil_body_size: impl Fn(CellPos) -> usize,
) -> Option<(CellPos, CellPos)> {
    let low = sites.iter().filter(|site| site.max_inflow > 0).map(|site| site.entry_level).min()?;
    let rank = |site: &Site| (site.air, site.head);
    let may = || sites.iter().filter(|site| site.max_outflow > 0 && site.head > low);
    let best = may().map(rank).max()?;
    let outlets = || may().filter(|site| rank(site) == best);
    let inlets = || sites.iter().filter(|site| site.max_inflow > 0 && site.entry_level == low);
    let (high, low) = (doubled_midpoint(outlets())?, doubled_midpoint(inlets())?);
    let from = nearest_unpaired(outlets(), low).or_else(|| nearest_unpaired(outlets(), high));
    let to = nearest_unpaired(inlets(), high).or_else(|| nearest_unpaired(inlets(), low)).or_else(
        || {
            let oil_body_size = |site: &Site| oil_body_size((site.x, site.y));
            let largest = inlets().map(oil_body_size).max()?;
            nearest_unpaired(inlets().filter(|site| oil_body_size(site) == largest), high)
        },
    );
    from.zip(to)
}

/// Returns twice the column of the midpoint between the westernmost and the easternmost of the
/// given sites. The doubled value is always an integer. Returns `None` if there are no sites.
fn doubled_midpoint<'a>(sites: impl Iterator<Item = &'a Site> + Clone) -> Option<u32> {
    let columns = sites.map(|site| site.x);
    Some(columns.clone().min()? + columns.max()?)
}

/// Returns the position of the site (a cell that gives or takes liquid) nearest to the column
/// `midpoint_x2` / 2. Sites are left out if another site is at the same distance. Returns `None` if
/// no site remains.
fn nearest_unpaired<'a>(
    sites: impl Iterator<Item = &'a Site> + Clone,
    midpoint_x2: u32,
) -> Option<CellPos> {
    let away = |site: &Site| (2 * site.x).abs_diff(midpoint_x2);
    let is_unpaired =
        |site: &&Site| sites.clone().filter(|other| away(other) == away(site)).count() == 1;
    sites.clone().filter(is_unpaired).min_by_key(|site| away(site)).map(|site| (site.x, site.y))
}

/// Creates a site (a cell that gives or takes liquid) that can give `max_outflow` cells, or that
/// takes one cell if `max_outflow` is 0. All sites that are compared must give their `head` in the
/// same unit.
fn float_site(position: CellPos, head: i32, max_outflow: i32) -> Site {
    Site::new_top(position, head, max_outflow, i32::from(max_outflow == 0), 0)
}

/// Excess weight (256ths of a cell) above which a column is lifted by one cell. Moving a cell
/// changes the excess by two cells, so a smaller threshold would cause oscillation.
const LIFT_THRESHOLD: i32 = 256;

fn height_in_cells(world: &impl CellLabels, (_, y): CellPos) -> i32 {
    floor_height(world, y) / i32::from(FULL)
}

/// Returns the position of the full cell at the top of a column: the top cell or, if that cell is
/// only partly filled, the cell below it in the same body. Returns `None` if neither cell is full.
fn full_cell_at_top(world: &impl CellLabels, (x, y): CellPos) -> Option<CellPos> {
    let (top, body) = (world.cell(x, y), world.body(x, y));
    let at = if top.fill() == FULL { (x, y) } else { (x, y + 1) };
    (is_full(world, at, top.kind()) && world.body(at.0, at.1) == body).then_some(at)
}

/// Removes all partly filled top cells from `keyed_sites` except the highest ones in each group of
/// sites with equal keys and, among these, the fullest ones. Sites of oil stay in the list.
fn keep_fullest_top_cells(world: &impl CellLabels, keyed_sites: &mut Vec<KeyedSite>) {
    let order =
        |site: &Site| (site.max_outflow == 0, site.y, Reverse(world.cell(site.x, site.y).fill()));
    keyed_sites.sort_unstable_by_key(|(key, site)| (*key, order(site), site.x));
    let mut first = None;
    keyed_sites.retain(|(key, site)| {
        let here = (*key, order(site));
        first = first.filter(|(group, _)| group == key).or(Some(here));
        site.max_outflow == 0 || first == Some(here)
    });
}

/// Adds sites (cells that give or take liquid) for submerged oil, and for the top cells of heavier
/// bodies of liquid with which this oil can swap places. Full cells are added to `keyed_sites`.
/// Partly filled top cells are added to `partial`, together with the oil that lies under a ceiling,
/// because only this oil can swap places with them.
fn add_rising_sites(
    world: &impl CellLabels,
    tops: &[CellPos],
    oil: &[CellPos],
    lava_moves: bool,
    (keyed_sites, partial): (&mut Vec<KeyedSite>, &mut Vec<KeyedSite>),
    scratch: &ScratchPool,
) {
    let mut slicks = scratch.take::<Slicks>();
    slicks.build(world, tops, oil);
    for &top in tops.iter().filter(|at| world.cell(at.0, at.1).kind() > OIL) {
        let key = (world.body(top.0, top.1), slicks.root_of_top(top));
        if key.1 != NONE && world.cell(top.0, top.1).fill() < FULL {
            partial.push((key, float_site(top, height_in_cells(world, top), 1)));
        }
        if key.1 != NONE
            && let Some(at) = full_cell_at_top(world, top)
        {
            let root_of_top = |y: &u32| is_full(world, (at.0, *y), world.cell(at.0, at.1).kind());
            let count = (at.1..at.1 + MAX_CELLS_PER_TOP).take_while(root_of_top).count();
            let air = if slicks.is_at_exit(top) { AT_EXIT } else { 0 };
            keyed_sites.push((
                key,
                Site { air, ..float_site(at, height_in_cells(world, at), count as i32) },
            ));
        }
    }
    for &((x, y), root) in slicks.separate_exits() {
        if is_full(world, (x, y), world.cell(x, y).kind()) {
            keyed_sites.push((
                (world.body(x, y), root),
                float_site((x, y), height_in_cells(world, (x, y)), 1),
            ));
        }
    }
    let mut keys = scratch.take_vec();
    keys.extend(keyed_sites.iter().map(|(key, _)| *key));
    keys.sort_unstable();
    let count = |key: (u32, u32)| {
        keys.partition_point(|other| *other <= key) - keys.partition_point(|other| *other < key)
    };
    for &at in oil.iter().filter(|at| is_full(world, **at, OIL)) {
        let slick = slicks.root_of_oil(world.body(at.0, at.1));
        if let Some(heavy) =
            adjacent_heavier_body(world, at, lava_moves, |body| count((body, slick)))
        {
            let keyed_site = ((heavy, slick), float_site(at, height_in_cells(world, at) - 1, 0));
            keyed_sites.push(keyed_site);
            partial.extend(is_under_ceiling(world, at).then_some(keyed_site));
        }
    }
}

/// Adds two kinds of sites (cells that give or take liquid) to `keyed_sites`. The first are columns
/// of heavier bodies below oil that has air above it; these columns can be lifted. The second are
/// the top cells of all columns of heavier bodies, which lift the first if they weigh more.
fn add_lift_sites(
    world: &impl CellLabels,
    tops: &[CellPos],
    oil: &[CellPos],
    lava_moves: bool,
    keyed_sites: &mut Vec<KeyedSite>,
) {
    keyed_sites.clear();
    let head = |(x, y): CellPos| {
        let top = world.cell(x, y);
        floor_height(world, y)
            + i32::from(top.fill())
            + effective_weight_above(world, (x, y), top.kind())
    };
    for &(x, y) in oil {
        let below = (x, y + 1);
        if let Some(heavy) = heavier_body_at(world, below, lava_moves)
            && world.cell(x, y + 1).fill() == FULL
            && let Some(top) = oil_top_below_air(world, (x, y))
            && (top == (x, y) || is_full(world, (x, y), OIL))
        {
            keyed_sites.push(((heavy, 0), float_site((x, y), head(below), 0)));
        }
    }
    for &(x, y) in tops.iter().filter(|at| world.cell(at.0, at.1).kind() > OIL) {
        let over = world.cell(x, y.wrapping_sub(1)).kind();
        if (y == 0 || [AIR, OIL].contains(&over)) && full_cell_at_top(world, (x, y)).is_some() {
            keyed_sites.push(((world.body(x, y), 0), float_site((x, y), head((x, y)), 1)));
        }
    }
}

/// Returns the top cell of a column of oil. Returns `None` if there is no air above it into which
/// the oil could be lifted.
fn oil_top_below_air(world: &impl CellLabels, (x, y): CellPos) -> Option<CellPos> {
    let top = (0..=y).rev().take_while(|&y| world.cell(x, y).kind() == OIL).last()?;
    let over = top.checked_sub(1)?;
    (world.body(x, top) != NONE && world.cell(x, over) == PackedCell::AIR).then_some((x, top))
}

/// Lifts by one cell those oil-carrying columns that weigh less than other columns of the same body
/// of liquid. The liquid comes from columns that outweigh the lightest oil-carrying column by more
/// than [`LIFT_THRESHOLD`].
fn lift_columns(
    world: &impl CellLabels,
    keyed_sites: &mut [KeyedSite],
    sites: &mut Vec<Site>,
    arrays: &mut ShareScratch,
    changed: &mut CellChanges,
    scratch: &ScratchPool,
) {
    let mut cells = scratch.take_vec();
    keyed_sites.sort_unstable_by_key(|(key, site)| (*key, site.y, site.x));
    for keyed_sites in keyed_sites.chunk_by(|a, b| a.0 == b.0) {
        let columns = keyed_sites.iter().map(|(_, site)| site).filter(|site| site.max_inflow > 0);
        let Some(lowest) = columns.clone().map(|site| site.head).min() else { continue };
        let tops = keyed_sites.iter().map(|(_, site)| site);
        let tops = tops.filter(|site| site.max_outflow > 0 && site.head > lowest + LIFT_THRESHOLD);
        let Some(lowest_top) = tops.clone().map(|site| site.head).min() else { continue };
        let cell = i32::from(FULL);
        sites.clear();
        sites.extend(tops.map(|site| Site { max_outflow: cell, ..*site }));
        let outweighed = columns.filter(|site| site.head + LIFT_THRESHOLD < lowest_top);
        // The site takes one whole cell or nothing, independent of the level.
        sites.extend(outweighed.map(|site| Site {
            max_inflow: cell,
            entry_level: 1,
            min_inflow: cell,
            site_kind: SiteKind::Floor,
            ..*site
        }));
        let shares = share_flow(sites, arrays);
        if shares.iter().any(|moved| *moved > 0 && *moved != cell) {
            continue;
        }
        for (site, &amount) in sites.iter().zip(shares).filter(|(_, amount)| **amount != 0) {
            if amount > 0 {
                lift_column(world, (site.x, site.y), changed);
            } else {
                cells.clear();
                add_moved_cells(
                    (site.x, site.y),
                    amount,
                    world,
                    world.cell(site.x, site.y).kind(),
                    &mut cells,
                );
                changed.extend(cells.iter().map(|&(x, y, cell)| ((x, y), cell)));
            }
        }
    }
}

fn lift_column(world: &impl CellLabels, target: CellPos, changed: &mut CellChanges) {
    let Some((x, y)) = oil_top_below_air(world, target) else { return };
    let fill = world.cell(x, y).fill();
    changed.extend([
        ((x, y), PackedCell::new(OIL, FULL)),
        ((x, y - 1), PackedCell::new(OIL, fill)),
        (target, world.cell(target.0, target.1 + 1)),
    ]);
}

fn is_full(world: &impl CellLabels, (x, y): CellPos, kind: u16) -> bool {
    world.cell(x, y) == PackedCell::new(kind, FULL)
}

fn heavier_body_at(world: &impl CellLabels, (x, y): CellPos, lava_moves: bool) -> Option<u32> {
    let kind = world.cell(x, y).kind();
    let moves = kind > OIL && kind <= LAVA && (kind != LAVA || lava_moves);
    Some(world.body(x, y)).filter(|body| moves && *body != NONE)
}

/// Returns the heavier body of liquid below or next to a cell of oil. If there are several such
/// bodies, selects the one with the most top cells. Returns `None` if there is none, if two bodies
/// tie, or if the body does not move in this step, which is the case for lava unless `lava_moves`
/// is true.
fn adjacent_heavier_body(
    world: &impl CellLabels,
    (x, y): CellPos,
    lava_moves: bool,
    tops: impl Fn(u32) -> usize,
) -> Option<u32> {
    let neighbours = [(x, y + 1), (x.wrapping_sub(1), y), (x + 1, y)];
    let bodies = neighbours.map(|at| heavier_body_at(world, at, true).map(|body| (body, at)));
    let bodies = || bodies.iter().flatten();
    let first = bodies().next()?;
    let found = if bodies().all(|other| other.0 == first.0) {
        first
    } else {
        let tallest = bodies().max_by_key(|(body, _)| tops(*body))?;
        let is_one = bodies().all(|(body, _)| *body == tallest.0 || tops(*body) < tops(tallest.0));
        is_one.then_some(tallest)?
    };
    heavier_body_at(world, found.1, lava_moves)
}
