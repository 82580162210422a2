//! The ground that a scene stands on, as all models that have one say it.

use super::{DEFAULT_CELL, DEFAULT_CELLS, Files, SceneError, Tables};
use crate::flow::{Cell, Grid, Ground, LatticeKind};
use headwater::{Hex, Lattice, Square};

/// The tables of a scene that stands on ground.
pub trait Grounded {
    /// `[grid]`
    fn grid(&self) -> &Grid;

    /// `[terrain]`
    fn ground(&self) -> &Ground;
}

/// What a scene says of its ground, whichever model runs it.
pub trait Site: Grounded {
    /// `seed`
    fn seed(&self) -> u32;

    /// Where its files come from.
    fn files(&self) -> &Files;

    /// The lattice, where it is known without reading the terrain's file. `None` too for sizes no lattice can
    /// have, which no checked scene has.
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

    /// Checks all that stands somewhere against the lattice it stands on.
    ///
    /// # Errors
    /// [`SceneError`] with all that does not fit.
    fn fits(&self, lattice: &Lattice) -> Result<(), SceneError>;

    /// An error about the value at a key path such as `terrain.file`.
    fn refuse(&self, key: &str, message: String) -> SceneError;
}

impl<S: Grounded + Tables> Site for S {
    fn seed(&self) -> u32 {
        self.common().seed
    }

    fn files(&self) -> &Files {
        self.source_of_files()
    }

    fn fits(&self, lattice: &Lattice) -> Result<(), SceneError> {
        self.check_on(lattice)
    }

    fn refuse(&self, key: &str, message: String) -> SceneError {
        self.error(key, message)
    }
}
