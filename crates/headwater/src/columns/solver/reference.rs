//! Reference implementation of a step, with plain loops over all edges. Tests compare the fast
//! implementation with it, and benchmarks use it as a baseline.

use super::pressure::Heads;
use crate::columns::heat::HeatState;
use crate::columns::state::{State, StepContext};

pub(in crate::columns) fn update_pools(
    step: &StepContext,
    heads: &Heads,
    state: &mut State,
    warmth: Option<&mut HeatState>,
) {
    let mut fluxes = Vec::new();
    for &pool in step.awake {
        let columns = heads.separate_columns(pool as usize);
        for c in columns.start..columns.end.saturating_sub(1) {
            let edge = heads.edge(step.layout, &state.depth, c, c + 1);
            let (speed, flux) = step.rule.edge_flux(state.speed[c], &edge);
            state.speed[c] = speed;
            fluxes.push((c, flux));
        }
    }
    for &(column, flux) in &fluxes {
        state.depth[column] -= flux;
        state.depth[column + 1] += flux;
    }
    if let Some(warmth) = warmth {
        for (column, flux) in fluxes {
            warmth.fluxes[column] = flux;
        }
    }
}
