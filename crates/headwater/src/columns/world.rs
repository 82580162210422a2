//! The [`Columns`] world: its construction, parameters and volumes.

use super::bodies::body::{Body, FloatState};
use super::heat::HeatState;
use super::layout::anchor::{Anchor, IgnoredAnchor, InitialFill};
use super::layout::wall_grid::WallGrid;
use super::layout::{Layout, MAX_LEVEL};
use super::params::{Motion, Params};
use super::solver::air::Bubble;
use super::solver::pressure::{self, Heads};
use super::sources::source::BoundaryFluxes;
use super::state::sleep::SleepState;
use super::state::{FluxRule, State};
use crate::changes::ChangeTracker;
use crate::clock::FixedStep;
use crate::error::InputError;
use crate::field::Field;
use crate::ids::IdList;
use crate::ledger::{Balance, Ledger};
use crate::parameter::Range;
use crate::scratch::ScratchPool;

/// Maximum number of cells along each side of a grid.
pub const MAX_SIDE: usize = 1 << 20;

/// World of water in side view. The water stands in columns, and neighbouring columns form pools.
/// See the [module documentation](super).
#[derive(Clone, Debug)]
pub struct Columns {
    pub(super) params: Params,
    pub(super) layout: Layout,
    pub(super) state: State,
    pub(super) bubbles: Vec<Bubble>,
    pub(super) exchange: BoundaryFluxes,
    pub(super) sleep: SleepState,
    pub(super) warmth: Option<HeatState>,
    pub(super) bodies: IdList<Body>,
    pub(super) rides: Vec<FloatState>,
    pub(super) ignored: Vec<IgnoredAnchor>,
    pub(super) ledger: Ledger<i128>,
    pub(super) steps: u64,
    pub(super) clock: FixedStep,
    pub(super) heads: Heads,
    pub(super) rule: FluxRule,
    pub(super) open: Vec<bool>,
    pub(super) scratch: ScratchPool,
    pub(super) changes: ChangeTracker,
}

impl Columns {
    /// Creates a world on a grid of square cells. `cell` is the side length of a cell (m). The
    /// value `true` in `walls` marks a wall. The sides and the bottom of the grid are walls, and
    /// its top is open to the sky. `anchors` are points that define the initial water and trapped
    /// air. Invalid anchors are skipped and listed by [`ignored_anchors`](Self::ignored_anchors).
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, if the grid is empty or has more than
    /// [`MAX_SIDE`] columns or rows, if the cell size is out of range, or if waves are too fast for
    /// the time step.
    pub fn new(
        walls: &Field<bool>,
        cell: f64,
        anchors: &[Anchor],
        params: Params,
    ) -> Result<Self, InputError> {
        let layout = build_layout(walls, cell, &params)?;
        let grid = &layout.grid;
        let initial = InitialFill::new(&layout.rects, anchors, grid.nx(), grid.ny(), cell);
        let mut depth = vec![0; layout.column_count()];
        let mut excess = vec![0; layout.column_count()];
        for (rect, level) in initial.level.iter().enumerate() {
            let Some(level) = level else { continue };
            let surface = layout.to_quanta(level * cell);
            for c in layout.rect_columns[rect].clone() {
                depth[c] = pressure::still_water_amount(&layout, c, surface, params.gravity);
                if surface > layout.ceiling[c] {
                    excess[c] = surface - layout.floor[c] - depth[c];
                }
            }
        }
        let pockets = initial.pockets.iter();
        let bubbles: Vec<_> = pockets.map(|pocket| Bubble::new(pocket, &layout, &depth)).collect();
        for (column, head) in bubbles.iter().flat_map(|bubble| bubble.initial_heads(&layout)) {
            excess[column] = head.clamp(-MAX_LEVEL, MAX_LEVEL);
        }
        let springs = params.motion == Motion::Springs;
        let state = State::new(depth, &layout, springs);
        let mut world = Self::from_state(params, layout, state, excess);
        (world.ignored, world.bubbles) = (initial.ignored, bubbles);
        Ok(world)
    }

    pub(super) fn from_state(
        params: Params,
        layout: Layout,
        state: State,
        excess: Vec<i32>,
    ) -> Self {
        let warmth = params.heat.as_ref().map(|heat| HeatState::new(heat, &layout, &state.depth));
        let start: i64 = state.depth.iter().map(|&depth| i64::from(depth)).sum();
        Self {
            heads: Heads::from_excess(&layout, excess),
            rule: FluxRule::new(&params, &layout),
            sleep: SleepState::new(layout.pools.len()),
            open: Vec::new(),
            scratch: ScratchPool::default(),
            exchange: BoundaryFluxes::default(),
            warmth,
            bodies: IdList::default(),
            rides: Vec::new(),
            ignored: Vec::new(),
            ledger: Ledger::new(start.into()),
            steps: 0,
            clock: FixedStep::default(),
            changes: ChangeTracker::with_len(layout.pools.len()),
            params,
            layout,
            state,
            bubbles: Vec::new(),
        }
    }

    pub(super) fn reset_ledgers(&mut self) {
        self.ledger = Ledger::new(self.total_quanta().into());
        let (layout, depth) = (&self.layout, &self.state.depth);
        self.warmth = self.params.heat.as_ref().map(|heat| HeatState::new(heat, layout, depth));
    }

    /// Returns the current parameters of the world.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the parameters of a running world. Fixed parameters must keep their current values.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, if a fixed parameter differs from its
    /// current value, or if waves would be too fast for the time step. In these cases, nothing
    /// changes.
    pub fn set_params(&mut self, params: Params) -> Result<(), InputError> {
        params.validate()?;
        params.validate_change(&self.params)?;
        params.check_stability(self.layout.width)?;
        self.rule = FluxRule::new(&params, &self.layout);
        self.params = params;
        (0..self.layout.pools.len()).for_each(|pool| self.wake(pool));
        Ok(())
    }

    pub(super) fn wake(&mut self, pool: usize) {
        self.sleep.wake(pool);
        self.changes.next_tick();
        self.changes.mark_index(pool);
    }

    /// Returns the anchors (points that define the initial water) that were skipped when the world
    /// was created, each with the reason. They are in their original order.
    pub fn ignored_anchors(&self) -> &[IgnoredAnchor] {
        &self.ignored
    }

    /// Returns the walls as a field with one value per grid cell. The value `true` marks a wall.
    pub fn walls(&self) -> Field<bool> {
        self.layout.grid.walls()
    }

    /// Returns the side length of a grid cell (m).
    pub fn cell_size(&self) -> f64 {
        self.layout.cell
    }

    /// Returns the width of a water column (m).
    pub fn column_width(&self) -> f64 {
        self.layout.width
    }

    /// Returns the unit of depth (m). All depths are integer multiples of this unit.
    pub fn quantum(&self) -> f64 {
        self.layout.quantum
    }

    /// Returns the number of water columns in all pools, wet or dry.
    pub fn column_count(&self) -> usize {
        self.layout.column_count()
    }

    /// Returns the number of bubbles of trapped air.
    pub fn bubble_count(&self) -> usize {
        self.bubbles.len()
    }

    /// Returns the volume of all water (m³ for a world 1 m thick). Water is counted in whole units
    /// of depth, so the volume has no accumulated rounding error.
    pub fn volume(&self) -> f64 {
        self.total_quanta() as f64 * self.layout.quantum_volume()
    }

    fn total_quanta(&self) -> i64 {
        self.state.depth.iter().map(|&depth| i64::from(depth)).sum()
    }

    /// Returns the ledger of water: the volumes gained and lost since the start, by cause (m³ for a
    /// world 1 m thick).
    pub fn ledger(&self) -> Ledger {
        self.ledger.scaled(self.layout.quantum_volume())
    }

    /// Returns the balance of water (m³ for a world 1 m thick): the ledger, the current volume, and
    /// the residual (current volume minus the volume expected from the ledger). The residual has no
    /// rounding error, because volumes are counted in whole units of depth.
    pub fn balance(&self) -> Balance {
        self.ledger.balance(self.total_quanta().into()).scaled(self.layout.quantum_volume())
    }
}

pub(super) fn build_layout(
    walls: &Field<bool>,
    cell: f64,
    params: &Params,
) -> Result<Layout, InputError> {
    params.validate()?;
    let size = [walls.nx(), walls.ny()];
    if !size.iter().all(|n| (1..=MAX_SIDE).contains(n)) {
        return Err(grid_size_error(size));
    }
    check_cell_size(cell)?;
    let layout = Layout::new(WallGrid::new(walls), cell, params.columns_per_cell as usize);
    params.check_stability(layout.width)?;
    Ok(layout)
}

pub(super) fn check_cell_size(cell: f64) -> Result<(), InputError> {
    Range::new(1e-6, 1e6).check("the size of a cell", cell, "m")
}

pub(super) fn grid_size_error([nx, ny]: [usize; 2]) -> InputError {
    let allowed = format!("1 to {MAX_SIDE} columns and rows of cells");
    InputError::new("a grid", format!("{nx} × {ny}"), allowed)
}
