//! `blocks`: water in side view, for worlds built of blocks, where connected vessels level out.
//!
//! A [`Blocks`] world is `nx × ny` cells, row 0 at the top: walls, air, and liquids that fill a cell by
//! 256ths. Liquid is only ever handed on, so that its volume is exact for ever. What stands and hangs
//! together is a body, and levels out by its hydrostatic head at a pace that depends on its height; what
//! nothing holds up falls. There is no momentum: no waves, no splashes, no swirls.
//!
//! ```
//! use headwater::blocks::{Blocks, Cell, Liquid, Params};
//!
//! // Two wells, joined at the bottom.
//! let mut world = Blocks::from_text(
//!     "#~#.#
//!      #~#.#
//!      #~#.#
//!      #~#.#
//!      #~~~#
//!      ######",
//!     Params::default(),
//! )?;
//! world.run_to_rest(100);
//! assert_eq!(
//!     world.to_text(),
//!     "#.#.#\n#.#.#\n#~#~#\n#~#~#\n#~~~#\n#####\n"
//! );
//!
//! // Brick up the way between them, and pour more into the one on the right.
//! world.set(2, 4, Cell::Wall)?;
//! world.set(3, 1, Cell::WATER)?;
//! assert!(world.run_to_rest(100), "a world without springs comes to rest");
//! assert_eq!(world.level(1, 4), Some(4.0), "rows above the bottom of the world");
//! assert_eq!(world.level(3, 4), Some(5.0));
//! assert_eq!(world.balance(Liquid::Water).residual, 0, "not a drop is lost");
//! # Ok::<(), headwater::blocks::BlocksError>(())
//! ```

mod bodies;
mod books;
mod cell;
mod chunk;
mod edit;
mod error;
mod exchange;
mod fall;
mod float;
mod grid;
mod label;
mod level;
mod listed;
mod look;
mod params;
mod plain;
mod query;
mod refresh;
mod share;
mod snapshot;
mod step;
mod stone;
mod text;
mod tune;
mod view;
mod whole;

pub use books::{Account, Balance, Books, Cause};
pub use cell::{Cell, FULL, Liquid};
pub use edit::Edit;
pub use error::BlocksError;
pub use exchange::{Drain, Spring};
pub use params::{Params, ParamsError, Rule};
pub use snapshot::Snapshot;
pub use text::LEGEND;
pub use view::VIEWS;

use crate::field::Field;
use cell::Packed;
use exchange::Exchange;
use grid::Grid;
use whole::Whole;

/// The most columns or rows a world can have: heights, in 256ths of a cell, must fit in 32 bits.
pub const MAX_SIDE: usize = 1 << 15;

/// A world of cells and liquids in side view.
#[derive(Clone, Debug)]
pub struct Blocks {
    params: Params,
    grid: Grid,
    exchange: Exchange,
    books: Books,
    ticks: u64,
    /// Ticks, in parts of one, that [`advance`](Blocks::advance) still owes.
    owed: f64,
    work: level::Work,
    whole: Whole,
}

impl Blocks {
    /// A world of these cells. Its sides and its bottom are walls; its top is open to the air, but no
    /// water passes there.
    ///
    /// # Errors
    /// [`BlocksError`] if a parameter is out of its range, the field is empty or has more than
    /// [`MAX_SIDE`] columns or rows, a liquid does not fill 1 to [`FULL`], or if the rule is
    /// [`Rule::WholeBlocks`] and there is anything but full cells of water.
    pub fn new(cells: &Field<Cell>, params: Params) -> Result<Self, BlocksError> {
        cells.as_slice().iter().try_for_each(|&cell| check_cell(cell, params.rule))?;
        Self::of_packed(&cells.map(|&cell| cell.into()), params)
    }

    fn of_packed(cells: &Field<Packed>, params: Params) -> Result<Self, BlocksError> {
        params.validate()?;
        let (nx, ny) = (cells.nx(), cells.ny());
        if ![nx, ny].iter().all(|n| (1..=MAX_SIDE).contains(n)) {
            return Err(BlocksError::Size { nx, ny, max: MAX_SIDE });
        }
        let grid = Grid::new(cells, params.trapped_air);
        let books = Books::new(grid.volumes());
        let exchange = Exchange::default();
        let (work, whole) = (level::Work::default(), Whole::default());
        Ok(Self { params, grid, exchange, books, ticks: 0, owed: 0.0, work, whole })
    }

    /// Columns.
    pub fn nx(&self) -> usize {
        self.grid.nx()
    }

    /// Rows.
    pub fn ny(&self) -> usize {
        self.grid.ny()
    }

    /// The parameters the world was made with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Ticks done since the start.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.ticks as f64 * self.params.tick
    }

    /// What came and went of each liquid, by cause.
    pub fn ledger(&self) -> &Books {
        &self.books
    }

    /// A liquid's account held against what is there. It looks at every cell.
    pub fn balance(&self, liquid: Liquid) -> Balance {
        let account = self.books.account(liquid).clone();
        let now = self.grid.volumes()[liquid as usize];
        let residual = i128::from(now) - account.expected();
        Balance { liquid, account, now, residual }
    }

    /// Labels the whole world afresh: what stands, what hangs together, where the surfaces are. It changes
    /// nothing; there is no need to call it but to see what it costs.
    pub fn relabel(&mut self) {
        match self.params.rule {
            Rule::Fill => self.grid.relabel(),
            Rule::WholeBlocks => self.whole.label(&self.grid),
        }
    }

    /// Brings the labels up to date, where the rule has any.
    fn refresh(&mut self) {
        if self.params.rule == Rule::Fill {
            self.grid.refresh();
        }
    }
}

/// Checks that a cell can be, under a rule.
fn check_cell(cell: Cell, rule: Rule) -> Result<(), BlocksError> {
    let Cell::Liquid(liquid, fill) = cell else { return Ok(()) };
    if !(1..=FULL).contains(&fill) {
        let (what, allowed) = ("the fill of a cell", "1 to 256");
        return Err(BlocksError::Amount { what, found: fill.into(), allowed });
    }
    if rule == Rule::WholeBlocks && cell != Cell::WATER {
        return Err(BlocksError::NotWhole { liquid: liquid.name(), fill });
    }
    Ok(())
}
