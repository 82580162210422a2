//! Reaches: what of a body has one open surface. What comes into a reach from elsewhere in the body, through a hole, and can run off
//! at the reach's end does so, and does not pile up there first.

use super::asks::{Ask, Way};
use super::bodies::NONE;
use super::cell::{FULL, Packed};
use super::labelled::Labelled;

/// The memory that reaches are looked for in. Kept for its memory only.
#[derive(Debug, Default)]
pub(super) struct Reaches {
    /// The tops among the places of a body, by column and row, and which place each is.
    tops: Vec<(u32, u32, u32)>,
    reach: Vec<Column>,
    /// What the places of the body would take if none were held back.
    takes: Vec<i32>,
}

/// A column of a reach.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// Which place its top is.
    place: u32,
    /// The stretch it is part of, within which the surface has no steps: 0 from where the walk starts, below that to the west and
    /// above to the east.
    stretch: i32,
    /// Whether it lies beside a higher one that is no fall: it then fills up from there.
    is_beside_higher: bool,
}

/// How a walk along a surface ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// With a column that gives, or out of sight.
    Source,
    /// At the ceiling of a hole, which ends in this row, after this stretch.
    Hole { row: u32, stretch: i32 },
    /// At a wall, or where nothing stands beside it.
    Shore,
}

/// What is farther away (cells) counts as a source.
const FARTHEST: usize = 512;
/// A surface has a step where columns differ by so many rows.
const STEP: u32 = 2;
/// What stands higher is a fall if it is thinner than this (cells).
const THICK: i32 = 8;

/// Where water runs off from a reach in which no column gives, over a floor or an edge, no column of the reach comes to stand
/// higher than the cell that it ends in and the hole that feeds it: beside a lake it would else stand as high as the lake while
/// it runs. Nor does what stands over a step, as a fall that has landed. Says whether any place may now take less than its share.
pub(super) fn hold_back(
    world: &impl Labelled,
    asks: &mut [Ask],
    shares: &[i32],
    reaches: &mut Reaches,
) -> bool {
    let grows = |ask: &Ask, share: i32| {
        ask.way == Way::Top && share > i32::from(FULL - world.cell(ask.x, ask.y).fill())
    };
    if !asks.iter().zip(shares).any(|(ask, share)| grows(ask, *share)) {
        return false;
    }
    reaches.find_tops(asks);
    reaches.takes.clear();
    reaches.takes.extend(asks.iter().map(|ask| ask.take));
    let mut is_held = false;
    for (i, &share) in shares.iter().enumerate().filter(|(_, share)| **share > 0) {
        let (ask, Ask { x, y, .. }) = (asks[i], asks[i]);
        if ask.way != Way::Top {
            for start in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1))] {
                is_held |= reaches.hold_from(world, start, u32::MAX, asks, shares);
            }
        } else if grows(&ask, share) && is_over_step(world, (x, y)) {
            is_held |= reaches.hold_from(world, (x, y), y, asks, shares);
        }
    }
    is_held
}

/// Lets all take again what they could before some were held back.
pub(super) fn let_go(asks: &mut [Ask], reaches: &Reaches) {
    asks.iter_mut().zip(&reaches.takes).for_each(|(ask, take)| ask.take = *take);
}

/// Whether there is a step down beside the top of a column.
fn is_over_step(world: &impl Labelled, (x, y): (u32, u32)) -> bool {
    let is_step = |x: u32| (0..STEP).all(|down| world.cell(x, y + down) == Packed::AIR);
    is_step(x.wrapping_sub(1)) || is_step(x + 1)
}

impl Reaches {
    fn find_tops(&mut self, asks: &[Ask]) {
        self.tops.clear();
        let tops = asks.iter().zip(0..).filter(|(ask, _)| ask.way == Way::Top);
        self.tops.extend(tops.map(|(ask, i)| (ask.x, ask.y, i)));
        self.tops.sort_unstable();
    }

    /// Which place the top of a column is.
    fn place(&self, (x, y): (u32, u32)) -> Option<u32> {
        let i = self.tops.partition_point(|top| (top.0, top.1) < (x, y));
        self.tops.get(i).filter(|top| (top.0, top.1) == (x, y)).map(|top| top.2)
    }

    /// Holds back the reach around a cell beside which water runs off, down to a row, if nothing in it gives.
    fn hold_from(
        &mut self,
        world: &impl Labelled,
        start: (u32, u32),
        lowest: u32,
        asks: &mut [Ask],
        shares: &[i32],
    ) -> bool {
        let Some(top) = top_of(world, start) else { return false };
        self.reach.clear();
        let ends = [-1, 1].map(|side| self.walk(world, top, side, shares));
        if ends.contains(&End::Source) {
            return false;
        }
        let mut is_held = false;
        for column in self.reach.iter().filter(|column| !column.is_beside_higher) {
            let place = column.place as usize;
            let soffit = ends.iter().filter_map(|end| match *end {
                End::Hole { row, stretch } if stretch == column.stretch => Some(row),
                _ => None,
            });
            let ask = &mut asks[place];
            if ask.y > lowest {
                continue;
            }
            let rows = ask.y - soffit.min().unwrap_or(ask.y).min(ask.y);
            let most =
                i32::from(FULL) * (1 + rows as i32) - i32::from(world.cell(ask.x, ask.y).fill());
            is_held |= shares[place] > most;
            ask.take = ask.take.min(most);
        }
        is_held
    }

    /// Walks along an open surface to one side from the top of a column, and adds what is on the way to the reach.
    fn walk(
        &mut self,
        world: &impl Labelled,
        (mut x, mut top): (u32, u32),
        side: i32,
        shares: &[i32],
    ) -> End {
        let (body, mut stretch) = (world.body(x, top), 0);
        for _ in 0..FARTHEST {
            let Some(place) = self.place((x, top)) else { return End::Shore };
            if shares[place as usize] < 0 {
                return End::Source;
            }
            if world.cell(x, top.wrapping_sub(1)) != Packed::AIR {
                let is_full = world.cell(x, top).fill() == FULL;
                return if is_full { End::Hole { row: top, stretch } } else { End::Shore };
            }
            let away = |cells: i32| x.wrapping_add_signed(side * cells);
            // Down along the side of this column, if the next is lower.
            let mut row = top;
            while world.cell(away(1), row) == Packed::AIR && world.body(x, row + 1) == body {
                row += 1;
            }
            let is_next = world.body(away(1), row) == body;
            let next = if is_next { top_of(world, (away(1), row)) } else { None };
            let is_of_body = |cells: i32| world.body(away(cells), top.wrapping_sub(1)) == body;
            let is_beside_higher =
                next.is_some_and(|(_, y)| y < top) && (1..=THICK).all(is_of_body);
            match self.reach.first_mut() {
                Some(first) if first.place == place => first.is_beside_higher |= is_beside_higher,
                _ => self.reach.push(Column { place, stretch, is_beside_higher }),
            }
            let Some(next) = next else { return End::Shore };
            stretch += if next.1.abs_diff(top) >= STEP { side } else { 0 };
            (x, top) = next;
        }
        End::Source
    }
}

/// The top of the column of a body that a cell is part of.
fn top_of(world: &impl Labelled, (x, mut y): (u32, u32)) -> Option<(u32, u32)> {
    let body = world.body(x, y);
    if body == NONE {
        return None;
    }
    while y > 0 && world.body(x, y - 1) == body {
        y -= 1;
    }
    Some((x, y))
}
