//! Test cases for dam breaks and an oscillation in a bowl, with a flow direction that is rotated by
//! 30° from the east. On squares, this direction is at 30° and 60° to the lattice axes. On
//! hexagons, it is at 30° to the two nearest axes.

use super::levels::{Setup, WITH_HEXAGONS};
use crate::verify::exact::{DamBreak, ExactSolution, PlanarOscillation, SWASHES_BOWL};
use crate::verify::norms::max_error;
use crate::verify::{Case, Outcome, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::Field;
use headwater::flow::Flow;

pub(in crate::verify) fn cases() -> Vec<Case> {
    let shallow = &WITH_HEXAGONS[..2];
    let cases = [
        cases_for_setups(shallow, "flow/stoker-30", |setup, stepper| {
            measure_dam_break("flow/stoker-30", 0.001, 0.006, setup, stepper)
        }),
        cases_for_setups(shallow, "flow/ritter-30", |setup, stepper| {
            measure_dam_break("flow/ritter-30", 0.0, 0.012, setup, stepper)
        }),
        cases_for_setups(shallow, "flow/thacker-30", measure_planar_oscillation),
    ];
    cases.into_iter().flatten().collect()
}

/// Direction of flow as a unit vector (east, south). It is perpendicular to the dam, and the bowl's
/// water oscillates along it.
const DIRECTION: [f64; 2] = [0.866_025_403_784_438_6, 0.5];

/// Side length of the dam-break world (m).
const SIZE: f64 = 10.0;
/// Number of cells along each side of the dam-break world.
const CELLS: usize = 200;

/// Measures the error of depth 6 s after a dam break in a square world, in the region that waves
/// from the walls have not reached. `downstream` is the initial depth downstream of the dam (m).
fn measure_dam_break(
    name: &str,
    downstream: f64,
    limit: f64,
    setup: Setup,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let exact = DamBreak::new(0.0, 0.005, downstream);
    let (mut flow, places) = create_frictionless_world(setup, SIZE, CELLS, |at| {
        let across = at[0] * DIRECTION[0] + at[1] * DIRECTION[1];
        [0.0, exact.depth([across, 0.0], 0.0)]
    })?;
    stepper.run_until(&mut flow, 6.0)?;
    let error = depth_error(&flow, &places, |at| {
        let across = at[0] * DIRECTION[0] + at[1] * DIRECTION[1];
        let along = at[1] * DIRECTION[0] - at[0] * DIRECTION[1];
        let seen = along.abs() < 2.0 && across.abs() < 3.0;
        seen.then(|| exact.depth([across, 0.0], 6.0))
    });
    let metric = format!("relative L1 error of depth, dam at 30°, {CELLS} cells over 10 m");
    Ok(setup.row_with_default_limit(name, metric, error, limit).into())
}

/// Measures the error of depth in a planar oscillation in the bowl of SWASHES, after 2.5 and 3
/// periods. The oscillation is at 30° to the lattice.
fn measure_planar_oscillation(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let amplitude = DIRECTION.map(|part| 0.5 * part);
    let exact = PlanarOscillation { bowl: SWASHES_BOWL, amplitude };
    let place = |at: [f64; 2]| [0, 1].map(|i| at[i] + exact.bowl.middle[i]);
    let (mut flow, places) = create_frictionless_world(setup, 4.0, 100, |at| {
        [exact.bed(place(at)), exact.depth(place(at), 0.0)]
    })?;
    let mut worst = 0.0;
    for periods in [2.5, 3.0] {
        let time = periods * exact.period();
        stepper.run_until(&mut flow, time)?;
        worst =
            max_error(worst, depth_error(&flow, &places, |at| Some(exact.depth(place(at), time))));
    }
    let metric = "relative L1 error of depth, oscillation at 30°";
    Ok(setup.row_with_default_limit("flow/thacker-30", metric, worst, 0.03).into())
}

/// Creates a square frictionless world. The closure `initial_state` maps a position (m from the
/// world's centre) to bed height and depth (m). Returns the world and the positions of its cells (m
/// from the world's centre).
fn create_frictionless_world(
    setup: Setup,
    size: f64,
    cells: usize,
    initial_state: impl Fn([f64; 2]) -> [f64; 2],
) -> Result<(Flow, Field<[f64; 2]>)> {
    let side = size / cells as f64;
    let lattice = setup.channel(cells, cells, side)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let middle = [0.5 * lattice.width(), 0.5 * lattice.height()];
    let places = Field::from_fn(nx, ny, |x, y| {
        let at = lattice.center(x, y);
        [0, 1].map(|i| at[i] - middle[i])
    });
    let field = |i: usize| Field::from_fn(nx, ny, |x, y| initial_state(places[(x, y)])[i] as f32);
    Ok((setup.world(lattice, 0.0, field(0), field(1))?, places))
}

/// Returns the relative L1 error of depth `Σ|h − h_exact| / Σ h_exact` over the cells for which
/// `exact` returns a value.
fn depth_error(
    flow: &Flow,
    positions: &Field<[f64; 2]>,
    exact: impl Fn([f64; 2]) -> Option<f64>,
) -> f64 {
    let (mut off, mut all) = (0.0, 0.0);
    for (depth, at) in flow.state().depth.as_slice().iter().zip(positions.as_slice()) {
        let Some(exact) = exact(*at) else { continue };
        off += (f64::from(*depth) - exact).abs();
        all += exact;
    }
    off / all
}
