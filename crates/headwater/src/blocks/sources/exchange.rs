//! Stage 1 of a step: springs, drains, open sides of the world and evaporation. The ledger records
//! all exchanged volumes.

use crate::blocks::params::{Bottom, Params, Rule, Side};
use crate::blocks::state::cell::{AIR, FULL, Liquid, PackedCell, WATER};
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::set_bits;
use crate::blocks::state::ledgers::{Ledgers, record};
use crate::ids::IdList;
use crate::ledger::Cause;
use crate::region::Region;
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

/// A source that adds a liquid to the cells of a region in every step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Region of the spring, in cells from the top-left corner.
    pub region: Region,
    /// Kind of liquid that the spring adds.
    pub liquid: Liquid,
    /// Volume added to each cell of the region per step (256ths of a cell, from 1 to 256), limited
    /// by the cell's free space. Walls and cells that hold another liquid receive nothing.
    pub rate: u16,
}

/// A sink that removes any liquid from the cells of a region in every step. In each drained cell,
/// the column of liquid above moves down within the same step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drain {
    /// Region of the drain, in cells from the top-left corner.
    pub region: Region,
    /// Volume removed from each cell of the region per step (256ths of a cell, from 1 to 256). A
    /// cell that holds less is emptied.
    pub rate: u16,
}

#[derive(Clone, Debug, Default)]
pub(in crate::blocks) struct SourceLists {
    pub(in crate::blocks) springs: IdList<(Spring, Vec<(usize, usize)>)>,
    pub(in crate::blocks) drains: IdList<(Drain, Vec<(usize, usize)>)>,
}

pub(in crate::blocks) fn exchange_liquids(
    grid: &mut Grid,
    exchange: &SourceLists,
    params: &Params,
    step: u64,
    ledgers: &mut Ledgers,
    scratch: &ScratchPool,
) {
    for (spring, cells) in &exchange.springs {
        apply_spring(grid, spring, cells.iter().copied(), ledgers);
    }
    for (drain, cells) in &exchange.drains {
        apply_drain(grid, drain, cells.iter().copied(), ledgers);
    }
    apply_sides(grid, params, ledgers, scratch);
    evaporate(grid, params, step, ledgers, scratch);
}

pub(in crate::blocks) fn apply_spring(
    grid: &mut Grid,
    spring: &Spring,
    cells: impl IntoIterator<Item = (usize, usize)>,
    ledgers: &mut Ledgers,
) {
    let kind = spring.liquid as u16 + 1;
    for (x, y) in cells {
        let here = grid.cell_at(x, y);
        let amount = here.free_space(kind).min(spring.rate);
        if amount > 0 {
            grid.set(x, y, PackedCell::new(kind, here.fill() + amount));
            record(ledgers, kind, Cause::Source, amount.into());
        }
    }
}

/// Removes liquid through a drain and records the volume in the ledgers. The column of liquid above
/// each drained cell moves down immediately, so that no gap remains between the cell and that
/// liquid.
pub(in crate::blocks) fn apply_drain(
    grid: &mut Grid,
    drain: &Drain,
    cells: impl IntoIterator<Item = (usize, usize)>,
    ledgers: &mut Ledgers,
) {
    remove_from_cells(grid, drain.rate, Cause::Drain, cells, ledgers);
}

/// Removes up to `rate` units (256ths of a cell) of liquid through each of the given cells. The
/// column of liquid above each of them moves down.
fn remove_from_cells(
    grid: &mut Grid,
    rate: u16,
    cause: Cause,
    cells: impl IntoIterator<Item = (usize, usize)>,
    ledgers: &mut Ledgers,
) {
    for (x, y) in cells {
        let kind = grid.cell_at(x, y).kind();
        let amount = grid.cell_at(x, y).fill().min(rate);
        if amount > 0 {
            let full = PackedCell::new(kind, FULL);
            let is_column = |&row: &usize| {
                grid.cell_at(x, row) == full && grid.cell_at(x, row - 1).kind() == kind
            };
            let mut top = y - (1..=y).rev().take_while(is_column).count();
            let mut rest = amount;
            while rest > 0 {
                let fill = grid.cell_at(x, top).fill();
                let here = rest.min(fill);
                grid.set(x, top, PackedCell::new(kind, fill - here));
                (rest, top) = (rest - here, top + 1);
            }
            record(ledgers, kind, cause, -i64::from(amount));
        }
    }
}

/// Lets liquid flow in and out through the open sides and the bottom of the world.
fn apply_sides(grid: &mut Grid, params: &Params, ledgers: &mut Ledgers, scratch: &ScratchPool) {
    if has_open_side(params) {
        let mut changes = scratch.take_vec();
        find_side_changes(grid, params, &mut changes);
        for &((x, y), cell) in &*changes {
            let before = grid.cell_at(x, y);
            let kind = before.kind().max(cell.kind());
            grid.set(x, y, cell);
            let gained = i64::from(cell.fill()) - i64::from(before.fill());
            record(ledgers, kind, Cause::Boundary, gained);
        }
    }
    if params.bottom == Bottom::Drain {
        let row = grid.ny() - 1;
        let cells = (0..grid.nx()).map(|x| (x, row));
        remove_from_cells(grid, FULL, Cause::Boundary, cells, ledgers);
    }
}

fn has_open_side(params: &Params) -> bool {
    params.west != Side::Wall || params.east != Side::Wall
}

type CellChange = ((usize, usize), PackedCell);

/// Appends to `changes` the cells in the outermost columns that change because a side of the world
/// is open. Each change is a cell's position and its new content.
fn find_side_changes(grid: &Grid, params: &Params, changes: &mut Vec<CellChange>) {
    let (nx, ny) = (grid.nx(), grid.ny());
    // The only column of a world of one column belongs to its western side, if that is open.
    let east = if nx == 1 && params.west != Side::Wall { Side::Wall } else { params.east };
    let sides = [(params.west, params.west_level, 0), (east, params.east_level, nx - 1)];
    for (side, level, x) in sides {
        if side == Side::Wall {
            continue;
        }
        let level = if params.rule == Rule::WholeBlocks { level.floor() } else { level };
        for y in 0..ny {
            let before = grid.cell_at(x, y);
            let after = match side {
                Side::Drain if before.is_liquid() => PackedCell::AIR,
                Side::Level if [AIR, WATER].contains(&before.kind()) => {
                    let depth = (level - (ny - 1 - y) as f64).clamp(0.0, 1.0);
                    PackedCell::new(WATER, (depth * f64::from(FULL)).round() as u16)
                }
                _ => before,
            };
            if after != before {
                changes.push(((x, y), after));
            }
        }
    }
}

pub(in crate::blocks) fn evaporate(
    grid: &mut Grid,
    params: &Params,
    step: u64,
    ledgers: &mut Ledgers,
    scratch: &ScratchPool,
) {
    if evaporates(params, step) {
        for &(x, y) in &*scratch.take_collected(film_cells(grid, params.evaporation)) {
            grid.set(x, y, PackedCell::new(WATER, grid.cell_at(x, y).fill() - 1));
            record(ledgers, WATER, Cause::Evaporation, -1);
        }
    }
}

/// Appends to `found` the indices of the chunks whose cells change through springs, drains, open
/// sides and evaporation in the step number `step`. An index may occur more than once.
pub(in crate::blocks) fn find_exchanging_chunks(
    grid: &Grid,
    exchange: &SourceLists,
    params: &Params,
    step: u64,
    found: &mut Vec<usize>,
) {
    let chunk = |&(x, y): &(usize, usize)| grid.chunk_of(x, y);
    for (spring, cells) in &exchange.springs {
        let kind = spring.liquid as u16 + 1;
        let is_filled = |&&(x, y): &&(usize, usize)| grid.cell_at(x, y).free_space(kind) > 0;
        found.extend(cells.iter().filter(is_filled).map(chunk));
    }
    for (_, cells) in &exchange.drains {
        found.extend(cells.iter().filter(|&&(x, y)| grid.cell_at(x, y).is_liquid()).map(chunk));
    }
    if has_open_side(params) {
        let mut changes = Vec::new();
        find_side_changes(grid, params, &mut changes);
        found.extend(changes.iter().map(|(at, _)| chunk(at)));
    }
    if params.bottom == Bottom::Drain {
        let bottom = (0..grid.nx()).map(|x| (x, grid.ny() - 1));
        found.extend(bottom.filter(|&(x, y)| grid.cell_at(x, y).is_liquid()).map(|at| chunk(&at)));
    }
    if evaporates(params, step) {
        found.extend(film_cells(grid, params.evaporation).map(|at| chunk(&at)));
    }
    found.dedup();
}

fn evaporates(params: &Params, step: u64) -> bool {
    params.evaporation > 0 && step.is_multiple_of(params.evaporation_period.into())
}

/// Returns the column and row of each film: water thinner than `max_thickness` (256ths of a cell)
/// that lies on a wall and under air.
fn film_cells(grid: &Grid, max_thickness: u16) -> impl Iterator<Item = (usize, usize)> {
    let tops = grid.chunks.iter().enumerate().flat_map(|(c, chunk)| {
        let (left, top) = grid.origin(c);
        set_bits(chunk.surface_rows).flat_map(move |row| {
            let columns = set_bits(chunk.tops[row] & !chunk.full[row]);
            columns.map(move |column| (left + column, top + row))
        })
    });
    tops.filter(move |&(x, y)| {
        let here = grid.cell_at(x, y);
        let under_air = y == 0 || grid.cell_at(x, y - 1).kind() == AIR;
        let on_wall = y + 1 == grid.ny() || grid.cell_at(x, y + 1).is_wall();
        here.kind() == WATER && here.fill() < max_thickness.min(FULL) && under_air && on_wall
    })
}
