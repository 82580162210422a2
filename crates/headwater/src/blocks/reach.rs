//! Reaches: parts of a body with one open surface. What comes into a reach through a hole and can
//! run off at its end does not pile up first.

use super::asks::Ask;
use super::cell::{FULL, Packed};
use super::labelled::Labelled;

#[derive(Debug, Default)]
pub(super) struct Reaches {
    /// The tops among the places of a body, by column and then by row.
    tops: Vec<Top>,
    /// Where in `tops` those of a column start, from the body's first.
    start: Vec<u32>,
    first: u32,
    /// Of each top one that it is connected with, or itself: by reach, and by stretch of it without
    /// steps.
    reach: Vec<u32>,
    stretch: Vec<u32>,
    /// Of each reach the row down to which nothing may grow; of each stretch the row of the ceiling of a hole that opens into it.
    lowest: Vec<Option<u32>>,
    soffit: Vec<u32>,
    takes: Vec<i32>,
    over_steps: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Top {
    x: u16,
    y: u16,
    open: bool,
}

/// A surface has a step where columns differ by so many rows.
const STEP: u32 = 2;
/// What stands higher is a fall if it is thinner than this (cells).
const THICK: i32 = 8;
const NO_HOLE: u32 = u32::MAX;

/// Where water runs off from a reach in which no column gives, no column grows higher than its cell
/// and the hole that feeds the reach; nor does what stands over a step. Says whether any place may
/// now take less.
pub(super) fn hold_back(
    world: &impl Labelled,
    asks: &mut [Ask],
    shares: &[i32],
    reaches: &mut Reaches,
) -> bool {
    let grows = |(ask, share): (&Ask, &i32)| is_top(ask) & (*share > ask.left);
    let runs_off = |(ask, share): (&Ask, &i32)| *share > 0 && !is_top(ask);
    let moves = || asks.iter().zip(shares);
    if !moves().any(grows) {
        return false;
    }
    let is_over_step =
        |both: &(&Ask, &i32)| grows(*both) && is_step_beside(world, (both.0.x, both.0.y));
    let mut over_steps = std::mem::take(&mut reaches.over_steps);
    over_steps.clear();
    over_steps.extend(moves().filter(is_over_step).map(|(ask, _)| (ask.x, ask.y)));
    reaches.over_steps = over_steps;
    if reaches.over_steps.is_empty() && !moves().any(runs_off) {
        return false;
    }
    let Some(body) = reaches.find(world, asks) else { return false };
    for (ask, _) in moves().filter(|both| runs_off(*both)) {
        let above = (ask.x, ask.y.wrapping_sub(1));
        for (x, y) in [(ask.x.wrapping_sub(1), ask.y), (ask.x + 1, ask.y), above] {
            if world.body(x, y) == body {
                reaches.keep_low((x, y), u32::MAX);
            }
        }
    }
    for i in 0..reaches.over_steps.len() {
        let (x, y) = reaches.over_steps[i];
        reaches.keep_low((x, y), y);
    }
    for (ask, _) in moves().filter(|(_, share)| **share < 0) {
        reaches.let_grow((ask.x, ask.y));
    }
    reaches.takes.clear();
    reaches.takes.extend(asks.iter().map(|ask| ask.take));
    let mut is_held = false;
    for (ask, share) in asks.iter_mut().zip(shares).filter(|(ask, share)| grows((ask, share))) {
        if let Some(soffit) = reaches.soffit_if_held(ask)
            && !is_beside_higher(world, (ask.x, ask.y))
        {
            let rows = ask.y.saturating_sub(soffit) as i32;
            let most = i32::from(FULL) * rows + ask.left;
            is_held |= *share > most;
            ask.take = ask.take.min(most);
        }
    }
    is_held
}

pub(super) fn let_go(asks: &mut [Ask], reaches: &Reaches) {
    asks.iter_mut().zip(&reaches.takes).for_each(|(ask, take)| ask.take = *take);
}

fn is_top(ask: &Ask) -> bool {
    ask.give > 0
}

/// Whether there is a step down beside the top of a column.
fn is_step_beside(world: &impl Labelled, (x, y): (u32, u32)) -> bool {
    let is_step = |x: u32| (0..STEP).all(|down| world.cell(x, y + down) == Packed::AIR);
    is_step(x.wrapping_sub(1)) || is_step(x + 1)
}

/// Whether a column lies beside a higher one that is no fall: it then fills up from there.
fn is_beside_higher(world: &impl Labelled, (x, y): (u32, u32)) -> bool {
    let body = world.body(x, y);
    let is_of_body = |away: i32| world.body(x.wrapping_add_signed(away), y.wrapping_sub(1)) == body;
    [-1, 1].into_iter().any(|side| (1..=THICK).all(|away| is_of_body(side * away)))
}

impl Reaches {
    /// Finds what tops hang together; gives the body. From each column a higher one is seen beside it, or one as high.
    fn find(&mut self, world: &impl Labelled, asks: &[Ask]) -> Option<u32> {
        self.sort_tops(asks)?;
        let count = self.tops.len();
        for all in [&mut self.reach, &mut self.stretch] {
            all.clear();
            all.extend(0..count as u32);
        }
        self.lowest.clear();
        self.lowest.resize(count, None);
        self.soffit.clear();
        self.soffit.resize(count, NO_HOLE);
        for i in 0..count {
            let Top { x, y, open } = self.tops[i];
            if !open {
                continue;
            }
            let (x, y) = (x.into(), y.into());
            let kind = world.cell(x, y).kind();
            // What is of its kind and part of a body is of the same one.
            let is_of_body =
                |x: u32, y: u32| world.cell(x, y).kind() == kind && world.is_member(x, y);
            let west = x.wrapping_sub(1);
            let is_open = |x: u32| world.cell(x, y.wrapping_sub(1)) == Packed::AIR;
            // A column to the west that is as high, and open, has been joined as its neighbour to the east.
            if is_of_body(west, y) && (is_of_body(west, y.wrapping_sub(1)) || !is_open(west)) {
                self.link(world, i, (west, y));
            }
            if is_of_body(x + 1, y) {
                self.link(world, i, (x + 1, y));
            }
        }
        let Top { x, y, .. } = self.tops[0];
        Some(world.body(x.into(), y.into()))
    }

    fn link(&mut self, world: &impl Labelled, i: usize, (x, y): (u32, u32)) {
        let Some(j) = self.column(x, y) else { return };
        let Top { y: top, open, .. } = self.tops[j as usize];
        let top = top.into();
        if !open {
            if world.cell(x, top).fill() == FULL {
                let stretch = root(&mut self.stretch, i as u32) as usize;
                self.soffit[stretch] = self.soffit[stretch].min(top);
            }
            return;
        }
        join(&mut self.reach, i as u32, j);
        if y - top < STEP {
            let soffit = [i as u32, j].map(|i| self.soffit[root(&mut self.stretch, i) as usize]);
            let stretch = join(&mut self.stretch, i as u32, j) as usize;
            self.soffit[stretch] = soffit[0].min(soffit[1]);
        }
    }

    fn sort_tops(&mut self, asks: &[Ask]) -> Option<()> {
        let tops = || asks.iter().filter(|ask| is_top(ask));
        let (mut first, mut last) = (u32::MAX, None);
        for ask in tops() {
            (first, last) = (first.min(ask.x), last.max(Some(ask.x)));
        }
        let last = last?;
        self.first = first;
        self.start.clear();
        self.start.resize((last - first) as usize + 3, 0);
        tops().for_each(|ask| self.start[(ask.x - first) as usize + 2] += 1);
        for i in 1..self.start.len() {
            self.start[i] += self.start[i - 1];
        }
        self.tops.clear();
        self.tops.resize(self.start[self.start.len() - 1] as usize, Top::default());
        for ask in tops() {
            let slot = &mut self.start[(ask.x - first) as usize + 1];
            self.tops[*slot as usize] = Top { x: ask.x as u16, y: ask.y as u16, open: ask.open };
            *slot += 1;
        }
        Some(())
    }

    /// The number of the top of a column of the body, of which a cell is known.
    fn column(&self, x: u32, y: u32) -> Option<u32> {
        let column = x.checked_sub(self.first)? as usize;
        let (start, end) = (*self.start.get(column)?, *self.start.get(column + 1)?);
        let tops = &self.tops[start as usize..end as usize];
        let above = tops.partition_point(|top| u32::from(top.y) <= y) as u32;
        Some(start + above.checked_sub(1)?)
    }

    fn keep_low(&mut self, (x, y): (u32, u32), row: u32) {
        if let Some(i) = self.column(x, y) {
            let lowest = &mut self.lowest[root(&mut self.reach, i) as usize];
            *lowest = (*lowest).max(Some(row));
        }
    }

    fn let_grow(&mut self, (x, y): (u32, u32)) {
        if let Some(i) = self.column(x, y) {
            self.lowest[root(&mut self.reach, i) as usize] = None;
        }
    }

    /// The ceiling of the hole below which a top may grow, if it is held back.
    fn soffit_if_held(&mut self, ask: &Ask) -> Option<u32> {
        let i = self.column(ask.x, ask.y)?;
        let lowest = self.lowest[root(&mut self.reach, i) as usize]?;
        (ask.y <= lowest).then(|| self.soffit[root(&mut self.stretch, i) as usize])
    }
}

fn root(all: &mut [u32], mut i: u32) -> u32 {
    while all[i as usize] != i {
        let up = all[all[i as usize] as usize];
        all[i as usize] = up;
        i = up;
    }
    i
}

fn join(all: &mut [u32], i: u32, j: u32) -> u32 {
    let (a, b) = (root(all, i), root(all, j));
    all[a.max(b) as usize] = a.min(b);
    a.min(b)
}
