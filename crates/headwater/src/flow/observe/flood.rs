//! Flood statistics for hazard maps, recorded during a run: the maximum depth, level, speed, unit
//! discharge and hazard of every cell, and the arrival time and duration of flooding. The
//! statistics do not affect the simulation.

use super::velocity::{VelocityInput, VelocityRows, unit_discharge};
use crate::changes::{ChangeTracker, Changes, Stamp, Tile};
use crate::field::Field;
use crate::parallel::for_each_row;
use crate::parameter::{Parameters, Range, parameters};
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

parameters! {
    /// Settings of the flood statistics. While statistics are recorded, the layers `max_depth`,
    /// `max_level`, `max_speed`, `max_unit_discharge`, `max_hazard`, `arrival` and `duration` are
    /// available.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Flood {
        /// Depth above which a cell counts as flooded. The layer `arrival` is the time at which the
        /// depth first exceeds this value, `duration` the total time above it.
        depth: f64 = 0.1; Fixed, "flood depth", "m", |_| Range::above_zero(1000.0), [0.01, 1.0];
    }
}

/// Speed (m/s) that is added to the flow speed `v` in the flood hazard `h·(v + 0.5)`. This term
/// represents the danger of standing water (Ramsbottom, Wade et al. 2006, *Flood Risks to People*,
/// FD2321; without the debris factor).
pub const STANDING_WATER_HAZARD_SPEED: f32 = 0.5;

/// Flood statistics of a single cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FloodCell {
    pub(in crate::flow) depth: f32,
    /// Maximum elevation of the water surface (m); `f32::MIN` if the cell has always been dry.
    level: f32,
    pub(in crate::flow) speed: f32,
    pub(in crate::flow) unit_discharge: f32,
    pub(in crate::flow) hazard: f32,
    /// Time at which the cell was first flooded (s); `NEVER` if it has never been flooded.
    pub(in crate::flow) arrival: f32,
    /// Total duration (s) of all past floods, without the current one.
    past_duration: f64,
    /// Start of the current flood (s); `NEVER` if the cell is not flooded.
    current_start: f64,
}

/// Sentinel for the time of an event that has not occurred.
const NEVER: f32 = -1.0;

impl FloodCell {
    pub(in crate::flow) const NONE: Self = Self {
        depth: 0.0,
        level: f32::MIN,
        speed: 0.0,
        unit_discharge: 0.0,
        hazard: 0.0,
        arrival: NEVER,
        past_duration: 0.0,
        current_start: NEVER as f64,
    };

    /// Returns the maximum elevation of the water surface (m), or the bed elevation `bed` (m) if
    /// the cell has always been dry.
    pub(in crate::flow) fn max_level(&self, bed: f32) -> f32 {
        if self.level > f32::MIN { self.level } else { bed }
    }

    /// Returns the total duration (s) of flooding of the cell up to `time` (s).
    pub(in crate::flow) fn duration(&self, time: f64) -> f32 {
        let now =
            if self.current_start >= 0.0 { (time - self.current_start).max(0.0) } else { 0.0 };
        (self.past_duration + now) as f32
    }

    /// Returns the statistics as an array of the `f32` values and an array of the `f64` values, the
    /// form in which a distributed simulation stores them.
    pub(crate) fn to_arrays(self) -> ([f32; 6], [f64; 2]) {
        let Self {
            depth,
            level,
            speed,
            unit_discharge,
            hazard,
            arrival,
            past_duration,
            current_start,
        } = self;
        ([depth, level, speed, unit_discharge, hazard, arrival], [past_duration, current_start])
    }

    /// Creates the statistics from the arrays returned by [`to_arrays`](Self::to_arrays).
    pub(crate) fn from_arrays(singles: [f32; 6], [past_duration, current_start]: [f64; 2]) -> Self {
        let [depth, level, speed, unit_discharge, hazard, arrival] = singles;
        Self { depth, level, speed, unit_discharge, hazard, arrival, past_duration, current_start }
    }

    /// Updates the statistics of a cell at `time` (s) from its bed elevation `z` (m), depth `h`
    /// (m), speed (m/s) and unit discharge `unit_discharge` (m²/s). The maximum level changes only
    /// at depths above `dry_depth` (m). The cell counts as flooded at depths above `flood_depth`
    /// (m).
    fn update(
        &mut self,
        [z, h]: [f32; 2],
        [speed, unit_discharge]: [f32; 2],
        [dry_depth, flood_depth]: [f32; 2],
        time: f64,
    ) {
        // Store only values that increase: in most steps, most cells are only read.
        if h > self.depth {
            self.depth = h;
        }
        if h > dry_depth && z + h > self.level {
            self.level = z + h;
        }
        if speed > self.speed {
            self.speed = speed;
        }
        if unit_discharge > self.unit_discharge {
            self.unit_discharge = unit_discharge;
        }
        let hazard = unit_discharge + h * STANDING_WATER_HAZARD_SPEED;
        if hazard > self.hazard {
            self.hazard = hazard;
        }
        if (h > flood_depth) == (self.current_start >= 0.0) {
            return;
        }
        if h > flood_depth {
            self.current_start = time;
            if self.arrival < 0.0 {
                self.arrival = time as f32;
            }
        } else {
            self.past_duration += time - self.current_start;
            self.current_start = NEVER.into();
        }
    }

    fn is_valid(&self) -> bool {
        let amounts = [self.depth, self.speed, self.unit_discharge, self.hazard];
        amounts.into_iter().all(|v| v.is_finite() && v >= 0.0)
            && [self.level, self.arrival].into_iter().all(f32::is_finite)
            && [self.past_duration, self.current_start].into_iter().all(f64::is_finite)
            && self.past_duration >= 0.0
    }
}

/// Flood statistics of all cells, and the settings with which they are recorded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct FloodRecord {
    pub(crate) flood: Flood,
    pub(crate) marks: Field<FloodCell>,
    begun: bool,
    /// Tiles that have changed since the last update of the statistics. After a restart, these are
    /// all tiles; updating the statistics of unchanged tiles once more has no effect.
    #[serde(skip)]
    changes: Changes,
}

impl FloodRecord {
    pub(crate) fn new(flood: Flood, nx: usize, ny: usize) -> Self {
        let marks = Field::new(nx, ny, FloodCell::NONE);
        Self { flood, marks, begun: false, changes: Changes::default() }
    }

    pub(in crate::flow) fn fits(&self, like: &Field<f32>) -> bool {
        self.flood.check().is_ok()
            && [self.marks.nx(), self.marks.ny()] == [like.nx(), like.ny()]
            && self.marks.as_slice().iter().all(FloodCell::is_valid)
    }

    pub(crate) fn has_records(&self) -> bool {
        self.begun
    }

    pub(crate) fn restore(&mut self, first_cell: usize, marks: &[FloodCell], begun: bool) {
        self.marks.as_mut_slice()[first_cell..first_cell + marks.len()].copy_from_slice(marks);
        self.begun = begun;
        self.changes = Changes::default();
    }

    pub(in crate::flow) fn start(
        &mut self,
        input: VelocityInput,
        changes: &mut ChangeTracker,
        time: f64,
        scratch: &ScratchPool,
    ) {
        if !self.begun {
            self.begun = true;
            // From now on, the statistics also cover cells that no step updates.
            changes.mark_all();
            self.update(input, changes, time, scratch);
            // The first step belongs to the same update.
            self.changes.stamp = Stamp::NEVER;
        }
    }

    /// Updates the statistics of all changed tiles at the simulated time `time` (s).
    pub(in crate::flow) fn update(
        &mut self,
        input: VelocityInput,
        changes: &ChangeTracker,
        time: f64,
        scratch: &ScratchPool,
    ) {
        changes.update_changes(&mut self.changes);
        let Self { flood, marks, changes, .. } = self;
        let tiles = &changes.tiles[..];
        let (limits, nx) = ([input.dry, flood.depth as f32], marks.nx());
        for_each_row(marks.as_mut_slice(), nx, |y, marks| {
            // Tiles are sorted by row.
            let from = tiles.partition_point(|tile| tile.y + tile.ny <= y);
            let here = tiles[from..].iter().take_while(|tile| tile.y <= y);
            for &Tile { x, nx, .. } in here {
                let columns = x..x + nx;
                let mut velocities = VelocityRows::new(input, columns.clone(), scratch);
                let [u, v] = velocities.compute(y);
                let (bed, depth) =
                    (&input.state.bed.row(y)[columns.clone()], input.state.depth.row(y));
                let cells = bed.iter().zip(&depth[columns.clone()]);
                let water = cells.zip(u.iter().zip(v));
                let cells = marks[columns].iter_mut().zip(water);
                for (i, (mark, ((&z, &h), (&u, &v)))) in cells.enumerate() {
                    let across = unit_discharge(input, x + i, y);
                    let z = match &input.state.subgrid {
                        None => z,
                        Some(_) => input.state.surface_offset((x + i, y)) as f32,
                    };
                    mark.update([z, h], [(u * u + v * v).sqrt(), across], limits, time);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_flood_keeps_the_arrival_and_extends_the_duration() {
        let mut mark = FloodCell::NONE;
        let depths = [0.05, 0.3, 0.2, 0.1, 0.4, 0.0];
        for (i, h) in depths.into_iter().enumerate() {
            mark.update([2.0, h], [5.0 * h, 5.0 * h * h], [0.01, 0.1], 10.0 * i as f64);
        }
        assert_eq!((mark.arrival, mark.duration(99.0)), (10.0, 30.0));
        assert_eq!((mark.depth, mark.max_level(0.0), mark.speed), (0.4, 2.4, 2.0));
        assert_eq!((mark.unit_discharge, mark.hazard), (0.8, 1.0));
        mark.update([2.0, 0.2], [0.0; 2], [0.01, 0.1], 60.0);
        assert_eq!((mark.arrival, mark.duration(65.5)), (10.0, 35.5));
    }

    #[test]
    fn the_level_of_dry_ground_is_its_bed() {
        let mut mark = FloodCell::NONE;
        mark.update([7.0, 0.005], [0.0; 2], [0.01, 0.1], 0.0);
        assert_eq!((mark.max_level(7.5), mark.arrival, mark.duration(9.0)), (7.5, -1.0, 0.0));
    }
}
