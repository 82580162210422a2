//! [`Blocks`]: the world, its construction and validation, and its ledgers.

use super::cell::{Cell, FULL, Liquid, Packed};
use super::exchange::Exchange;
use super::grid::Grid;
use super::ledgers::Ledgers;
use super::level;
use super::params::{Params, Rule};
use super::whole_blocks;
use crate::changes::Changes;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::{Balance, Ledger};
use crate::parameter::{Parameters, Range};
use crate::scratch::ScratchPool;

/// Largest number of columns or rows, so that heights in 256ths of a cell fit in 32 bits.
pub const MAX_SIDE: usize = 1 << 15;

/// A world of cells and liquids in side view.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub(super) params: Params,
    pub(super) grid: Grid,
    /// Tags of cells; `None` if none was ever set.
    pub(super) tags: Option<Field<u8>>,
    pub(super) exchange: Exchange,
    pub(super) ledgers: Ledgers,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    pub(super) workspace: level::Workspace,
    pub(super) whole: whole_blocks::Workspace,
    pub(super) scratch: ScratchPool,
}

impl Blocks {
    /// Creates a world from cells. Its sides and bottom are walls. Its top is open to the air, but
    /// no water leaves there.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of range, if the field is empty or has more than
    /// [`MAX_SIDE`] columns or rows, if a liquid does not fill 1 to [`FULL`], or if the rule is
    /// [`Rule::WholeBlocks`] and there is any liquid but full cells of water.
    pub fn new(cells: &Field<Cell>, params: Params) -> Result<Self, InputError> {
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell, params.rule))?;
        Self::from_packed(&cells.map(|&cell| cell.into()), params)
    }

    pub(super) fn from_packed(cells: &Field<Packed>, params: Params) -> Result<Self, InputError> {
        params.validate()?;
        check_size(cells.nx(), cells.ny())?;
        let grid = Grid::new(cells, params.trapped_air);
        Ok(Self {
            params,
            ledgers: grid.volumes().map(|volume| Ledger::new(volume.into())),
            grid,
            tags: None,
            exchange: Exchange::default(),
            steps: 0,
            clock: FixedStep::default(),
            workspace: level::Workspace::default(),
            whole: whole_blocks::Workspace::default(),
            scratch: ScratchPool::default(),
        })
    }

    /// Returns the number of columns.
    pub fn nx(&self) -> usize {
        self.grid.nx()
    }

    /// Returns the number of rows.
    pub fn ny(&self) -> usize {
        self.grid.ny()
    }

    /// Returns the parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the parameters of a running world. Some are fixed at creation.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of range or fixed. Nothing changes then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_change(&self.params)?;
        self.params = params;
        // Liquid at rest under the old parameters may move under the new ones.
        self.grid.relabel_and_wake(self.params.trapped_air);
        Ok(())
    }

    /// Returns the gains and losses of a liquid by cause (256ths of a cell).
    pub fn ledger(&self, liquid: Liquid) -> &Ledger<i128> {
        &self.ledgers[liquid as usize]
    }

    /// Compares the ledger of a liquid with its volume (256ths of a cell). Visits every cell.
    pub fn balance(&self, liquid: Liquid) -> Balance<i128> {
        self.ledger(liquid).balance(self.grid.volumes()[liquid as usize].into())
    }

    /// Updates `changes` since their stamp, in chunks of 64 × 64 cells. Layers that depend on
    /// distant cells (`body`, `pressure`, `active`) can change elsewhere too.
    pub fn update_changes(&self, changes: &mut Changes) {
        self.grid.update_changes(changes);
    }

    /// Relabels the whole world without changing it, to measure the cost.
    pub fn relabel(&mut self) {
        match self.params.rule {
            Rule::Fill => self.grid.relabel(&self.scratch),
            Rule::WholeBlocks => self.whole.label(&self.grid),
        }
    }

    pub(super) fn refresh(&mut self) {
        match self.params.rule {
            Rule::Fill => self.grid.refresh(&self.scratch),
            Rule::WholeBlocks => drop(self.grid.track_changes(&self.scratch)),
        }
    }
}

/// Allowed fill of a cell, and allowed amount per cell (256ths).
pub const AMOUNT: Range = Range::new(1.0, FULL as f64);

pub(super) fn check_size(nx: usize, ny: usize) -> Result<(), InputError> {
    if [nx, ny].iter().all(|n| (1..=MAX_SIDE).contains(n)) {
        return Ok(());
    }
    let allowed = format!("1 to {MAX_SIDE} columns and rows");
    Err(InputError::new("the size of a world", format!("{nx} × {ny}"), allowed))
}

pub(super) fn check_cell(cell: Cell, rule: Rule) -> Result<(), InputError> {
    let Cell::Liquid(liquid, fill) = cell else { return Ok(()) };
    AMOUNT.check("the fill of a cell", fill.into(), "256ths")?;
    if rule == Rule::WholeBlocks && cell != Cell::WATER {
        let found = format!("{fill}/256 of {}", liquid.name());
        let allowed = "256/256 of water, the only liquid of whole blocks";
        return Err(InputError::new("the liquid in a cell", found, allowed));
    }
    Ok(())
}
