//! The way of one drop over the land: the article's descent, from cell to cell.

use super::grid::Grid;
use super::hierarchy::{Hierarchy, NEVER, NONE, Node};
use super::lakes::Lakes;
use super::pace::Pace;
use super::params::{EdgeKind, Edges};
use super::spots::Spot;

/// How many depressions within one another a drop remembers to have come through.
const NESTED: usize = 8;
/// How many lakes a drop may come through before it ends in one.
const LAKES: u8 = 200;
/// Below this part of its water a drop ends (the article's least volume).
pub(super) const LEAST: i64 = 100;

pub(super) struct Maps<'a> {
    pub(super) grid: Grid,
    pub(super) edges: &'a Edges,
    pub(super) pace: Pace,
    pub(super) spots: &'a [Spot],
    /// Heights in quanta: where these differ, those in metres may not.
    pub(super) exact: &'a [i64],
    pub(super) area: &'a [f32],
    pub(super) hierarchy: &'a Hierarchy,
    pub(super) lakes: &'a Lakes,
    /// Level (m) and node of the water over each leaf; a level below all ground without any.
    pub(super) leaves: &'a [Water],
    pub(super) whole: i64,
    /// Water (quanta) that the batch brings down for each cell that drains to one.
    pub(super) expected: f64,
    /// Depth (quanta) that open water loses in the batch.
    pub(super) drying: i64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Water {
    /// The level in quanta, [`DRY`](super::lakes::DRY) without any, and in metres.
    pub(super) height: i64,
    pub(super) level: f32,
    pub(super) node: u32,
    pub(super) state: State,
    pub(super) held: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Room for more water.
    Filling,
    /// It runs over.
    Full,
    Sea,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Drop {
    /// Where it starts (column and row, in parts of a cell), if that is not at an outlet.
    pub(super) start: [f32; 2],
    pub(super) water: i64,
    /// The node whose outlet it has left last; [`NONE`] if there is none, as for rain.
    pub(super) from: u32,
    /// Nodes that have got their part of it, with all below them, and the number of lakes passed.
    pub(super) done: [u32; NESTED],
    pub(super) passed: u8,
}

impl Drop {
    pub(super) fn new(start: [f32; 2], water: i64, from: u32) -> Self {
        let done = [NONE; NESTED];
        Self { start, water, from, done, passed: 0 }
    }

    /// Notes that a node has its part, and so all that is below it. Of more than there is room for, the last ones are kept.
    fn finish(&mut self, node: u32, hierarchy: &Hierarchy) {
        let mut kept = 1;
        let before = std::mem::replace(&mut self.done, [NONE; NESTED]);
        self.done[0] = node;
        for other in before.into_iter().filter(|&other| other != NONE) {
            if kept < NESTED && !hierarchy.is_in(other, node) {
                self.done[kept] = other;
                kept += 1;
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Motion {
    at: [f32; 2],
    speed: [f32; 2],
}

impl Motion {
    fn rest(grid: Grid, cell: usize) -> Self {
        let (x, y) = grid.at(cell);
        Self { at: [x as f32 + 0.5, y as f32 + 0.5], speed: [0.0; 2] }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Stride {
    pub(super) cell: u32,
    /// The next cell, or one of the marks below.
    pub(super) next: u32,
    /// Its water as a part of a whole drop, and its direction (16384ths).
    pub(super) part: i16,
    pub(super) direction: [i16; 2],
}

/// What is told of a drop on its way.
pub(super) trait Trail {
    fn stride(&mut self, stride: Stride);
    /// Water (quanta) stays in the depression that a cell is in.
    fn leave(&mut self, cell: u32, water: i64);
    fn export(&mut self, water: i64);
}

pub(super) const OFF: u32 = u32::MAX;
pub(super) const END: u32 = u32::MAX - 1;
/// It has come to a dry pit, fills that up, and ends there or goes on at its outlet.
pub(super) const PIT: u32 = u32::MAX - 2;
/// It has come into a lake, and goes on at its outlet.
pub(super) const LAKE: u32 = u32::MAX - 3;

pub(super) enum Next {
    To(usize),
    Off,
    Pit,
}

impl Maps<'_> {
    fn water_over(&self, spot: &Spot) -> Option<&Water> {
        let water = &self.leaves[spot.label as usize];
        (spot.height < water.level).then_some(water)
    }

    pub(super) fn outlet(&self, node: &Node) -> (usize, Next) {
        let inside = node.inside as usize;
        if node.outside == NONE {
            return (inside, Next::Off);
        }
        let outside = node.outside as usize;
        if self.exact[inside] >= self.exact[outside] {
            return (inside, Next::To(outside));
        }
        (outside, self.steepest(outside))
    }

    /// Down to the lowest neighbour, and so to the pit of the cell's basin.
    fn steepest(&self, cell: usize) -> Next {
        if let Some(low) = self.hierarchy.receiver(self.grid, cell) {
            return Next::To(low);
        }
        let (x, y) = self.grid.at(cell);
        let kinds = self.edges.touching(x, y, self.grid.nx, self.grid.ny);
        let open = kinds.into_iter().flatten().any(|kind| kind != EdgeKind::Wall);
        if open { Next::Off } else { Next::Pit }
    }

    /// Where the speed leads from a cell, but not back over the divide of the lake that the drop
    /// comes out of, nor into one farther up, or it would circle.
    #[inline]
    fn onward(&self, motion: Motion, drop: &Drop, cell: usize) -> (Next, Motion) {
        let [u, v] = motion.speed;
        let most = u.abs().max(v.abs());
        if most < 1e-6 {
            return self.turned(motion, cell);
        }
        let at = [motion.at[0] + u / most, motion.at[1] + v / most];
        let Grid { nx, ny } = self.grid;
        let edges = self.edges;
        let crossed = match at {
            [x, _] if x < 0.0 => Some(edges.west),
            [x, _] if x >= nx as f32 => Some(edges.east),
            [_, y] if y < 0.0 => Some(edges.north),
            [_, y] if y >= ny as f32 => Some(edges.south),
            _ => None,
        };
        if let Some(kind) = crossed {
            let stays = kind == EdgeKind::Wall;
            return if stays { self.turned(motion, cell) } else { (Next::Off, motion) };
        }
        let next = at[1] as usize * nx + at[0] as usize;
        let climb = self.spots[next].height - self.spots[cell].height;
        let too_high = climb > self.pace.lift * (u * u + v * v);
        if too_high || self.is_behind(drop, next) || self.is_above(drop, next) {
            return self.turned(motion, cell);
        }
        (Next::To(next), Motion { at, ..motion })
    }

    fn is_behind(&self, drop: &Drop, cell: usize) -> bool {
        drop.from != NONE && self.hierarchy.is_in(self.spots[cell].label, drop.from)
    }

    /// The room (quanta) of a depression that holds some water, and for what dries of it in the batch.
    fn room(&self, node: &Node, held: i64) -> i64 {
        node.capacity().saturating_add(node.dries(self.drying)).saturating_sub(held).max(0)
    }

    /// Part of a drop that a depression with room for a volume (quanta) keeps: each drop of a batch
    /// leaves its share only.
    pub(super) fn keep(&self, node: u32, room: i64) -> f32 {
        let depression = &self.hierarchy.nodes[node as usize];
        if depression.inside == NONE || depression.spill == NEVER {
            return 1.0;
        }
        let Node { inside, outside, .. } = *depression;
        let through = if outside == NONE { inside } else { outside };
        let inflow = f64::from(self.area[through as usize]) * self.expected;
        (room as f64 / inflow).min(1.0) as f32
    }

    /// Whether a cell is in a depression that runs over higher up than the one that a drop has come out of last.
    fn is_above(&self, drop: &Drop, cell: usize) -> bool {
        let Some(from) = self.hierarchy.nodes.get(drop.from as usize) else { return false };
        let whole = self.leaves[self.spots[cell].label as usize].node;
        self.hierarchy.nodes[whole as usize].spill > from.spill
    }

    #[inline]
    fn turned(&self, motion: Motion, cell: usize) -> (Next, Motion) {
        match self.steepest(cell) {
            Next::To(next) => (Next::To(next), self.place(motion, cell, next)),
            way => (way, motion),
        }
    }

    #[inline]
    fn place(&self, Motion { at, speed }: Motion, cell: usize, next: usize) -> Motion {
        let (dx, dy) = self.grid.way(cell, next);
        let way = [dx as f32, dy as f32];
        let length = self.grid.distance(cell, next);
        let along = (speed[0] * way[0] + speed[1] * way[1]) / (length * length);
        let middle = |i: usize| at[i] as i32 as f32 + way[i] + 0.5;
        Motion { at: [middle(0), middle(1)], speed: way.map(|w| w * along.max(0.0)) }
    }

    /// Leaves in a lake what it keeps of a drop, and leads the drop to the outlet; `None` if it ends there.
    fn pass(
        &self,
        drop: &mut Drop,
        cell: usize,
        water: &Water,
        trail: &mut impl Trail,
    ) -> Option<(usize, Next)> {
        let Self { hierarchy, lakes, .. } = *self;
        if self.is_behind(drop, cell) || drop.passed == LAKES {
            return None;
        }
        drop.passed += 1;
        let done = drop.done;
        let within = |node: u32| done.into_iter().find(|&d| d != NONE && hierarchy.is_in(node, d));
        let (mut out, mut keep) = match within(water.node) {
            Some(done) => (done, 0.0),
            None => {
                let room = self.room(&hierarchy.nodes[water.node as usize], water.held);
                (water.node, self.keep(water.node, room))
            }
        };
        let mut left = 0;
        loop {
            if keep >= 1.0 {
                return None;
            }
            left += ((drop.water - left) as f64 * f64::from(keep)) as i64;
            // Where the way out leads into a lake that is full, or has had its part, the two will be one.
            let Some((parent, beside)) = hierarchy.beside(out) else { break };
            if !lakes.is_full(hierarchy, beside) && within(beside).is_none() {
                break;
            }
            let room = |i: u32| self.room(&hierarchy.nodes[i as usize], 0);
            let more = room(parent).saturating_sub(room(out)).saturating_sub(room(beside));
            (out, keep) = (parent, self.keep(parent, more));
        }
        if left > 0 {
            trail.leave(cell as u32, left);
            drop.water -= left;
        }
        drop.from = out;
        drop.finish(out, hierarchy);
        Some(self.outlet(&hierarchy.nodes[out as usize]))
    }

    /// Follows a drop to its end, and tells of its way. Gives the water that has dried.
    pub(super) fn walk(&self, mut drop: Drop, trail: &mut impl Trail) -> i64 {
        let Self { pace, grid, .. } = *self;
        let mut motion = Motion { at: drop.start, speed: [0.0; 2] };
        let mut cell = motion.at[1] as usize * grid.nx + motion.at[0] as usize;
        let mut forced = None;
        if drop.from != NONE {
            let (start, way) = self.outlet(&self.hierarchy.nodes[drop.from as usize]);
            (cell, forced) = (start, Some(way));
            motion = Motion::rest(grid, cell);
        }
        let (mut lowest, mut patience) = (f32::INFINITY, pace.patience);
        let mut lowest_cell = cell;
        let mut dried = 0;
        for _ in 0..8 * (grid.nx + grid.ny) {
            if forced.is_none()
                && let Some(water) = self.water_over(&self.spots[cell])
            {
                let Some((start, way)) = self.pass(&mut drop, cell, water, trail) else { break };
                trail.stride(stride(cell, LAKE, 0.0, [0.0; 2]));
                (cell, forced) = (start, Some(way));
                motion = Motion::rest(grid, cell);
                (lowest, patience) = (f32::INFINITY, pace.patience);
            }
            let Spot { height, push, strength, .. } = self.spots[cell];
            // Back where it was lowest, it has swung to and fro: it goes down, or ends there.
            let swings = height == lowest && cell == lowest_cell;
            if height < lowest {
                (lowest, patience, lowest_cell) = (height, pace.patience, cell);
            } else {
                patience -= 1;
            }
            if patience == 0 || drop.water < self.whole / LEAST {
                break;
            }
            motion.speed[0] += push[0];
            motion.speed[1] += push[1];
            let speed = motion.speed;
            let way;
            (way, motion) = match forced.take() {
                None if swings => self.turned(motion, cell),
                None => self.onward(motion, &drop, cell),
                Some(Next::To(next)) => (Next::To(next), self.place(motion, cell, next)),
                Some(way) => (way, motion),
            };
            let slow = 1.0 - (pace.friction * (1.0 - 0.5 * strength)).min(0.9);
            motion.speed = motion.speed.map(|v| v * slow);
            let part = drop.water as f32 / self.whole as f32;
            let drying = pace.drying * (1.0 - 0.2 * strength);
            let dry = (drop.water as f32 * drying) as i64;
            drop.water -= dry;
            dried += dry;
            match way {
                Next::To(next) => {
                    trail.stride(stride(cell, next as u32, part, speed));
                    cell = next;
                }
                Next::Off => {
                    trail.stride(stride(cell, OFF, part, speed));
                    trail.export(drop.water);
                    return dried;
                }
                Next::Pit => {
                    trail.stride(stride(cell, PIT, part, speed));
                    let water = &self.leaves[self.spots[cell].label as usize];
                    let Some((start, way)) = self.pass(&mut drop, cell, water, trail) else {
                        trail.leave(cell as u32, drop.water);
                        return dried;
                    };
                    (cell, forced) = (start, Some(way));
                    motion = Motion::rest(grid, cell);
                    (lowest, patience) = (f32::INFINITY, pace.patience);
                }
            }
        }
        trail.stride(stride(cell, END, 0.0, [0.0; 2]));
        trail.leave(cell as u32, drop.water);
        dried
    }
}

fn stride(cell: usize, next: u32, part: f32, [u, v]: [f32; 2]) -> Stride {
    let length = (u * u + v * v).sqrt().max(1e-6);
    let direction = [u, v].map(|v| (16384.0 * v / length) as i16);
    Stride { cell: cell as u32, next, part: (16384.0 * part).min(16384.0) as i16, direction }
}
