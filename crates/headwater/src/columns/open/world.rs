//! Creation and steps of an open world of columns.

use super::OpenWorld;
use super::chunk::{Chunk, Walls};
use super::group::Common;
use super::heights::PER_HEIGHT;
use super::store::Store;
use crate::columns::params::{Motion, Params};
use crate::columns::world::check_cell;
use crate::error::InputError;
use crate::field::Field;
use crate::open::{ChunkPos, ChunkStore};

/// Checks the parameters of a world with cells of this size (m).
fn check(params: &Params, cell_size: f64) -> Result<(), InputError> {
    params.validate()?;
    check_cell(cell_size)?;
    if params.motion != Motion::Discharge {
        return Err(InputError::new("motion", "`springs`", "`discharge` in an open world"));
    }
    if params.heat.is_some() {
        return Err(InputError::new("heat", "a world with heat", "none in an open world"));
    }
    params.check_stable(cell_size / f64::from(params.columns_per_cell))
}

/// Open worlds of columns. Regions are in metres from the corner of the cell `[0, 0]`.
impl OpenWorld {
    /// A world without chunks, with cells of this size (m).
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, the size of a cell is not above 0, waves
    /// are too fast for the step, or water moves as springs or has heat: chunks carry neither.
    pub fn new(cell_size: f64, params: Params) -> Result<Self, InputError> {
        check(&params, cell_size)?;
        Ok(Self::empty(params, Store::new(cell_size)))
    }

    /// Changes the parameters of a running world, except those that are fixed at its start.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range or cannot change. Nothing changes then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        check(&params, self.store.cell_size)?;
        params.validate_change(&self.params)?;
        for group in self.store.groups.values_mut() {
            group.world.set_params(params.clone())?;
        }
        self.params = params;
        Ok(())
    }

    /// Size of a cell (m).
    pub fn cell_size(&self) -> f64 {
        self.store.cell_size
    }

    /// Loads a new chunk: its walls, and the fill of its cells, 0 to 1. Water in walls is ignored;
    /// in each run of air cells it lies on the ground. The content enters through the boundary.
    ///
    /// # Errors
    /// [`InputError`] if the chunk is loaded, or was unloaded and not forgotten; if a field has
    /// another size than a chunk, or a fill is out of its range; if more chunks are connected than
    /// fit on a board (256 columns, 15 rows). Nothing changes then.
    pub fn insert(
        &mut self,
        chunk: ChunkPos,
        walls: &Field<bool>,
        fill: &Field<f64>,
    ) -> Result<(), InputError> {
        let walls = Walls::of_field(chunk, walls)?;
        let filled = Chunk::filled(chunk, walls, fill, self.params.columns_per_cell)?;
        self.insert_new(chunk, filled, "a new chunk")
    }

    /// Volume of a quantum (m³ for a world 1 m thick).
    pub(super) fn quantum_volume(&self) -> f64 {
        let cell = self.store.cell_size;
        let width = cell / f64::from(self.params.columns_per_cell);
        cell / f64::from(PER_HEIGHT) * width
    }

    /// Regroups the chunks that have been loaded and unloaded.
    pub(super) fn regroup(&mut self) {
        if !self.store.is_grouped() {
            let Self { params, store, borders, sources, steps, .. } = self;
            let common = Common { params, cell: store.cell_size, steps: *steps, borders };
            store.regroup(common);
            store.place_sources(sources, None);
        }
    }
}
