//! `columns`: pools in side view, for worlds of walls along the axes. A designer says with anchors where water
//! stands; it waves, runs over sills and through openings, stands under ceilings, and keeps its volume.
//!
//! A [`Columns`] world is made from a board of walls: the runs of air above one another in every column of cells,
//! strung together into pools where each column has one neighbour on either side, and joined where it
//! has more. Each column of water has a depth, each edge between two a velocity. Depths are whole quanta,
//! 2⁻²⁸ of the board's height or a little more, so that volume is exact for ever. After "2D magic in detail,
//! part four: water" (2016), whose springs are there too ([`Motion::Springs`]); what it wished for and did
//! not find, water that can be poured and communicating vessels, is what discharges are for.
//!
//! Water may have heat ([`Params::heat`]): ice grows on it, floats and holds waves, hearths make it boil, and what goes as
//! steam is on the ledger.
//!
//! It knows no swirls and no water in the air: what runs over a sill is below in the next step. Under ice nothing
//! flows.
//!
//! ```
//! use headwater::Region;
//! use headwater::columns::{Columns, Edit, Params};
//!
//! // Two wells with a passage at the bottom, cells of half a metre. Water stands where `~` says, and
//! // wherever it can get from there.
//! let mut world = Columns::from_text(
//!     "#.#####.#
//!      #.#####.#
//!      #~#####.#
//!      #.#####.#
//!      #.......#
//!      ##########",
//!     0.5,
//!     Params { damping: 0.5, ..Params::default() },
//! )?;
//! assert_eq!(world.surface_at([3.75, 1.9]), Some(2.0), "metres above the bottom of the board");
//! assert!(world.ignored().is_empty());
//!
//! // Pour a quarter of a cubic metre (for each metre of thickness) into the well on the right.
//! world.edit(&Region::disc([3.75, 0.6], 0.1), Edit::Pour(0.25))?;
//! for _ in 0..1200 {
//!     world.advance(1.0 / 60.0)?;
//! }
//! let [left, right] = [0.75, 3.75].map(|x| world.surface_at([x, 1.9]).unwrap_or(0.0));
//! assert!((left - right).abs() < 0.05 && left > 2.2, "it rises in both: {left} {right}");
//! assert_eq!(world.balance().residual, 0.0, "not a drop is lost");
//!
//! // With heat, water freezes over and boils away. This lake does the former, ten thousand times as fast as in nature.
//! use headwater::columns::Heat;
//! let heat = Heat { air: -10.0, water: Some(1.0), pace: 1e4, ..Heat::default() };
//! let params = Params { heat: Some(heat), ..Params::default() };
//! let mut lake = Columns::from_text("~........\n.........\n.........", 0.5, params)?;
//! for _ in 0..600 {
//!     lake.step();
//! }
//! let ice = lake.ice_at([2.0, 1.0]).unwrap_or(0.0);
//! assert!(ice > 0.03 && lake.temperature_at([2.0, 1.4]) > Some(0.0), "{ice} m of ice on water");
//! assert_eq!(lake.balance().residual, 0.0, "ice is water");
//! assert_eq!(lake.heat_balance().map(|heat| heat.residual), Some(0.0));
//! # Ok::<(), headwater::columns::ColumnsError>(())
//! ```

mod air;
mod anchor;
mod board;
mod contact;
mod edit;
mod energy;
mod error;
mod exchange;
mod fill;
mod float;
mod foam;
mod heat;
mod joints;
mod layout;
mod light;
mod line;
mod loops;
mod outline;
mod params;
mod plain;
mod pressure;
mod query;
mod rows;
mod shape;
mod sleep;
mod snapshot;
mod springs;
mod stand;
mod state;
mod step;
mod sweep;
mod text;
mod tune;
mod vessel;
mod view;
mod walls;

pub use anchor::{Anchor, AnchorKind, Ignored, Reason};
pub use edit::Edit;
pub use energy::Energy;
pub use error::ColumnsError;
pub use exchange::{Source, Wind};
pub use fill::Run;
pub use float::Floater;
pub use heat::{Heat, HeatBalance, HeatLedger, Heater};
pub use joints::{Fall, Opening};
pub use light::{Light, Sun};
pub use outline::Outline;
pub use params::{Motion, Params, ParamsError};
pub use query::{Body, Bounds, Submersion};
pub use snapshot::Snapshot;
pub use step::Frame;
pub use text::{LEGEND, read_map};
pub use view::VIEWS;

use crate::field::Field;
use crate::ledger::{Balance, Ledger};
use air::Bubble;
use anchor::Standing;
use board::Regions;
use exchange::Exchange;
use float::Ride;
use heat::Warmth;
use layout::{Layout, SKY};
use pressure::Heads;
use sleep::Sleep;
use state::{Rule, State};

/// The most columns or rows of cells that a board can have.
pub const MAX_SIDE: usize = 1 << 20;

/// A world of pools.
#[derive(Clone, Debug)]
pub struct Columns {
    params: Params,
    layout: Layout,
    state: State,
    bubbles: Vec<Bubble>,
    exchange: Exchange,
    sleep: Sleep,
    /// `None` if the world has no heat.
    warmth: Option<Warmth>,
    floaters: Vec<Floater>,
    rides: Vec<Ride>,
    ignored: Vec<Ignored>,
    /// In quanta: whole numbers, exact in f64.
    books: Ledger,
    steps: u64,
    /// Steps that frames have asked for beyond the whole ones done; below 1.
    owed: f64,
    heads: Heads,
    /// What follows from the above.
    rule: Rule,
    open: Vec<bool>,
}

impl Columns {
    /// A world on a board of cells of `cell` m, where `true` is wall. Its sides and its bottom are walls, its top
    /// is the open sky. Anchors that make no sense are left aside, and listed by
    /// [`ignored`](Self::ignored).
    ///
    /// # Errors
    /// [`ColumnsError`] if a parameter is out of its range, the board is empty or has more than
    /// [`MAX_SIDE`] columns or rows, the size of a cell is not a number above 0, or waves are too fast for
    /// the step.
    pub fn new(
        walls: &Field<bool>,
        cell: f64,
        anchors: &[Anchor],
        params: Params,
    ) -> Result<Self, ColumnsError> {
        let layout = lay_out(walls, cell, &params)?;
        let regions = &layout.regions;
        let standing = Standing::new(&layout.rects, anchors, regions.nx(), regions.ny(), cell);
        let mut depth = vec![0; layout.columns()];
        let mut excess = vec![0; layout.columns()];
        for (rect, level) in standing.level.iter().enumerate() {
            let Some(level) = level else { continue };
            let surface = layout.quanta(level * cell);
            for c in layout.rect_columns[rect].clone() {
                depth[c] = pressure::standing(&layout, c, surface, params.gravity);
                if surface > layout.ceiling[c] {
                    excess[c] = surface - layout.floor[c] - depth[c];
                }
            }
        }
        let pockets = standing.pockets.iter();
        let bubbles = pockets.map(|pocket| Bubble::new(pocket, &layout, &depth)).collect();
        let springs = params.motion == Motion::Springs;
        let state = State::new(depth, layout.joints.len(), springs);
        let warmth = params.heat.as_ref().map(|heat| Warmth::new(heat, &layout, &state.depth));
        let start: i64 = state.depth.iter().map(|&depth| i64::from(depth)).sum();
        Ok(Self {
            heads: Heads::of(&layout, excess),
            rule: Rule::new(&params, &layout),
            sleep: Sleep::new(layout.pools.len()),
            open: Vec::new(),
            exchange: Exchange::default(),
            warmth,
            floaters: Vec::new(),
            rides: Vec::new(),
            ignored: standing.ignored,
            books: Ledger::new(start as f64),
            steps: 0,
            owed: 0.0,
            params,
            layout,
            state,
            bubbles,
        })
    }

    /// Opens the books over the water that is there, as at the start.
    fn open_books(&mut self) {
        self.books = Ledger::new(self.quanta() as f64);
        let (layout, depth) = (&self.layout, &self.state.depth);
        self.warmth = self.params.heat.as_ref().map(|heat| Warmth::new(heat, layout, depth));
    }

    /// The parameters the world was made with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The anchors that were left aside, and why, in the order in which they were given.
    pub fn ignored(&self) -> &[Ignored] {
        &self.ignored
    }

    /// The walls.
    pub fn walls(&self) -> Field<bool> {
        self.layout.regions.walls()
    }

    /// Size of a cell (m).
    pub fn cell(&self) -> f64 {
        self.layout.cell
    }

    /// Width of a column of water (m).
    pub fn column_width(&self) -> f64 {
        self.layout.width
    }

    /// What depths are whole multiples of (m).
    pub fn quantum(&self) -> f64 {
        self.layout.quantum
    }

    /// Columns of all pools, wet or dry.
    pub fn columns(&self) -> usize {
        self.layout.columns()
    }

    /// Bubbles that are kept.
    pub fn bubbles(&self) -> usize {
        self.bubbles.len()
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.params.step
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The volume of all water (m³ for a world 1 m thick). Exact: depths are whole quanta.
    pub fn volume(&self) -> f64 {
        self.quanta() as f64 * self.layout.quantum_volume()
    }

    fn quanta(&self) -> i64 {
        self.state.depth.iter().map(|&depth| i64::from(depth)).sum()
    }

    /// What came and went, by cause (m³ for a world 1 m thick).
    pub fn ledger(&self) -> Ledger {
        self.books.scaled(self.layout.quantum_volume())
    }

    /// The ledger held against the volume that is there. The residual is counted in whole quanta, and so
    /// exact.
    pub fn balance(&self) -> Balance {
        let quanta = self.books.balance(self.quanta() as f64);
        let unit = self.layout.quantum_volume();
        Balance {
            ledger: self.ledger(),
            now: quanta.now * unit,
            residual: quanta.residual * unit,
            residual_relative: quanta.residual_relative,
        }
    }
}

/// Checks a board and its parameters, and lays out its columns.
fn lay_out(walls: &Field<bool>, cell: f64, params: &Params) -> Result<Layout, ColumnsError> {
    params.validate()?;
    let (nx, ny) = (walls.nx(), walls.ny());
    if ![nx, ny].iter().all(|n| (1..=MAX_SIDE).contains(n)) {
        return Err(ColumnsError::Size { nx, ny, max: MAX_SIDE });
    }
    let in_range = (1e-6..=1e6).contains(&cell);
    error::number("the size of a cell", cell, in_range, "from 1e-6 to 1e6 m")?;
    let layout = Layout::new(Regions::new(walls), cell, params.columns_per_cell as usize);
    if params.motion == Motion::Discharge {
        check_stable(params, layout.width)?;
    }
    Ok(layout)
}

/// Checks the speed of waves over columns of this width (m) against the step.
fn check_stable(params: &Params, width: f64) -> Result<(), ColumnsError> {
    let (courant, largest) = (params.courant(width), params.largest_courant());
    if courant > largest * (1.0 + 1e-12) {
        let Params { wave_depth, step, .. } = *params;
        let times = largest / courant;
        return Err(ColumnsError::Unstable {
            wave_depth,
            step,
            width,
            courant,
            largest,
            largest_depth: wave_depth * times * times,
            largest_step: step * times,
        });
    }
    Ok(())
}
