//! Heat passes between neighbouring columns, over the height at which water stands in both: at the lower and at
//! the upper end of that height, by the temperatures there.

use super::super::layout::Layout;
use super::column::{CAPACITY, WATER};
use super::ledger::{UNIT, whole};
use super::params::Heat;
use super::warmth::Warmth;

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
        for (end, heat) in ends.into_iter().zip(heats) {
            let upper = whole(heat as f64 * side.place(end));
            self.upper[c] += upper;
            self.lower[c] += heat - upper;
        }
    }

    /// Passes heat between the columns of an active pool: all by the temperatures before.
    pub(super) fn spread(&mut self, layout: &Layout, depth: &[i32], spread: Spread, pool: usize) {
        let columns = layout.pools[pool].columns.clone();
        let sides = |warmth: &Self, c: usize| [c, c + 1].map(|c| warmth.side(layout, depth, c));
        for c in columns.start..columns.end - 1 {
            let sides = sides(self, c);
            let ends = shared(sides, i32::MIN, i32::MAX);
            self.passed[c] = ends.map_or([0; 2], |ends| {
                let halves = [c, c + 1].map(|c| self.halves(depth, c));
                pass(spread, sides, halves, ends)
            });
        }
        for c in columns.start..columns.end - 1 {
            let (heats, sides) = (self.passed[c], sides(self, c));
            if heats != [0; 2]
                && let Some(ends) = shared(sides, i32::MIN, i32::MAX)
            {
                self.give(c, sides[0], ends, heats.map(|heat| -heat));
                self.give(c + 1, sides[1], ends, heats);
            }
        }
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
