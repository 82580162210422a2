//! The [`Waves`] world: construction, surface and queries.

use super::absorbing::{AbsorbingLayers, SplitHeights};
use super::body::Body;
use super::current::{self, AdvectionField, Current};
use super::dispersion::{self, Filter};
use super::maker::Maker;
use super::params::Params;
use super::rule::Rule;
use super::state::State;
use super::tiles::Tiles;
use super::wave_speed_map::WaveSpeedMap;
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

/// World of waves on a grid. See the [module documentation](super).
#[derive(Clone, Debug)]
pub struct Waves {
    pub(super) lattice: Square,
    pub(super) params: Params,
    pub(super) state: State,
    pub(super) parts: Option<SplitHeights>,
    /// Land mask; `None` without land.
    pub(super) land: Option<Field<bool>>,
    /// Wave speed (m/s) of each cell, instead of the one in `params`.
    pub(super) speed: Option<Field<f32>>,
    pub(super) current: Option<Current>,
    pub(super) bodies: IdList<Body>,
    pub(super) makers: IdList<Maker>,
    pub(super) shower: Option<RainState>,
    pub(super) gusts: Option<WindState>,
    pub(super) ledger: Ledger,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    /// Derived data.
    pub(super) rule: Rule,
    pub(super) speed_map: WaveSpeedMap,
    pub(super) absorbing: AbsorbingLayers,
    pub(super) stream: Option<AdvectionField>,
    pub(super) drift: current::Workspace,
    pub(super) filter: Option<Filter>,
    pub(super) tiles: Tiles,
    /// Moved out during steps, which borrow the whole world.
    pub(super) scratch: ScratchPool,
}

impl Waves {
    /// Creates a world with a flat surface at rest, at height 0.
    ///
    /// # Errors
    /// [`InputError`] if a parameter is out of its range, cells are not square, the step is too
    /// long for the speed (the error contains the limits of both), or the water is too deep for
    /// dispersion.
    pub fn new(lattice: Square, params: Params) -> Result<Self, InputError> {
        params.validate()?;
        check_square(&lattice)?;
        let filter = dispersion::filter(&params, &lattice)?;
        let quantum = params.quantum() as f32;
        let mut waves = Self {
            state: State::new(lattice.nx(), lattice.ny(), quantum),
            rule: Rule::of(&params, &lattice),
            parts: SplitHeights::new(&params, lattice.nx(), lattice.ny()),
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
            speed_map: WaveSpeedMap::default(),
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

    /// Sets the surface (m), at rest, rounded to whole quanta. The ledger records the change of
    /// volume as an edit.
    ///
    /// # Errors
    /// [`InputError`] if the field has another shape than the grid, or a height outside
    /// ±[`Params::highest`].
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
        self.parts = SplitHeights::new(&self.params, surface.nx(), surface.ny());
        self.state.height = surface.map(|&z| self.rule.quantize(z));
        self.ledger.record(Cause::Edit, self.volume() - before);
        self.tiles.wake_all();
        Ok(())
    }

    /// Returns the geometry of cells and faces.
    pub fn lattice(&self) -> &Square {
        &self.lattice
    }

    /// Returns the current parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the current heights and fluxes.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the land mask, if there is one.
    pub fn land(&self) -> Option<&Field<bool>> {
        self.land.as_ref()
    }

    /// Returns true on land; false off the grid.
    pub fn is_land(&self, x: usize, y: usize) -> bool {
        self.land.as_ref().and_then(|land| land.get(x, y)).is_some_and(|&land| land)
    }

    /// Simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.params.step
    }

    /// Number of steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Number of tiles that the next step updates; 0 if all are at rest.
    pub fn awake(&self) -> usize {
        self.tiles.count()
    }

    pub(super) fn awake_cells(&self) -> usize {
        self.awake() * TILE * TILE
    }

    /// Returns the volume relative to height 0 (m³), which may be negative. Exact: heights are
    /// whole quanta, and their sum has no rounding error.
    pub fn volume(&self) -> f64 {
        self.state.height.sum() * self.lattice.cell_area()
    }

    /// Mean height (m) over all cells.
    pub fn mean_level(&self) -> f64 {
        self.state.height.sum() / self.lattice.cells() as f64
    }

    /// Returns the water gained and lost, by cause (m³).
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Compares the ledger with the current volume.
    pub fn balance(&self) -> Balance {
        self.ledger.balance(self.volume())
    }

    /// Adds the changes of heights, fluxes and land since the stamp of `changes`. Layers derived
    /// from them may differ one cell further, and light on the bed anywhere.
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
