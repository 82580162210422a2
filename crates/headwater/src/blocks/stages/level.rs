//! Stage 3 of a step: bodies of liquid level out. For each active body, this stage computes the
//! level at which inflow balances outflow, and moves liquid from above that level to below it.

use super::slicks::OIL;
use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{Kind, LAVA, LIQUIDS, PackedCell};
use crate::blocks::state::cell_labels::CellLabels;
use crate::blocks::state::chunk_view::ChunkView;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::SIDE;
use crate::blocks::surface::moves::{self, Move, MoveBatch, Moves};
use crate::blocks::surface::reach::{limit_inflow, restore_inflow};
use crate::blocks::surface::share::{ShareScratch, share_flow, share_flow_above};
use crate::blocks::surface::sites::{self, Site, SiteKind, extend_columns};
use crate::blocks::surface::surface_cells::SurfaceCells;
use crate::blocks::surface::{openings, simple};
use crate::parallel::for_each_item;
use crate::scratch::{PooledVec, ScratchPool};

#[derive(Clone, Debug, Default)]
pub(in crate::blocks) struct Workspace {
    wanted: Vec<bool>,
    surface: SurfaceCells,
}

/// Levels out the bodies of liquid in active chunks and returns the indices of these chunks. Lava
/// moves only if `lava_moves` is true.
pub(in crate::blocks) fn level_bodies<'s>(
    grid: &mut Grid,
    workspace: &mut Workspace,
    params: &Params,
    lava_moves: bool,
    scratch: &'s ScratchPool,
) -> PooledVec<'s, u32> {
    let active = grid.active.drain_sorted(scratch);
    if active.is_empty() {
        return active;
    }
    workspace.wanted.clear();
    workspace.wanted.resize(grid.bodies.len(), false);
    for &chunk in &*active {
        let chunk = chunk as usize;
        select_bodies_near(grid, &mut workspace.wanted, chunk);
        if !lava_moves && grid.chunks[chunk].contains_liquid(LAVA) {
            grid.active.insert(chunk);
        }
    }
    workspace.surface.find_cells(grid, &workspace.wanted, scratch);
    let mut moves = scratch.take::<Vec<MoveBatch>>();
    grid.spreading.clear();
    if grid.may_hold(OIL) && !params.trapped_air {
        workspace.surface.select_kind(OIL);
        workspace.find_moves(grid, params, OIL, &mut moves, scratch);
        let mut spreading = std::mem::take(&mut grid.spreading);
        moves.iter().for_each(|batch| find_spreading(grid, &batch.moves, &mut spreading));
        // These bodies have no weight in this step and regain it in the next.
        for &body in &spreading {
            for &chunk in grid.bodies.chunks_of_component(body) {
                select_bodies_near(grid, &mut workspace.wanted, chunk as usize);
                grid.active.insert(chunk as usize);
            }
        }
        if !spreading.is_empty() {
            workspace.surface.find_cells(grid, &workspace.wanted, scratch);
        }
        grid.spreading = spreading;
    }
    // Process the heaviest liquid first, because the space that it takes is not available to the
    // others.
    for kind in LIQUIDS.rev() {
        if kind == LAVA && !lava_moves {
            continue;
        }
        workspace.surface.select_kind(kind);
        workspace.find_moves(grid, params, kind, &mut moves, scratch);
        moves::apply_moves(grid, &moves, kind, scratch);
    }
    active
}

/// Sets `wanted` to true for all bodies of liquid in a chunk. If a column of oil continues into
/// chunks above or below, also does this for the bodies in those chunks and in the chunks next to
/// them.
fn select_bodies_near(grid: &Grid, wanted: &mut [bool], chunk: usize) {
    let mut select = |chunk: usize| {
        let bodies =
            grid.bodies.components_in_chunk(chunk, grid.chunks[chunk].runs.component_count());
        bodies.iter().for_each(|&body| wanted[body as usize] = true);
    };
    select(chunk);
    if !grid.may_hold(OIL) {
        return;
    }
    for (down, border) in [(-1, 0), (1, SIDE - 1)] {
        let mut here = chunk;
        while let Some(next) = grid.neighbor(here, 0, down) {
            let has_oil = |chunk: usize, row: usize| grid.chunks[chunk].body_row(0, row) != 0;
            // Changes directly above a column count too.
            if !has_oil(here, border) && !has_oil(next, SIDE - 1 - border) {
                break;
            }
            let adjacent = [-1, 1].map(|east| grid.neighbor(next, east, 0));
            [Some(next)].into_iter().chain(adjacent).flatten().for_each(&mut select);
            here = next;
        }
    }
}

/// Smallest inflow per step (256ths of a cell) at which a body of oil counts as spreading and
/// exerts no pressure on the liquid below it. With a smaller inflow, the oil still exerts pressure,
/// because it would otherwise never come to rest.
const MIN_SPREADING_INFLOW: i32 = 32;

/// Finds the bodies of oil from which `moves` spread oil over heavier liquid. Appends their indices
/// to `spreading`, then sorts the list and removes duplicates.
pub(in crate::blocks) fn find_spreading(
    world: &impl CellLabels,
    moves: &[Move],
    spreading: &mut Vec<u32>,
) {
    let runs_out = |moved: &&Move| {
        let (x, y) = moved.position();
        let below = world.cell(x, y + 1);
        let is_over_heavier =
            moved.amount >= MIN_SPREADING_INFLOW && below.is_liquid() && below.kind() > OIL;
        // Oil that has just fallen spreads in the next step.
        let is_air = |x: u32, y: u32| world.cell(x, y) == PackedCell::AIR;
        let is_free = |x: u32| is_air(x, y) && is_air(x, y.wrapping_sub(1));
        let comes_down = || is_air(x, y) && (is_free(x.wrapping_sub(1)) || is_free(x + 1));
        // A gap below unsupported oil is filled from above.
        let runs_on =
            || moved.site_kind == SiteKind::Floor && !world.cell(x, y.wrapping_sub(1)).is_liquid();
        is_over_heavier && (runs_on() || comes_down())
    };
    for moved in moves.iter().filter(runs_out) {
        let (x, y) = moved.position();
        let from = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1))];
        let oil = from.into_iter().filter(|at| world.cell(at.0, at.1).kind() == OIL);
        spreading.extend(oil.map(|at| world.body(at.0, at.1)).filter(|body| *body != NONE));
    }
    spreading.sort_unstable();
    spreading.dedup();
}

impl Workspace {
    /// Computes the inflow and outflow of all bodies of one kind of liquid, in parallel batches,
    /// without changing any cells.
    fn find_moves(
        &self,
        grid: &Grid,
        params: &Params,
        kind: Kind,
        found: &mut Vec<MoveBatch>,
        scratch: &ScratchPool,
    ) {
        let batches = self.surface.batches();
        found.iter_mut().for_each(|batch| batch.moves.clear());
        found.resize_with(found.len().max(batches.len()), MoveBatch::default);
        let may_be_simple = simple::can_use_fast_path(grid, params, kind);
        for_each_item(&mut found[..batches.len()], 1, |batch, found| {
            let (mut sites, mut arrays) = (scratch.take_vec(), scratch.take::<ShareScratch>());
            let mut view = ChunkView::new(grid, 0);
            for body in self.surface.bodies_of_batch(batch) {
                sites.clear();
                for cell in body.flatten() {
                    let at = cell.position();
                    if !view.contains(at.0, at.1) {
                        view = ChunkView::new(grid, grid.chunk_of(at.0 as usize, at.1 as usize));
                    }
                    // After a change in the chunk, the cell may no longer be simple.
                    let is_simple = cell.is_simple() && may_be_simple && !view.has_changed();
                    let of = (at, cell.body, kind);
                    match (cell.is_opening(), is_simple) {
                        (false, true) => sites.push(simple::top_site(&view, params, of)),
                        (true, true) => simple::add_opening_sites(&view, params, of, &mut sites),
                        (false, false) => {
                            sites.extend(sites::top_site(&view, params, at, cell.body, kind));
                        }
                        (true, false) => {
                            openings::add_opening_sites(
                                &view, params, at, cell.body, kind, &mut sites,
                            );
                        }
                    }
                }
                level_body(&view, &mut sites, &mut arrays, params, &mut found.moves);
            }
            found.update_strip_range();
        });
    }
}

pub(in crate::blocks) fn level_body(
    world: &impl CellLabels,
    sites: &mut [Site],
    arrays: &mut ShareScratch,
    params: &Params,
    moves: &mut Moves,
) {
    if params.trapped_air {
        sites.sort_unstable_by_key(|site| (site.air, site.x, site.y));
    }
    let mut reaches = std::mem::take(&mut arrays.reaches);
    for sites in sites.chunk_by_mut(|a, b| a.air == b.air) {
        let mut shares = share_flow_with_deep_columns(world, sites, i32::MIN, arrays);
        if !params.trapped_air && limit_inflow(world, sites, shares, &mut reaches) {
            // Inflow limits have shrunk, so the level cannot be lower than before.
            shares = share_flow_with_deep_columns(world, sites, arrays.level, arrays);
            if shares.iter().all(|moved| *moved == 0) {
                restore_inflow(sites, &reaches);
                shares = share_flow_with_deep_columns(world, sites, i32::MIN, arrays);
            }
        }
        let is_floor = |site: &Site| site.site_kind == SiteKind::Floor && site.max_inflow > 0;
        if shares.iter().all(|moved| *moved == 0) && sites.iter().any(is_floor) {
            // Liquid too thin to wet more floor can still level among its columns.
            sites.iter_mut().filter(|site| is_floor(site)).for_each(|site| site.max_inflow = 0);
            shares = share_flow(sites, arrays);
        }
        let moving = sites.iter().zip(shares).filter(|(_, amount)| **amount != 0);
        moves.extend(moving.map(|(site, amount)| Move::new(site, *amount)));
    }
    arrays.reaches = reaches;
}

fn share_flow_with_deep_columns<'a>(
    world: &impl CellLabels,
    sites: &mut [Site],
    min_level: i32,
    arrays: &'a mut ShareScratch,
) -> &'a [i32] {
    let mut min_level = min_level;
    while extend_columns(world, sites, share_flow_above(sites, min_level, arrays)) {
        // Outflow limits have grown, so the level cannot be lower than before.
        min_level = arrays.level;
    }
    arrays.shares()
}

pub(in crate::blocks) fn is_body_at_rest(grid: &Grid, params: &Params, body: u32) -> bool {
    let mut workspace =
        Workspace { wanted: vec![false; grid.bodies.len()], ..Workspace::default() };
    workspace.wanted[body as usize] = true;
    let (mut moves, scratch) = (Vec::new(), ScratchPool::default());
    workspace.surface.find_cells(grid, &workspace.wanted, &scratch);
    LIQUIDS.into_iter().all(|kind| {
        workspace.surface.select_kind(kind);
        workspace.find_moves(grid, params, kind, &mut moves, &scratch);
        moves.iter().all(|batch| batch.moves.is_empty())
    })
}
