//! Digging, building and pouring while the world runs; springs and drains.

use super::cell::{Cell, Liquid, Packed};
use super::grid::Grid;
use super::ledgers::{Ledgers, book};
use super::params::Rule;
use super::world::{AMOUNT, Blocks, check_cell};
use crate::error::InputError;
use crate::lattice::Square;
use crate::ledger::Cause;
use crate::region::Region;

/// What is done to the cells of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit {
    /// Every cell becomes this one. Liquid that was there leaves the world, by the books.
    Set(Cell),
    /// Walls become air; the rest stays.
    Dig,
    /// Air becomes wall; walls and liquids stay.
    Build,
    /// Every cell gets so much of a liquid (256ths), as far as there is space beside nothing but the same.
    Pour(Liquid, u16),
    /// Every cell loses so much of its liquid (256ths).
    Remove(u16),
}

impl Edit {
    fn of(self, cell: Packed) -> Packed {
        match self {
            Edit::Set(to) => to.into(),
            Edit::Dig if cell.is_wall() => Packed::AIR,
            Edit::Build if cell == Packed::AIR => Packed::WALL,
            Edit::Dig | Edit::Build => cell,
            Edit::Pour(liquid, amount) => {
                let kind = liquid as u16 + 1;
                match cell.room(kind).min(amount) {
                    0 => cell,
                    amount => Packed::of(kind, cell.fill() + amount),
                }
            }
            Edit::Remove(amount) if cell.is_liquid() => {
                Packed::of(cell.kind(), cell.fill().saturating_sub(amount))
            }
            Edit::Remove(_) => cell,
        }
    }

    pub(super) fn apply(
        self,
        grid: &mut Grid,
        (x, y): (usize, usize),
        ledgers: &mut Ledgers,
    ) -> [Packed; 2] {
        let before = grid.at(x, y);
        let after = self.of(before);
        let [had, has] = [before, after].map(|cell| i64::from(cell.fill()));
        let mut book = |cell: Packed, amount| book(ledgers, cell.kind(), Cause::Edit, amount);
        if before.is_liquid() && after.kind() == before.kind() {
            book(before, has - had);
        } else {
            if before.is_liquid() {
                book(before, -had);
            }
            if after.is_liquid() {
                book(after, has);
            }
        }
        grid.set(x, y, after);
        [before, after]
    }

    pub(super) fn check(self, rule: Rule) -> Result<(), InputError> {
        let (cell, what) = match self {
            Edit::Dig | Edit::Build => return Ok(()),
            Edit::Set(cell) => return check_cell(cell, rule),
            Edit::Pour(liquid, fill) => (Cell::Liquid(liquid, fill), "an amount to pour"),
            Edit::Remove(fill) => (Cell::Liquid(Liquid::Water, fill), "an amount to remove"),
        };
        AMOUNT.check(what, cell.fill().into(), "256ths")?;
        check_cell(cell, rule)
    }
}

impl Blocks {
    /// Sets one cell.
    ///
    /// # Errors
    /// [`InputError`] if the place lies off the grid or the rule does not know such a cell.
    pub fn set(&mut self, x: usize, y: usize, cell: Cell) -> Result<(), InputError> {
        self.set_all(&[(x, y)], cell)
    }

    /// Sets many cells, each given by its column and row; one labelling serves them all.
    ///
    /// # Errors
    /// [`InputError`] if a place lies off the grid or the rule does not know such a cell; then none is set.
    pub fn set_all(&mut self, cells: &[(usize, usize)], cell: Cell) -> Result<(), InputError> {
        let (nx, ny) = (self.nx(), self.ny());
        if let Some((x, y)) = cells.iter().find(|(x, y)| *x >= nx || *y >= ny) {
            let allowed = format!("one of the grid of {nx} × {ny} cells");
            return Err(InputError::new("a cell", format!("({x}, {y})"), allowed));
        }
        self.check_edit(Edit::Set(cell))?;
        self.edit_cells(cells.iter().map(|&at| (at, Edit::Set(cell))));
        Ok(())
    }

    /// Edits the cells whose middles lie in a region, given in cells from the top-left corner. What lies
    /// off the grid does not count.
    ///
    /// # Errors
    /// [`InputError`] if the region makes no sense or the rule does not know what it would make.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        let cells = self.cells_of(region)?;
        self.check_edit(edit)?;
        self.edit_cells(cells.into_iter().map(|at| (at, edit)));
        Ok(())
    }

    pub(super) fn check_edit(&self, edit: Edit) -> Result<(), InputError> {
        edit.check(self.params.rule)
    }

    pub(super) fn edit_cells(&mut self, edits: impl IntoIterator<Item = ((usize, usize), Edit)>) {
        for ((x, y), edit) in edits {
            let [before, after] = edit.apply(&mut self.grid, (x, y), &mut self.ledgers);
            if let Some(tags) = self.tags.as_mut().filter(|_| before.is_wall() != after.is_wall()) {
                tags[(x, y)] = 0;
            }
        }
        self.refresh();
    }

    pub(super) fn some_cells_of(
        &self,
        region: &Region,
        what: &'static str,
    ) -> Result<Vec<(usize, usize)>, InputError> {
        let cells = self.cells_of(region)?;
        if cells.is_empty() {
            return Err(InputError::new(what, "no cell", "one that holds the middle of a cell"));
        }
        Ok(cells)
    }

    pub(super) fn cells_of(&self, region: &Region) -> Result<Vec<(usize, usize)>, InputError> {
        region.validate()?;
        let lattice = self.lattice()?;
        Ok(region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect())
    }

    pub(super) fn lattice(&self) -> Result<Square, InputError> {
        Square::new(self.nx(), self.ny(), 1.0, 1.0)
    }
}
