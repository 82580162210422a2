//! Reference implementation of a step of [`Rule::Fill`](crate::blocks::Rule::Fill), with plain
//! loops over all cells. It has no chunks and does not skip cells at rest. Tests compare the fast
//! implementation with it, and benchmarks use it as a baseline.

use super::density_current::is_lifted;
use super::fall::{FallOutcome, fall_cell};
use super::float::buoyancy_changes;
use super::level::{find_spreading, level_body};
use super::slicks::{CellPos, OIL};
use super::solidify::meets_water;
use crate::blocks::params::Params;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, FULL, Kind, LAVA, LIQUIDS, PackedCell};
use crate::blocks::state::cell_labels::{CellLabels, SKY};
use crate::blocks::state::ledgers::{Ledgers, record};
use crate::blocks::surface::moves::{Move, Moves, add_moved_cells, sort_lowest_first};
use crate::blocks::surface::share::ShareScratch;
use crate::blocks::surface::{openings, sites};
use crate::field::Field;
use crate::ledger::Cause;
use crate::scratch::ScratchPool;

struct ReferenceWorld {
    cells: Field<PackedCell>,
    is_supported: Field<bool>,
    body: Field<u32>,
    air: Field<u32>,
    kind: Field<u16>,
    spreading: Vec<u32>,
}

pub(in crate::blocks) fn step(
    cells: Field<PackedCell>,
    params: &Params,
    lava_moves: bool,
    ledgers: &mut Ledgers,
) -> Field<PackedCell> {
    let nothing = Field::new(cells.nx(), cells.ny(), NONE);
    let kind = Field::new(cells.nx(), cells.ny(), AIR);
    let is_supported = kind.map(|_| false);
    let mut world = ReferenceWorld {
        cells,
        is_supported,
        body: nothing.clone(),
        air: nothing,
        kind,
        spreading: Vec::new(),
    };
    world.solidify_lava(ledgers);
    world.update_labels();
    world.level_bodies(params, lava_moves);
    world.apply_buoyancy(params, lava_moves);
    world.move_falling_liquids(lava_moves);
    world.cells
}

impl ReferenceWorld {
    fn cell_positions(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (nx, ny) = (self.cells.nx() as u32, self.cells.ny() as u32);
        (0..ny).flat_map(move |y| (0..nx).map(move |x| (x, y)))
    }

    fn set(&mut self, (x, y): (u32, u32), cell: PackedCell) {
        self.cells[(x as usize, y as usize)] = cell;
    }

    fn solidify_lava(&mut self, ledgers: &mut Ledgers) {
        let lava = |at: &(u32, u32)| self.cell(at.0, at.1).kind() == LAVA && meets_water(self, *at);
        let found: Vec<_> = self.cell_positions().filter(lava).collect();
        for at in found {
            record(ledgers, LAVA, Cause::Stone, -i64::from(self.cell(at.0, at.1).fill()));
            self.set(at, PackedCell::WALL);
        }
    }

    fn update_labels(&mut self) {
        let (nx, ny) = (self.cells.nx(), self.cells.ny());
        let mut is_supported = Field::new(nx, ny, false);
        for y in (0..ny).rev() {
            for x in 0..nx {
                let here = self.cells[(x, y)];
                is_supported[(x, y)] = here.is_liquid() && {
                    let (x, y) = (x as u32, y as u32);
                    let below = self.cell(x, y + 1);
                    let on_support = is_supported
                        .get(x as usize, y as usize + 1)
                        .is_some_and(|supported| *supported);
                    let same = below.kind() == here.kind() && below.fill().max(here.fill()) == FULL;
                    below.is_wall() || on_support && (same || below.kind() > here.kind())
                };
            }
        }
        self.kind = self.cells.map(|cell| cell.kind());
        let cells = &self.cells;
        let mut member = is_supported.clone();
        for (x, y) in (0..ny).rev().flat_map(|y| (0..nx).map(move |x| (x, y))) {
            let (here, below) = (cells[(x, y)], self.cell(x as u32, y as u32 + 1));
            let is_full = |cell: PackedCell| cell.kind() == here.kind() && cell.fill() == FULL;
            let is_heavier = below.is_liquid() && below.kind() > here.kind();
            let on_heavier = is_heavier && member.get(x, y + 1).is_some_and(|member| *member);
            member[(x, y)] |= here.is_liquid() && (is_full(here) || is_full(below) || on_heavier);
        }
        self.body = flood_fill(
            nx,
            ny,
            |at| member[at],
            |a, b| member[a] && member[b] && cells[a].kind() == cells[b].kind(),
        );
        let open = |at: (usize, usize)| !cells[at].is_wall() && cells[at].fill() < FULL;
        self.air = flood_fill(nx, ny, open, |a, b| open(a) && open(b));
        // Pockets connected to the top of the world are open air.
        let sky: Vec<u32> = self.air.row(0).to_vec();
        self.air = self.air.map(|&pocket| match pocket {
            NONE => NONE,
            pocket if sky.contains(&pocket) => SKY,
            pocket => pocket + 1,
        });
        self.is_supported = is_supported;
    }

    fn level_bodies(&mut self, params: &Params, lava_moves: bool) {
        let tops = self.column_tops();
        let is_open = |at: &(u32, u32)| {
            let cell = self.cell(at.0, at.1);
            !cell.is_wall() && (cell.fill() < FULL || cell.kind() == OIL)
        };
        let bodies =
            |at| openings::bodies_at(self, at).map(move |(body, adjacent)| (at, body, adjacent));
        let openings: Vec<_> = self.cell_positions().filter(is_open).flat_map(bodies).collect();
        let mut spreading = Vec::new();
        find_spreading(self, &self.find_moves(&tops, &openings, params, OIL), &mut spreading);
        self.spreading = spreading;
        for kind in LIQUIDS.rev().filter(|&kind| kind != LAVA || lava_moves) {
            let moves = self.find_moves(&tops, &openings, params, kind);
            let lifts = |moving: &Move| {
                is_lifted(self.cell(moving.position().0, moving.position().1), kind)
            };
            let (mut last, first): (Moves, Moves) = moves.into_iter().partition(lifts);
            sort_lowest_first(&mut last);
            for moving in first.into_iter().chain(last) {
                let mut changed = Vec::new();
                add_moved_cells(moving.position(), moving.amount, self, kind, &mut changed);
                changed.into_iter().for_each(|(x, y, cell)| self.set((x, y), cell));
            }
        }
    }

    /// Computes the inflow and outflow of all bodies of one kind of liquid. `tops` lists the top
    /// cells of all columns in bodies. `openings` lists the cells into which bodies can flow, each
    /// paired with one of these bodies.
    fn find_moves(
        &self,
        tops: &[CellPos],
        openings: &[(CellPos, u32, CellPos)],
        params: &Params,
        kind: Kind,
    ) -> Moves {
        let mut sites_of_body = std::collections::BTreeMap::<u32, Vec<_>>::new();
        for &(x, y) in tops.iter().filter(|at| self.labelled_kind(**at) == kind) {
            let body = self.body(x, y);
            let site = sites::top_site(self, params, (x, y), body, kind);
            sites_of_body.entry(body).or_default().extend(site);
        }
        for &(at, body, adjacent) in openings {
            if body != NONE && self.labelled_kind(adjacent) == kind {
                let sites = sites_of_body.entry(body).or_default();
                openings::add_opening_sites(self, params, at, body, kind, sites);
            }
        }
        let (mut moves, mut arrays) = (Vec::new(), ShareScratch::default());
        for sites in sites_of_body.values_mut() {
            level_body(self, sites, &mut arrays, params, &mut moves);
        }
        moves
    }

    fn labelled_kind(&self, (x, y): (u32, u32)) -> u16 {
        self.kind[(x as usize, y as usize)]
    }

    fn column_tops(&self) -> Vec<(u32, u32)> {
        let is_top = |&(x, y): &(u32, u32)| {
            let body = self.body(x, y);
            body != NONE && self.body(x, y.wrapping_sub(1)) != body
        };
        self.cell_positions().filter(is_top).collect()
    }

    fn apply_buoyancy(&mut self, params: &Params, lava_moves: bool) {
        let in_body = |at: &(u32, u32)| self.body(at.0, at.1) != NONE;
        let oil = self.cell_positions().filter(|at| in_body(at) && self.labelled_kind(*at) == 1);
        let oil: Vec<_> = oil.collect();
        let scratch = ScratchPool::default();
        for &(at, cell) in
            &*buoyancy_changes(self, &self.column_tops(), &oil, params, lava_moves, &scratch)
        {
            self.set(at, cell);
        }
    }

    fn move_falling_liquids(&mut self, lava_moves: bool) {
        for x in 0..self.cells.nx() {
            let mut swapped = false;
            for y in (1..self.cells.ny()).rev() {
                if std::mem::take(&mut swapped) {
                    continue;
                }
                let (up, down) = (self.cells[(x, y - 1)], self.cells[(x, y)]);
                let (up, down, outcome) = fall_cell(up, down, lava_moves);
                (self.cells[(x, y - 1)], self.cells[(x, y)]) = (up, down);
                swapped = outcome == FallOutcome::Swapped;
            }
        }
    }
}

impl CellLabels for ReferenceWorld {
    fn height(&self) -> u32 {
        self.cells.ny() as u32
    }

    fn may_hold_lighter(&self, _: Kind) -> bool {
        true
    }

    fn cell(&self, x: u32, y: u32) -> PackedCell {
        self.cells.get(x as usize, y as usize).copied().unwrap_or(PackedCell::WALL)
    }

    fn is_spreading(&self, body: u32) -> bool {
        self.spreading.binary_search(&body).is_ok()
    }

    fn body(&self, x: u32, y: u32) -> u32 {
        self.body.get(x as usize, y as usize).copied().unwrap_or(NONE)
    }

    fn was_in_body(&self, x: u32, y: u32, kind: Kind) -> bool {
        self.body(x, y) != NONE && self.labelled_kind((x, y)) == kind
    }

    fn is_supported(&self, x: u32, y: u32) -> bool {
        self.is_supported.get(x as usize, y as usize).is_some_and(|supported| *supported)
    }

    fn air_pocket(&self, x: u32, y: u32) -> u32 {
        match self.air[(x as usize, y as usize)] {
            NONE => SKY,
            pocket => pocket,
        }
    }
}

fn flood_fill(
    nx: usize,
    ny: usize,
    is_inside: impl Fn((usize, usize)) -> bool,
    are_joined: impl Fn((usize, usize), (usize, usize)) -> bool,
) -> Field<u32> {
    let mut number = Field::new(nx, ny, NONE);
    let (mut count, mut stack) = (0, Vec::new());
    for start in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
        if number[start] != NONE || !is_inside(start) {
            continue;
        }
        number[start] = count;
        stack.push(start);
        while let Some((x, y)) = stack.pop() {
            let adjacent = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            for at in adjacent {
                if number.get(at.0, at.1) == Some(&NONE) && is_inside(at) && are_joined((x, y), at)
                {
                    number[at] = count;
                    stack.push(at);
                }
            }
        }
        count += 1;
    }
    number
}
