//! Stage 1: springs give, drains take, films dry up; all on the books.

use super::cell::{AIR, FULL, Liquid, Packed, WATER};
use super::grid::Grid;
use super::label::set_bits;
use super::ledgers::{Ledgers, book};
use super::params::Params;
use crate::ids::IdList;
use crate::ledger::Cause;
use crate::region::Region;
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

/// A spring: gives a liquid in every step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spring {
    /// Where, in cells from the top-left corner.
    pub region: Region,
    /// What.
    pub liquid: Liquid,
    /// How much each cell of the region gets in a step (256ths), 1 to 256. A cell takes what has room
    /// in it beside nothing but the same liquid.
    pub rate: u16,
}

/// A drain: takes any liquid in every step. The column over a drained cell comes down at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drain {
    /// Where, in cells from the top-left corner.
    pub region: Region,
    /// How much each cell of the region loses in a step (256ths), 1 to 256; no more than is there.
    pub rate: u16,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Exchange {
    pub(super) springs: IdList<(Spring, Vec<(usize, usize)>)>,
    pub(super) drains: IdList<(Drain, Vec<(usize, usize)>)>,
}

pub(super) fn apply(
    grid: &mut Grid,
    exchange: &Exchange,
    params: &Params,
    step: u64,
    ledgers: &mut Ledgers,
    scratch: &ScratchPool,
) {
    for (spring, cells) in &exchange.springs {
        give(grid, spring, cells.iter().copied(), ledgers);
    }
    for (drain, cells) in &exchange.drains {
        take(grid, drain, cells.iter().copied(), ledgers);
    }
    dry(grid, params, step, ledgers, scratch);
}

pub(super) fn give(
    grid: &mut Grid,
    spring: &Spring,
    cells: impl IntoIterator<Item = (usize, usize)>,
    ledgers: &mut Ledgers,
) {
    let kind = spring.liquid as u16 + 1;
    for (x, y) in cells {
        let here = grid.at(x, y);
        let amount = here.room(kind).min(spring.rate);
        if amount > 0 {
            grid.set(x, y, Packed::of(kind, here.fill() + amount));
            book(ledgers, kind, Cause::Source, amount.into());
        }
    }
}

/// What a drain takes from these cells. The column over each comes down at once, so that no hollow
/// cuts off what is beyond.
pub(super) fn take(
    grid: &mut Grid,
    drain: &Drain,
    cells: impl IntoIterator<Item = (usize, usize)>,
    ledgers: &mut Ledgers,
) {
    for (x, y) in cells {
        let kind = grid.at(x, y).kind();
        let amount = grid.at(x, y).fill().min(drain.rate);
        if amount > 0 {
            let full = Packed::of(kind, FULL);
            let is_column =
                |&row: &usize| grid.at(x, row) == full && grid.at(x, row - 1).kind() == kind;
            let mut top = y - (1..=y).rev().take_while(is_column).count();
            let mut rest = amount;
            while rest > 0 {
                let fill = grid.at(x, top).fill();
                let here = rest.min(fill);
                grid.set(x, top, Packed::of(kind, fill - here));
                (rest, top) = (rest - here, top + 1);
            }
            book(ledgers, kind, Cause::Drain, -i64::from(amount));
        }
    }
}

pub(super) fn dry(
    grid: &mut Grid,
    params: &Params,
    step: u64,
    ledgers: &mut Ledgers,
    scratch: &ScratchPool,
) {
    if params.evaporation > 0 && step.is_multiple_of(params.evaporation_period.into()) {
        let mut films = scratch.vec();
        find_films(grid, params.evaporation, &mut films);
        for &(x, y) in &*films {
            grid.set(x, y, Packed::of(WATER, grid.at(x, y).fill() - 1));
            book(ledgers, WATER, Cause::Evaporation, -1);
        }
    }
}

/// Finds water thinner than `thin`, on a wall and under air.
fn find_films(grid: &Grid, thin: u16, found: &mut Vec<(usize, usize)>) {
    for (c, chunk) in grid.chunks.iter().enumerate() {
        let (left, top) = grid.origin(c);
        for row in set_bits(chunk.surface_rows) {
            for column in set_bits(chunk.tops[row] & !chunk.full[row]) {
                let (x, y) = (left + column, top + row);
                let here = grid.at(x, y);
                let dry = y == 0 || grid.at(x, y - 1).kind() == AIR;
                let on_wall = y + 1 == grid.ny() || grid.at(x, y + 1).is_wall();
                if here.kind() == WATER && here.fill() < thin.min(FULL) && dry && on_wall {
                    found.push((x, y));
                }
            }
        }
    }
}
