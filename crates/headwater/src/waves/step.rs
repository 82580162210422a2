//! Time stepping of a [`Waves`](super::Waves) world.

use super::context::StepContext;
use super::dispersion;
use super::forcing::pressure::PressureHeads;
use super::solver::{absorbing, pass, reference};
use super::world::Waves;
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::parallel;
use crate::scratch::ScratchPool;

/// Implementation of a step. All variants give identical results and differ only in speed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepVariant {
    Rows,
    Plain,
}

impl Waves {
    /// Advances the world by one time step, [`Params::step`](super::Params::step). Its stages are:
    ///
    /// 0. **Forcing.** Rain drops fall, and bodies and gusts move. Bodies, gusts and wave makers
    ///    press on the surface during stages 2 to 4.
    /// 1. **Advection.** If there is a current, it moves heights and fluxes.
    /// 2. **Filter.** The head h is the filtered height `G·z` with dispersion, and z without.
    /// 3. **Fluxes.** The flux through each face becomes `f ← A·f + B·(h_before − h_after)`, with
    ///    `A = (2 − μt)/(2 + μt)`, `B = 2q/(2 + μt)` and `q = c²t²/d²`.
    /// 4. **Heights.** The height of each cell becomes `z ← z + f_west − f_east + f_north −
    ///    f_south`, with fluxes rounded to the unit of height. Without dispersion, stages 3 and 4
    ///    together are `z⁺ = k1·z + k2·z⁻ + k3·Σz_neighbour`.
    /// 5. **Edges.** The ledger records the flux through edges of fixed height, and waves in
    ///    absorbing layers are damped.
    pub fn step(&mut self) {
        parallel::run_in_pool(self.awake_cell_count(), || {
            self.step_with_variant(StepVariant::Rows);
        });
    }

    /// Advances the world by one step with plain loops on one thread. The result is identical to
    /// that of [`step`](Self::step) bit for bit, but the computation is slower.
    pub fn step_plain(&mut self) {
        self.step_with_variant(StepVariant::Plain);
    }

    /// Advances the world by `count` steps. The result is identical to that of repeated calls of
    /// [`step`](Self::step) bit for bit. If the world has no rain, wind, bodies, wave makers,
    /// current, dispersion or absorbing edges, several steps are computed in one pass over memory,
    /// which is faster.
    pub fn step_many(&mut self, count: u64) {
        parallel::run_in_pool(self.awake_cell_count(), || {
            let mut left = count;
            while left > 0 {
                left -=
                    if self.can_combine_steps() { self.run_pass(left) } else { self.run_pass(1) };
            }
        });
    }

    fn can_combine_steps(&self) -> bool {
        self.shower.is_none()
            && self.gusts.is_none()
            && self.bodies.is_empty()
            && self.makers.is_empty()
            && self.stream.is_none()
            && self.filter.is_none()
            && self.parts.is_none()
    }

    /// Advances the world by up to `max_steps` steps in one pass. Returns the number of steps.
    /// `max_steps` can be greater than 1 only without forcing, current, dispersion and absorbing
    /// edges.
    fn run_pass(&mut self, max_steps: u64) -> u64 {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let count = pass::steps_per_pass(nx, ny, self.steps, max_steps);
        if count == 1 {
            self.step();
            return 1;
        }
        let Self { state, rule: coefficients, speed_map, params, tiles, ledger, scratch, .. } =
            self;
        let step = StepContext { coefficients, speed_map, edges: &params.edges };
        let crossed =
            pass::update_surface(state, tiles, &step, self.steps, (count, 0..ny), scratch);
        let area = self.lattice.cell_area();
        for inflow in crossed.into_iter().take(count).filter(|&inflow| inflow != 0.0) {
            ledger.record(Cause::Boundary, inflow * area);
        }
        self.steps += count as u64;
        count as u64
    }

    fn step_with_variant(&mut self, variant: StepVariant) {
        let scratch = std::mem::take(&mut self.scratch);
        self.perform_step(variant, &scratch);
        self.scratch = scratch;
    }

    fn perform_step(&mut self, variant: StepVariant, scratch: &ScratchPool) {
        // This cannot fail, because `set_rain` has checked the rain.
        let _ = self.apply_rain(scratch);
        let carried = self.advect(variant == StepVariant::Rows);
        let mut pressure = scratch.take::<PressureHeads>();
        self.collect_pressure(&mut pressure);
        let Self { state, rule: coefficients, speed_map, params, filter, tiles, .. } = self;
        pressure.apply_heads(state.height.as_mut_slice(), 1.0);
        let by_rows = variant == StepVariant::Rows;
        let all = 0..state.height.ny();
        let step = StepContext { coefficients, speed_map, edges: &params.edges };
        if filter.is_some() || !by_rows {
            // The dispersion filter reaches beyond adjacent tiles, and plain loops do not use
            // tiles.
            tiles.wake_all();
        }
        match (variant, filter) {
            (StepVariant::Plain, None) => reference::update_surface(state, &step, None),
            (StepVariant::Plain, Some(filter)) => {
                let head = filter.filter_surface(&state.height, &step);
                reference::update_surface(state, &step, Some(&head));
            }
            (StepVariant::Rows, Some(filter)) => {
                dispersion::update_surface(filter, state, &step, scratch);
            }
            (StepVariant::Rows, None) => {
                pass::update_surface(state, tiles, &step, self.steps, (1, all.clone()), scratch);
            }
        }
        pressure.apply_heads(state.height.as_mut_slice(), -1.0);
        let area = self.lattice.cell_area();
        let crossed = absorbing::pinned_inflow(state, coefficients, params, all.clone());
        let faded = match &mut self.parts {
            Some(parts) => self.absorbing.damp_waves(state, parts, coefficients, tiles, &all),
            None => 0.0,
        };
        for inflow in [carried, crossed, faded] {
            if inflow != 0.0 {
                self.ledger.record(Cause::Boundary, inflow * area);
            }
        }
        self.steps += 1;
    }

    /// Advects the surface with the current, row by row if `by_rows` is true, and with plain loops
    /// otherwise. Returns the height gained through the edges of the grid (m, summed over cells).
    fn advect(&mut self, by_rows: bool) -> f64 {
        let Self { stream, state, parts, absorbing, rule, tiles, drift, .. } = self;
        let Some(stream) = stream else { return 0.0 };
        // With a current, all tiles must be updated.
        tiles.wake_all();
        drift.x_first = self.steps.is_multiple_of(2);
        stream.advect(state, (&*absorbing, parts.as_mut()), rule, drift, by_rows)
    }

    /// Returns whether a call of [`advance`](Self::advance) with this duration (s) would compute at
    /// least one step.
    pub(crate) fn is_due(&self, seconds: f64) -> bool {
        self.clock.would_step(seconds, self.params.step)
    }

    /// Advances the world by the duration of a frame (s) in whole steps, at most
    /// [`Params::max_steps`](super::Params::max_steps). Time left over after the last whole step is
    /// added to the next frame. `alpha` in the result is the argument for
    /// [`interpolate_heights`](Self::interpolate_heights). The interpolated surface lags one step
    /// behind the simulated time.
    ///
    /// # Errors
    /// Returns [`InputError`] if `seconds` is negative, NaN, or at least the duration of 10⁹ steps.
    pub fn advance(&mut self, seconds: f64) -> Result<AdvanceSummary, InputError> {
        let done = self.clock.advance(seconds, self.params.step, self.params.max_steps)?;
        self.step_many(done.steps);
        Ok(done)
    }
}
