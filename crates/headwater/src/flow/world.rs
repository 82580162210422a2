//! A world of water over terrain, [`Flow`], with its constructor and basic queries.

use super::bodies::Body;
use super::boundary::Boundaries;
use super::check::{check_field, is_valid_depth, is_valid_height};
use super::observe::flood::FloodRecord;
use super::observe::tracers::TracerSet;
use super::params::Params;
use super::solver::relaxation::Relaxation;
use super::sources::exchange::Exchange;
use super::sources::flow_ledger::{FlowLedger, PartVolumes};
use super::state::workspace::Workspace;
use super::state::{Momentum, State};
use super::structure::Structures;
use crate::changes::{ChangeTracker, Changes, TILE};
use crate::error::InputError;
use crate::field::Field;
use crate::ids::IdList;
use crate::lattice::Lattice;
use crate::ledger::{Balance, Ledger};
use crate::scratch::ScratchPool;

/// A world of water over terrain: bed, water, sources, boundary conditions, and a ledger of the
/// water balance.
#[derive(Clone, Debug)]
pub struct Flow {
    pub(crate) lattice: Lattice,
    pub(crate) params: Params,
    pub(crate) state: State,
    pub(crate) boundaries: Boundaries,
    pub(crate) exchange: Exchange,
    pub(crate) structures: Structures,
    pub(crate) roughness: Option<Field<f32>>,
    pub(crate) tracers: Option<TracerSet>,
    pub(crate) flood: Option<Box<FloodRecord>>,
    pub(crate) settling: Option<Box<Relaxation>>,
    pub(crate) bodies: IdList<Body>,
    pub(crate) ledger: FlowLedger,
    pub(crate) time: f64,
    pub(crate) last_dt: f32,
    pub(crate) steps: u64,
    pub(crate) workspace: Workspace,
    pub(crate) scratch: ScratchPool,
    pub(super) changes: ChangeTracker,
}

impl Flow {
    /// Creates a world with water at rest. `bed` is the ground elevation (m) and `depth` the water
    /// depth (m, not negative), two fields of `nx × ny` values. All edges are walls.
    ///
    /// Elevations and depths are stored as `f32`. To keep precision, subtract a common datum so
    /// that bed elevations are near 0: at 2500 m, elevations are resolved only to a quarter of a
    /// millimetre.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of its range, the shape of a field differs from
    /// the lattice, a bed elevation is not between −10⁶ and 10⁶ m, or a depth is not between 0 and
    /// 10⁶ m.
    pub fn new(
        lattice: impl Into<Lattice>,
        params: Params,
        bed: Field<f32>,
        depth: Field<f32>,
    ) -> Result<Self, InputError> {
        let lattice = lattice.into();
        params.validate()?;
        check_field("bed", &bed, &lattice, "-1e6 to 1e6 m", is_valid_height)?;
        check_field("depth", &depth, &lattice, "0 to 1e6 m", is_valid_depth)?;
        let mut state = State::new(&lattice, bed, depth);
        if params.level.has_momentum() {
            state.momentum = Some(Momentum::new(lattice.nx(), lattice.ny()));
        }
        let changes = ChangeTracker::new(lattice.nx(), lattice.ny());
        let mut flow = Self::from_state(lattice, params, state, changes);
        flow.ledger.total = Ledger::new(flow.volume());
        Ok(flow)
    }

    /// Creates a world from a given `state`, with walls at all edges, no sources, and an empty
    /// ledger.
    pub(crate) fn from_state(
        lattice: Lattice,
        params: Params,
        state: State,
        changes: ChangeTracker,
    ) -> Self {
        Self {
            lattice,
            params,
            state,
            boundaries: Boundaries::new(&lattice),
            exchange: Exchange::default(),
            structures: Structures::default(),
            roughness: None,
            tracers: None,
            flood: None,
            settling: None,
            bodies: IdList::default(),
            ledger: FlowLedger::default(),
            time: 0.0,
            last_dt: 0.0,
            steps: 0,
            workspace: Workspace::default(),
            scratch: ScratchPool::default(),
            changes,
        }
    }

    /// Returns the lattice: number, shape and size of the cells.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the physical and numerical parameters of the world.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the current state: bed, depth, discharges, closed cells and momentum.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the simulated time (s) since the start of the simulation.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the number of time steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the number of awake tiles, which are blocks of 64 × 64 cells. The next step computes
    /// only the awake tiles and their neighbours; the water in all other tiles is at rest or
    /// absent.
    pub fn awake_tile_count(&self) -> usize {
        self.workspace.sweep.tiles.count_awake(self.lattice.nx(), self.lattice.ny())
    }

    pub(super) fn awake_cell_count(&self) -> usize {
        self.awake_tile_count() * TILE * TILE
    }

    /// Returns the volume of water on the grid (m³). Water in the soil or in transit through
    /// structures is not included.
    pub fn volume(&self) -> f64 {
        (self.state.depth.sum() + self.state.remainder.sum()) * self.lattice.cell_area()
    }

    /// Returns the ledger of the volumes (m³) that were added to and removed from the depths of the
    /// cells, by cause. [`balance`](Self::balance) also includes volumes that are too small to
    /// change the depths yet.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger.total
    }

    /// Returns the water balance, which compares the volumes that were added and removed with the
    /// current volume. Water in transit through structures counts as present. Exchange below the
    /// resolution of the depths, for example slow rain, is included in the inflows and outflows and
    /// in [`Balance::rounding`].
    pub fn balance(&self) -> Balance {
        let area = self.lattice.cell_area();
        let held = self.structures.water_in_transit() * area;
        let rounding = self.exchange.rounding(area, self.exchange.remainder_sums());
        self.ledger.total.balance_with_rounding(self.volume() + held, rounding)
    }

    /// Returns the volumes (m³) that each boundary condition, spring, drain and structure has
    /// moved.
    pub fn part_volumes(&self) -> PartVolumes {
        self.exchange.with_remainders(&self.ledger.parts, self.lattice.cell_area())
    }

    /// Replaces the contents of `changes` with the tiles that have changed since the time stamp of
    /// `changes`, and updates this stamp. In all other tiles, the bed, water, discharges, closed
    /// cells, soil and layers are the same, bit for bit. The allocations of `changes` are reused.
    pub fn update_changes(&self, changes: &mut Changes) {
        self.changes.update_changes(changes);
    }

    /// Marks all cells as changed and wakes all tiles.
    pub(super) fn mark_all_changed(&mut self) {
        self.workspace.sweep.tiles.wake_all();
        self.changes.next_tick();
        self.changes.mark_all();
    }

    /// Wakes the tiles that contain the given `cells`, and marks these cells and their neighbours
    /// as changed.
    pub(crate) fn mark_changed(&mut self, cells: impl IntoIterator<Item = (usize, usize)>) {
        self.changes.next_tick();
        let [last_x, last_y] = [self.lattice.nx() - 1, self.lattice.ny() - 1];
        for (x, y) in cells {
            self.workspace.sweep.tiles.wake([(x, y)]);
            for y in [y.saturating_sub(1), (y + 1).min(last_y)] {
                self.changes.mark_cell(x.saturating_sub(1), y);
                self.changes.mark_cell((x + 1).min(last_x), y);
            }
        }
    }
}
