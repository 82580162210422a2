//! What a world lets be done to its springs and drains.

use super::cell::{Cell, Liquid};
use super::exchange::{Drain, Spring};
use super::params::Rule;
use super::world::{AMOUNT, Blocks, check_cell};
use crate::error::InputError;
use crate::ids::{Id, IdList};

type Cells = Vec<(usize, usize)>;

impl Spring {
    pub(super) fn check(&self, rule: Rule) -> Result<(), InputError> {
        AMOUNT.check("a spring's rate", self.rate.into(), "256ths")?;
        check_cell(Cell::Liquid(self.liquid, self.rate), rule)
    }
}

impl Drain {
    pub(super) fn check(&self, rule: Rule) -> Result<(), InputError> {
        AMOUNT.check("a drain's rate", self.rate.into(), "256ths")?;
        if rule == Rule::WholeBlocks {
            check_cell(Cell::Liquid(Liquid::Water, self.rate), rule)?;
        }
        Ok(())
    }
}

impl Blocks {
    /// Adds a spring.
    ///
    /// # Errors
    /// [`InputError`] if its region makes no sense or covers no cell, its rate is not 1 to 256, or
    /// the rule knows whole blocks of water only and it gives something else.
    pub fn add_spring(&mut self, spring: Spring) -> Result<Id, InputError> {
        let cells = self.cells_of_spring(&spring)?;
        Ok(self.exchange.springs.add((spring, cells)))
    }

    /// Adds a drain.
    ///
    /// # Errors
    /// [`InputError`] if its region makes no sense or covers no cell, its rate is not 1 to 256, or the
    /// rule knows whole blocks only and it takes less.
    pub fn add_drain(&mut self, drain: Drain) -> Result<Id, InputError> {
        let cells = self.cells_of_drain(&drain)?;
        Ok(self.exchange.drains.add((drain, cells)))
    }

    /// The springs, each with the cells that it feeds.
    pub fn springs(&self) -> &IdList<(Spring, Vec<(usize, usize)>)> {
        &self.exchange.springs
    }

    /// The drains, each with the cells that it drains.
    pub fn drains(&self) -> &IdList<(Drain, Vec<(usize, usize)>)> {
        &self.exchange.drains
    }

    /// Puts another spring in the place of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring, or as of [`add_spring`](Self::add_spring).
    pub fn set_spring(&mut self, id: Id, spring: Spring) -> Result<(), InputError> {
        let i = self.exchange.springs.find("a spring", id)?;
        let cells = self.cells_of_spring(&spring)?;
        self.exchange.springs[i] = (spring, cells);
        Ok(())
    }

    /// Puts another drain in the place of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain, or as of [`add_drain`](Self::add_drain).
    pub fn set_drain(&mut self, id: Id, drain: Drain) -> Result<(), InputError> {
        let i = self.exchange.drains.find("a drain", id)?;
        let cells = self.cells_of_drain(&drain)?;
        self.exchange.drains[i] = (drain, cells);
        Ok(())
    }

    /// Takes a spring out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring.
    pub fn remove_spring(&mut self, id: Id) -> Result<Spring, InputError> {
        Ok(self.exchange.springs.remove("a spring", id)?.0)
    }

    /// Takes a drain out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain.
    pub fn remove_drain(&mut self, id: Id) -> Result<Drain, InputError> {
        Ok(self.exchange.drains.remove("a drain", id)?.0)
    }

    pub(super) fn cells_of_spring(&self, spring: &Spring) -> Result<Cells, InputError> {
        spring.check(self.params.rule)?;
        self.some_cells_of(&spring.region, "a spring's region")
    }

    pub(super) fn cells_of_drain(&self, drain: &Drain) -> Result<Cells, InputError> {
        drain.check(self.params.rule)?;
        self.some_cells_of(&drain.region, "a drain's region")
    }
}
