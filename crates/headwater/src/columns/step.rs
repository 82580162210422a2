//! Time stepping of a [`Columns`](super::Columns) world.

use super::heat::HeatContext;
use super::network;
use super::observe::foam;
use super::params::{Motion, Params};
use super::solver::{air, reference, springs, sweep};
use super::state::StepContext;
use super::state::sleep;
use super::world::Columns;
use crate::clock::fixed_step::fixed_step_methods;
use crate::ledger::Cause;
use crate::parallel;
use crate::scratch::ScratchPool;

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepImplementation {
    Chunks,
    Plain,
}

impl Columns {
    /// Advances the world by one time step of [`Params::step`](super::Params::step) seconds:
    ///
    /// 0. **Exchange.** Applies springs, drains, rain, evaporation and wind, and moves floating
    ///    bodies.
    /// 1. **Wake.** Wakes a sleeping pool if the water on the other side of an opening has a
    ///    different level.
    /// 2. **Networks.** Where water reaches a ceiling, solves one system of equations for the
    ///    pressure heads of full columns and of the columns connected to them, and computes the
    ///    flow between these columns.
    /// 3. **Openings.** Applies stages 4 and 5 to all other openings between pools.
    /// 4. **Velocity update** at all remaining edges between columns: `u ← u − g·t/d·(head_east −
    ///    head_west)`, limited to critical flow over the sill and to what a column can lose. Where
    ///    the water runs against the difference in head, u is first multiplied by `e^(−2μt)` for
    ///    the damping rate μ, so the height of a wave decays as `e^(−μ·time/2)`.
    /// 5. **Depth update.** Moves the flux `u·t/d·depth` of the upstream column, rounded to whole
    ///    units of depth, to the downstream column together with its heat.
    /// 6. **Heat**, every few steps, if the world has heat: exchange between columns and with the
    ///    air, freezing and melting, boiling and steam.
    /// 7. **Foam** and **sleep**, every few steps.
    ///
    /// With [`Motion::Springs`], stages 2 to 5 are replaced by a spring step of every column,
    /// followed by several passes that transfer motion between neighbouring columns.
    pub fn step(&mut self) {
        let columns = if self.awake_pool_count() > 0 { self.column_count() } else { 0 };
        parallel::run_in_pool(columns, || self.step_with(StepImplementation::Chunks));
    }

    /// Advances the world by one step with plain loops on one thread. The result is bit-identical
    /// to [`step`](Self::step), but the computation is slower.
    pub fn step_plain(&mut self) {
        self.step_with(StepImplementation::Plain);
    }

    fn step_with(&mut self, implementation: StepImplementation) {
        self.mark_active_pools();
        self.apply_heat_inputs();
        self.exchange_with_outside();
        let scratch = std::mem::take(&mut self.scratch);
        self.move_water(implementation, &scratch);
        self.scratch = scratch;
        self.steps += 1;
        let Self { params, layout, state, heads, sleep, warmth, scratch, .. } = self;
        if let (Some(warmth), Some(heat)) = (warmth.as_mut(), &params.heat) {
            let is_parallel = implementation == StepImplementation::Chunks;
            let context =
                HeatContext { layout, params, heat, step: self.steps, is_parallel, scratch };
            warmth.boil_surfaces(&context, heads, state);
            let awake = |pool: usize| sleep.is_awake(pool);
            let (steamed, woken) = warmth.update_due_pools(&context, state, heads, awake);
            self.ledger.record(Cause::Evaporation, -i128::from(steamed));
            woken.iter().for_each(|&pool| sleep.wake(pool));
        }
        if self.steps.is_multiple_of(foam::STEPS_PER_UPDATE) {
            foam::update_foam(layout, params, state, &sleep.awake, scratch);
        }
        if self.steps.is_multiple_of(sleep::STEPS_PER_CHECK) {
            let keeps = |pool| warmth.as_ref().is_some_and(|w| w.keeps_awake(layout, pool));
            sleep.check_pools(layout, params, heads, state, keeps);
        }
        self.mark_active_pools();
    }

    fn move_water(&mut self, implementation: StepImplementation, scratch: &ScratchPool) {
        let mut loads = self.move_bodies(scratch);
        let Self {
            params,
            layout,
            state,
            heads,
            sleep,
            open: is_joint_open,
            bubbles,
            rule,
            warmth,
            ..
        } = self;
        sleep.wake_across_joints(layout, params, heads, state, is_joint_open, scratch);
        let step = StepContext {
            layout,
            rule,
            gravity: params.gravity,
            step: params.step,
            carries_heat: warmth.is_some(),
            awake: &sleep.awake,
            is_joint_open,
            scratch,
        };
        match params.motion {
            Motion::Springs => {
                springs::update_pools(layout, params, heads, state, step.awake, scratch);
            }
            Motion::Discharge => {
                let awake = |pool| sleep.is_awake(pool);
                let mut air = air::bubble_pressures(bubbles, layout, state, awake, scratch);
                loads.retain(|&(c, _)| sleep.is_awake(layout.pool_of(c)));
                air::add_loads(&mut air, &loads);
                heads.begin_step(&step, state, &air, &loads);
                network::release_edges(&step, heads, state);
                heads.add_filling_pools(&step, state);
                let mut fluxes = sweep::joint_fluxes(&step, heads, state);
                let mut flows = sweep::network_edge_fluxes(&step, heads, state);
                network::solve_networks(&step, heads, state, &mut fluxes, &mut flows);
                if let Some(warmth) = warmth {
                    warmth.activate_connected_pools(layout, &state.depth, &fluxes, self.steps);
                }
                match implementation {
                    StepImplementation::Chunks => {
                        sweep::update_pools(&step, heads, state, warmth.as_mut());
                    }
                    StepImplementation::Plain => {
                        reference::update_pools(&step, heads, state, warmth.as_mut());
                    }
                }
                for &(column, flux) in flows.iter() {
                    move_water(&mut state.depth, [column, column + 1], flux);
                }
                if let Some(warmth) = warmth {
                    flows.iter().for_each(|&(column, flux)| warmth.fluxes[column] = flux);
                    let is_parallel = implementation == StepImplementation::Chunks;
                    warmth.advect_heat(
                        layout,
                        &state.depth,
                        step.awake,
                        &fluxes,
                        is_parallel,
                        scratch,
                    );
                }
                for &(number, flux) in fluxes.iter() {
                    let joint = &layout.joints[number];
                    move_water(&mut state.depth, [joint.left, joint.right], flux);
                }
            }
        }
    }

    fn mark_active_pools(&mut self) {
        self.changes.next_tick();
        let active = self.warmth.iter().flat_map(|warmth| &warmth.active);
        for &pool in self.sleep.awake.iter().chain(active) {
            self.changes.mark_index(pool as usize);
        }
    }
}

/// Moves `flux` height quanta of water from the western to the eastern column. The arithmetic
/// wraps, because intermediate sums may overflow an `i32`: the water that flows through a full
/// column in one step can exceed the depth of the column. The final sums do not overflow.
fn move_water(depth: &mut [i32], [west, east]: [usize; 2], flux: i32) {
    depth[west] = depth[west].wrapping_sub(flux);
    depth[east] = depth[east].wrapping_add(flux);
}

fixed_step_methods!(Columns, |params: &Params| params.step, |params: &Params| params.max_steps);
