//! Weight of floating bodies on the water. During the stages of a step that compute gravity, the
//! bed under each body is raised by the draft of the body; see [`super`].

use super::body::{Body, WATER_DENSITY};
use super::footprint::Footprint;
use crate::flow::params::Params;
use crate::flow::state::State;
use crate::lattice::Lattice;

#[derive(Default)]
pub(in crate::flow) struct BodyLoads {
    pub(super) under: Vec<Footprint>,
    /// Cells whose bed is raised by bodies, with their bed elevations before the rise (m), in the
    /// order in which the beds were raised.
    raised: Vec<((usize, usize), f32)>,
    pub(super) thrusts: Vec<Thrust>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Thrust {
    /// Force of the water on the body (N, eastward and southward components).
    pub(super) force: [f64; 2],
    /// Torque of the water about the centre of the body (N·m, positive from east toward south).
    pub(super) torque: f64,
}

impl BodyLoads {
    /// Raises the bed under every body by the draft of the body. Then computes the pressure force
    /// on each body from the state with the raised bed, so that action equals reaction.
    pub(in crate::flow) fn apply(
        &mut self,
        bodies: &[Body],
        state: &mut State,
        lattice: &Lattice,
        params: &Params,
    ) {
        let Self { under, raised, thrusts } = self;
        under.resize_with(bodies.len(), Footprint::default);
        for (body, footprint) in bodies.iter().zip(&mut *under) {
            match body.gone {
                true => footprint.clear(),
                false => footprint.compute(body, state, lattice),
            }
        }
        raised.clear();
        for (body, footprint) in bodies.iter().zip(&*under) {
            let head = body.submerged_height();
            for cell in footprint.cells.iter().filter(|_| head > 0.0) {
                let bed = &mut state.bed[cell.cell];
                raised.push((cell.cell, *bed));
                *bed += (cell.weight * head) as f32;
            }
        }
        let thrust = |(body, under)| compute_thrust(body, under, state, lattice, params);
        thrusts.clear();
        thrusts.extend(bodies.iter().zip(&*under).map(thrust));
    }

    /// Restores the original bed heights of all cells that [`apply`](Self::apply) has raised.
    pub(super) fn remove(&self, state: &mut State) {
        for &(cell, bed) in self.raised.iter().rev() {
            state.bed[cell] = bed;
        }
    }
}

/// Returns the force of the water pressure on a body, `−ρ·g·∫ head·∇(surface + head) dA`, and the
/// torque of this force. `head` is the submerged height of the hull. The bed of `state` must
/// already be raised by the drafts of all bodies.
fn compute_thrust(
    body: &Body,
    under: &Footprint,
    state: &State,
    lattice: &Lattice,
    params: &Params,
) -> Thrust {
    let dry = params.dry_depth as f32;
    let per_cell = WATER_DENSITY * params.gravity * lattice.cell_area() * body.submerged_height();
    let mut thrust = Thrust::default();
    for cell in &under.cells {
        // The gradient of the surface without bodies: zero at rest, under hulls too.
        let slope = lattice.gradient(cell.cell, |(x, y)| {
            let open = !state.closed.contains(x, y) && state.depth[(x, y)] > dry;
            open.then(|| f64::from(state.surface(x, y)))
        });
        let here = slope.map(|slope| -per_cell * cell.weight * slope);
        thrust.force = [0, 1].map(|i| thrust.force[i] + here[i]);
        thrust.torque += cell.arm[0] * here[1] - cell.arm[1] * here[0];
    }
    thrust
}
