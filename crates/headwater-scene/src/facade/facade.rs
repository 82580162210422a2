//! [`Facade`]: an interactive world of any model and its basic properties, for bindings.

use crate::live::Live;
use crate::run::lattice_name;
use headwater::Point;

/// Size, spacing and cell shape of a world's grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Number of columns of the grid.
    pub nx: usize,
    /// Number of rows. Row 0 is the northernmost one, or the topmost one in a vertical section.
    pub ny: usize,
    /// Distance between adjacent columns, and distance between adjacent rows (m). Both are 1 in the
    /// model `blocks`.
    pub cell: [f64; 2],
    /// Shape of the cells: `square` or `hex`.
    pub lattice: &'static str,
}

/// World of any model, accessed through names and numbers. Positions are measured from the top-left
/// corner, with y downward (m; in the model `blocks`, cells). Heights are relative to the scene's
/// datum. Times are in seconds. In the model `hydrology`, time is measured by rain: the mean number
/// of raindrops per cell since the start.
pub struct Facade {
    pub(super) live: Live,
    /// Simulated time that the calls of [`advance`](Self::advance) have requested so far (s; in the
    /// model `hydrology`, raindrops per cell). The world takes whole steps, so its time is equal to
    /// this value or later by less than one step.
    pub(super) target: f64,
}

impl Facade {
    pub(super) fn new(live: Live) -> Self {
        let target = live.clock();
        Self { live, target }
    }

    /// Returns the name of the model: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
    pub fn model(&self) -> &'static str {
        self.live.model().name()
    }

    /// Returns the name of the scene, which is used in error messages.
    pub fn name(&self) -> &str {
        self.live.name()
    }

    /// Returns the size, the spacing and the cell shape of the grid.
    pub fn grid(&self) -> Grid {
        let lattice = self.live.lattice();
        let [nx, ny] = self.live.model().grid_size();
        Grid { nx, ny, cell: [lattice.dx(), lattice.dy()], lattice: lattice_name(&lattice) }
    }

    /// Returns the simulated time since the start, in the unit that [`time_unit`](Self::time_unit)
    /// returns.
    pub fn time(&self) -> f64 {
        self.live.simulation().time()
    }

    /// Returns the unit of time: `s`, or `drops per cell` (mean number of raindrops per cell) in
    /// the model `hydrology`.
    pub fn time_unit(&self) -> &'static str {
        self.live.scene().clock().unit.trim()
    }

    /// Returns the number of steps that the world has taken since the start.
    pub fn steps(&self) -> u64 {
        self.live.simulation().steps()
    }

    /// Returns the length of the next step, in the unit that [`time_unit`](Self::time_unit)
    /// returns.
    pub fn step_length(&self) -> f64 {
        self.live.simulation().step_length()
    }

    /// Returns whether the world is still being relaxed to its steady initial state. Until the
    /// relaxation ends, the clock does not run.
    pub fn is_settling(&self) -> bool {
        self.live.is_settling()
    }

    /// Returns messages for the user about assumptions that the model has made and limits that it
    /// has reached.
    pub fn notices(&self) -> Vec<String> {
        self.live.notices()
    }

    /// Returns the centre of a cell, given its column and row. Coordinates are measured from the
    /// top-left corner, with y downward (m; in the model `blocks`, cells).
    pub fn center(&self, column: usize, row: usize) -> Point {
        self.live.lattice().center(column, row)
    }
}
