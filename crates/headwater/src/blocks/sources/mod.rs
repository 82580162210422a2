//! Methods that add, change and remove springs and drains.

pub(super) mod exchange;

use super::params::Rule;
use super::state::cell::{Cell, Liquid};
use super::world::{AMOUNT, Blocks, check_cell};
use crate::error::InputError;
use crate::ids::{IdList, source_methods};
use exchange::{Drain, Spring};

type CellList = Vec<(usize, usize)>;

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
        /// Adds a spring to the world and returns its identifier.
        ///
        /// # Errors
        /// Returns [`InputError`] if the region is malformed or covers no cell, if the rate is not
        /// between 1 and 256, or if the rule is [`Rule::WholeBlocks`] and the spring adds anything
        /// but full cells of water.
        add_spring, set_spring, remove_spring: "a spring", Spring, springs,
        Self::locate_spring_cells, 0
    }

    source_methods! {
        /// Adds a drain to the world and returns its identifier.
        ///
        /// # Errors
        /// Returns [`InputError`] if the region is malformed or covers no cell, if the rate is not
        /// between 1 and 256, or if the rule is [`Rule::WholeBlocks`] and the rate is below 256.
        add_drain, set_drain, remove_drain: "a drain", Drain, drains, Self::locate_drain_cells, 0
    }

    /// Returns the springs by identifier. Each spring comes with the column and row of every cell
    /// in its region.
    pub fn springs(&self) -> &IdList<(Spring, Vec<(usize, usize)>)> {
        &self.exchange.springs
    }

    /// Returns the drains by identifier. Each drain comes with the column and row of every cell in
    /// its region.
    pub fn drains(&self) -> &IdList<(Drain, Vec<(usize, usize)>)> {
        &self.exchange.drains
    }

    pub(super) fn locate_spring_cells(
        &self,
        spring: Spring,
    ) -> Result<(Spring, CellList), InputError> {
        spring.check(self.params.rule)?;
        let cells = self.require_cells_in_region(&spring.region, "a spring's region")?;
        Ok((spring, cells))
    }

    pub(super) fn locate_drain_cells(&self, drain: Drain) -> Result<(Drain, CellList), InputError> {
        drain.check(self.params.rule)?;
        let cells = self.require_cells_in_region(&drain.region, "a drain's region")?;
        Ok((drain, cells))
    }
}
