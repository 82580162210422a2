//! Pouring, taking, splashing, pushing, digging and building in an open world, where it is loaded.

use super::island::Island;
use super::passed;
use super::sources::{Spread, cells_in, columns_in, give};
use super::world::OpenWorld;
use crate::columns::edit::Edit;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::open::ChunkPos;
use crate::parameter::Range;
use crate::region::Region;
use std::collections::BTreeSet;

impl OpenWorld {
    /// Edits the water of the cells whose middles lie in a region (m). What is not loaded does not count.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense, or a number is out of its range, which is that of [`Edit`]; the surface may be
    /// pressed by 10⁶ m at most.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        region.validate()?;
        match edit {
            Edit::Pour(volume) | Edit::Remove(volume) => {
                Range::new(0.0, 1e9).check("an amount of water", volume, "m³")?;
            }
            Edit::Splash(height) => Range::new(-1e6, 1e6).check("a splash", height, "m")?,
            Edit::Push(speed) => Range::new(-100.0, 100.0).check("a push", speed, "m/s")?,
        }
        self.settle();
        let unit = self.quantum_volume();
        let quanta = |volume: f64| (volume / unit).round() as i64;
        let places = columns_in(&self.land, self.cell, region)?;
        match edit {
            Edit::Pour(volume) => {
                let came = give(&mut self.land, &places, quanta(volume));
                self.ledger.book(Cause::Edit, came.into());
            }
            Edit::Remove(volume) => {
                let taken = self.take(&places, quanta(volume));
                self.ledger.book(Cause::Edit, -i128::from(taken));
            }
            Edit::Splash(_) | Edit::Push(_) => {
                for (home, columns) in &places {
                    let Some(island) = self.land.islands.get_mut(home) else { continue };
                    match edit {
                        Edit::Splash(height) => island.world.splash(columns, height),
                        Edit::Push(speed) => island.world.push(columns, speed),
                        _ => {}
                    }
                }
            }
        }
        for island in self.land.islands.values_mut() {
            // A splash may have gone over the border.
            passed::collect(island, &mut self.waiting);
            island.note_changed(&mut self.changed);
        }
        Ok(())
    }

    /// Takes water in equal parts, and what some lack from the others; returns what was taken (quanta).
    fn take(&mut self, places: &Spread, quanta: i64) -> i64 {
        let mut left = quanta;
        let mut count: i64 = places.values().map(|columns| columns.len() as i64).sum();
        for (home, columns) in places {
            let n = columns.len() as i64;
            let share = (i128::from(left) * i128::from(n) / i128::from(count.max(1))) as i64;
            if let Some(island) = self.land.islands.get_mut(home) {
                left -= island.world.take(columns, share, true);
            }
            count -= n;
        }
        quanta - left
    }

    /// Makes the cells whose middles lie in a region (m) wall (`solid`), or empties them. What is not loaded does not count. Returns
    /// how many cells have changed. Water that is built over goes where [`Columns::set_walls`](crate::columns::Columns::set_walls)
    /// says.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense.
    pub fn set_walls(&mut self, region: &Region, solid: bool) -> Result<usize, InputError> {
        region.validate()?;
        let cell = self.cell;
        self.change_walls(|chunk| cells_in(chunk, cell, region), solid)
    }

    /// Makes a cell wall (`solid`), or empties it, by its column and row.
    ///
    /// # Errors
    /// [`InputError`] if its chunk is not loaded.
    pub fn set_wall(&mut self, cell: [i64; 2], solid: bool) -> Result<(), InputError> {
        let home = ChunkPos::of(cell).filter(|&chunk| self.land.is_loaded(chunk));
        let Some(home) = home else {
            let found = format!("({}, {})", cell[0], cell[1]);
            return Err(InputError::new("a cell", found, "one of a chunk that is loaded"));
        };
        let at = [0, 1].map(|i| (cell[i] - home.origin()[i]) as usize);
        let cells = |chunk| Ok(if chunk == home { vec![(at[0], at[1])] } else { Vec::new() });
        self.change_walls(cells, solid).map(|_| ())
    }

    fn change_walls(
        &mut self,
        cells: impl Fn(ChunkPos) -> Result<Vec<(usize, usize)>, InputError>,
        solid: bool,
    ) -> Result<usize, InputError> {
        self.settle();
        let mut changed = 0;
        for island in self.land.islands.values_mut() {
            let before = changed;
            for (&chunk, walls) in &mut island.chunks {
                for (x, y) in cells(chunk)? {
                    changed += usize::from(walls.set(x, y, solid));
                }
            }
            if changed > before {
                let had = island.volume();
                island.rebuild(&self.beyond);
                self.ledger.book(Cause::Edit, i128::from(island.volume() - had));
                passed::collect(island, &mut self.waiting);
                island.note_changed(&mut self.changed);
            }
        }
        if changed > 0 {
            self.sources.find(&self.land, self.cell);
        }
        Ok(changed)
    }
}

impl Island {
    /// Adds its chunks in which water is about to move, or may have.
    pub(super) fn note_changed(&self, changed: &mut BTreeSet<ChunkPos>) {
        for &pool in &self.world.sleep.awake {
            self.for_each_chunk_of(pool as usize, |chunk| {
                changed.insert(chunk);
            });
        }
    }
}
