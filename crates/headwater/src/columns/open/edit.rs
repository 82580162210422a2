//! Edits of the loaded chunks in an open world, and distribution of an amount of water among groups
//! of connected chunks.

use super::group::ConnectedColumns;
use super::heights::quantum_volume;
use super::world::OpenWorld;
use crate::columns::edit::Edit;
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::open::{ChunkPos, ConnectedChunks, Groups, PlacesByGroup};
use crate::parameter::Range;
use crate::region::Region;

impl OpenWorld {
    /// Edits the water in all cells whose centres lie in `region` (m). Only loaded chunks change.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid, or if a number is outside the range given
    /// for [`Edit`]. The height of a splash must not exceed 10⁶ m.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        region.validate()?;
        let mut volume = 0.0;
        match edit {
            Edit::Pour(limit) | Edit::Remove(limit) => {
                Range::new(0.0, 1e9).check("an amount of water", limit, "m³")?;
                volume = limit;
            }
            Edit::Splash(height) => Range::new(-1e6, 1e6).check("a splash", height, "m")?,
            Edit::Push(speed) => Range::new(-100.0, 100.0).check("a push", speed, "m/s")?,
        }
        self.regroup();
        let quanta = (volume / quantum_volume(&self.params, self.cell_size)).round() as i64;
        let places = self.store.places_in_region(region, self.cell_size);
        let change =
            distribute_water(&mut self.store.groups, &places, quanta, |world, columns, share| {
                match edit {
                    Edit::Pour(_) => return [share, world.add_water_from_outside(columns, share)],
                    Edit::Remove(_) => {
                        let taken = world.take_water(columns, share, true);
                        return [taken, -taken];
                    }
                    Edit::Splash(height) => world.lower_surface(columns, height),
                    Edit::Push(speed) => world.accelerate_water(columns, speed),
                }
                [0, 0]
            });
        self.ledgers[0].record(Cause::Edit, change.into());
        for group in self.store.groups.values_mut() {
            // A splash may cross the border between chunks.
            group.collect_ghost_water(&mut self.in_transit);
            group.mark_awake_chunks();
        }
        Ok(())
    }

    /// Turns all cells whose centres lie in `region` (m) into wall if `solid` is true, and into air
    /// otherwise. Only loaded chunks change. Returns the number of cells that have changed.
    /// Displaced water moves in the same way as in
    /// [`Columns::set_walls`](crate::columns::Columns::set_walls).
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid.
    pub fn set_walls(&mut self, region: &Region, solid: bool) -> Result<usize, InputError> {
        region.validate()?;
        let cell_size = self.cell_size;
        Ok(self.change_walls(|chunk| chunk.cells_in_region(cell_size, region), solid))
    }

    /// Turns a cell into wall if `solid` is true, and into air otherwise. The cell is given by its
    /// column and row in the world.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk that contains the cell is not loaded.
    pub fn set_wall(&mut self, cell: [i64; 2], solid: bool) -> Result<(), InputError> {
        let (at, place) = self.loaded_cell(cell)?;
        self.change_walls(|chunk| Vec::from_iter((chunk == at).then_some(place)), solid);
        Ok(())
    }

    fn change_walls(
        &mut self,
        cells: impl Fn(ChunkPos) -> Vec<(usize, usize)>,
        solid: bool,
    ) -> usize {
        self.regroup();
        let mut changed = 0;
        for group in self.store.groups.values_mut() {
            let before = changed;
            for (&chunk, walls) in &mut group.chunks {
                let all = cells(chunk).into_iter();
                changed += all.filter(|&(x, y)| walls.set_wall(x, y, solid)).count();
            }
            if changed > before {
                let had = group.volume(0);
                group.rebuild(&self.borders);
                self.ledgers[0].record(Cause::Edit, group.volume(0) - had);
                group.collect_ghost_water(&mut self.in_transit);
                group.mark_awake_chunks();
            }
        }
        if changed > 0 {
            self.place_sources();
        }
        changed
    }
}

/// Removes or adds water in groups of connected chunks. Each group gets a share of `quanta` in
/// proportion to its number of affected columns. For each group, calls `edit` with the group's
/// world, its affected columns and its share. `edit` returns two amounts: how much of the share it
/// has used, and the resulting change of the water. Returns the sum of these changes. All amounts
/// are in height quanta (the integer unit of height) of water in one column.
pub(super) fn distribute_water(
    groups: &mut Groups<ConnectedColumns>,
    places: &PlacesByGroup<usize>,
    quanta: i64,
    mut edit: impl FnMut(&mut Columns, &[usize], i64) -> [i64; 2],
) -> i64 {
    let (mut left, mut sum) = (quanta, 0);
    let mut count: i64 = places.values().map(|columns| columns.len() as i64).sum();
    for (home, columns) in places {
        let n = columns.len() as i64;
        let share = (i128::from(left) * i128::from(n) / i128::from(count.max(1))) as i64;
        if let Some(group) = groups.get_mut(home) {
            let [done, change] = edit(&mut group.world, columns, share);
            (left, sum) = (left - done, sum + change);
        }
        count -= n;
    }
    sum
}
