//! [`Blocks`]: the world, how it is made and checked, and its books.

use super::cell::{Cell, FULL, Liquid, Packed};
use super::exchange::Exchange;
use super::grid::Grid;
use super::ledgers::Ledgers;
use super::level;
use super::params::{Params, Rule};
use super::whole;
use crate::changes::Changes;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::{Balance, Ledger};
use crate::parameter::{Parameters, Range};
use crate::scratch::ScratchPool;

/// The most columns or rows a world can have: heights, in 256ths of a cell, must fit in 32 bits.
pub const MAX_SIDE: usize = 1 << 15;

/// A world of cells and liquids in side view.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub(super) params: Params,
    pub(super) grid: Grid,
    /// What the caller has given to cells; `None` if it has given nothing.
    pub(super) tags: Option<Field<u8>>,
    pub(super) exchange: Exchange,
    pub(super) ledgers: Ledgers,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    pub(super) workspace: level::Workspace,
    pub(super) whole: whole::Workspace,
    pub(super) scratch: ScratchPool,
}

impl Blocks {
    /// A world of these cells. Its sides and its bottom are walls; its top is open to the air, but no
    /// water passes there.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, the field is empty or has more than
    /// [`MAX_SIDE`] columns or rows, a liquid does not fill 1 to [`FULL`], or if the rule is
    /// [`Rule::WholeBlocks`] and there is anything but full cells of water.
    pub fn new(cells: &Field<Cell>, params: Params) -> Result<Self, InputError> {
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell, params.rule))?;
        Self::of_packed(&cells.map(|&cell| cell.into()), params)
    }

    pub(super) fn of_packed(cells: &Field<Packed>, params: Params) -> Result<Self, InputError> {
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
            whole: whole::Workspace::default(),
            scratch: ScratchPool::default(),
        })
    }

    /// Columns.
    pub fn nx(&self) -> usize {
        self.grid.nx()
    }

    /// Rows.
    pub fn ny(&self) -> usize {
        self.grid.ny()
    }

    /// The world's parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the parameters of a running world, but for those that belong to it from its start.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range or cannot change. Nothing is changed then.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.check_change(&self.params)?;
        self.params = params;
        // What is at rest by other numbers may not be by these: all of it wakes.
        self.grid.wake_afresh(self.params.trapped_air);
        Ok(())
    }

    /// What came and went of a liquid, by cause, in 256ths of a cell.
    pub fn ledger(&self, liquid: Liquid) -> &Ledger<i128> {
        &self.ledgers[liquid as usize]
    }

    /// A liquid's ledger held against what is there, in 256ths of a cell. It looks at every cell.
    pub fn balance(&self, liquid: Liquid) -> Balance<i128> {
        self.ledger(liquid).balance(self.grid.volumes()[liquid as usize].into())
    }

    /// Updates changes since their stamp, by chunks of 64 × 64 cells. Layers that follow from far
    /// cells (`body`, `pressure`, `active`) may change elsewhere.
    pub fn update_changes(&self, changes: &mut Changes) {
        self.grid.update_changes(changes);
    }

    /// Labels the whole world afresh, which changes nothing: to measure its cost.
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

/// What a fill of a cell, and an amount for a cell, may be (256ths).
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
        let allowed = "256/256 of water: the rule of whole blocks knows nothing else";
        return Err(InputError::new("the liquid in a cell", found, allowed));
    }
    Ok(())
}
