//! Plain path of a step, edge by edge: the reference for tests and the baseline of benchmarks.

use super::heat::Warmth;
use super::pressure::Heads;
use super::state::{State, Step};

pub(super) fn drive(step: &Step, heads: &Heads, state: &mut State, warmth: Option<&mut Warmth>) {
    let mut fluxes = Vec::new();
    for &pool in step.awake {
        let columns = heads.alone(pool as usize);
        for c in columns.start..columns.end.saturating_sub(1) {
            let edge = heads.edge(step.layout, &state.depth, c, c + 1);
            let (speed, flux) = step.rule.through(state.speed[c], &edge);
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
