//! [`Site`]: grid and terrain of a scene, the same for all models that have terrain.

use super::{DEFAULT_CELL, DEFAULT_CELLS, Files, SceneError, Tables};
use crate::flow::{Cell, Grid, Ground, LatticeKind};
use headwater::{Hex, Lattice, Square};

/// Scene with grid and terrain tables.
pub trait HasGround {
    /// Returns the table `[grid]`.
    fn grid(&self) -> &Grid;

    /// Returns the table `[terrain]`.
    fn ground(&self) -> &Ground;
}

/// Model-independent view of a scene with terrain.
pub trait Site: HasGround {
    /// Returns the seed.
    fn seed(&self) -> u32;

    /// Returns the source of its files.
    fn files(&self) -> &Files;

    /// Returns the lattice if it is known without reading the terrain file. Also `None` for invalid
    /// sizes, which checked scenes do not have.
    fn lattice(&self) -> Option<Lattice> {
        let Grid { nx, ny, cell, lattice } = *self.grid();
        let known = nx.is_some() && ny.is_some() && cell.is_some();
        if self.ground().file.is_some() && !known {
            return None;
        }
        let [dx, dy] = cell.map_or([DEFAULT_CELL; 2], Cell::sides);
        let (nx, ny) = (nx.unwrap_or(DEFAULT_CELLS), ny.unwrap_or(DEFAULT_CELLS));
        match lattice {
            LatticeKind::Square => Square::new(nx, ny, dx, dy).ok().map(Lattice::from),
            LatticeKind::Hex => Hex::new(nx, ny, dx).ok().map(Lattice::from),
        }
    }

    /// Checks all positions and areas against the lattice.
    ///
    /// # Errors
    /// [`SceneError`] with all positions and areas that are off the grid.
    fn fits(&self, lattice: &Lattice) -> Result<(), SceneError>;

    /// Returns an error about the value at a key path such as `terrain.file`.
    fn refuse(&self, key: &str, message: String) -> SceneError;
}

impl<S: HasGround + Tables> Site for S {
    fn seed(&self) -> u32 {
        self.common().seed
    }

    fn files(&self) -> &Files {
        self.file_source()
    }

    fn fits(&self, lattice: &Lattice) -> Result<(), SceneError> {
        self.check_on(lattice)
    }

    fn refuse(&self, key: &str, message: String) -> SceneError {
        self.error(key, message)
    }
}
