//! A step of [`Rule::Fill`](super::Rule::Fill) by plain loops over all cells, without chunks or
//! sleep: the oracle and the yardstick for speed.

use super::bodies::NONE;
use super::cell::{AIR, FULL, Kind, LAVA, LIQUIDS, Packed};
use super::fall::{Outcome, fall_cell};
use super::float::changes;
use super::labelled::{Labelled, SKY};
use super::ledgers::{Ledgers, book};
use super::level::{find_spreading, level_body};
use super::moves::{Move, Moves, from_the_lowest, moved};
use super::params::Params;
use super::share::AskArrays;
use super::slicks::{OIL, Place};
use super::stone::meets_water;
use super::under::is_lifted;
use super::{asks, openings};
use crate::field::Field;
use crate::ledger::Cause;
use crate::scratch::ScratchPool;

struct Plain {
    cells: Field<Packed>,
    stands: Field<bool>,
    body: Field<u32>,
    air: Field<u32>,
    kind: Field<u16>,
    spreading: Vec<u32>,
}

pub(super) fn step(
    cells: Field<Packed>,
    params: &Params,
    lava_moves: bool,
    ledgers: &mut Ledgers,
) -> Field<Packed> {
    let nothing = Field::new(cells.nx(), cells.ny(), NONE);
    let kind = Field::new(cells.nx(), cells.ny(), AIR);
    let stands = kind.map(|_| false);
    let mut world =
        Plain { cells, stands, body: nothing.clone(), air: nothing, kind, spreading: Vec::new() };
    world.turn_to_stone(ledgers);
    world.label();
    world.level(params, lava_moves);
    world.float(params, lava_moves);
    world.fall(lava_moves);
    world.cells
}

impl Plain {
    fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (nx, ny) = (self.cells.nx() as u32, self.cells.ny() as u32);
        (0..ny).flat_map(move |y| (0..nx).map(move |x| (x, y)))
    }

    fn set(&mut self, (x, y): (u32, u32), cell: Packed) {
        self.cells[(x as usize, y as usize)] = cell;
    }

    fn turn_to_stone(&mut self, ledgers: &mut Ledgers) {
        let lava = |at: &(u32, u32)| self.cell(at.0, at.1).kind() == LAVA && meets_water(self, *at);
        let found: Vec<_> = self.places().filter(lava).collect();
        for at in found {
            book(ledgers, LAVA, Cause::Stone, -i64::from(self.cell(at.0, at.1).fill()));
            self.set(at, Packed::WALL);
        }
    }

    fn label(&mut self) {
        let (nx, ny) = (self.cells.nx(), self.cells.ny());
        let mut stands = Field::new(nx, ny, false);
        for y in (0..ny).rev() {
            for x in 0..nx {
                let here = self.cells[(x, y)];
                stands[(x, y)] = here.is_liquid() && {
                    let (x, y) = (x as u32, y as u32);
                    let below = self.cell(x, y + 1);
                    let held = stands.get(x as usize, y as usize + 1).is_some_and(|held| *held);
                    let same = below.kind() == here.kind() && below.fill().max(here.fill()) == FULL;
                    below.is_wall() || held && (same || below.kind() > here.kind())
                };
            }
        }
        self.kind = self.cells.map(|cell| cell.kind());
        let cells = &self.cells;
        let mut member = stands.clone();
        for (x, y) in (0..ny).rev().flat_map(|y| (0..nx).map(move |x| (x, y))) {
            let (here, below) = (cells[(x, y)], self.cell(x as u32, y as u32 + 1));
            let is_full = |cell: Packed| cell.kind() == here.kind() && cell.fill() == FULL;
            let is_heavier = below.is_liquid() && below.kind() > here.kind();
            let on_heavier = is_heavier && member.get(x, y + 1).is_some_and(|member| *member);
            member[(x, y)] |= here.is_liquid() && (is_full(here) || is_full(below) || on_heavier);
        }
        self.body = flood(
            nx,
            ny,
            |at| member[at],
            |a, b| member[a] && member[b] && cells[a].kind() == cells[b].kind(),
        );
        let open = |at: (usize, usize)| !cells[at].is_wall() && cells[at].fill() < FULL;
        self.air = flood(nx, ny, open, |a, b| open(a) && open(b));
        // Pockets that reach the top are the sky.
        let sky: Vec<u32> = self.air.row(0).to_vec();
        self.air = self.air.map(|&pocket| match pocket {
            NONE => NONE,
            pocket if sky.contains(&pocket) => SKY,
            pocket => pocket + 1,
        });
        self.stands = stands;
    }

    fn level(&mut self, params: &Params, lava_moves: bool) {
        let tops = self.tops();
        let is_open = |at: &(u32, u32)| {
            let cell = self.cell(at.0, at.1);
            !cell.is_wall() && (cell.fill() < FULL || cell.kind() == OIL)
        };
        let bodies =
            |at| openings::bodies_at(self, at).map(move |(body, beside)| (at, body, beside));
        let openings: Vec<_> = self.places().filter(is_open).flat_map(bodies).collect();
        let mut spreading = Vec::new();
        find_spreading(self, &self.moves(&tops, &openings, params, OIL), &mut spreading);
        self.spreading = spreading;
        for kind in LIQUIDS.rev().filter(|&kind| kind != LAVA || lava_moves) {
            let moves = self.moves(&tops, &openings, params, kind);
            let lifts =
                |moving: &Move| is_lifted(self.cell(moving.place().0, moving.place().1), kind);
            let (mut last, first): (Moves, Moves) = moves.into_iter().partition(lifts);
            from_the_lowest(&mut last);
            for moving in first.into_iter().chain(last) {
                let mut changed = Vec::new();
                moved(moving.place(), moving.amount, self, kind, &mut changed);
                changed.into_iter().for_each(|(x, y, cell)| self.set((x, y), cell));
            }
        }
    }

    /// What the bodies of a kind of liquid move, given all tops, and all openings with a body that may run into each.
    fn moves(
        &self,
        tops: &[Place],
        openings: &[(Place, u32, Place)],
        params: &Params,
        kind: Kind,
    ) -> Moves {
        let mut asks_of_body = std::collections::BTreeMap::<u32, Vec<_>>::new();
        for &(x, y) in tops.iter().filter(|at| self.labelled_kind(**at) == kind) {
            let body = self.body(x, y);
            let ask = asks::ask_of_top(self, params, (x, y), body, kind);
            asks_of_body.entry(body).or_default().extend(ask);
        }
        for &(at, body, beside) in openings {
            if body != NONE && self.labelled_kind(beside) == kind {
                let asks = asks_of_body.entry(body).or_default();
                openings::add_asks(self, params, at, body, kind, asks);
            }
        }
        let (mut moves, mut arrays) = (Vec::new(), AskArrays::default());
        for asks in asks_of_body.values_mut() {
            level_body(self, asks, &mut arrays, params, &mut moves);
        }
        moves
    }

    fn labelled_kind(&self, (x, y): (u32, u32)) -> u16 {
        self.kind[(x as usize, y as usize)]
    }

    fn tops(&self) -> Vec<(u32, u32)> {
        let is_top = |&(x, y): &(u32, u32)| {
            let body = self.body(x, y);
            body != NONE && self.body(x, y.wrapping_sub(1)) != body
        };
        self.places().filter(is_top).collect()
    }

    fn float(&mut self, params: &Params, lava_moves: bool) {
        let stood = |at: &(u32, u32)| self.body(at.0, at.1) != NONE;
        let oil = self.places().filter(|at| stood(at) && self.labelled_kind(*at) == 1);
        let oil: Vec<_> = oil.collect();
        let scratch = ScratchPool::default();
        for &(at, cell) in &*changes(self, &self.tops(), &oil, params, lava_moves, &scratch) {
            self.set(at, cell);
        }
    }

    fn fall(&mut self, lava_moves: bool) {
        for x in 0..self.cells.nx() {
            let mut held = false;
            for y in (1..self.cells.ny()).rev() {
                if std::mem::take(&mut held) {
                    continue;
                }
                let (up, down) = (self.cells[(x, y - 1)], self.cells[(x, y)]);
                let (up, down, outcome) = fall_cell(up, down, lava_moves);
                (self.cells[(x, y - 1)], self.cells[(x, y)]) = (up, down);
                held = outcome == Outcome::Swapped;
            }
        }
    }
}

impl Labelled for Plain {
    fn height(&self) -> u32 {
        self.cells.ny() as u32
    }

    fn has_lighter(&self, _: Kind) -> bool {
        true
    }

    fn cell(&self, x: u32, y: u32) -> Packed {
        self.cells.get(x as usize, y as usize).copied().unwrap_or(Packed::WALL)
    }

    fn spreads(&self, body: u32) -> bool {
        self.spreading.binary_search(&body).is_ok()
    }

    fn body(&self, x: u32, y: u32) -> u32 {
        self.body.get(x as usize, y as usize).copied().unwrap_or(NONE)
    }

    fn has_part(&self, x: u32, y: u32, kind: Kind) -> bool {
        self.body(x, y) != NONE && self.labelled_kind((x, y)) == kind
    }

    fn stands(&self, x: u32, y: u32) -> bool {
        self.stands.get(x as usize, y as usize).is_some_and(|stands| *stands)
    }

    fn air(&self, x: u32, y: u32) -> u32 {
        match self.air[(x as usize, y as usize)] {
            NONE => SKY,
            pocket => pocket,
        }
    }
}

fn flood(
    nx: usize,
    ny: usize,
    inside: impl Fn((usize, usize)) -> bool,
    joined: impl Fn((usize, usize), (usize, usize)) -> bool,
) -> Field<u32> {
    let mut number = Field::new(nx, ny, NONE);
    let (mut count, mut stack) = (0, Vec::new());
    for start in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
        if number[start] != NONE || !inside(start) {
            continue;
        }
        number[start] = count;
        stack.push(start);
        while let Some((x, y)) = stack.pop() {
            let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            for at in beside {
                if number.get(at.0, at.1) == Some(&NONE) && inside(at) && joined((x, y), at) {
                    number[at] = count;
                    stack.push(at);
                }
            }
        }
        count += 1;
    }
    number
}
