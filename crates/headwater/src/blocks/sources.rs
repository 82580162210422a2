//! What a world lets be done to its springs and drains.

use super::cell::{Cell, Liquid};
use super::exchange::{Drain, Spring};
use super::params::Rule;
use super::world::{AMOUNT, Blocks, check_cell};
use crate::error::InputError;
use crate::ids::{IdList, source_methods};

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
    source_methods! {
        /// Adds a spring.
        ///
        /// # Errors
        /// [`InputError`] if its region makes no sense or covers no cell, its rate is not 1 to 256, or
        /// the rule knows whole blocks of water only and it gives something else.
        add_spring, set_spring, remove_spring: "a spring", Spring, springs, Self::with_fed_cells, 0
    }

    source_methods! {
        /// Adds a drain.
        ///
        /// # Errors
        /// [`InputError`] if its region makes no sense or covers no cell, its rate is not 1 to 256, or
        /// the rule knows whole blocks only and it takes less.
        add_drain, set_drain, remove_drain: "a drain", Drain, drains, Self::with_drained_cells, 0
    }

    /// The springs, each with the cells that it feeds.
    pub fn springs(&self) -> &IdList<(Spring, Vec<(usize, usize)>)> {
        &self.exchange.springs
    }

    /// The drains, each with the cells that it drains.
    pub fn drains(&self) -> &IdList<(Drain, Vec<(usize, usize)>)> {
        &self.exchange.drains
    }

    pub(super) fn with_fed_cells(&self, spring: Spring) -> Result<(Spring, Cells), InputError> {
        spring.check(self.params.rule)?;
        let cells = self.some_cells_of(&spring.region, "a spring's region")?;
        Ok((spring, cells))
    }

    pub(super) fn with_drained_cells(&self, drain: Drain) -> Result<(Drain, Cells), InputError> {
        drain.check(self.params.rule)?;
        let cells = self.some_cells_of(&drain.region, "a drain's region")?;
        Ok((drain, cells))
    }
}
