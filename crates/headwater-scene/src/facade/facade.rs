//! [`Facade`]: a live world and its basic properties.

use crate::live::Live;
use crate::run::lattice_name;
use headwater::Point;

/// Grid dimensions, spacing and cell shape of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Number of columns.
    pub nx: usize,
    /// Number of rows; row 0 is the northernmost or topmost.
    pub ny: usize,
    /// Distance between columns and between rows (m; 1 for `blocks`).
    pub cell: [f64; 2],
    /// Shape of the cells: `square` or `hex`.
    pub lattice: &'static str,
}

/// A world of any model, with an interface of names and numbers. Positions are in metres (in cells
/// for `blocks`) from the top-left corner, with y downward. Heights are relative to the scene's
/// datum. Times are in seconds (in drops per cell for `hydrology`).
pub struct Facade {
    pub(super) live: Live,
    /// Sum of the times requested by [`advance`](Self::advance). The world stops after a whole
    /// step, so its clock is at this time or less than one step later.
    pub(super) target: f64,
}

impl Facade {
    pub(super) fn new(live: Live) -> Self {
        let target = live.clock();
        Self { live, target }
    }

    /// Returns the model's name: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
    pub fn model(&self) -> &'static str {
        self.live.model().name()
    }

    /// Returns the name of the scene, as used in messages.
    pub fn name(&self) -> &str {
        self.live.name()
    }

    /// Returns the dimensions, spacing and cell shape of the grid.
    pub fn grid(&self) -> Grid {
        let lattice = self.live.lattice();
        let [nx, ny] = self.live.model().grid();
        Grid { nx, ny, cell: [lattice.dx(), lattice.dy()], lattice: lattice_name(&lattice) }
    }

    /// Returns the simulated time since the start, in the unit [`time_unit`](Self::time_unit).
    pub fn time(&self) -> f64 {
        self.live.simulation().time()
    }

    /// Returns the unit of time: `s`, or `drops per cell` for hydrology.
    pub fn time_unit(&self) -> &'static str {
        self.live.scene().clock().unit.trim()
    }

    /// Returns the number of steps since the start.
    pub fn steps(&self) -> u64 {
        self.live.simulation().steps()
    }

    /// Returns the current step length, in the unit [`time_unit`](Self::time_unit).
    pub fn step_length(&self) -> f64 {
        self.live.simulation().step_length()
    }

    /// Returns whether the world is still being relaxed to its steady initial state. The clock
    /// starts when this ends.
    pub fn is_settling(&self) -> bool {
        self.live.is_settling()
    }

    /// Returns messages about assumptions that the model made and limits that it reached.
    pub fn notices(&self) -> Vec<String> {
        self.live.simulation().notices()
    }

    /// Returns the center of a cell, given its column and row, in the coordinates of [`Facade`].
    pub fn center(&self, column: usize, row: usize) -> Point {
        self.live.lattice().center(column, row)
    }
}
