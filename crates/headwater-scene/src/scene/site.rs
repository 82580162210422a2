//! [`TerrainScene`]: the interface through which the terrain code reads a scene of any model, in
//! particular its grid and its ground.

use super::scene_model::check_fits_lattice;
use super::{DEFAULT_CELL_SIZE, DEFAULT_CELLS_PER_SIDE, Limits, SceneError, SceneModel};
use crate::terrain::{CellSize, Grid, Ground, LatticeKind};
use headwater::{Hex, Lattice, Square};
use headwater_io::Files;

/// Scene that has the tables `[grid]` and `[terrain]`.
pub trait HasGround {
    /// Returns the table `[grid]`, which contains the size of the grid.
    fn grid(&self) -> &Grid;

    /// Returns the table `[terrain]`, which describes the ground.
    fn ground(&self) -> &Ground;
}

/// Interface to a scene with terrain, independent of its model.
pub trait TerrainScene: HasGround {
    /// Returns the seed of the scene's random number generators.
    fn seed(&self) -> u32;

    /// Returns the source from which the scene's files are read.
    fn files(&self) -> &Files;

    /// Returns the resources that the scene may use.
    fn limits(&self) -> &Limits;

    /// Checks that a world of `nx` × `ny` cells, all of them in memory, is within the limits of
    /// the scene.
    ///
    /// # Errors
    /// Returns a message with the memory needed and allowed.
    fn check_cells(&self, size: [usize; 2]) -> Result<(), String>;

    /// Returns the lattice of the scene. Returns `None` if the size of the grid is read from the
    /// terrain file, or if it is not valid. The size is valid in a scene that has been checked.
    fn lattice(&self) -> Option<Lattice> {
        let Grid { nx, ny, cell, lattice } = *self.grid();
        let known = nx.is_some() && ny.is_some() && cell.is_some();
        if self.ground().file.is_some() && !known {
            return None;
        }
        let [dx, dy] = cell.map_or([DEFAULT_CELL_SIZE; 2], CellSize::sides);
        let (nx, ny) = (nx.unwrap_or(DEFAULT_CELLS_PER_SIDE), ny.unwrap_or(DEFAULT_CELLS_PER_SIDE));
        match lattice {
            LatticeKind::Square => Square::new(nx, ny, dx, dy).ok().map(Lattice::from),
            LatticeKind::Hex => Hex::new(nx, ny, dx).ok().map(Lattice::from),
        }
    }

    /// Checks that all positions and areas of the scene are on the lattice.
    ///
    /// # Errors
    /// Returns [`SceneError`] with all positions and areas that are outside the grid.
    fn require_positions_on_lattice(&self, lattice: &Lattice) -> Result<(), SceneError>;

    /// Creates an error about the value at a key path such as `terrain.file`.
    fn key_error(&self, key: &str, message: String) -> SceneError;
}

impl<S: HasGround + SceneModel> TerrainScene for S {
    fn seed(&self) -> u32 {
        self.common_tables().seed
    }

    fn files(&self) -> &Files {
        self.file_source()
    }

    fn limits(&self) -> &Limits {
        &self.common_tables().origin.limits
    }

    fn check_cells(&self, size: [usize; 2]) -> Result<(), String> {
        SceneModel::check_cells(self, size)
    }

    fn require_positions_on_lattice(&self, lattice: &Lattice) -> Result<(), SceneError> {
        check_fits_lattice(self, lattice)
    }

    fn key_error(&self, key: &str, message: String) -> SceneError {
        self.error(key, message)
    }
}
