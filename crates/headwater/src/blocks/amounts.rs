//! [`Amounts`]: what the places of a body give and take, in arrays, and the level at which both are
//! even. The loops are compiled for several instruction sets; they add whole numbers only.

use super::asks::Ask;
use multiversion::multiversion;

/// The asks of a body, an array for each number, padded to whole vectors.
#[derive(Debug, Default)]
pub(super) struct Amounts {
    head: Vec<i32>,
    give: Vec<i32>,
    base: Vec<i32>,
    least: Vec<i32>,
    take: Vec<i32>,
}

#[derive(Clone, Copy)]
struct Lists<'a> {
    head: &'a [i32],
    give: &'a [i32],
    base: &'a [i32],
    least: &'a [i32],
    take: &'a [i32],
}

const LANES: usize = 16;
/// So many amounts add up to less than 2³¹.
const PART: usize = 1 << 16;

impl Amounts {
    pub(super) fn fill(&mut self, asks: &[Ask]) {
        let length = asks.len().next_multiple_of(LANES);
        let Self { head, give, base, least, take } = self;
        for all in [&mut *head, &mut *give, &mut *base, &mut *least, &mut *take] {
            all.resize(length, 0);
            all[asks.len()..].fill(0);
        }
        least[asks.len()..].fill(1);
        let count = asks.len();
        let (head, give, base) = (&mut head[..count], &mut give[..count], &mut base[..count]);
        let (least, take) = (&mut least[..count], &mut take[..count]);
        for (i, ask) in asks.iter().enumerate() {
            (head[i], give[i]) = (ask.head, ask.give);
            (base[i], least[i], take[i]) = (ask.entry - ask.least, ask.least, ask.take);
        }
    }

    fn lists(&self) -> Lists<'_> {
        let Self { head, give, base, least, take } = self;
        Lists { head, give, base, least, take }
    }

    /// The highest level at which no more is taken than can be given. At `level` no more is taken, at `above` more than is given.
    pub(super) fn level(&self, level: i32, above: i32) -> i32 {
        find_level(self.lists(), level, above)
    }

    pub(super) fn split(&self, level: i32, given: &mut Vec<i32>, taken: &mut Vec<i32>) -> i64 {
        given.resize(self.head.len(), 0);
        taken.resize(self.head.len(), 0);
        write_amounts(self.lists(), level, given, taken)
    }

    pub(super) fn gives_more(&self, i: usize, level: i32) -> i32 {
        given(self.head[i], self.give[i], level) - given(self.head[i], self.give[i], level + 1)
    }

    pub(super) fn takes_more(&self, i: usize, level: i32) -> i32 {
        let up_to = |level: i32| taken(self.base[i], self.least[i], self.take[i], level);
        up_to(level + 1) - up_to(level)
    }
}

#[inline(always)]
fn given(head: i32, give: i32, level: i32) -> i32 {
    (head - level).max(0).min(give)
}

#[inline(always)]
fn taken(base: i32, least: i32, take: i32, level: i32) -> i32 {
    let over = level - base;
    if over < least { 0 } else { over.min(take) }
}

#[multiversion(targets = "simd")]
fn find_level(lists: Lists<'_>, mut level: i32, mut above: i32) -> i32 {
    let (mut scratch, mut missing) = (-excess(lists, level), excess(lists, above));
    let (mut was_above, mut turns) = (None, 0);
    while above - level > 1 {
        let between = i64::from(above - level);
        // False position by the Illinois method; by turns the middle, so that the end is never far.
        turns += 1;
        let crossing = if turns % 4 == 0 { None } else { between.checked_mul(scratch) };
        let part = crossing.map_or(between / 2, |part| part / (scratch + missing));
        let middle = level + part.clamp(1, between - 1) as i32;
        let over = excess(lists, middle);
        let is_above = over > 0;
        let is_again = was_above.replace(is_above) == Some(is_above);
        if is_above {
            (above, missing) = (middle, over);
            scratch = if is_again { scratch / 2 } else { scratch };
        } else {
            (level, scratch) = (middle, -over);
            missing = if is_again { (missing + 1) / 2 } else { missing };
        }
    }
    level
}

#[inline(always)]
fn excess(lists: Lists<'_>, level: i32) -> i64 {
    let count = lists.head.len();
    let mut sum = 0;
    let mut start = 0;
    while start < count {
        let end = (start + PART).min(count);
        let (head, give) = (&lists.head[start..end], &lists.give[start..end]);
        let (base, least) = (&lists.base[start..end], &lists.least[start..end]);
        let take = &lists.take[start..end];
        let mut part = 0;
        for i in 0..end - start {
            part += taken(base[i], least[i], take[i], level) - given(head[i], give[i], level);
        }
        sum += i64::from(part);
        start = end;
    }
    sum
}

#[multiversion(targets = "simd")]
fn write_amounts(lists: Lists<'_>, level: i32, gives: &mut [i32], takes: &mut [i32]) -> i64 {
    let count = lists.head.len();
    let mut sum = 0;
    let mut start = 0;
    while start < count {
        let end = (start + PART).min(count);
        let (head, give) = (&lists.head[start..end], &lists.give[start..end]);
        let (base, least) = (&lists.base[start..end], &lists.least[start..end]);
        let take = &lists.take[start..end];
        let (gives, takes) = (&mut gives[start..end], &mut takes[start..end]);
        let mut part = 0;
        for i in 0..end - start {
            gives[i] = given(head[i], give[i], level + 1);
            takes[i] = taken(base[i], least[i], take[i], level);
            part += takes[i] - gives[i];
        }
        sum += i64::from(part);
        start = end;
    }
    sum
}
