//! Edits of the water in a running world.

use super::params::Motion;
use super::world::Columns;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::parameter::Range;
use crate::region::Region;
use serde::{Deserialize, Serialize};

/// Edit that changes the water in the columns of a region.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Edit {
    /// Adds a volume of water (m³ for a world 1 m thick, from 0 to 10⁹). The columns share the
    /// volume equally, limited by their free space. The ledger records the volume that was actually
    /// added.
    Pour(f64),
    /// Removes a volume of water (m³ for a world 1 m thick, from 0 to 10⁹), limited by the
    /// available water.
    Remove(f64),
    /// Lowers the water surface by a height (m). A negative value raises the surface. The displaced
    /// water moves to both sides of the region, where it spreads over half the region's width on
    /// each side. The volume of water stays the same.
    Splash(f64),
    /// Increases the velocity of the water by this value (m/s, positive to the east, from −100 to
    /// 100). With [`Motion::Springs`], increases the upward velocity of the surface instead.
    Push(f64),
}

impl Columns {
    /// Applies an edit to the columns that contain an air cell whose centre lies in `region`.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid or covers no column, if a number is out of
    /// range, or if the edit would change the volume in a world with [`Motion::Springs`].
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        self.check_edit(edit)?;
        let columns = self.columns_in_region(region, "a region")?;
        let quanta = |volume: f64| (volume / self.layout.quantum_volume()).round() as i64;
        match edit {
            Edit::Pour(volume) => {
                let added = self.add_water_from_outside(&columns, quanta(volume));
                self.ledger.record(Cause::Edit, added.into());
            }
            Edit::Remove(volume) => {
                let taken = self.take_water(&columns, quanta(volume), true);
                self.ledger.record(Cause::Edit, -i128::from(taken));
            }
            Edit::Splash(height) => self.lower_surface(&columns, height),
            Edit::Push(speed) => self.accelerate_water(&columns, speed),
        }
        Ok(())
    }

    fn check_edit(&self, edit: Edit) -> Result<(), InputError> {
        let volumes = Range::new(0.0, 1e9);
        match edit {
            Edit::Pour(volume) => {
                self.require_volume("pouring")?;
                volumes.check("an amount to pour", volume, "m³")?;
            }
            Edit::Remove(volume) => {
                self.require_volume("taking water away")?;
                volumes.check("an amount to take", volume, "m³")?;
            }
            Edit::Splash(height) => {
                let high = self.layout.height();
                let heights = Range::new(-high, high).depends_on("the height of the grid");
                heights.check("a splash", height, "m")?;
            }
            Edit::Push(speed) => Range::new(-100.0, 100.0).check("a push", speed, "m/s")?,
        }
        Ok(())
    }

    /// Removes up to `quanta` of water in equal parts from the given columns. Returns the amount
    /// that was removed. Both amounts are in height quanta (the integer unit of height) of water in
    /// one column. If `to_outside` is true, the water leaves the world, and ice on the ground is
    /// removed too.
    pub(super) fn take_water(&mut self, columns: &[usize], quanta: i64, to_outside: bool) -> i64 {
        let mut left = quanta;
        loop {
            let has_some = |&c: &usize| self.state.depth[c] > self.unremovable_water(c, to_outside);
            let wet: Vec<usize> = columns.iter().copied().filter(has_some).collect();
            if left == 0 || wet.is_empty() {
                return quanta - left;
            }
            left += self.add_evenly(&wet, -left, to_outside);
        }
    }

    pub(super) fn lower_surface(&mut self, columns: &[usize], height: f64) {
        if self.params.motion == Motion::Springs {
            for &c in columns {
                if self.has_free_surface(c) {
                    self.state.offset[c] -= height as f32;
                    self.wake(self.layout.pool_of(c));
                }
            }
            return;
        }
        let sink = self.layout.to_quanta(height.abs());
        // Runs of neighbouring columns of one pool, each with the columns on both sides.
        let mut from = 0;
        while from < columns.len() {
            let pool = self.layout.pool_of(columns[from]);
            let range = self.layout.pools[pool].columns.clone();
            let mut to = from + 1;
            while to < columns.len()
                && columns[to] == columns[to - 1] + 1
                && range.contains(&columns[to])
            {
                to += 1;
            }
            let run = columns[from]..columns[to - 1] + 1;
            let sides: Vec<usize> =
                (run.start.saturating_sub(run.len().div_ceil(2)).max(range.start)..run.start)
                    .chain(run.end..(run.end + run.len().div_ceil(2)).min(range.end))
                    .filter(|&c| self.has_free_surface(c))
                    .collect();
            let run: Vec<usize> = run.filter(|&c| self.has_free_surface(c)).collect();
            from = to;
            if run.is_empty() || sides.is_empty() {
                continue;
            }
            let (giving, taking) = if height > 0.0 { (&run, &sides) } else { (&sides, &run) };
            let wanted = i64::from(sink) * run.len() as i64;
            let all: Vec<usize> = giving.iter().chain(taking).copied().collect();
            let before: Vec<i32> = all.iter().map(|&c| self.state.depth[c]).collect();
            let taken = self.take_water(giving, wanted, false);
            let placed = self.add_water(taking, taken);
            if placed < taken {
                // Below a ceiling there may be less free space than water: take only what fits.
                for (&c, &depth) in giving.iter().zip(&before) {
                    self.state.depth[c] = depth;
                }
                self.take_water(giving, placed, false);
            }
            if let Some(warmth) = &mut self.warmth
                && warmth.is_active(pool)
            {
                warmth.move_heat(&all, &before, &self.state.depth);
            }
        }
    }

    fn has_free_surface(&self, column: usize) -> bool {
        self.heads.has_free_surface(column, self.state.depth[column])
    }

    pub(super) fn accelerate_water(&mut self, columns: &[usize], speed: f64) {
        for &c in columns {
            let pool = self.layout.pool_of(c);
            if !self.has_free_surface(c) {
                continue;
            }
            if !self.state.rate.is_empty() {
                self.state.rate[c] += speed as f32;
            } else if c + 1 < self.layout.pools[pool].columns.end && self.state.depth[c + 1] > 0 {
                self.state.speed[c] += speed as f32;
            }
            self.wake(pool);
        }
    }

    /// Returns the columns that contain an air cell whose centre lies in `region`, in ascending
    /// order. `region_name` names the region in error messages.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid or covers no column.
    pub(super) fn columns_in_region(
        &self,
        region: &Region,
        region_name: &'static str,
    ) -> Result<Vec<usize>, InputError> {
        region.validate()?;
        let layout = &self.layout;
        let ny = layout.grid.ny();
        let lattice = layout.lattice()?;
        let mut columns = Vec::new();
        for (x, y, _) in region.cells(lattice) {
            let height = (ny - 1 - y) as f64 + 0.5;
            if let Some(rect) = layout.rects.rect_at(x as u32, height) {
                let all = &layout.rect_columns[rect as usize];
                let first = all.start
                    + (x - layout.rects.all[rect as usize].columns.start as usize)
                        * layout.per_cell;
                columns.extend(first..first + layout.per_cell);
            }
        }
        columns.sort_unstable();
        columns.dedup();
        if columns.is_empty() {
            return Err(InputError::new(
                region_name,
                "no column of the world",
                "a region that covers at least one column",
            ));
        }
        Ok(columns)
    }

    pub(super) fn require_volume(&self, what: &'static str) -> Result<(), InputError> {
        match self.params.motion {
            Motion::Discharge => Ok(()),
            Motion::Springs => Err(InputError::new(
                what,
                "`motion` \"springs\", which moves no water",
                "`motion` \"discharge\"",
            )),
        }
    }
}
