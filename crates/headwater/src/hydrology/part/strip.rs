//! [`Strip`]: which rows of a map a part has, and how its cells are numbered.
//!
//! A part numbers the cells of its rows from 0 on, row after row, as a map does. Hierarchies of depressions, which all parts know alike,
//! number cells as the map.

use crate::hydrology::grid::Grid;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Some rows of a map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Strip {
    pub(super) nx: usize,
    /// The rows that the part has, on the map, those of its halo among them.
    pub(super) rows: Range<usize>,
    /// Its own rows, on the map.
    pub(super) own: Range<usize>,
    /// How many rows the map has.
    pub(super) of: usize,
    /// The part's number, from north to south, and how many there are.
    pub(super) number: usize,
    pub(super) count: usize,
}

impl Strip {
    /// The shape of the part's rows.
    pub(super) fn grid(&self) -> Grid {
        Grid { nx: self.nx, ny: self.rows.len() }
    }

    /// The shape of the map.
    pub(super) fn map(&self) -> Grid {
        Grid { nx: self.nx, ny: self.of }
    }

    /// Whether there are other parts to the north and south.
    pub(super) fn beside(&self) -> [bool; 2] {
        [self.own.start > 0, self.own.end < self.of]
    }

    /// The part's own rows among those that it has.
    pub(super) fn own_rows(&self) -> Range<usize> {
        self.own.start - self.rows.start..self.own.end - self.rows.start
    }

    /// Its own rows, and one to each side where there is one.
    pub(super) fn near_rows(&self) -> Range<usize> {
        let own = self.own_rows();
        own.start.saturating_sub(1)..(own.end + 1).min(self.rows.len())
    }

    /// The cells of rows.
    pub(super) fn cells(&self, rows: Range<usize>) -> Range<usize> {
        rows.start * self.nx..rows.end * self.nx
    }

    /// The part's own cells.
    pub(super) fn own_cells(&self) -> Range<usize> {
        self.cells(self.own_rows())
    }

    /// The first of its own rows for the side to the north, the last one for that to the south.
    pub(super) fn rim(&self, side: usize) -> usize {
        let own = self.own_rows();
        [own.start, own.end - 1][side]
    }

    /// The row beyond that, if another part has it.
    pub(super) fn beyond(&self, side: usize) -> Option<usize> {
        let own = self.own_rows();
        self.beside()[side].then(|| [own.start.wrapping_sub(1), own.end][side])
    }

    /// The side beyond which a cell lies that is not the part's own.
    pub(super) fn side_of(&self, cell: usize) -> usize {
        usize::from(cell >= self.own_cells().start)
    }

    /// The number on the map of a cell.
    pub(super) fn on_map(&self, cell: usize) -> u32 {
        (self.rows.start * self.nx + cell) as u32
    }

    /// The part's number of a cell of the map that is its own.
    pub(super) fn own_cell(&self, on_map: u32) -> Option<usize> {
        let here = (on_map as usize).checked_sub(self.rows.start * self.nx)?;
        self.own_cells().contains(&here).then_some(here)
    }

    /// The part's number of a cell of the map that lies in its rows.
    pub(super) fn cell(&self, on_map: u32) -> usize {
        (on_map as usize).wrapping_sub(self.rows.start * self.nx)
    }

    /// The place of a cell of the part's first and last own rows in a list of these.
    pub(super) fn place_on_rim(&self, cell: usize) -> Option<usize> {
        let (x, y) = (cell % self.nx, cell / self.nx);
        let side = (0..2).find(|&side| y == self.rim(side))?;
        Some(side * self.nx + x)
    }

    /// The place of a cell of the rows beyond in a list of these.
    pub(super) fn place_beyond(&self, cell: usize) -> usize {
        self.side_of(cell) * self.nx + cell % self.nx
    }
}
