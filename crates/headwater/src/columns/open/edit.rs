//! Edits of the loaded chunks of an open world.

use super::OpenWorld;
use super::group::Group;
use super::sources::{columns_in, distribute};
use super::store::Store;
use super::transfer;
use crate::columns::edit::Edit;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::open::{ChunkPos, ChunkStore};
use crate::parameter::Range;
use crate::region::Region;
use std::collections::BTreeSet;

impl OpenWorld {
    /// Edits the water of the cells whose middles lie in a region (m). Only loaded chunks change.
    ///
    /// # Errors
    /// [`InputError`] if the region is malformed, or a number is out of the range of [`Edit`]; a
    /// splash is 10⁶ m at most.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        region.validate()?;
        let volume = match edit {
            Edit::Pour(volume) | Edit::Remove(volume) => {
                Range::new(0.0, 1e9).check("an amount of water", volume, "m³")?;
                volume
            }
            Edit::Splash(height) => {
                Range::new(-1e6, 1e6).check("a splash", height, "m")?;
                0.0
            }
            Edit::Push(speed) => {
                Range::new(-100.0, 100.0).check("a push", speed, "m/s")?;
                0.0
            }
        };
        self.regroup();
        let quanta = (volume / self.quantum_volume()).round() as i64;
        let places = columns_in(&self.store, region)?;
        let change = distribute(&mut self.store, &places, quanta, |world, columns, share| {
            match edit {
                Edit::Pour(_) => return [share, world.give_from_outside(columns, share)],
                Edit::Remove(_) => {
                    let taken = world.take(columns, share, true);
                    return [taken, -taken];
                }
                Edit::Splash(height) => world.splash(columns, height),
                Edit::Push(speed) => world.push(columns, speed),
            }
            [0, 0]
        });
        self.ledgers[0].book(Cause::Edit, change.into());
        let Store { groups, changed, .. } = &mut self.store;
        for group in groups.values_mut() {
            // A splash may have gone over the border.
            transfer::collect(group, &mut self.in_transit);
            group.note_changed(changed);
        }
        Ok(())
    }

    /// Makes the cells whose middles lie in a region (m) wall (`solid`), or empties them. Only
    /// loaded chunks change. Returns how many cells have changed. Displaced water goes where
    /// [`Columns::set_walls`](crate::columns::Columns::set_walls) says.
    ///
    /// # Errors
    /// [`InputError`] if the region is malformed.
    pub fn set_walls(&mut self, region: &Region, solid: bool) -> Result<usize, InputError> {
        region.validate()?;
        let cell_size = self.store.cell_size;
        self.change_walls(|chunk| chunk.cells_in(cell_size, region), solid)
    }

    /// Makes a cell wall (`solid`), or empties it, by its column and row.
    ///
    /// # Errors
    /// [`InputError`] if its chunk is not loaded.
    pub fn set_wall(&mut self, cell: [i64; 2], solid: bool) -> Result<(), InputError> {
        let (at, place) = self.loaded_cell(cell)?;
        let cells = |chunk| Ok(if chunk == at { vec![place] } else { Vec::new() });
        self.change_walls(cells, solid).map(|_| ())
    }

    fn change_walls(
        &mut self,
        cells: impl Fn(ChunkPos) -> Result<Vec<(usize, usize)>, InputError>,
        solid: bool,
    ) -> Result<usize, InputError> {
        self.regroup();
        let mut changed = 0;
        let Store { groups, changed: changed_chunks, .. } = &mut self.store;
        for group in groups.values_mut() {
            let before = changed;
            for (&chunk, walls) in &mut group.chunks {
                for (x, y) in cells(chunk)? {
                    changed += usize::from(walls.set(x, y, solid));
                }
            }
            if changed > before {
                let had = group.volume();
                group.rebuild(&self.borders);
                self.ledgers[0].book(Cause::Edit, i128::from(group.volume() - had));
                transfer::collect(group, &mut self.in_transit);
                group.note_changed(changed_chunks);
            }
        }
        if changed > 0 {
            self.store.place_sources(&self.sources, None);
        }
        Ok(changed)
    }
}

impl Group {
    /// Adds to `changed` the chunks of awake pools.
    pub(super) fn note_changed(&self, changed: &mut BTreeSet<ChunkPos>) {
        for &pool in &self.world.sleep.awake {
            self.for_each_chunk_of(pool as usize, |chunk| {
                changed.insert(chunk);
            });
        }
    }
}
