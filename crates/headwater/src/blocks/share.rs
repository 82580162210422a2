//! How much each surface of a body gives or takes in a step: the level, and who gets the last
//! units.
//!
//! Heights are 256ths of a cell above the bottom. All depends on heights and distances from the
//! body's middle, so mirrored worlds stay mirrored.

use super::amounts::Amounts;
use super::asks::{Ask, Way};
use super::reach::Reaches;

/// What each of `asks`, all of one body and under one air, gets (above 0) or gives (below 0), if
/// anything moves. The sum is 0, and no unit goes up, except over a sill.
///
/// The level is the highest at which no more is taken than can be given. All give down to the next
/// unit above it and take up to it; the units in between go in order ([`pairs`]).
pub(super) fn share<'a>(asks: &[Ask], arrays: &'a mut AskArrays) -> &'a [i32] {
    share_above(asks, i32::MIN, arrays)
}

pub(super) fn share_above<'a>(asks: &[Ask], least: i32, arrays: &'a mut AskArrays) -> &'a [i32] {
    arrays.shares.clear();
    // Nothing is as low as the one and as high as the other, where none gives or none takes.
    let (mut highest, mut lowest) = (i32::MIN, i32::MAX);
    for ask in asks {
        highest = highest.max(if ask.give > 0 { ask.head } else { i32::MIN });
        lowest = lowest.min(if ask.take > 0 { ask.entry } else { i32::MAX });
    }
    arrays.found = i32::MIN;
    if lowest >= highest {
        return &[];
    }
    let AskArrays { amounts, split, order, shares, found, .. } = arrays;
    amounts.fill(asks);
    let level = amounts.level(least.clamp(lowest - 1, highest - 1), highest);
    *found = level;
    let remainder = amounts.split(level, &mut split.give, &mut split.take);
    // Most places are far from the level and have no say in the last units: all are put in order
    // only if a unit is left that the others cannot move.
    if remainder > 0 {
        let more = |i: usize| amounts.gives_more(i, level);
        order.find_pairs(asks, |i| more(i) != 0, &mut split.pairs);
        if let Some(left) = split.give_more(remainder, more) {
            order.find_pairs(asks, |_| true, &mut split.pairs);
            split.give_last(left);
        }
    } else if remainder < 0 {
        let more = |i: usize| amounts.takes_more(i, level);
        order.find_pairs(asks, |i| more(i) != 0, &mut split.pairs);
        let left = split.take_more(-remainder, more, |i| asks[i].way == Way::Drop);
        if left > 0 {
            order.find_pairs(asks, |_| true, &mut split.pairs);
            split.give_less(left);
        }
    }
    let Split { give, take, .. } = split;
    debug_assert_eq!(give.iter().sum::<i32>(), take.iter().sum::<i32>());
    shares.extend(take[..asks.len()].iter().zip(&*give).map(|(take, give)| take - give));
    shares
}

#[derive(Debug, Default)]
pub(super) struct AskArrays {
    amounts: Amounts,
    split: Split,
    order: Order,
    shares: Vec<i32>,
    pub(super) found: i32,
    pub(super) reaches: Reaches,
}

impl AskArrays {
    pub(super) fn shares(&self) -> &[i32] {
        &self.shares
    }
}

#[derive(Debug, Default)]
struct Order {
    /// How far each column of the body is from the next in which it runs over an edge, if it does in any.
    to_edge: Vec<u16>,
    keys: Vec<u128>,
}

impl Order {
    /// Finds single places and mirrored pairs: first those farthest from where the body runs over
    /// an edge, so that films do not tear, then from the middle outward. Both of a pair get the
    /// same. Only `wanted` places are found.
    fn find_pairs(
        &mut self,
        asks: &[Ask],
        wanted: impl Fn(usize) -> bool,
        found: &mut Vec<(usize, Option<usize>)>,
    ) {
        let Self { to_edge, keys } = self;
        found.clear();
        let mut places = (0..asks.len()).filter(|i| wanted(*i));
        let Some(first) = places.next() else { return };
        let Some(second) = places.next() else { return found.push((first, None)) };
        let (mut low, mut high, mut falls) = (u32::MAX, 0, false);
        for ask in asks {
            (low, high) = (low.min(ask.x), high.max(ask.x));
            falls |= ask.way == Way::Drop;
        }
        // Where it runs over no edge, all are as far from one.
        if falls {
            find_edges(asks, low, high, to_edge);
        }
        let to_edge = |x: u32| if falls { to_edge[(x - low) as usize] } else { 0 };
        // All that mirror images share, and then the place's number, in one number that sorts fast.
        let key = |i: usize| {
            let a = &asks[i];
            let from_middle = (2 * a.x).abs_diff(low + high);
            let join = |fields: [(u32, u32); 4]| {
                fields.iter().fold(0, |key, &(bits, field)| key << bits | u64::from(field))
            };
            let edge = (16, u32::from(u16::MAX - to_edge(a.x)));
            let place = join([edge, (17, from_middle), (16, a.y), (0, 0)]);
            let head = (24, a.head as u32);
            let (give, take) = (a.give.min(511) as u32, a.take.min(511) as u32);
            let amounts = join([head, (2, a.way as u32), (9, give), (9, take)]);
            u128::from(place) << (44 + NUMBER) | u128::from(amounts) << NUMBER | i as u128
        };
        keys.clear();
        for i in [first, second] {
            keys.push(key(i));
        }
        for i in places {
            keys.push(key(i));
        }
        keys.sort_unstable();
        let number = |key: &u128| (key & u128::from(u32::MAX)) as usize;
        let mut rest = keys.as_slice();
        while let Some((key, others)) = rest.split_first() {
            match others.split_first() {
                Some((next, after)) if next >> NUMBER == key >> NUMBER => {
                    let pair = [number(key), number(next)];
                    let amounts = pair.map(|i| {
                        let Ask { give, take, entry, least, .. } = asks[i];
                        (give, take, entry, least)
                    });
                    if amounts[0] == amounts[1] {
                        found.push((pair[0], Some(pair[1])));
                    } else {
                        let first = usize::from(amounts[1] < amounts[0]);
                        found.extend([(pair[first], None), (pair[1 - first], None)]);
                    }
                    rest = after;
                }
                _ => {
                    found.push((number(key), None));
                    rest = others;
                }
            }
        }
    }
}

/// Finds how far each column from `low` to `high` is from the next in which a body runs over an edge, as it does in some.
fn find_edges(asks: &[Ask], low: u32, high: u32, to_edge: &mut Vec<u16>) {
    const FAR: u16 = u16::MAX;
    to_edge.clear();
    to_edge.resize((high - low) as usize + 1, FAR);
    for ask in asks.iter().filter(|ask| ask.way == Way::Drop) {
        to_edge[(ask.x - low) as usize] = 0;
    }
    let mut last = FAR;
    for here in to_edge.iter_mut() {
        last = last.saturating_add(1).min(*here);
        *here = last;
    }
    for here in to_edge.iter_mut().rev() {
        last = last.saturating_add(1).min(*here);
        *here = last;
    }
}

/// Bits for the number of a place among those of its body.
const NUMBER: u32 = 32;

#[derive(Debug, Default)]
struct Split {
    give: Vec<i32>,
    take: Vec<i32>,
    pairs: Vec<(usize, Option<usize>)>,
}

impl Split {
    /// Places `remainder` units more on those that give, one on each that has `more`. If only a
    /// pair could give the last unit, returns it.
    fn give_more(
        &mut self,
        mut remainder: i64,
        more: impl Fn(usize) -> i32,
    ) -> Option<Option<(usize, usize)>> {
        let mut spare = None;
        for &(i, twin) in &self.pairs {
            if more(i) == 0 {
                continue;
            }
            match twin {
                None if remainder >= 1 => {
                    (self.give[i], remainder) = (self.give[i] + 1, remainder - 1);
                }
                Some(j) if remainder >= 2 => {
                    self.give[i] += 1;
                    self.give[j] += 1;
                    remainder -= 2;
                }
                Some(j) => spare = spare.or(Some((i, j))),
                None => {}
            }
        }
        (remainder != 0).then_some(spare)
    }

    /// One unit is left, and only pairs could give it: a single place takes one less, or gives one
    /// less so that a pair can give two.
    fn give_last(&mut self, spare: Option<(usize, usize)>) {
        if let (Some(i), Some((j, k))) = (self.alone(&self.give), spare) {
            self.give[i] -= 1;
            self.give[j] += 1;
            self.give[k] += 1;
        } else if let Some(i) = self.alone(&self.take) {
            self.take[i] -= 1;
        }
    }

    /// Places `spare` units more on those that take, as much as `more` says, or a part of that
    /// where it falls; returns the rest.
    fn take_more(
        &mut self,
        mut spare: i64,
        more: impl Fn(usize) -> i32,
        falls: impl Fn(usize) -> bool,
    ) -> i64 {
        let Self { take, pairs, .. } = self;
        let mut falling = 0;
        for &(i, twin) in &*pairs {
            let step = more(i);
            let all = i64::from(step) * if twin.is_some() { 2 } else { 1 };
            if falls(i) {
                falling += all;
            } else if step > 0 && all <= spare {
                take[i] += step;
                twin.into_iter().for_each(|j| take[j] += step);
                spare -= all;
            }
        }
        // What falls shares evenly what is left, and then its last units by their order.
        let (even, mut last) = (spare.min(falling), spare.min(falling));
        let part = |i: usize| (i64::from(more(i)) * even / falling.max(1)) as i32;
        for &(i, twin) in pairs.iter().filter(|(i, _)| falls(*i)) {
            take[i] += part(i);
            twin.into_iter().for_each(|j| take[j] += part(i));
            last -= i64::from(part(i)) * if twin.is_some() { 2 } else { 1 };
        }
        spare -= even - last;
        for &(i, twin) in pairs.iter().filter(|(i, _)| falls(*i)) {
            let all = if twin.is_some() { 2 } else { 1 };
            if all <= last && part(i) < more(i) {
                take[i] += 1;
                twin.into_iter().for_each(|j| take[j] += 1);
                (last, spare) = (last - all, spare - all);
            }
        }
        spare
    }

    /// So many units do not come out even, and are kept by those that give.
    fn give_less(&mut self, mut spare: i64) {
        while spare > 0 {
            let before = spare;
            for &(i, twin) in &self.pairs {
                if self.give[i] == 0 {
                    continue;
                }
                match twin {
                    None if spare >= 1 => (self.give[i], spare) = (self.give[i] - 1, spare - 1),
                    Some(j) if spare >= 2 => {
                        self.give[i] -= 1;
                        self.give[j] -= 1;
                        spare -= 2;
                    }
                    _ => {}
                }
            }
            if spare == before {
                // One unit is left and only pairs give: someone alone must take an odd number.
                if let Some(i) = self.alone(&self.take) {
                    self.take[i] -= 1;
                    spare += 1;
                }
            }
        }
    }

    /// The first place without a twin that has any of `part`.
    fn alone(&self, part: &[i32]) -> Option<usize> {
        self.pairs.iter().find(|(i, twin)| twin.is_none() && part[*i] > 0).map(|(i, _)| *i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shared(asks: &[Ask]) -> Vec<i32> {
        share(asks, &mut AskArrays::default()).to_vec()
    }

    fn top(x: u32, head: i32) -> Ask {
        Ask::top((x, 0), head, 256, 256, 0)
    }

    const FILM: i32 = 16;

    fn floor(x: u32, head: i32) -> Ask {
        Ask { give: 0, way: Way::Floor, entry: head + FILM, least: FILM, ..top(x, head) }
    }

    fn sill(x: u32, head: i32, least: i32) -> Ask {
        Ask { give: 0, take: 192, way: Way::Drop, entry: head, least, ..top(x, head) }
    }

    fn any_ask() -> impl Strategy<Value = Ask> {
        let way = prop_oneof![3 => Just(Way::Top), 1 => Just(Way::Floor), 1 => Just(Way::Drop)];
        (0u32..12, 0u32..3, 0i32..700, 0i32..1025, 0i32..1025, way, 1i32..257).prop_map(
            |(x, y, head, give, take, way, least)| {
                let ask = match way {
                    Way::Top => Ask { give, ..top(x, head) },
                    Way::Floor => floor(x, head),
                    Way::Drop => sill(x, head, least),
                };
                Ask { y, take, ..ask }
            },
        )
    }

    /// One ask for each place, and perhaps all mirrored beside them.
    fn any_asks() -> impl Strategy<Value = Vec<Ask>> {
        (prop::collection::vec(any_ask(), 1..14), any::<bool>()).prop_map(|(mut asks, twin)| {
            asks.sort_by_key(|a| (a.x, a.y));
            asks.dedup_by_key(|a| (a.x, a.y));
            if twin {
                let more: Vec<Ask> = asks.iter().map(|a| Ask { x: 24 - a.x, ..*a }).collect();
                asks.extend(more);
            }
            asks
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn nothing_is_lost_and_none_gives_or_takes_more_than_it_can(
            asks in any_asks()
        ) {
            let moved = shared(&asks);
            prop_assert_eq!(moved.iter().sum::<i32>(), 0);
            for (ask, moved) in asks.iter().zip(&moved) {
                prop_assert!(-ask.give <= *moved && *moved <= ask.take);
            }
        }

        #[test]
        fn mirrored_places_get_the_same(asks in any_asks()) {
            let mut mirrored: Vec<Ask> = asks.iter().map(|a| Ask { x: 30 - a.x, ..*a }).collect();
            mirrored.reverse();
            let mut moved = shared(&mirrored);
            moved.reverse();
            prop_assert_eq!(moved, shared(&asks));
        }

        #[test]
        fn columns_end_up_within_two_units(heads in prop::collection::vec(0i32..4000, 2..40)) {
            let mut asks: Vec<Ask> =
                heads.iter().enumerate().map(|(x, &head)| top(x as u32, head)).collect();
            for _ in 0..400 {
                for (ask, moved) in asks.clone().iter().zip(shared(&asks)) {
                    asks[ask.x as usize] = top(ask.x, ask.head + moved);
                }
            }
            let low = asks.iter().map(|a| a.head).min().unwrap();
            let high = asks.iter().map(|a| a.head).max().unwrap();
            prop_assert!(high - low <= 2, "{low} to {high}");
            prop_assert!(shared(&asks).iter().all(|&moved| moved == 0));
        }
    }

    #[test]
    fn two_columns_meet_in_the_middle_at_a_cell_in_a_step() {
        assert_eq!(shared(&[top(0, 5000), top(1, 0)]), [-256, 256]);
        assert_eq!(shared(&[top(0, 101), top(1, 0)]), [-50, 50]);
    }

    #[test]
    fn a_narrow_column_gives_as_much_as_many_take() {
        let tower = Ask { give: 2000, ..top(0, 5000) };
        assert_eq!(shared(&[tower, top(1, 0), top(2, 0), top(3, 0)]), [-768, 256, 256, 256]);
    }

    #[test]
    fn a_floor_is_wetted_by_a_film_or_not_at_all() {
        assert!(shared(&[top(0, 20), floor(1, 0)]).iter().all(|&moved| moved == 0));
        assert_eq!(shared(&[top(0, 40), floor(1, 0)]), [-20, 20]);
    }

    #[test]
    fn a_sill_drains_what_stands_over_it_to_the_last_unit() {
        assert_eq!(shared(&[top(0, 1), sill(1, 0, 1)]), [-1, 1]);
        assert!(shared(&[top(0, 0), sill(1, 0, 1)]).is_empty());
        assert_eq!(shared(&[top(0, 101), sill(1, 0, 1)]), [-51, 51], "as the level is over it");
        assert_eq!(shared(&[top(0, 101), sill(1, 0, 256)]), [-101, 101], "what falls away");
        let both = [top(0, 100), top(1, 100), sill(2, 0, 256), sill(3, 0, 256)];
        assert_eq!(shared(&both), [-100, -100, 100, 100]);
    }
}
