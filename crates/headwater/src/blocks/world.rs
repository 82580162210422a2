//! [`Blocks`]: a world of blocks with its parameters and ledgers, and checks of its input.

use super::params::{MAX_SIDE, Params, Rule};
use super::sources::exchange::SourceLists;
use super::stages::level;
use super::stages::whole_blocks;
use super::state::cell::{Cell, FULL, Liquid, PackedCell};
use super::state::grid::Grid;
use super::state::ledgers::Ledgers;
use crate::changes::Changes;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::{Balance, Ledger};
use crate::parameter::{Parameters, Range};
use crate::scratch::ScratchPool;

/// A world of blocks in side view: a grid of cells that hold wall, air or a liquid.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub(super) params: Params,
    pub(super) grid: Grid,
    /// Tag of each cell (a number that the application defines), or `None` if no tag was ever set.
    pub(super) tags: Option<Field<u8>>,
    pub(super) exchange: SourceLists,
    pub(super) ledgers: Ledgers,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    pub(super) workspace: level::Workspace,
    pub(super) whole: whole_blocks::Workspace,
    pub(super) scratch: ScratchPool,
}

impl Blocks {
    /// Creates a world from a field of cells. The sides and the bottom of the world are walls,
    /// unless [`Params::west`], [`Params::east`] or [`Params::bottom`] says otherwise. The top is
    /// open to the air, but no liquid leaves through it.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, the field is empty or has more than
    /// [`MAX_SIDE`] columns or rows, or the fill of a liquid is not between 1 and [`FULL`]. With
    /// [`Rule::WholeBlocks`], also returns it if a cell contains a liquid other than a full block
    /// of water.
    pub fn new(cells: &Field<Cell>, params: Params) -> Result<Self, InputError> {
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell, params.rule))?;
        Self::from_packed(&cells.map(|&cell| cell.into()), params)
    }

    pub(super) fn from_packed(
        cells: &Field<PackedCell>,
        params: Params,
    ) -> Result<Self, InputError> {
        params.validate()?;
        check_size(cells.nx(), cells.ny())?;
        let grid = Grid::new(cells, params.trapped_air);
        Ok(Self {
            params,
            ledgers: grid.volumes().map(|volume| Ledger::new(volume.into())),
            grid,
            tags: None,
            exchange: SourceLists::default(),
            steps: 0,
            clock: FixedStep::default(),
            workspace: level::Workspace::default(),
            whole: whole_blocks::Workspace::default(),
            scratch: ScratchPool::default(),
        })
    }

    /// Returns the number of columns of the world.
    pub fn nx(&self) -> usize {
        self.grid.nx()
    }

    /// Returns the number of rows of the world.
    pub fn ny(&self) -> usize {
        self.grid.ny()
    }

    /// Returns the current parameters of the world.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the parameters of a running world. Fixed parameters must keep their current values.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, or if a fixed parameter differs from
    /// its current value. In these cases, nothing changes.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_fixed_unchanged(&self.params)?;
        self.params = params;
        // Liquid at rest under the old parameters may move under the new ones.
        self.grid.relabel_and_wake(self.params.trapped_air);
        Ok(())
    }

    /// Returns the ledger of a liquid: its gains and losses by cause (256ths of a cell).
    pub fn ledger(&self, liquid: Liquid) -> &Ledger<i128> {
        &self.ledgers[liquid as usize]
    }

    /// Returns the balance of a liquid (256ths of a cell): its ledger, its current volume in the
    /// world, and the residual (current volume minus the volume expected from the ledger). Visits
    /// every cell.
    pub fn balance(&self, liquid: Liquid) -> Balance<i128> {
        self.ledger(liquid).balance(self.grid.volumes()[liquid as usize].into())
    }

    /// Replaces the contents of `changes` with the chunks (64 × 64 cells) that have changed since
    /// `changes` was last updated. Layers that depend on distant cells (`body`, `pressure`,
    /// `active`) can change in other chunks too.
    pub fn update_changes(&self, changes: &mut Changes) {
        self.grid.update_changes(changes);
    }

    /// Updates the labels of the whole world (the body or air pocket to which each cell belongs),
    /// without changing any cells. Benchmarks use this method to measure the cost of labelling.
    pub fn relabel(&mut self) {
        match self.params.rule {
            Rule::Fill => self.grid.relabel(&self.scratch),
            Rule::WholeBlocks => self.whole.label_bodies(&self.grid),
        }
    }

    pub(super) fn update_labels(&mut self) {
        match self.params.rule {
            Rule::Fill => self.grid.update_labels(&self.scratch),
            Rule::WholeBlocks => drop(self.grid.track_changes(&self.scratch)),
        }
    }
}

/// Valid range for the fill of a cell and for the amount per cell in an edit (256ths of a cell).
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
