//! Descent of a single drop over the land, from cell to cell, after N. McDonald, "Procedural
//! hydrology" (2020).

use super::cell_cache::CachedCell;
use super::drop_dynamics::DropDynamics;
use crate::hydrology::lakes::Lakes;
use crate::hydrology::lakes::hierarchy::{Hierarchy, NEVER, NONE, Node};
use crate::hydrology::params::{EdgeKind, Edges};
use crate::hydrology::state::grid::Grid;

/// Largest number of filled depressions that are recorded for a drop.
const MAX_FILLED_NODES: usize = 8;
/// Largest number of lakes that a drop can pass through. A drop ends in the next lake after these.
const MAX_LAKES_PASSED: u8 = 200;
/// Divisor that defines the smallest drop. A drop ends when its volume falls below the volume of a
/// full drop divided by this number (McDonald 2020).
pub(in crate::hydrology) const MIN_VOLUME_DIVISOR: i64 = 100;

pub(in crate::hydrology) struct DropTracer<'a> {
    pub(in crate::hydrology) grid: Grid,
    pub(in crate::hydrology) edges: &'a Edges,
    pub(in crate::hydrology) dynamics: DropDynamics,
    pub(in crate::hydrology) cell_cache: &'a [CachedCell],
    /// Ground elevation of each cell (quanta of 2⁻²⁰ m). Two elevations that are equal as `f32`
    /// metres in the cell cache can differ here.
    pub(in crate::hydrology) bed: &'a [i64],
    pub(in crate::hydrology) area: &'a [f32],
    pub(in crate::hydrology) hierarchy: &'a Hierarchy,
    pub(in crate::hydrology) lakes: &'a Lakes,
    /// Water over each leaf of the depression hierarchy. A leaf without water has a level below all
    /// ground.
    pub(in crate::hydrology) leaves: &'a [LeafWater],
    pub(in crate::hydrology) full_drop: i64,
    /// Depth of rain that falls during this batch on each cell of the upstream area (quanta of 2⁻²⁰
    /// m).
    pub(in crate::hydrology) rain_depth: f64,
    /// Depth of water that evaporates from open water during this batch (quanta of 2⁻²⁰ m).
    pub(in crate::hydrology) evaporation_depth: i64,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct LeafWater {
    /// Water level (quanta of 2⁻²⁰ m), or [`DRY`](crate::hydrology::lakes::DRY) if there is no
    /// water.
    pub(in crate::hydrology) height: i64,
    /// Water level (m).
    pub(in crate::hydrology) level: f32,
    pub(in crate::hydrology) node: u32,
    pub(in crate::hydrology) state: LakeState,
    pub(in crate::hydrology) volume: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hydrology) enum LakeState {
    /// The depression can hold more water.
    Filling,
    /// The depression is full and spills over its outlet.
    Full,
    Sea,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct Raindrop {
    /// Start position in cells (column and row, with fractions). Unused if the drop starts at the
    /// outlet of a lake.
    pub(in crate::hydrology) start: [f32; 2],
    pub(in crate::hydrology) water: i64,
    /// Hierarchy node of the depression whose outlet the drop left last, or [`NONE`] if the drop
    /// has not left a depression since it fell as rain.
    pub(in crate::hydrology) source_node: u32,
    /// Hierarchy nodes of the depressions in which the drop has already left its share of water. An
    /// entry also covers all descendants of the node. Unused entries are [`NONE`].
    pub(in crate::hydrology) filled_nodes: [u32; MAX_FILLED_NODES],
    /// Number of lakes that the drop has passed through.
    pub(in crate::hydrology) lakes_passed: u8,
}

impl Raindrop {
    pub(in crate::hydrology) fn new(start: [f32; 2], water: i64, source_node: u32) -> Self {
        let filled_nodes = [NONE; MAX_FILLED_NODES];
        Self { start, water, source_node, filled_nodes, lakes_passed: 0 }
    }

    /// Records that the drop has left its share of water in a node of the depression hierarchy and
    /// in all its descendants. Only the latest [`MAX_FILLED_NODES`] records are kept.
    fn mark_filled(&mut self, node: u32, hierarchy: &Hierarchy) {
        let mut count = 1;
        let before = std::mem::replace(&mut self.filled_nodes, [NONE; MAX_FILLED_NODES]);
        self.filled_nodes[0] = node;
        for other in before.into_iter().filter(|&other| other != NONE) {
            if count < MAX_FILLED_NODES && !hierarchy.is_same_or_descendant(other, node) {
                self.filled_nodes[count] = other;
                count += 1;
            }
        }
    }
}

#[derive(Clone, Copy)]
struct DropMotion {
    at: [f32; 2],
    speed: [f32; 2],
}

impl DropMotion {
    fn at_rest(grid: Grid, cell: usize) -> Self {
        let (x, y) = grid.column_and_row(cell);
        Self { at: [x as f32 + 0.5, y as f32 + 0.5], speed: [0.0; 2] }
    }
}

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct PathStep {
    pub(in crate::hydrology) cell: u32,
    /// Next cell of the path, or one of the markers [`OFF`] (off the map), [`END`] (end of the
    /// drop), [`PIT`] (dry pit) and [`LAKE`] (lake).
    pub(in crate::hydrology) next: u32,
    /// Volume of the drop at this step, relative to a full drop (in units of 1/16384).
    pub(in crate::hydrology) volume_fraction: i16,
    /// Direction of motion as a unit vector (east, south; in units of 1/16384).
    pub(in crate::hydrology) direction: [i16; 2],
}

/// Receiver of the path steps of a traced drop, and of the water that the drop leaves in lakes.
pub(in crate::hydrology) trait PathSink {
    fn push_step(&mut self, step: PathStep);
    /// Adds a volume of water (quanta of 2⁻²⁰ m times the cell area) to the depression that
    /// contains a cell.
    fn add_lake_water(&mut self, cell: u32, water: i64);
    fn export_water(&mut self, water: i64);
}

pub(in crate::hydrology) const OFF: u32 = u32::MAX;
pub(in crate::hydrology) const END: u32 = u32::MAX - 1;
/// Marker of a path step into a dry pit. The drop fills the pit and then ends or continues at the
/// pit's outlet.
pub(in crate::hydrology) const PIT: u32 = u32::MAX - 2;
/// Marks a step of a raindrop's path into a lake. The path continues at the outlet of the lake.
pub(in crate::hydrology) const LAKE: u32 = u32::MAX - 3;

pub(in crate::hydrology) enum NextStep {
    To(usize),
    Off,
    Pit,
}

impl DropTracer<'_> {
    fn lake_water_over(&self, cell_data: &CachedCell) -> Option<&LeafWater> {
        let water = &self.leaves[cell_data.label as usize];
        (cell_data.height < water.level).then_some(water)
    }

    pub(in crate::hydrology) fn outlet_step(&self, node: &Node) -> (usize, NextStep) {
        let near_cell = node.near_cell as usize;
        if node.far_cell == NONE {
            return (near_cell, NextStep::Off);
        }
        let far_cell = node.far_cell as usize;
        if self.bed[near_cell] >= self.bed[far_cell] {
            return (near_cell, NextStep::To(far_cell));
        }
        (far_cell, self.steepest_descent(far_cell))
    }

    /// Returns the step from a cell to its lowest neighbour, or off the map at an open edge.
    /// Repeating this step leads to the pit of the cell's drainage basin.
    fn steepest_descent(&self, cell: usize) -> NextStep {
        if let Some(low) = self.hierarchy.receiver(self.grid, cell) {
            return NextStep::To(low);
        }
        let (x, y) = self.grid.column_and_row(cell);
        let kinds = self.edges.kinds_at_cell(x, y, self.grid.nx, self.grid.ny);
        let open = kinds.into_iter().flatten().any(|kind| kind != EdgeKind::Wall);
        if open { NextStep::Off } else { NextStep::Pit }
    }

    /// Returns the next cell in the direction of motion, and the motion after the step.
    ///
    /// Uses the lowest neighbour instead if the next cell is too high to climb, if it lies in the
    /// lake that the drop has just left, or if it lies in a depression whose outlet is higher than
    /// the outlet of that lake. The last condition prevents cycles.
    #[inline]
    fn next_cell(
        &self,
        motion: DropMotion,
        drop: &Raindrop,
        cell: usize,
    ) -> (NextStep, DropMotion) {
        let [u, v] = motion.speed;
        let longest = u.abs().max(v.abs());
        if longest < 1e-6 {
            return self.downhill_step(motion, cell);
        }
        let at = [motion.at[0] + u / longest, motion.at[1] + v / longest];
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
            return if stays { self.downhill_step(motion, cell) } else { (NextStep::Off, motion) };
        }
        let next = at[1] as usize * nx + at[0] as usize;
        let climb = self.cell_cache[next].height - self.cell_cache[cell].height;
        let too_high = climb > self.dynamics.climb_per_speed_squared * (u * u + v * v);
        if too_high
            || self.is_in_source_lake(drop, next)
            || self.is_in_higher_depression(drop, next)
        {
            return self.downhill_step(motion, cell);
        }
        (NextStep::To(next), DropMotion { at, ..motion })
    }

    fn is_in_source_lake(&self, drop: &Raindrop, cell: usize) -> bool {
        drop.source_node != NONE
            && self.hierarchy.is_same_or_descendant(self.cell_cache[cell].label, drop.source_node)
    }

    /// Returns the volume of water that a depression can still take up during the batch (quanta of
    /// 2⁻²⁰ m times the cell area): its free capacity plus the water that evaporates from its
    /// surface. `volume` is the volume of water that the depression already holds.
    fn free_volume(&self, node: &Node, volume: i64) -> i64 {
        node.capacity()
            .saturating_add(node.evaporation_volume(self.evaporation_depth))
            .saturating_sub(volume)
            .max(0)
    }

    /// Returns the fraction of a drop that stays in a depression with the given free volume (quanta
    /// of 2⁻²⁰ m times the cell area). All drops that pass through the depression during a batch
    /// share the free volume.
    pub(in crate::hydrology) fn retained_fraction(&self, node: u32, free_volume: i64) -> f32 {
        let depression = &self.hierarchy.nodes[node as usize];
        if depression.near_cell == NONE || depression.spill_height == NEVER {
            return 1.0;
        }
        let Node { near_cell, far_cell, .. } = *depression;
        let through = if far_cell == NONE { near_cell } else { far_cell };
        let inflow = f64::from(self.area[through as usize]) * self.rain_depth;
        (free_volume as f64 / inflow).min(1.0) as f32
    }

    /// Returns whether a cell lies in a depression whose outlet is higher than the outlet of the
    /// depression that the drop left last.
    fn is_in_higher_depression(&self, drop: &Raindrop, cell: usize) -> bool {
        let Some(from) = self.hierarchy.nodes.get(drop.source_node as usize) else { return false };
        let node = self.leaves[self.cell_cache[cell].label as usize].node;
        self.hierarchy.nodes[node as usize].spill_height > from.spill_height
    }

    #[inline]
    fn downhill_step(&self, motion: DropMotion, cell: usize) -> (NextStep, DropMotion) {
        match self.steepest_descent(cell) {
            NextStep::To(next) => (NextStep::To(next), self.motion_after_step(motion, cell, next)),
            next_step => (next_step, motion),
        }
    }

    #[inline]
    fn motion_after_step(
        &self,
        DropMotion { at, speed }: DropMotion,
        cell: usize,
        next: usize,
    ) -> DropMotion {
        let (dx, dy) = self.grid.offset_between(cell, next);
        let next_step = [dx as f32, dy as f32];
        let length = self.grid.distance(cell, next);
        let along = (speed[0] * next_step[0] + speed[1] * next_step[1]) / (length * length);
        let middle = |i: usize| at[i] as i32 as f32 + next_step[i] + 0.5;
        DropMotion { at: [middle(0), middle(1)], speed: next_step.map(|w| w * along.max(0.0)) }
    }

    /// Leaves part of a drop's water in a lake and moves the drop to the lake's outlet. Returns the
    /// outlet cell and the step from it, or `None` if the drop ends in the lake.
    fn pass_through_lake(
        &self,
        drop: &mut Raindrop,
        cell: usize,
        water: &LeafWater,
        sink: &mut impl PathSink,
    ) -> Option<(usize, NextStep)> {
        let Self { hierarchy, lakes, .. } = *self;
        if self.is_in_source_lake(drop, cell) || drop.lakes_passed == MAX_LAKES_PASSED {
            return None;
        }
        drop.lakes_passed += 1;
        let filled = drop.filled_nodes;
        let within = |node: u32| {
            filled.into_iter().find(|&d| d != NONE && hierarchy.is_same_or_descendant(node, d))
        };
        let (mut out, mut retained_fraction) = match within(water.node) {
            Some(filled) => (filled, 0.0),
            None => {
                let free_volume =
                    self.free_volume(&hierarchy.nodes[water.node as usize], water.volume);
                (water.node, self.retained_fraction(water.node, free_volume))
            }
        };
        let mut retained = 0;
        loop {
            if retained_fraction >= 1.0 {
                return None;
            }
            retained += ((drop.water - retained) as f64 * f64::from(retained_fraction)) as i64;
            // If the outlet leads into a lake that is full or already holds the drop's share of
            // water, the two lakes will merge.
            let Some((parent, sibling)) = hierarchy.parent_and_sibling(out) else { break };
            if !lakes.is_full(hierarchy, sibling) && within(sibling).is_none() {
                break;
            }
            let free_volume = |i: u32| self.free_volume(&hierarchy.nodes[i as usize], 0);
            let more = free_volume(parent)
                .saturating_sub(free_volume(out))
                .saturating_sub(free_volume(sibling));
            (out, retained_fraction) = (parent, self.retained_fraction(parent, more));
        }
        if retained > 0 {
            sink.add_lake_water(cell as u32, retained);
            drop.water -= retained;
        }
        drop.source_node = out;
        drop.mark_filled(out, hierarchy);
        Some(self.outlet_step(&hierarchy.nodes[out as usize]))
    }

    /// Traces a drop to its end and reports its path to `sink`. Returns the volume of evaporated
    /// water (quanta of 2⁻²⁰ m times the cell area).
    pub(in crate::hydrology) fn trace_drop(
        &self,
        mut drop: Raindrop,
        sink: &mut impl PathSink,
    ) -> i64 {
        let Self { dynamics, grid, .. } = *self;
        let mut motion = DropMotion { at: drop.start, speed: [0.0; 2] };
        let mut cell = motion.at[1] as usize * grid.nx + motion.at[0] as usize;
        let mut outlet_step = None;
        if drop.source_node != NONE {
            let (start, next_step) =
                self.outlet_step(&self.hierarchy.nodes[drop.source_node as usize]);
            (cell, outlet_step) = (start, Some(next_step));
            motion = DropMotion::at_rest(grid, cell);
        }
        let (mut lowest, mut stall_steps_left) = (f32::INFINITY, dynamics.max_stall);
        let mut lowest_cell = cell;
        let mut evaporated = 0;
        for _ in 0..8 * (grid.nx + grid.ny) {
            if outlet_step.is_none()
                && let Some(water) = self.lake_water_over(&self.cell_cache[cell])
            {
                let Some((start, next_step)) = self.pass_through_lake(&mut drop, cell, water, sink)
                else {
                    break;
                };
                sink.push_step(path_step(cell, LAKE, 0.0, [0.0; 2]));
                (cell, outlet_step) = (start, Some(next_step));
                motion = DropMotion::at_rest(grid, cell);
                (lowest, stall_steps_left) = (f32::INFINITY, dynamics.max_stall);
            }
            let CachedCell { height, acceleration, strength, .. } = self.cell_cache[cell];
            // A return to the lowest cell is an oscillation: the drop follows the steepest descent
            // or ends there.
            let is_oscillating = height == lowest && cell == lowest_cell;
            if height < lowest {
                (lowest, stall_steps_left, lowest_cell) = (height, dynamics.max_stall, cell);
            } else {
                stall_steps_left -= 1;
            }
            if stall_steps_left == 0 || drop.water < self.full_drop / MIN_VOLUME_DIVISOR {
                break;
            }
            motion.speed[0] += acceleration[0];
            motion.speed[1] += acceleration[1];
            let speed = motion.speed;
            let next_step;
            (next_step, motion) = match outlet_step.take() {
                None if is_oscillating => self.downhill_step(motion, cell),
                None => self.next_cell(motion, &drop, cell),
                Some(NextStep::To(next)) => {
                    (NextStep::To(next), self.motion_after_step(motion, cell, next))
                }
                Some(next_step) => (next_step, motion),
            };
            let slow = 1.0 - (dynamics.friction * (1.0 - 0.5 * strength)).min(0.9);
            motion.speed = motion.speed.map(|v| v * slow);
            let part = drop.water as f32 / self.full_drop as f32;
            let drying = dynamics.evaporation * (1.0 - 0.2 * strength);
            let loss = (drop.water as f32 * drying) as i64;
            drop.water -= loss;
            evaporated += loss;
            match next_step {
                NextStep::To(next) => {
                    sink.push_step(path_step(cell, next as u32, part, speed));
                    cell = next;
                }
                NextStep::Off => {
                    sink.push_step(path_step(cell, OFF, part, speed));
                    sink.export_water(drop.water);
                    return evaporated;
                }
                NextStep::Pit => {
                    sink.push_step(path_step(cell, PIT, part, speed));
                    let water = &self.leaves[self.cell_cache[cell].label as usize];
                    let Some((start, next_step)) =
                        self.pass_through_lake(&mut drop, cell, water, sink)
                    else {
                        sink.add_lake_water(cell as u32, drop.water);
                        return evaporated;
                    };
                    (cell, outlet_step) = (start, Some(next_step));
                    motion = DropMotion::at_rest(grid, cell);
                    (lowest, stall_steps_left) = (f32::INFINITY, dynamics.max_stall);
                }
            }
        }
        sink.push_step(path_step(cell, END, 0.0, [0.0; 2]));
        sink.add_lake_water(cell as u32, drop.water);
        evaporated
    }
}

fn path_step(cell: usize, next: u32, part: f32, [u, v]: [f32; 2]) -> PathStep {
    let length = (u * u + v * v).sqrt().max(1e-6);
    let direction = [u, v].map(|v| (16384.0 * v / length) as i16);
    PathStep {
        cell: cell as u32,
        next,
        volume_fraction: (16384.0 * part).min(16384.0) as i16,
        direction,
    }
}
