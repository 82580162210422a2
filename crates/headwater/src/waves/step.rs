//! Time stepping of a [`Waves`](super::Waves) world.

use super::context::Step;
use super::dispersion;
use super::forcing::pressure::PressureHeads;
use super::solver::{absorbing, pass, reference};
use super::world::Waves;
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::parallel;
use crate::scratch::ScratchPool;

/// Implementation of a step. All variants give identical results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Path {
    Rows,
    Plain,
}

impl Waves {
    /// Advances the world by one [`Params::step`](super::Params::step):
    ///
    /// 0. **Forcing.** Rain drops fall. Bodies and gusts move and, with wave makers, press on the
    ///    surface during stages 2 to 4.
    /// 1. **Advection**, with a current: moves heights and fluxes along.
    /// 2. **Filter**, with dispersion: the head is `G·z`, otherwise z itself.
    /// 3. **Fluxes** over every face: `f ← A·f + B·(z_before − z_after)`, with `A = (2 − μt)/(2 +
    ///    μt)`, `B = 2q/(2 + μt)`, `q = c²t²/d²`.
    /// 4. **Heights**: `z ← z + f_west − f_east + f_north − f_south`, in whole quanta. With 3, this
    ///    is `z⁺ = k1·z + k2·z⁻ + k3·Σz_neighbour`.
    /// 5. **Edges**: records the flux over pinned edges in the ledger, and damps waves in absorbing
    ///    layers.
    pub fn step(&mut self) {
        parallel::run_in_pool(self.awake_cells(), || self.step_by(Path::Rows));
    }

    /// Advances the world by one step with plain loops on one thread. The result is bit-identical
    /// to [`step`](Self::step), but the computation is slower.
    pub fn step_plain(&mut self) {
        self.step_by(Path::Plain);
    }

    /// Advances the world by `count` steps. The result is bit-identical to repeated calls of
    /// [`step`](Self::step). In a world without rain, wind, bodies, makers, current, dispersion and
    /// absorbing edges, several steps share one pass over memory, which is faster.
    pub fn step_many(&mut self, count: u64) {
        parallel::run_in_pool(self.awake_cells(), || {
            let mut left = count;
            while left > 0 {
                left -=
                    if self.is_undisturbed() { self.take_pass(left) } else { self.take_pass(1) };
            }
        });
    }

    fn is_undisturbed(&self) -> bool {
        self.shower.is_none()
            && self.gusts.is_none()
            && self.bodies.is_empty()
            && self.makers.is_empty()
            && self.stream.is_none()
            && self.filter.is_none()
            && self.parts.is_none()
    }

    /// Advances by up to `most` steps in one pass and returns their number. `most` may exceed 1
    /// only without forcing, current, dispersion and absorbing edges.
    fn take_pass(&mut self, most: u64) -> u64 {
        let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
        let count = pass::steps_per_pass(nx, ny, self.steps, most);
        if count == 1 {
            self.step();
            return 1;
        }
        let Self { state, rule, speed_map, params, tiles, ledger, scratch, .. } = self;
        let step = Step { rule, speed_map, edges: &params.edges };
        let crossed =
            pass::update_surface(state, tiles, &step, self.steps, (count, 0..ny), scratch);
        let area = self.lattice.cell_area();
        for inflow in crossed.into_iter().take(count).filter(|&inflow| inflow != 0.0) {
            ledger.record(Cause::Boundary, inflow * area);
        }
        self.steps += count as u64;
        count as u64
    }

    fn step_by(&mut self, path: Path) {
        let scratch = std::mem::take(&mut self.scratch);
        self.do_step(path, &scratch);
        self.scratch = scratch;
    }

    fn do_step(&mut self, path: Path, scratch: &ScratchPool) {
        // Cannot fail, because `set_rain` checked the rain.
        let _ = self.apply_rain(scratch);
        let carried = self.advect(path == Path::Rows);
        let mut pressure = scratch.take::<PressureHeads>();
        self.collect_pressure(&mut pressure);
        let Self { state, rule, speed_map, params, filter, tiles, .. } = self;
        pressure.apply(state.height.as_mut_slice(), 1.0);
        let by_rows = path == Path::Rows;
        let all = 0..state.height.ny();
        let step = Step { rule, speed_map, edges: &params.edges };
        if filter.is_some() || !by_rows {
            // The dispersion filter reaches beyond neighbouring tiles, and plain loops do not use
            // tiles.
            tiles.wake_all();
        }
        match (path, filter) {
            (Path::Plain, None) => reference::update_surface(state, &step, None),
            (Path::Plain, Some(filter)) => {
                let head = filter.filtered(&state.height, &step);
                reference::update_surface(state, &step, Some(&head));
            }
            (Path::Rows, Some(filter)) => dispersion::update_surface(filter, state, &step, scratch),
            (Path::Rows, None) => {
                pass::update_surface(state, tiles, &step, self.steps, (1, all.clone()), scratch);
            }
        }
        pressure.apply(state.height.as_mut_slice(), -1.0);
        let area = self.lattice.cell_area();
        let crossed = absorbing::pinned_inflow(state, rule, params, all.clone());
        let faded = match &mut self.parts {
            Some(parts) => self.absorbing.damp(state, parts, rule, tiles, &all),
            None => 0.0,
        };
        for inflow in [carried, crossed, faded] {
            if inflow != 0.0 {
                self.ledger.record(Cause::Boundary, inflow * area);
            }
        }
        self.steps += 1;
    }

    /// Advects the surface with the current. Returns the height gained over the edges of the grid
    /// (m, summed over cells).
    fn advect(&mut self, by_rows: bool) -> f64 {
        let Self { stream, state, parts, absorbing, rule, tiles, drift, .. } = self;
        let Some(stream) = stream else { return 0.0 };
        // With a current, no tile may sleep.
        tiles.wake_all();
        drift.x_first = self.steps.is_multiple_of(2);
        stream.advect(state, (&*absorbing, parts.as_mut()), rule, drift, by_rows)
    }

    /// Returns whether an [`advance`](Self::advance) by `seconds` would compute at least one step.
    pub(crate) fn is_due(&self, seconds: f64) -> bool {
        self.clock.would_step(seconds, self.params.step)
    }

    /// Advances the world by the duration of a frame (s) in whole steps, at most
    /// [`Params::max_steps`](super::Params::max_steps). The remainder carries over to the next
    /// frame. The returned `alpha` is the argument for [`interpolated`](Self::interpolated), which
    /// lags by one step.
    ///
    /// # Errors
    /// Returns [`InputError`] if `seconds` is negative, not a number, or the duration of 10⁹ steps
    /// or more.
    pub fn advance(&mut self, seconds: f64) -> Result<AdvanceSummary, InputError> {
        let done = self.clock.advance(seconds, self.params.step, self.params.max_steps)?;
        self.step_many(done.steps);
        Ok(done)
    }
}
