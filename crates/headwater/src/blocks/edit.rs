//! Digging, building and pouring while the world runs; springs and drains.

use super::books::Cause;
use super::cell::{Cell, FULL, Liquid, Packed};
use super::exchange::{Drain, Spring};
use super::{Blocks, BlocksError, Rule, check_cell};
use crate::lattice::Square;
use crate::region::Region;

/// What is done to the cells of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Every cell becomes this one. Liquid that was there leaves the world, by the books.
    Set(Cell),
    /// Walls become air; the rest stays.
    Dig,
    /// Air becomes wall; walls and liquids stay.
    Build,
    /// Every cell gets so much of a liquid (256ths), as far as there is room beside nothing but the same.
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
}

impl Blocks {
    /// Sets one cell.
    ///
    /// # Errors
    /// [`BlocksError`] if the place lies off the grid or the rule does not know such a cell.
    pub fn set(&mut self, x: usize, y: usize, cell: Cell) -> Result<(), BlocksError> {
        self.set_all(&[(x, y)], cell)
    }

    /// Sets many cells, each given by its column and row; one labelling serves them all.
    ///
    /// # Errors
    /// [`BlocksError`] if a place lies off the grid or the rule does not know such a cell; then none is set.
    pub fn set_all(&mut self, cells: &[(usize, usize)], cell: Cell) -> Result<(), BlocksError> {
        let (nx, ny) = (self.nx(), self.ny());
        if let Some(&(x, y)) = cells.iter().find(|(x, y)| *x >= nx || *y >= ny) {
            return Err(BlocksError::OffGrid { x, y, nx, ny });
        }
        self.edit_cells(cells.iter().copied(), Edit::Set(cell))
    }

    /// Edits the cells whose middles lie in a region, given in cells from the top-left corner. What lies
    /// off the grid does not count.
    ///
    /// # Errors
    /// [`BlocksError`] if the region makes no sense or the rule does not know what it would make.
    pub fn edit(&mut self, region: &Region, edit: Edit) -> Result<(), BlocksError> {
        let cells = self.cells_of(region)?;
        self.edit_cells(cells, edit)
    }

    fn edit_cells(
        &mut self,
        cells: impl IntoIterator<Item = (usize, usize)>,
        edit: Edit,
    ) -> Result<(), BlocksError> {
        match edit {
            Edit::Set(cell) => check_cell(cell, self.params.rule)?,
            Edit::Pour(liquid, fill) => {
                check_amount("an amount to pour", fill)?;
                check_cell(Cell::Liquid(liquid, fill), self.params.rule)?;
            }
            Edit::Remove(fill) => {
                check_amount("an amount to remove", fill)?;
                check_cell(Cell::Liquid(Liquid::Water, fill), self.params.rule)?;
            }
            Edit::Dig | Edit::Build => {}
        }
        for (x, y) in cells {
            let before = self.grid.at(x, y);
            let after = edit.of(before);
            let [had, has] = [before, after].map(|cell| i64::from(cell.fill()));
            if before.is_liquid() && after.kind() == before.kind() {
                self.books.book(before.kind(), Cause::Edit, has - had);
            } else {
                if before.is_liquid() {
                    self.books.book(before.kind(), Cause::Edit, -had);
                }
                if after.is_liquid() {
                    self.books.book(after.kind(), Cause::Edit, has);
                }
            }
            self.grid.set(x, y, after);
        }
        self.refresh();
        Ok(())
    }

    /// Adds a spring.
    ///
    /// # Errors
    /// [`BlocksError`] if its region makes no sense or covers no cell, its rate is not 1 to 256, or
    /// the rule knows whole blocks of water only and it gives something else.
    pub fn add_spring(&mut self, spring: Spring) -> Result<(), BlocksError> {
        check_amount("a spring's rate", spring.rate)?;
        check_cell(Cell::Liquid(spring.liquid, spring.rate), self.params.rule)?;
        let cells = self.some_cells_of(&spring.region, "spring")?;
        self.exchange.springs.push((spring, cells));
        Ok(())
    }

    /// Adds a drain.
    ///
    /// # Errors
    /// [`BlocksError`] if its region makes no sense or covers no cell, its rate is not 1 to 256, or the
    /// rule knows whole blocks only and it takes less.
    pub fn add_drain(&mut self, drain: Drain) -> Result<(), BlocksError> {
        check_amount("a drain's rate", drain.rate)?;
        if self.params.rule == Rule::WholeBlocks {
            check_cell(Cell::Liquid(Liquid::Water, drain.rate), self.params.rule)?;
        }
        let cells = self.some_cells_of(&drain.region, "drain")?;
        self.exchange.drains.push((drain, cells));
        Ok(())
    }

    fn some_cells_of(
        &self,
        region: &Region,
        what: &'static str,
    ) -> Result<Vec<(usize, usize)>, BlocksError> {
        let cells = self.cells_of(region)?;
        if cells.is_empty() { Err(BlocksError::NoCells { what }) } else { Ok(cells) }
    }

    fn cells_of(&self, region: &Region) -> Result<Vec<(usize, usize)>, BlocksError> {
        region.validate()?;
        let (nx, ny) = (self.nx(), self.ny());
        let Ok(lattice) = Square::new(nx, ny, 1.0, 1.0) else {
            return Err(BlocksError::Size { nx, ny, max: super::MAX_SIDE });
        };
        Ok(region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect())
    }
}

fn check_amount(what: &'static str, found: u16) -> Result<(), BlocksError> {
    if (1..=FULL).contains(&found) {
        Ok(())
    } else {
        Err(BlocksError::Amount { what, found: found.into(), allowed: "1 to 256" })
    }
}
