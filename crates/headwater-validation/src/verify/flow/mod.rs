//! Cases for `flow` that need no exact solution: mass balance, non-negative depth, reproducibility
//! and levelling.

pub(super) mod accuracy;
pub(super) mod benchmark;
pub(super) mod flood;
pub(super) mod isotropy;
pub(super) mod levels;
pub(super) mod mass_balance;
pub(super) mod oblique;
pub(super) mod oblique_channels;
pub(super) mod rest;
pub(super) mod soil;
pub(super) mod streams;
pub(super) mod structures;
pub(super) mod thin_films;
pub(super) mod wave_trains;

use super::norms::failing_thread_counts;
use super::{Case, FROZEN, Outcome, Stepper, cases_for_setups, matches_reference};
use crate::noise::noise;
use anyhow::Result;
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params, Rain, Soil, Source,
};
use headwater::{Brush, Cause, Edge, Field, Region, Series};
use levels::{SETUPS, Setup};

pub(super) fn cases() -> Vec<Case> {
    let cases = [
        cases_for_setups(&SETUPS, "flow/volume", measure_mass_balance),
        cases_for_setups(&SETUPS, "flow/nonnegative", measure_negative_depth),
        cases_for_setups(&SETUPS, "flow/resume", check_resume),
        cases_for_setups(&SETUPS, "flow/threads", check_thread_independence),
        cases_for_setups(&SETUPS, "flow/level", measure_levelling),
    ];
    cases.into_iter().flatten().collect()
}

/// Number of steps in the long run, for the physics model `Pipes` on squares.
const LONG_RUN_STEPS: u64 = 100_000;

/// Duration of the run in all setups except `Pipes` on squares, as a number of steps of constant
/// length. Physics models other than `Pipes` simulate the same duration with the largest stable
/// steps.
const SHORT_RUN_STEPS: u64 = 5000;

/// Measures the residual of the mass balance with all kinds of sources and sinks together and with
/// occasional edits.
fn measure_mass_balance(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut flow = world_with_all_sources(setup, 96, 80)?;
    let dt = 0.9 * flow.stable_dt();
    let (steps, edits) = (
        if setup.is_default() { stepper.feasible_steps(LONG_RUN_STEPS) } else { SHORT_RUN_STEPS },
        100,
    );
    for i in 0..edits {
        setup.run_steps(&mut flow, stepper, steps / edits, dt)?;
        let at = [f64::from(noise(i as usize, 1)) * 190.0, f64::from(noise(i as usize, 2)) * 150.0];
        let edit = match i % 6 {
            0 => Edit::Lower(Change::By(1.5)),
            1 => Edit::Raise(Change::By(1.5)),
            2 => Edit::Smooth { reach: 4.0, strength: 0.8 },
            3 => Edit::Pour(Amount::Volume(60.0)),
            4 => Edit::Remove(Amount::Depth(0.3)),
            _ => Edit::Flatten { level: None, strength: 0.5 },
        };
        flow.edit(&Brush::smooth_disc(at, 12.0), edit)?;
    }
    let ledger = flow.ledger();
    let moved = |cause| ledger.inflow(cause) + ledger.outflow(cause);
    // Lava (blocks) creates stone, and only hydrology has uplift.
    let none = [Cause::Stone, Cause::Uplift];
    let mut causes = Cause::ALL.into_iter().filter(|cause| !none.contains(cause));
    let all = causes.all(|cause| moved(cause) > 0.0);
    let residual = if all { flow.balance().residual_relative.abs() } else { FROZEN };
    let metric = format!("|residual| / volume handled, {:e} steps", steps as f64);
    Ok(setup.row("flow/volume", metric, residual, 1e-9).into())
}

/// Measures the most negative depth in thin layers of water over steep, rough ground, where cells
/// repeatedly dry out.
fn measure_negative_depth(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let n = 128;
    let bed = Field::from_fn(n, n, |x, y| 60.0 * noise(x / 5, y / 5) + 8.0 * noise(x, y));
    let depth = Field::from_fn(n, n, |x, y| 2.0 * (noise(x + 7, y / 2) - 0.6).max(0.0));
    let start = depth.clone();
    let params = Params { level: setup.physics, ..Params::default() };
    let mut flow = Flow::new(setup.lattice(n, n, 1.0)?, params, bed, depth)?;
    flow.set_rain(Some(Rain { rate: 500.0.into(), map: None }))?;
    let out = BoundaryKind::Outflow { discharge: 2.0.into() };
    flow.set_boundary(Boundary::on_edge(Edge::South, out))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    let dt = flow.stable_dt();
    let mut min_depth = f32::INFINITY;
    for _ in 0..100 {
        setup.run_steps(&mut flow, stepper, 50, dt)?;
        min_depth =
            min_depth.min(flow.state().depth.min_max().map_or(f32::NEG_INFINITY, |range| range.0));
    }
    let below = if flow.state().depth == start { FROZEN } else { f64::from(-min_depth).max(0.0) };
    Ok(setup.row("flow/nonnegative", "most negative depth (m)", below, 0.0).into())
}

/// Checks that a world restored from a snapshot ends in the same state as the original.
fn check_resume(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut on = world_with_all_sources(setup, 80, 60)?;
    let start = on.state_hash();
    let dt = on.stable_dt();
    let steps = stepper.feasible_steps(500).max(100);
    setup.run_steps(&mut on, stepper, steps, dt)?;
    let saved = serde_json::to_vec(&on.snapshot())?;
    let mut again = Flow::restore(serde_json::from_slice(&saved)?)?;
    for flow in [&mut on, &mut again] {
        setup.run_steps(flow, stepper, steps, dt)?;
    }
    let moved = on.state_hash() != start;
    let same = moved && on.state_hash() == again.state_hash() && on.ledger() == again.ledger();
    Ok(setup.row("flow/resume", "restored worlds that differ", f64::from(!same), 0.0).into())
}

/// Checks that runs on 1, 2, 3 and 8 threads give the same bits as the reference loops, a plain
/// serial implementation.
fn check_thread_independence(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let world = world_with_all_sources(setup, 300, 200)?;
    let mut plain = world.clone();
    let mut lengths = Vec::new();
    for _ in 0..200 {
        lengths.push(plain.stable_dt());
        plain.step_plain(plain.stable_dt())?;
    }
    let differ = failing_thread_counts([1, 2, 3, 8], || {
        let mut flow = world.clone();
        lengths.iter().try_for_each(|&dt| stepper.step_flow(&mut flow, 1, dt))?;
        let hashes = [flow.state_hash(), plain.state_hash()];
        Ok(matches_reference(stepper, hashes, [&flow.state().depth, &plain.state().depth]))
    })?;
    let metric = "thread counts whose results differ from the reference loops";
    Ok(setup.row("flow/threads", metric, differ, 0.0).into())
}

/// Measures the level difference between two basins that are connected by a trench. One basin is
/// initially full, the other is dry.
fn measure_levelling(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let (nx, ny) = (60, 30);
    let wall = |x: usize| if (28..32).contains(&x) { 5.0 } else { 0.0 };
    let bed = Field::from_fn(nx, ny, |x, _| wall(x));
    let depth = Field::from_fn(nx, ny, |x, _| if x < 28 { 3.0 } else { 0.0 });
    // Pipes use `friction`, the other levels `manning`.
    let params = Params { level: setup.physics, friction: 0.3, manning: 0.15, ..Params::default() };
    let lattice = setup.lattice(nx, ny, 1.0)?;
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let dt = flow.stable_dt();
    setup.run_steps(&mut flow, stepper, 500, dt)?;
    let (column, row) = (lattice.dx(), lattice.dy());
    let held =
        flow.volume_in(&Region::rect([32.5 * column, 0.0], [61.0 * column, 30.0 * row]))? == 0.0;
    let line = [[27.0 * column, 15.0 * row], [33.0 * column, 15.0 * row]];
    let trench = Brush::with_flat_falloff(Region::line(line, 4.0));
    flow.edit(&trench, Edit::Flatten { level: Some(-0.5), strength: 1.0 })?;
    setup.run_steps(&mut flow, stepper, 20_000, dt)?;
    let surface = |x: f64| f64::from(flow.surface_at([x * column, 5.5 * row]).unwrap_or(f32::NAN));
    let gap = (surface(10.5) - surface(50.5)).abs();
    let gap = if held { gap } else { FROZEN };
    Ok(setup.row("flow/level", "difference of the water levels (m)", gap, 1e-3).into())
}

/// Creates a world with all kinds of sources and sinks.
fn world_with_all_sources(setup: Setup, nx: usize, ny: usize) -> Result<Flow> {
    let lattice = setup.lattice(nx, ny, 2.0)?;
    let (width, height) = (lattice.width(), lattice.height());
    let bed = Field::from_fn(nx, ny, |x, y| 6.0 * noise(x / 12, y / 12) + 0.5 * noise(x, y));
    let depth = bed.map(|z| (2.5 - z).max(0.0));
    let params =
        Params { level: setup.physics, friction: 0.05, pipe_area: 4.0, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let tide = Series::from_table(
        (0..200).map(|i| [f64::from(i) * 100.0, f64::from(1 + i % 3)]).collect(),
    )?;
    flow.set_boundary(Boundary::on_edge(Edge::West, BoundaryKind::Stage { level: tide }))?;
    let river = BoundaryKind::Inflow { discharge: 0.4.into() };
    flow.set_boundary(Boundary::on_segment(Edge::North, 0.3 * width, 0.4 * width, river))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    flow.add_spring(Source::new(Region::disc([0.5 * width, 0.5 * height], 6.0), 1.5))?;
    flow.add_drain(Source::new(Region::disc([0.7 * width, 0.3 * height], 10.0), 1.0))?;
    flow.set_rain(Some(Rain { rate: 20.0.into(), map: None }))?;
    flow.set_evaporation(Some(3.0.into()))?;
    flow.set_soil(Some(Soil { rate: 4.0, capacity: Some(0.02), seepage: 0.5, ..Soil::default() }))?;
    flow.edit(
        &Brush::smooth_disc([0.2 * width, 0.8 * height], 9.0),
        Edit::Pour(Amount::Depth(0.5)),
    )?;
    Ok(flow)
}
