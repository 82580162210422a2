//! Cases for the mass balance of `flow` over long runs in which rounding errors could accumulate:
//! equal depths in all cells, uniform rain, a river over flat ground, and all sources combined.

use super::levels::{SETUPS, Setup};
use crate::noise::noise;
use crate::verify::{Case, FROZEN, Outcome, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params, Rain, Soil, Source,
};
use headwater::{Brush, Edge, Field, Region};

/// Upper limit of the residual of the mass balance, relative to the initial volume plus all inflow.
const LIMIT: f64 = 1e-9;

/// Upper limit for the growth of the relative residual when the number of steps increases tenfold.
const GROWTH: f64 = 1e-10;

/// Number of steps of the regular run and of the long run.
const STEPS: [u64; 2] = [10_000, 1_000_000];

pub(in crate::verify) fn cases() -> Vec<Case> {
    cases_with_steps("", STEPS[0])
}

/// Returns the mass-balance cases with a hundred times as many steps as in the regular run.
pub(in crate::verify) fn long_cases() -> Vec<Case> {
    cases_with_steps("-long", STEPS[1])
}

/// Function that adds sources and sinks to a world.
type Forcing = fn(&mut Flow) -> Result<()>;

fn cases_with_steps(suffix: &'static str, steps: u64) -> Vec<Case> {
    let forcings: [(&str, Forcing); 4] = [
        ("uniform", |_| Ok(())),
        ("rain", add_rain),
        ("river", add_river),
        ("soak", add_all_sources),
    ];
    let cases = forcings.map(|(name, forcing)| {
        let name = format!("flow/volume-{name}{suffix}");
        let row = name.clone();
        let edits = forcing as usize == add_all_sources as Forcing as usize;
        cases_for_setups(&SETUPS, &name, move |setup, stepper| {
            let mut flow = uniform_water(setup)?;
            forcing(&mut flow)?;
            measure_residual(setup, stepper, &row, flow, steps, edits)
        })
    });
    cases.into_iter().flatten().collect()
}

/// Creates a world on noise terrain with the same water depth in every cell.
fn uniform_water(setup: Setup) -> Result<Flow> {
    let (nx, ny) = (48, 40);
    let bed = Field::from_fn(nx, ny, |x, y| 0.4 * noise(x / 6, y / 6) + 0.1 * noise(x, y));
    let params = Params { level: setup.physics, friction: 0.05, ..Params::default() };
    Ok(Flow::new(setup.lattice(nx, ny, 2.0)?, params, bed, Field::new(nx, ny, 0.2))?)
}

fn add_rain(flow: &mut Flow) -> Result<()> {
    Ok(flow.set_rain(Some(Rain { rate: 200.0.into(), map: None }))?)
}

fn add_river(flow: &mut Flow) -> Result<()> {
    let inflow = BoundaryKind::Inflow { discharge: 0.05.into() };
    flow.set_boundary(Boundary::on_edge(Edge::North, inflow))?;
    Ok(flow.set_boundary(Boundary::on_edge(Edge::South, BoundaryKind::Open))?)
}

/// Adds all kinds of sources and sinks to a world.
fn add_all_sources(flow: &mut Flow) -> Result<()> {
    add_river(flow)?;
    let (width, height) = (flow.lattice().width(), flow.lattice().height());
    flow.add_spring(Source::new(Region::disc([0.3 * width, 0.5 * height], 4.0), 0.3))?;
    flow.add_drain(Source::new(Region::disc([0.7 * width, 0.5 * height], 4.0), 0.3))?;
    flow.set_rain(Some(Rain { rate: 20.0.into(), map: None }))?;
    flow.set_evaporation(Some(3.0.into()))?;
    Ok(flow.set_soil(Some(Soil {
        rate: 4.0,
        capacity: Some(0.02),
        seepage: 0.5,
        ..Soil::default()
    }))?)
}

/// Measures the residual of the mass balance after a tenth of the steps and after all steps.
fn measure_residual(
    setup: Setup,
    stepper: &dyn Stepper,
    name: &str,
    mut flow: Flow,
    steps: u64,
    edits: bool,
) -> Result<Outcome> {
    let dt = 0.9 * flow.stable_dt();
    let (steps, parts) = (stepper.feasible_steps(steps), 20);
    // Detects motion of the remaining water, because edits alone would change the depths.
    let (mut first, mut moved) = (0.0, false);
    for part in 0..parts {
        let before = flow.state().depth.clone();
        setup.run_steps(&mut flow, stepper, steps / parts, dt)?;
        moved |= flow.state().depth != before && flow.volume() > 0.0;
        if edits {
            apply_pseudo_random_edit(&mut flow, part as usize)?;
        }
        if part + 1 == parts / 10 {
            first = residual(&flow);
        }
    }
    let (last, growth) = match moved {
        true => (residual(&flow), residual(&flow) - first),
        false => (FROZEN, FROZEN),
    };
    let steps = format!("{:e}", steps as f64);
    let metric = format!("|residual| / volume handled, {steps} steps");
    let grown = format!("growth of the residual in the last decade, {steps} steps");
    Ok(Outcome::from_rows([
        setup.row(name, metric, last, LIMIT),
        setup.row(&format!("{name}-growth"), grown, growth, GROWTH),
    ]))
}

fn residual(flow: &Flow) -> f64 {
    flow.balance().residual_relative.abs()
}

/// Applies an edit at a pseudo-random position. The position depends on the number `i` of the edit.
fn apply_pseudo_random_edit(flow: &mut Flow, i: usize) -> Result<()> {
    let at = [90.0 * f64::from(noise(i, 1)), 70.0 * f64::from(noise(i, 2))];
    let edit = match i % 4 {
        0 => Edit::Lower(Change::By(0.3)),
        1 => Edit::Raise(Change::By(0.3)),
        2 => Edit::Pour(Amount::Volume(20.0)),
        _ => Edit::Remove(Amount::Depth(0.1)),
    };
    flow.edit(&Brush::smooth_disc(at, 8.0), edit)?;
    Ok(())
}
