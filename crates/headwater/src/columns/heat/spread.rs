//! Heat passes between neighbouring columns, over the height at which water stands in both: at the lower and at
//! the upper end of that height, by the temperatures there.

use super::super::layout::Layout;
use super::super::tasks::for_each_chunk;
use super::column::{CAPACITY, WATER};
use super::ledger::{UNIT, whole};
use super::params::Heat;
use super::warmth::Warmth;
use crate::spare::Spare;
use std::mem::take;

/// The most of a difference that one end passes on in one go: with two ends on either side, a column is never
/// carried beyond its neighbours.
const MOST: f64 = 0.125;

/// The most parts of a turn. Where heat were to go farther, it goes as far as that lets it.
const MOST_PARTS: f64 = 256.0;

/// The least difference (K) across a joint that ends the rest of the pool on its other side.
const FELT: f64 = 0.01;

/// What all edges share: the conductance of one quantum of height for the time that passes, over the heat capacity of
/// one quantum of water.
#[derive(Clone, Copy)]
pub(super) struct Spread(f64);

impl Spread {
    pub(super) fn new(heat: &Heat, layout: &Layout, time: f64) -> Self {
        let conductance = heat.horizontal * layout.quantum / layout.width;
        Self(conductance * time / (WATER * CAPACITY * layout.quantum_volume()))
    }

    /// Into how many parts the time must be cut for no end to be held back, if not too many.
    pub(super) fn parts(self) -> u32 {
        (2.0 * self.0 / MOST).ceil().clamp(1.0, MOST_PARTS) as u32
    }
}

/// The water of a column: where it begins (quanta above the bottom), and how much it is.
#[derive(Clone, Copy)]
struct Side {
    floor: i32,
    water: i32,
}

impl Side {
    /// How high a level is in the water, from 0 on its floor to 1.
    fn place(&self, level: i32) -> f64 {
        f64::from(level - self.floor) / f64::from(self.water)
    }

    /// What the lower and the upper half of its water get of heats that come in at two levels.
    fn share(&self, ends: [i32; 2], heats: [i64; 2]) -> [i64; 2] {
        let mut shares = [0; 2];
        for (end, heat) in ends.into_iter().zip(heats) {
            let upper = whole(heat as f64 * self.place(end));
            shares[0] += heat - upper;
            shares[1] += upper;
        }
        shares
    }

    /// One over the heat capacity that a place feels, of which it takes `1 − place` from the lower half.
    fn yields(&self, place: f64) -> f64 {
        ((1.0 - place) * (1.0 - place) + place * place) / (0.5 * f64::from(self.water))
    }
}

/// The temperature at a place between two halves.
fn at(halves: [f64; 2], place: f64) -> f64 {
    halves[0] + (halves[1] - halves[0]) * place
}

/// The heights that two columns share between a sill and a lintel.
fn shared(sides: [Side; 2], sill: i32, lintel: i32) -> Option<[i32; 2]> {
    let low = sides[0].floor.max(sides[1].floor).max(sill);
    let top = |side: &Side| side.floor + side.water;
    let high = top(&sides[0]).min(top(&sides[1])).min(lintel);
    (low < high).then_some([low, high])
}

/// What goes from the left to the right at both ends of what two columns share (units).
fn pass(spread: Spread, sides: [Side; 2], halves: [[f64; 2]; 2], ends: [i32; 2]) -> [i64; 2] {
    let ratio = 0.5 * spread.0 * f64::from(ends[1] - ends[0]);
    ends.map(|end| {
        let [left, right] = sides.map(|side| side.place(end));
        let gap = at(halves[0], left) - at(halves[1], right);
        let yields = sides[0].yields(left) + sides[1].yields(right);
        let part = (ratio * yields).min(MOST);
        whole(gap * part / yields * 2.0 * UNIT)
    })
}

impl Warmth {
    fn side(&self, layout: &Layout, depth: &[i32], c: usize) -> Side {
        let floor = layout.floor[c] + self.tiers[c].ground;
        Side { floor, water: depth[c] - self.held[c] }
    }

    /// Gives heat to a column's halves, at the ends of what it shares with another.
    fn give(&mut self, c: usize, side: Side, ends: [i32; 2], heats: [i64; 2]) {
        let [lower, upper] = side.share(ends, heats);
        self.lower[c] += lower;
        self.upper[c] += upper;
    }

    /// Passes heat between the columns of an active pool, edge by edge, all by the temperatures before: the oracle.
    pub(super) fn spread_plain(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        spread: Spread,
        pool: usize,
    ) {
        let columns = layout.pools[pool].columns.clone();
        let mut passed = Vec::new();
        for c in columns.start..columns.end - 1 {
            let sides = [c, c + 1].map(|c| self.side(layout, depth, c));
            if let Some(ends) = shared(sides, i32::MIN, i32::MAX) {
                let halves = [c, c + 1].map(|c| self.halves(depth, c));
                passed.push((c, sides, ends, pass(spread, sides, halves, ends)));
            }
        }
        for (c, sides, ends, heats) in passed {
            self.give(c, sides[0], ends, heats.map(|heat| -heat));
            self.give(c + 1, sides[1], ends, heats);
        }
    }

    /// The same by threads, column by column.
    pub(super) fn spread(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        spread: Spread,
        pool: usize,
        spare: &Spare,
    ) {
        let chunks = spare.collect(layout.pool_chunks[pool].clone());
        let pool = layout.pools[pool].columns.clone();
        let mut passed = take(&mut self.passed);
        for_each_chunk(layout, &chunks, &mut passed[..], &|chunk, passed| {
            let mut east = self.side(layout, depth, chunk.columns.start);
            for (c, passed) in chunk.columns.clone().zip(passed) {
                if c + 1 == pool.end {
                    break;
                }
                let sides = [east, self.side(layout, depth, c + 1)];
                *passed = shared(sides, i32::MIN, i32::MAX).map_or([0; 2], |ends| {
                    let halves = [c, c + 1].map(|c| self.halves(depth, c));
                    pass(spread, sides, halves, ends)
                });
                east = sides[1];
            }
        });
        let (mut lower, mut upper) = (take(&mut self.lower), take(&mut self.upper));
        let halves = (&mut lower[..], &mut upper[..]);
        for_each_chunk(layout, &chunks, halves, &|chunk, (lower, upper)| {
            let side = |c: usize| self.side(layout, depth, c);
            let over = |c: usize, sides: [Side; 2]| {
                let ends = (passed[c] != [0; 2]).then(|| shared(sides, i32::MIN, i32::MAX));
                Some((passed[c], ends.flatten()?))
            };
            let first = chunk.columns.start;
            let mut here = side(first);
            let mut west =
                if first == pool.start { None } else { over(first - 1, [side(first - 1), here]) };
            for ((c, lower), upper) in chunk.columns.clone().zip(lower).zip(upper) {
                let next = if c + 1 == pool.end { here } else { side(c + 1) };
                let east = if c + 1 == pool.end { None } else { over(c, [here, next]) };
                let gives = east.map(|(heats, ends)| (heats.map(|heat| -heat), ends));
                for (heats, ends) in [west, gives].into_iter().flatten() {
                    let [more_lower, more_upper] = here.share(ends, heats);
                    *lower += more_lower;
                    *upper += more_upper;
                }
                (west, here) = (east, next);
            }
        });
        (self.lower, self.upper, self.passed) = (lower, upper, passed);
    }

    /// Passes heat through a joint. If the pool on one side is at rest and as warm as that on the other, nothing
    /// happens; else its rest ends.
    pub(super) fn spread_through(
        &mut self,
        layout: &Layout,
        depth: &[i32],
        spread: Spread,
        number: usize,
        step: u64,
    ) {
        let joint = &layout.joints[number];
        let columns = [joint.left, joint.right];
        let pools = [joint.left_pool, joint.right_pool].map(|pool| pool as usize);
        let active = pools.map(|pool| self.is_active(pool));
        let (mut sides, mut halves) = ([Side { floor: 0, water: 0 }; 2], [[self.air; 2]; 2]);
        for (i, &c) in columns.iter().enumerate() {
            if active[i] {
                (sides[i], halves[i]) = (self.side(layout, depth, c), self.halves(depth, c));
            } else {
                sides[i] = Side { floor: layout.floor[c], water: depth[c] };
            }
        }
        let Some(ends) = shared(sides, joint.sill, joint.lintel) else { return };
        if active != [true; 2] {
            let felt = ends.into_iter().any(|end| {
                let [a, b] = [0, 1].map(|i| at(halves[i], sides[i].place(end)));
                (a - b).abs() > FELT
            });
            if !felt {
                return;
            }
            pools.into_iter().for_each(|pool| self.activate(layout, depth, pool, step));
        }
        let heats = pass(spread, sides, halves, ends);
        self.give(columns[0], sides[0], ends, heats.map(|heat| -heat));
        self.give(columns[1], sides[1], ends, heats);
    }
}
