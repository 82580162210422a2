//! [`Waves`]: a world of waves, what it holds and what can be asked of it.

use super::absorbing::{AbsorbingLayers, Parts};
use super::body::Body;
use super::current::{self, Current, Stream};
use super::dispersion::{self, Filter};
use super::maker::Maker;
use super::medium::Medium;
use super::params::Params;
use super::rule::Rule;
use super::state::State;
use super::tiles::Tiles;
use super::weather::{RainState, WindState};
use crate::changes::{Changes, TILE};
use crate::check::check_field;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::IdList;
use crate::lattice::Square;
use crate::ledger::{Balance, Cause, Ledger};
use crate::scratch::ScratchPool;

/// A world of waves.
#[derive(Clone, Debug)]
pub struct Waves {
    pub(super) lattice: Square,
    pub(super) params: Params,
    pub(super) state: State,
    pub(super) parts: Option<Parts>,
    /// Where land is; `None` if nowhere.
    pub(super) land: Option<Field<bool>>,
    /// Speed of waves (m/s) in each cell, in place of the one of `params`.
    pub(super) speed: Option<Field<f32>>,
    pub(super) current: Option<Current>,
    pub(super) bodies: IdList<Body>,
    pub(super) makers: IdList<Maker>,
    pub(super) shower: Option<RainState>,
    pub(super) gusts: Option<WindState>,
    pub(super) ledger: Ledger,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    /// What follows from the above.
    pub(super) rule: Rule,
    pub(super) medium: Medium,
    pub(super) absorbing: AbsorbingLayers,
    pub(super) stream: Option<Stream>,
    pub(super) drift: current::Workspace,
    pub(super) filter: Option<Filter>,
    pub(super) tiles: Tiles,
    /// Steps that change the world as a whole take it out for as long.
    pub(super) scratch: ScratchPool,
}

impl Waves {
    /// A world with a flat surface at rest, at height 0.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, cells are not square, the step is too long
    /// for the speed (the error says the largest of either), or the water too deep for dispersion.
    pub fn new(lattice: Square, params: Params) -> Result<Self, InputError> {
        params.validate()?;
        check_square(&lattice)?;
        let filter = dispersion::filter(&params, &lattice)?;
        let quantum = params.quantum() as f32;
        let mut waves = Self {
            state: State::new(lattice.nx(), lattice.ny(), quantum),
            rule: Rule::of(&params, &lattice),
            parts: Parts::new(&params, lattice.nx(), lattice.ny()),
            lattice,
            params,
            land: None,
            speed: None,
            current: None,
            bodies: IdList::default(),
            makers: IdList::default(),
            shower: None,
            gusts: None,
            ledger: Ledger::default(),
            steps: 0,
            clock: FixedStep::default(),
            medium: Medium::default(),
            absorbing: AbsorbingLayers::default(),
            stream: None,
            drift: current::Workspace::default(),
            filter,
            tiles: Tiles::new(lattice.nx(), lattice.ny()),
            scratch: ScratchPool::default(),
        };
        waves.check_speeds(None)?;
        waves.update_all();
        Ok(waves)
    }

    /// Sets the surface (m), at rest, to the nearest whole quanta; what that adds or takes is booked as
    /// an edit.
    ///
    /// # Errors
    /// [`InputError`] if the field has another shape than the grid, or a height above
    /// [`Params::highest`] or below its opposite.
    pub fn set_surface(&mut self, surface: &Field<f32>) -> Result<(), InputError> {
        let highest = self.params.highest;
        let fits = |z: f32| f64::from(z.abs()) <= highest;
        check_field(
            "height",
            surface,
            &self.lattice.into(),
            format!("-{highest} to {highest} m"),
            fits,
        )?;
        let before = self.volume();
        self.state = State::new(surface.nx(), surface.ny(), self.state.quantum);
        self.parts = Parts::new(&self.params, surface.nx(), surface.ny());
        self.state.height = surface.map(|&z| self.rule.whole(z));
        self.ledger.record(Cause::Edit, self.volume() - before);
        self.tiles.wake_all();
        Ok(())
    }

    /// Where cells and faces are.
    pub fn lattice(&self) -> &Square {
        &self.lattice
    }

    /// The parameters the world was made with.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Heights and fluxes as they are.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Where land is, if there may be any.
    pub fn land(&self) -> Option<&Field<bool>> {
        self.land.as_ref()
    }

    /// True where land is; false off the grid.
    pub fn is_land(&self, x: usize, y: usize) -> bool {
        self.land.as_ref().and_then(|land| land.get(x, y)).is_some_and(|&land| land)
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.params.step
    }

    /// Steps done since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of tiles that the next step moves; 0 where all is at rest.
    pub fn awake(&self) -> usize {
        self.tiles.count()
    }

    pub(super) fn awake_cells(&self) -> usize {
        self.awake() * TILE * TILE
    }

    /// The volume above height 0 (m³), below 0 if more is missing than is there. Exact: heights are
    /// whole quanta, and their sum has no rounding.
    pub fn volume(&self) -> f64 {
        self.state.height.sum() * self.lattice.cell_area()
    }

    /// The mean height (m) over all cells.
    pub fn mean_level(&self) -> f64 {
        self.state.height.sum() / self.lattice.cells() as f64
    }

    /// What came and went, by cause.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The ledger held against the volume that is there.
    pub fn balance(&self) -> Balance {
        self.ledger.balance(self.volume())
    }

    /// Updates changes since their stamp: heights, fluxes and land. Layers made of them may differ
    /// one cell further, light on the bed farther.
    pub fn update_changes(&self, changes: &mut Changes) {
        self.tiles.update_changes(changes);
    }
}

pub(super) fn check_square(lattice: &Square) -> Result<(), InputError> {
    let (dx, dy) = (lattice.dx(), lattice.dy());
    if dx == dy {
        return Ok(());
    }
    Err(InputError::new("size of cells", format!("{dx} m × {dy} m"), "square cells"))
}
