//! Snapshots that store and restore the complete state of a world, and hashes for comparing states.

use super::cell::PackedCell;
use super::grid::Grid;
use super::ledgers::Ledgers;
use crate::blocks::params::Params;
use crate::blocks::sources::exchange::{Drain, Spring};
use crate::blocks::world::{Blocks, check_cell};
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::hash;
use crate::ids::IdList;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

/// Complete state of a world. A world restored from a snapshot continues bit for bit like the
/// original.
///
/// Serializable with serde. [`Blocks::restore`] checks snapshots read from files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    params: Params,
    cells: Field<PackedCell>,
    tags: Option<Field<u8>>,
    springs: IdList<Spring>,
    drains: IdList<Drain>,
    ledgers: Ledgers,
    steps: u64,
    clock: FixedStep,
}

struct GridCells<'a>(&'a Grid);

impl Serialize for GridCells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (nx, ny) = (self.0.nx(), self.0.ny());
        let mut cells = serializer.serialize_seq(Some(nx * ny))?;
        for y in 0..ny {
            (0..nx).try_for_each(|x| cells.serialize_element(&self.0.cell_at(x, y)))?;
        }
        cells.end()
    }
}

#[derive(Serialize)]
struct CellField<'a> {
    nx: usize,
    ny: usize,
    data: GridCells<'a>,
}

#[derive(Serialize)]
struct SerializableWorld<'a> {
    params: &'a Params,
    cells: CellField<'a>,
    tags: &'a Option<Field<u8>>,
    springs: IdList<&'a Spring>,
    drains: IdList<&'a Drain>,
    ledgers: &'a Ledgers,
    steps: u64,
    clock: FixedStep,
}

impl Blocks {
    /// Returns a snapshot of the current state of the world.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            params: self.params.clone(),
            cells: self.grid.cells(),
            tags: self.tags.clone(),
            springs: self.springs().map(|(spring, _)| spring.clone()),
            drains: self.drains().map(|(drain, _)| drain.clone()),
            ledgers: self.ledgers.clone(),
            steps: self.steps,
            clock: self.clock,
        }
    }

    /// Returns a value that serializes to the same data as a [`Snapshot`] of the world. Unlike
    /// [`snapshot`](Self::snapshot), this method does not copy the world.
    pub fn as_serializable(&self) -> impl Serialize {
        let grid = &self.grid;
        SerializableWorld {
            params: &self.params,
            cells: CellField { nx: grid.nx(), ny: grid.ny(), data: GridCells(grid) },
            tags: &self.tags,
            springs: self.springs().map(|(spring, _)| spring),
            drains: self.drains().map(|(drain, _)| drain),
            ledgers: &self.ledgers,
            steps: self.steps,
            clock: self.clock,
        }
    }

    /// Restores a world from a snapshot. All chunks are active at first, so the first step takes
    /// longer than usual.
    ///
    /// # Errors
    /// Returns [`InputError`] if the snapshot is inconsistent or holds invalid values.
    pub fn restore(snapshot: Snapshot) -> Result<Self, InputError> {
        let Snapshot { params, cells, tags, springs, drains, ledgers, steps, clock } = snapshot;
        if !cells.as_slice().iter().all(|cell| cell.is_valid()) {
            return Err(InputError::invalid_snapshot("an invalid cell"));
        }
        let rule = params.rule;
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell.into(), rule))?;
        if !clock.is_valid() {
            return Err(InputError::invalid_snapshot("a clock that is more than a step behind"));
        }
        // This bound keeps all sums within range.
        let is_possible = |amount: i128| (0..1 << 56).contains(&amount);
        if !ledgers.iter().all(|ledger| ledger.amounts().all(is_possible)) {
            return Err(InputError::invalid_snapshot("ledgers with impossible volumes"));
        }
        if steps >> 53 != 0 {
            return Err(InputError::invalid_snapshot("an impossible step count"));
        }
        if tags.as_ref().is_some_and(|tags| !tags.has_same_shape(&cells)) {
            return Err(InputError::invalid_snapshot("tags that do not fit its cells"));
        }
        let mut world = Self::from_packed(&cells, params)?;
        world.tags = tags;
        world.exchange.springs =
            springs.try_map(|spring| world.locate_spring_cells(spring.clone()))?;
        world.exchange.drains = drains.try_map(|drain| world.locate_drain_cells(drain.clone()))?;
        (world.ledgers, world.steps, world.clock) = (ledgers, steps, clock);
        Ok(world)
    }

    /// Returns a hash of all state that a step reads or writes, except the ledgers. Equal states
    /// have equal hashes on all machines.
    pub fn state_hash(&self) -> u64 {
        let springs = self.springs().map(|(spring, _)| spring);
        let drains = self.drains().map(|(drain, _)| drain);
        let cells = (GridCells(&self.grid), &self.tags);
        hash::state_hash(&(&self.params, cells, springs, drains, self.steps, self.clock))
    }
}
