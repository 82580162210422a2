//! Records of a flood while it runs, for maps: greatest depth, level, speed, unit discharge and
//! hazard of every cell, arrival and duration. No step reads them.

use super::velocity::{Moving, VelocityRow, unit_discharge};
use crate::changes::{Changes, Stamp, Tile, Tracker};
use crate::field::Field;
use crate::parallel::for_each_row;
use crate::parameter::{Parameters, Range, parameters};
use crate::scratch::ScratchPool;
use serde::{Deserialize, Serialize};

parameters! {
    /// Settings of a flood record. With it a world keeps the layers `max_depth`, `max_level`,
    /// `max_speed`, `max_unit_discharge`, `max_hazard`, `arrival` and `duration`.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Flood {
        /// The depth above which a cell is flooded: `arrival` is when it first was, `duration` how long it has been.
        depth: f64 = 0.1; Fixed, "flooded from", "m", |_| Range::above_zero(1000.0), [0.01, 1.0];
    }
}

/// Added to the speed (m/s) in the hazard of a flood, `h·(v + 0.5)`: standing water is dangerous too (Ramsbottom, Wade
/// et al. 2006, *Flood Risks to People*, FD2321; without its part for debris).
pub const HAZARD_OF_STANDING_WATER: f32 = 0.5;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(super) depth: f32,
    /// Greatest height of the water's surface (m); `f32::MIN` for none.
    level: f32,
    pub(super) speed: f32,
    pub(super) unit_discharge: f32,
    pub(super) hazard: f32,
    /// When it was first flooded (s); `NEVER` if it was not.
    pub(super) arrival: f32,
    /// How long it had been flooded before `since` (s).
    before: f64,
    /// Since when it is flooded (s); `NEVER` if it is not.
    since: f64,
}

/// A time (s) before all times.
const NEVER: f32 = -1.0;

impl Mark {
    pub(super) const NONE: Self = Self {
        depth: 0.0,
        level: f32::MIN,
        speed: 0.0,
        unit_discharge: 0.0,
        hazard: 0.0,
        arrival: NEVER,
        before: 0.0,
        since: NEVER as f64,
    };

    /// Greatest height of the water's surface (m), or of ground that stayed dry and is now at `bed`.
    pub(super) fn level(&self, bed: f32) -> f32 {
        if self.level > f32::MIN { self.level } else { bed }
    }

    /// How long the cell has been flooded at `time` (s).
    pub(super) fn duration(&self, time: f64) -> f32 {
        let now = if self.since >= 0.0 { (time - self.since).max(0.0) } else { 0.0 };
        (self.before + now) as f32
    }

    pub(crate) fn parts(&self) -> ([f32; 6], [f64; 2]) {
        let Self { depth, level, speed, unit_discharge, hazard, arrival, before, since } = *self;
        ([depth, level, speed, unit_discharge, hazard, arrival], [before, since])
    }

    pub(crate) fn of_parts(singles: [f32; 6], [before, since]: [f64; 2]) -> Self {
        let [depth, level, speed, unit_discharge, hazard, arrival] = singles;
        Self { depth, level, speed, unit_discharge, hazard, arrival, before, since }
    }

    /// Takes in water `h` deep over ground `z` at `time` (s), with its speed and unit discharge. A
    /// depth up to `dry` has no surface.
    fn see(
        &mut self,
        [z, h]: [f32; 2],
        [speed, across]: [f32; 2],
        [dry, flooded]: [f32; 2],
        time: f64,
    ) {
        // Written where something grows alone: most cells of most steps are only read.
        if h > self.depth {
            self.depth = h;
        }
        if h > dry && z + h > self.level {
            self.level = z + h;
        }
        if speed > self.speed {
            self.speed = speed;
        }
        if across > self.unit_discharge {
            self.unit_discharge = across;
        }
        let hazard = across + h * HAZARD_OF_STANDING_WATER;
        if hazard > self.hazard {
            self.hazard = hazard;
        }
        if (h > flooded) == (self.since >= 0.0) {
            return;
        }
        if h > flooded {
            self.since = time;
            if self.arrival < 0.0 {
                self.arrival = time as f32;
            }
        } else {
            self.before += time - self.since;
            self.since = NEVER.into();
        }
    }

    fn is_sound(&self) -> bool {
        let amounts = [self.depth, self.speed, self.unit_discharge, self.hazard];
        amounts.into_iter().all(|v| v.is_finite() && v >= 0.0)
            && [self.level, self.arrival].into_iter().all(f32::is_finite)
            && [self.before, self.since].into_iter().all(f64::is_finite)
            && self.before >= 0.0
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) flood: Flood,
    pub(crate) marks: Field<Mark>,
    begun: bool,
    /// What has changed since it was last seen. After a restart it is everything, and what is seen twice changes nothing.
    #[serde(skip)]
    changes: Changes,
}

impl Record {
    pub(crate) fn new(flood: Flood, nx: usize, ny: usize) -> Self {
        let marks = Field::new(nx, ny, Mark::NONE);
        Self { flood, marks, begun: false, changes: Changes::default() }
    }

    pub(super) fn fits(&self, like: &Field<f32>) -> bool {
        self.flood.check().is_ok()
            && [self.marks.nx(), self.marks.ny()] == [like.nx(), like.ny()]
            && self.marks.as_slice().iter().all(Mark::is_sound)
    }

    pub(crate) fn is_begun(&self) -> bool {
        self.begun
    }

    pub(crate) fn take_back(&mut self, from: usize, marks: &[Mark], begun: bool) {
        self.marks.as_mut_slice()[from..from + marks.len()].copy_from_slice(marks);
        self.begun = begun;
        self.changes = Changes::default();
    }

    pub(super) fn begin(
        &mut self,
        moving: Moving,
        changes: &mut Tracker,
        time: f64,
        scratch: &ScratchPool,
    ) {
        if !self.begun {
            self.begun = true;
            // Also where nothing will be stepped, there are marks from now on.
            changes.mark_all();
            self.see(moving, changes, time, scratch);
            // The step itself belongs to the same change.
            self.changes.stamp = Stamp::NEVER;
        }
    }

    /// Sees the state at a time (s), wherever it has changed.
    pub(super) fn see(
        &mut self,
        moving: Moving,
        changes: &Tracker,
        time: f64,
        scratch: &ScratchPool,
    ) {
        changes.update(&mut self.changes);
        let Self { flood, marks, changes, .. } = self;
        let tiles = &changes.tiles[..];
        let (limits, nx) = ([moving.dry, flood.depth as f32], marks.nx());
        for_each_row(marks.as_mut_slice(), nx, |y, marks| {
            // Tiles stand in order of their rows.
            let from = tiles.partition_point(|tile| tile.y + tile.ny <= y);
            let here = tiles[from..].iter().take_while(|tile| tile.y <= y);
            let mut velocity = scratch.take::<VelocityRow>();
            for &Tile { x, nx, .. } in here {
                let columns = x..x + nx;
                let [u, v] = velocity.work_out(moving, y, columns.clone());
                let (bed, depth) =
                    (&moving.state.bed.row(y)[columns.clone()], moving.state.depth.row(y));
                let cells = bed.iter().zip(&depth[columns.clone()]);
                let water = cells.zip(u.iter().zip(v));
                let cells = marks[columns].iter_mut().zip(water);
                for (i, (mark, ((&z, &h), (&u, &v)))) in cells.enumerate() {
                    let across = unit_discharge(moving, x + i, y);
                    let z = match &moving.state.subgrid {
                        None => z,
                        Some(_) => moving.state.level_bed((x + i, y)) as f32,
                    };
                    mark.see([z, h], [(u * u + v * v).sqrt(), across], limits, time);
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_is_flooded_twice_came_once_and_stood_both_times() {
        let mut mark = Mark::NONE;
        let depths = [0.05, 0.3, 0.2, 0.1, 0.4, 0.0];
        for (i, h) in depths.into_iter().enumerate() {
            mark.see([2.0, h], [5.0 * h, 5.0 * h * h], [0.01, 0.1], 10.0 * i as f64);
        }
        assert_eq!((mark.arrival, mark.duration(99.0)), (10.0, 30.0));
        assert_eq!((mark.depth, mark.level(0.0), mark.speed), (0.4, 2.4, 2.0));
        assert_eq!((mark.unit_discharge, mark.hazard), (0.8, 1.0));
        mark.see([2.0, 0.2], [0.0; 2], [0.01, 0.1], 60.0);
        assert_eq!((mark.arrival, mark.duration(65.5)), (10.0, 35.5));
    }

    #[test]
    fn dry_ground_has_no_level_but_its_own() {
        let mut mark = Mark::NONE;
        mark.see([7.0, 0.005], [0.0; 2], [0.01, 0.1], 0.0);
        assert_eq!((mark.level(7.5), mark.arrival, mark.duration(9.0)), (7.5, -1.0, 0.0));
    }
}
