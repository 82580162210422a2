//! Saving a world and going on from there, and a hash to tell whether two worlds are the same.

use super::books::Books;
use super::cell::Packed;
use super::exchange::{Drain, Spring};
use super::{Blocks, BlocksError, Params, check_cell};
use crate::field::Field;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// All that a world needs to go on: restoring it equals never having stopped, bit for bit.
///
/// It serializes with serde; a snapshot read back from a file is checked by [`Blocks::restore`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    params: Params,
    cells: Field<Packed>,
    springs: Vec<Spring>,
    drains: Vec<Drain>,
    books: Books,
    ticks: u64,
    owed: f64,
}

impl Blocks {
    /// Saves the world as it is.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            params: self.params.clone(),
            cells: self.grid.cells(),
            springs: self.exchange.springs.iter().map(|(spring, _)| spring.clone()).collect(),
            drains: self.exchange.drains.iter().map(|(drain, _)| drain.clone()).collect(),
            books: self.books.clone(),
            ticks: self.ticks,
            owed: self.owed,
        }
    }

    /// The world that a snapshot holds. All of it is awake, which changes nothing but the cost of the
    /// first tick.
    ///
    /// # Errors
    /// [`BlocksError`] if the snapshot's parts do not fit one another or hold impossible numbers.
    pub fn restore(snapshot: Snapshot) -> Result<Self, BlocksError> {
        let Snapshot { params, cells, springs, drains, books, ticks, owed } = snapshot;
        if !cells.as_slice().iter().all(|cell| cell.is_valid()) {
            return Err(BlocksError::Snapshot("a cell holds what cannot be"));
        }
        let rule = params.rule;
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell.into(), rule))?;
        if !(0.0..1.0).contains(&owed) {
            return Err(BlocksError::Snapshot("the time it owes is not 0 to 1 tick"));
        }
        if !books.is_sound() {
            return Err(BlocksError::Snapshot("its books hold impossible volumes"));
        }
        if ticks >> 53 != 0 {
            return Err(BlocksError::Snapshot("its number of ticks is impossible"));
        }
        let mut world = Self::of_packed(&cells, params)?;
        springs.into_iter().try_for_each(|spring| world.add_spring(spring))?;
        drains.into_iter().try_for_each(|drain| world.add_drain(drain))?;
        (world.books, world.ticks, world.owed) = (books, ticks, owed);
        Ok(world)
    }

    /// A hash of all that a tick reads or writes: the cells, the number of ticks, the time owed. The same
    /// on every machine and for any number of threads.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh3::new();
        hash.update(&self.ticks.to_le_bytes());
        hash.update(&self.owed.to_le_bytes());
        for size in [self.nx(), self.ny()] {
            hash.update(&(size as u64).to_le_bytes());
        }
        let mut bytes = Vec::with_capacity(2 * self.nx());
        for y in 0..self.ny() {
            bytes.clear();
            bytes.extend((0..self.nx()).flat_map(|x| self.grid.at(x, y).0.to_le_bytes()));
            hash.update(&bytes);
        }
        hash.digest()
    }
}
