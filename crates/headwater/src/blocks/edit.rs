//! Edits of a running world: digging and building walls, adding and removing liquid.

use super::params::Rule;
use super::state::cell::{Cell, Liquid, PackedCell};
use super::state::grid::Grid;
use super::state::ledgers::{Ledgers, record};
use super::world::{AMOUNT, Blocks, check_cell};
use crate::error::InputError;
use crate::lattice::Square;
use crate::ledger::Cause;
use crate::region::Region;

/// A change to the cells of a region. See [`Blocks::edit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit {
    /// Replaces every cell in the region. The ledger records the removed and added liquid.
    Set(Cell),
    /// Turns walls into air. Other cells do not change.
    Dig,
    /// Turns air into wall. Other cells do not change.
    Build,
    /// Adds this volume of a liquid (256ths of a cell) to every cell, limited by the cell's free
    /// space. Walls and cells that hold another liquid do not change.
    Pour(Liquid, u16),
    /// Removes up to this volume of liquid (256ths of a cell) from every cell.
    Remove(u16),
}

impl Edit {
    fn apply_to(self, cell: PackedCell) -> PackedCell {
        match self {
            Edit::Set(to) => to.into(),
            Edit::Dig if cell.is_wall() => PackedCell::AIR,
            Edit::Build if cell == PackedCell::AIR => PackedCell::WALL,
            Edit::Dig | Edit::Build => cell,
            Edit::Pour(liquid, amount) => {
                let kind = liquid as u16 + 1;
                match cell.free_space(kind).min(amount) {
                    0 => cell,
                    amount => PackedCell::new(kind, cell.fill() + amount),
                }
            }
            Edit::Remove(amount) if cell.is_liquid() => {
                PackedCell::new(cell.kind(), cell.fill().saturating_sub(amount))
            }
            Edit::Remove(_) => cell,
        }
    }

    pub(super) fn apply(
        self,
        grid: &mut Grid,
        (x, y): (usize, usize),
        ledgers: &mut Ledgers,
    ) -> [PackedCell; 2] {
        let before = grid.cell_at(x, y);
        let after = self.apply_to(before);
        let [had, has] = [before, after].map(|cell| i64::from(cell.fill()));
        let mut record =
            |cell: PackedCell, amount| record(ledgers, cell.kind(), Cause::Edit, amount);
        if before.is_liquid() && after.kind() == before.kind() {
            record(before, has - had);
        } else {
            if before.is_liquid() {
                record(before, -had);
            }
            if after.is_liquid() {
                record(after, has);
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
    /// Sets the content of one cell. The ledger records the liquid that is removed and added.
    ///
    /// # Errors
    /// Returns [`InputError`] if the position is off the grid or the world's [`Rule`] does not
    /// support this content.
    pub fn set(&mut self, x: usize, y: usize, cell: Cell) -> Result<(), InputError> {
        self.set_cells(&[(x, y)], cell)
    }

    /// Sets all given cells, listed by column and row, to the same content. This is faster than a
    /// call to [`set`](Self::set) for each cell, because bodies of liquid are updated only once.
    ///
    /// # Errors
    /// Returns [`InputError`] if a position is off the grid or the world's [`Rule`] does not
    /// support this content. In that case, no cell changes.
    pub fn set_cells(&mut self, cells: &[(usize, usize)], cell: Cell) -> Result<(), InputError> {
        let (nx, ny) = (self.nx(), self.ny());
        if let Some((x, y)) = cells.iter().find(|(x, y)| *x >= nx || *y >= ny) {
            let allowed = format!("a cell of the grid of {nx} × {ny} cells");
            return Err(InputError::new("a cell", format!("({x}, {y})"), allowed));
        }
        self.check_edit(Edit::Set(cell))?;
        self.edit_cells(cells.iter().map(|&at| (at, Edit::Set(cell))));
        Ok(())
    }

    /// Edits the cells whose centres lie in `region`, which is given in cells from the top-left
    /// corner of the world. Parts of the region outside the grid are ignored.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is malformed or the world's [`Rule`] does not support
    /// the resulting cells.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), InputError> {
        let cells = self.cells_in_region(region)?;
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
        self.update_labels();
    }

    pub(super) fn require_cells_in_region(
        &self,
        region: &Region,
        region_name: &'static str,
    ) -> Result<Vec<(usize, usize)>, InputError> {
        let cells = self.cells_in_region(region)?;
        if cells.is_empty() {
            return Err(InputError::new(
                region_name,
                "no cell",
                "a region that contains the centre of a cell",
            ));
        }
        Ok(cells)
    }

    pub(super) fn cells_in_region(
        &self,
        region: &Region,
    ) -> Result<Vec<(usize, usize)>, InputError> {
        region.validate()?;
        let lattice = self.lattice()?;
        Ok(region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect())
    }

    pub(super) fn lattice(&self) -> Result<Square, InputError> {
        Square::new(self.nx(), self.ny(), 1.0, 1.0)
    }
}
