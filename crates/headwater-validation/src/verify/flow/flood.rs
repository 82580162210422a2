//! Test cases that compare recorded flood maxima with exact solutions: maximum depth, arrival time
//! and duration. Behind the wavefront of a dam break, they also compare the maximum speed, unit
//! discharge and hazard.

use super::accuracy::benchmark;
use super::benchmark::Benchmark;
use super::levels::{Setup, WITH_HEXAGONS};
use crate::verify::exact::{DamBreak, ExactSolution};
use crate::verify::norms::max_error;
use crate::verify::{Case, Outcome, Row, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flood, Flow, STANDING_WATER_HAZARD_SPEED, View};
use headwater::{Edge, Field};

pub(in crate::verify) fn cases() -> Vec<Case> {
    let cases = [
        cases_for_setups(&WITH_HEXAGONS, "flow/flood-stoker", |setup, stepper| {
            // Between the depths ahead of and behind the front.
            let rows = measure_flood_maxima(
                setup,
                stepper,
                &benchmark("flow/stoker")?,
                0.0015,
                [0.003, 0.01, 0.005],
            )?;
            Ok(Outcome::from_rows([rows.0, measure_wavefront(setup, &rows.1)].concat()))
        }),
        cases_for_setups(&WITH_HEXAGONS, "flow/flood-thacker", |setup, stepper| {
            let benchmark = benchmark("flow/thacker-planar")?;
            Ok(Outcome::from_rows(
                measure_flood_maxima(setup, stepper, &benchmark, 0.01, [0.02, 0.03, 0.02])?.0,
            ))
        }),
        cases_for_setups(&WITH_HEXAGONS, "flow/flood-jump", measure_moving_jumps),
    ];
    cases.into_iter().flatten().collect()
}

/// Number of time samples of the exact solution.
const TIME_SAMPLES: u32 = 4000;

/// Flood maxima at one cell according to an exact solution.
#[derive(Clone, Copy, Default)]
struct ExactMaxima {
    deepest: f64,
    arrival: Option<f64>,
    duration: f64,
}

impl ExactMaxima {
    fn from_solution(exact: &dyn ExactSolution, at: [f64; 2], depth: f64, until: f64) -> Self {
        let mut seen = Self::default();
        let moment = until / f64::from(TIME_SAMPLES);
        for i in 0..=TIME_SAMPLES {
            let time = moment * f64::from(i);
            let h = exact.depth(at, time);
            seen.deepest = seen.deepest.max(h);
            if h > depth {
                seen.arrival = seen.arrival.or(Some(time));
                seen.duration += if i < TIME_SAMPLES { moment } else { 0.0 };
            }
        }
        seen
    }
}

/// Simulates a benchmark while flood maxima are recorded, and compares the maxima with the exact
/// solution. A cell counts as flooded if its depth exceeds `depth` (m). `limits` contains the upper
/// limits for the errors of maximum depth, arrival time and flood duration, in this order.
fn measure_flood_maxima(
    setup: Setup,
    stepper: &dyn Stepper,
    benchmark: &Benchmark,
    depth: f64,
    limits: [f64; 3],
) -> Result<(Vec<Row>, Flow)> {
    let mut flow = benchmark.create_world(setup, benchmark.cells)?;
    flow.set_flood(Some(Flood { depth }))?;
    let until = benchmark.times.iter().copied().fold(0.0, f64::max);
    stepper.run_until(&mut flow, until)?;
    let [deepest, arrival, duration] =
        [View::MaxDepth, View::Arrival, View::Duration].map(|view| flow.view(view));
    let [mut off, mut all, mut arrival_error, mut duration_error, mut reached] = [0.0; 5];
    for (cell, at) in benchmark.measured_cells(&flow) {
        let seen = ExactMaxima::from_solution(&*benchmark.exact, at, depth, until);
        off += (f64::from(deepest[cell]) - seen.deepest).abs();
        all += seen.deepest;
        let arrived = Some(f64::from(arrival[cell])).filter(|&time| time >= 0.0);
        // A missing arrival counts as an arrival at the end of the run.
        arrival_error += (arrived.unwrap_or(until) - seen.arrival.unwrap_or(until)).abs();
        duration_error += (f64::from(duration[cell]) - seen.duration).abs();
        reached += f64::from(u8::from(seen.arrival.is_some_and(|time| time > 0.0)));
    }
    let part = "/ run time, mean of flooded cells";
    let over = reached * until;
    let figures = [
        ("depth", "relative L1 error of maximum depth".into(), off / all),
        ("arrival", format!("error of arrival {part}"), arrival_error / over),
        ("duration", format!("error of duration {part}"), duration_error / over),
    ];
    let row = |((what, metric, value), gate): ((&str, String, f64), f64)| {
        let name = format!("{}-{what}", benchmark.name.replace("/", "/flood-"));
        setup.row_with_default_limit(&name, metric, value, gate)
    };
    Ok((figures.into_iter().zip(limits).map(row).collect(), flow))
}

/// Measures the errors of maximum speed, unit discharge and hazard in the cells that the wavefront
/// of a dam break has passed.
fn measure_wavefront(setup: Setup, flow: &Flow) -> Vec<Row> {
    let dam = DamBreak::new(5.0, 0.005, 0.001);
    let [h, u] = dam.middle_state();
    let hazard = h * (u + f64::from(STANDING_WATER_HAZARD_SPEED));
    let kinds = [
        ("speed", "speed", View::MaxSpeed, u),
        ("discharge", "unit discharge", View::MaxUnitDischarge, h * u),
        ("hazard", "hazard", View::MaxHazard, hazard),
    ];
    let cells = |x: usize| {
        let x = flow.lattice().center(x, 0)[0];
        // Exclude cells near the dam and near the final front.
        (dam.dam_x + 0.25..dam.dam_x + 5.5 * dam.shock_speed()).contains(&x)
    };
    let row = |(name, what, view, exact): (&str, &str, View, f64)| {
        let kept = flow.view(view);
        let off = (0..flow.lattice().nx()).filter(|&x| cells(x));
        let off: Vec<f64> = off.map(|x| (f64::from(kept[(x, 1)]) / exact - 1.0).abs()).collect();
        let mean = off.iter().sum::<f64>() / off.len() as f64;
        let metric = format!("mean error of maximum {what} behind the front");
        setup.row_with_default_limit(&format!("flow/flood-stoker-{name}"), metric, mean, 0.01)
    };
    kinds.map(row).into()
}

/// Measures slowly moving hydraulic jumps. The recorded maxima of unit discharge and hazard must
/// equal those on one side of the jump: the jump itself must not cause a peak.
fn measure_moving_jumps(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut discharge, mut hazard) = (0.0, 0.0);
    for speed in [-0.3, -0.05, 0.05, 0.3] {
        let off = moving_jump_errors(setup, stepper, speed)?;
        (discharge, hazard) = (max_error(discharge, off[0]), max_error(hazard, off[1]));
    }
    let metric = "relative error of the maximum, worst of four jumps";
    Ok(Outcome::from_rows([
        setup.row_with_default_limit("flow/flood-jump-discharge", metric, discharge, 0.1),
        setup.row_with_default_limit("flow/flood-jump-hazard", metric, hazard, 0.1),
    ]))
}

/// Returns the relative errors of two recorded maxima around a hydraulic jump that moves with
/// `speed` (m/s): of the unit discharge and of the hazard, in this order.
fn moving_jump_errors(setup: Setup, stepper: &dyn Stepper, speed: f64) -> Result<[f64; 2]> {
    let g = 9.81_f64;
    let lattice = setup.channel(300, 3, 0.5)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    // State upstream; the state downstream follows from the Rankine–Hugoniot conditions.
    let (h, q) = (0.3, 2.0);
    let comes = q / h - speed;
    let froude = comes / (g * h).sqrt();
    let behind = 0.5 * h * ((1.0 + 8.0 * froude * froude).sqrt() - 1.0);
    let sides = [[h, q], [behind, behind * (speed + comes * h / behind)]];
    let field = |i: usize| {
        Field::from_fn(nx, ny, |x, y| sides[usize::from(lattice.center(x, y)[0] >= 75.0)][i] as f32)
    };
    let mut flow = setup.world(lattice, 0.0, Field::new(nx, ny, 0.0), field(0))?;
    flow.set_unit_discharge(&field(1), &Field::new(nx, ny, 0.0))?;
    let stream =
        BoundaryKind::Stream { discharge: q.into(), along: 0.0.into(), level: Some(h.into()) };
    flow.set_boundary(Boundary::on_edge(Edge::West, stream))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    setup.make_uniform_across(&mut flow)?;
    flow.set_flood(Some(Flood { depth: 0.01 }))?;
    // Stop before waves from the edges arrive.
    stepper.run_until(&mut flow, 15.0)?;
    let near = |view| {
        let kept = flow.view(view);
        let kept = (nx / 2 - 30..nx / 2 + 30).map(|x| f64::from(kept[(x, 1)]));
        kept.fold(0.0, f64::max)
    };
    let standing = f64::from(STANDING_WATER_HAZARD_SPEED);
    let max_of_sides =
        |of: fn([f64; 2], f64) -> f64| of(sides[0], standing).max(of(sides[1], standing));
    Ok([
        (near(View::MaxUnitDischarge) / max_of_sides(|[_, q], _| q) - 1.0).abs(),
        (near(View::MaxHazard) / max_of_sides(|[h, q], standing| q + standing * h) - 1.0).abs(),
    ])
}
