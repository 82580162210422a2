//! [`Waves`], the world type of this model, with its constructor, accessors and queries.

use super::current::{self, AdvectionField, Current};
use super::dispersion::{self, DispersionFilter};
use super::forcing::body::Body;
use super::forcing::maker::WaveMaker;
use super::forcing::weather::{RainState, WindState};
use super::params::Params;
use super::solver::absorbing::{AbsorbingLayers, SplitHeights};
use super::solver::rule::WaveCoefficients;
use super::solver::wave_speed_map::WaveSpeedMap;
use super::state::State;
use super::state::tiles::Tiles;
use crate::changes::{Changes, TILE};
use crate::check::check_field;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::IdList;
use crate::lattice::Square;
use crate::ledger::{Balance, Cause, Ledger};
use crate::scratch::ScratchPool;

/// A simulation of waves on a grid of square cells. See the [module documentation](super).
#[derive(Clone, Debug)]
pub struct Waves {
    pub(super) lattice: Square,
    pub(super) params: Params,
    pub(super) state: State,
    pub(super) parts: Option<SplitHeights>,
    /// Land mask, in which land cells are true. `None` if there is no land.
    pub(super) land: Option<Field<bool>>,
    /// Wave speed of each cell (m/s), which is used instead of `params.speed`. `None` if the wave
    /// speed is uniform.
    pub(super) speed: Option<Field<f32>>,
    pub(super) current: Option<Current>,
    pub(super) bodies: IdList<Body>,
    pub(super) makers: IdList<WaveMaker>,
    pub(super) shower: Option<RainState>,
    pub(super) gusts: Option<WindState>,
    pub(super) ledger: Ledger,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    pub(super) rule: WaveCoefficients,
    pub(super) speed_map: WaveSpeedMap,
    pub(super) absorbing: AbsorbingLayers,
    pub(super) stream: Option<AdvectionField>,
    pub(super) drift: current::AdvectionWorkspace,
    pub(super) filter: Option<DispersionFilter>,
    pub(super) tiles: Tiles,
    /// Buffers that are reused between steps. A step temporarily moves this pool out of the world,
    /// because it also needs exclusive access to the rest of the world.
    pub(super) scratch: ScratchPool,
}

impl Waves {
    /// Creates a world at rest, whose surface is flat at height 0.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, if cells are not square, if the time
    /// step is too long for the wave speed, or if the water is too deep for dispersion. If the time
    /// step is too long, the error contains the limits of time step and wave speed.
    pub fn new(lattice: Square, params: Params) -> Result<Self, InputError> {
        params.validate()?;
        check_square(&lattice)?;
        let filter = dispersion::fit_filter(&params, &lattice)?;
        let quantum = params.height_unit() as f32;
        let mut waves = Self {
            state: State::new(lattice.nx(), lattice.ny(), quantum),
            rule: WaveCoefficients::from_params(&params, &lattice),
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
            drift: current::AdvectionWorkspace::default(),
            filter,
            tiles: Tiles::new(lattice.nx(), lattice.ny()),
            scratch: ScratchPool::default(),
        };
        waves.check_speeds(None)?;
        waves.update_derived_and_wake();
        Ok(waves)
    }

    /// Sets the height of the surface in every cell (m), rounded to a multiple of the unit of
    /// height. Sets all fluxes to 0. The ledger records the change in volume as an edit.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of the field differs from that of the grid, or if a
    /// height is outside ±[`Params::highest`].
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

    /// Returns the lattice, which defines the geometry of cells and faces.
    pub fn lattice(&self) -> &Square {
        &self.lattice
    }

    /// Returns the current parameters of the world.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the current state of the surface: its heights and fluxes.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the land mask, in which land cells are true. Returns `None` if there is no land.
    pub fn land(&self) -> Option<&Field<bool>> {
        self.land.as_ref()
    }

    /// Returns whether the cell in column `x` and row `y` is land. Returns false off the grid.
    pub fn is_land(&self, x: usize, y: usize) -> bool {
        self.land.as_ref().and_then(|land| land.get(x, y)).is_some_and(|&land| land)
    }

    /// Returns the simulated time since the start (s).
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.params.step
    }

    /// Returns the number of steps performed since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of tiles that the next step updates. It is 0 if the whole surface is at
    /// rest.
    pub fn awake_tile_count(&self) -> usize {
        self.tiles.awake_count()
    }

    pub(super) fn awake_cell_count(&self) -> usize {
        self.awake_tile_count() * TILE * TILE
    }

    /// Returns the volume of water relative to a flat surface at height 0 (m³), which can be
    /// negative. The result has no rounding error, because heights are multiples of a fixed unit.
    pub fn volume(&self) -> f64 {
        self.state.height.sum() * self.lattice.cell_area()
    }

    /// Returns the largest height that is guaranteed to be stored exactly (m). It is at least
    /// 4·[`Params::highest`]. Greater heights are rounded, which changes the volume.
    pub fn highest_exact(&self) -> f64 {
        self.params.height_unit() * f64::from(1 << f32::MANTISSA_DIGITS)
    }

    /// Returns the mean height of the surface over all cells (m).
    pub fn mean_level(&self) -> f64 {
        self.state.height.sum() / self.lattice.cell_count() as f64
    }

    /// Returns the ledger, which lists the volumes of water gained and lost since the start by
    /// cause (m³).
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Returns the mass balance of the water: the ledger, the current volume (m³) and the residual.
    pub fn balance(&self) -> Balance {
        self.ledger.balance(self.volume())
    }

    /// Replaces the contents of `changes` with the tiles in which heights, fluxes or land have
    /// changed since the previous update of `changes`. Layers derived from these fields can also
    /// change in cells next to these tiles, and the caustics can change anywhere.
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
