//! The facade itself: a live world, and what it is.

use crate::live::Live;
use crate::run::lattice_name;
use headwater::Point;

/// The cells of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Columns.
    pub nx: usize,
    /// Rows; row 0 is the northern one, or the top one.
    pub ny: usize,
    /// Distance of columns and of rows (m; of blocks, 1).
    pub cell: [f64; 2],
    /// Kind of the cells: `square` or `hex`.
    pub lattice: &'static str,
}

/// A world, whichever model moves it. Positions are metres from the top-left corner, the second one downward; of blocks, cells. Heights are
/// the scene's. Times are seconds; of hydrology, drops per cell.
pub struct Facade {
    pub(super) live: Live,
    /// The time that was asked for so far: worlds rest after whole steps, at it or up to a step later.
    pub(super) target: f64,
}

impl Facade {
    pub(super) fn of(live: Live) -> Self {
        let target = live.clock();
        Self { live, target }
    }

    /// The model's name: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
    pub fn model(&self) -> &'static str {
        self.live.model().name()
    }

    /// What the scene is called.
    pub fn name(&self) -> &str {
        self.live.name()
    }

    /// Its cells.
    pub fn grid(&self) -> Grid {
        let lattice = self.live.lattice();
        let [nx, ny] = self.live.model().grid();
        Grid { nx, ny, cell: [lattice.dx(), lattice.dy()], lattice: lattice_name(&lattice) }
    }

    /// Simulated time since the start.
    pub fn time(&self) -> f64 {
        self.live.simulation().time()
    }

    /// What time is counted in: `s`, or of hydrology `drops per cell`.
    pub fn time_unit(&self) -> &'static str {
        self.live.scene().clock().unit.trim()
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.live.simulation().steps()
    }

    /// How long a step is now, in the unit of time.
    pub fn step_length(&self) -> f64 {
        self.live.simulation().step_length()
    }

    /// Whether it still comes to a steady state, before its clock starts.
    pub fn is_settling(&self) -> bool {
        self.live.is_settling()
    }

    /// What was decided for lack of better knowledge, or fell short, in words.
    pub fn notices(&self) -> Vec<String> {
        self.live.simulation().notices()
    }

    /// The middle of a cell by its column and row.
    pub fn center(&self, column: usize, row: usize) -> Point {
        self.live.lattice().center(column, row)
    }
}
