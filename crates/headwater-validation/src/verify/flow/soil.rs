//! Test cases for infiltration and for time-limited inflow. The volumes from springs, boundaries
//! and rain must be exact, even if a step is longer than the inflow lasts. Infiltration is compared
//! with the Green–Ampt law under ponded water and under rain.

use super::levels::{SETUPS, Setup};
use crate::verify::norms::max_error;
use crate::verify::{Case, FROZEN, Outcome, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, MM_PER_HOUR, Params, Rain, Soil, Source};
use headwater::{Cause, Edge, Field, Region, Series};

pub(in crate::verify) fn cases() -> Vec<Case> {
    let cases = [
        cases_for_setups(&SETUPS, "flow/volume-timed", measure_timed_inflow),
        cases_for_setups(&SETUPS, "flow/green-ampt-ponded", measure_ponded_infiltration),
        cases_for_setups(&SETUPS, "flow/green-ampt-rain", measure_ponding_time),
    ];
    cases.into_iter().flatten().collect()
}

/// Compares the inflow of time-limited sources with the product of rate and duration.
fn measure_timed_inflow(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0;
    // Cell sizes (m) and rates: a trapezoid, a triangle, and a short pulse.
    let plateau = [[0.0, 0.0], [600.0, 0.0], [601.0, 1.0], [1199.0, 1.0], [1200.0, 0.0]];
    let hat = [[0.0, 0.0], [300.0, 1.0], [600.0, 0.0]];
    let burst = [[0.0, 0.0], [10.0, 0.0], [11.0, 1.0], [14.0, 1.0], [15.0, 0.0]];
    for (cell, until, rate) in
        [(100.0, 3600.0, &plateau[..]), (100.0, 900.0, &hat), (5.0, 700.0, &burst)]
    {
        let rate = Series::from_table(rate.to_vec())?;
        worst = max_error(worst, volume_error(setup, stepper, cell, until, &rate)?);
    }
    let metric = "relative error of inflow volume: springs, edges, rain; worst";
    Ok(setup.row("flow/volume-timed", metric, worst, 1e-5).into())
}

/// Returns the largest relative error of the volume that a source adds to dry land until the time
/// `until` (s). Four sources are tested separately: a spring with a time series, a spring that is
/// active for an interval, a boundary and rain.
fn volume_error(
    setup: Setup,
    stepper: &dyn Stepper,
    cell: f64,
    until: f64,
    rate: &Series,
) -> Result<f64> {
    let n = 10;
    let lattice = setup.lattice(n, n, cell)?;
    let params = Params { level: setup.physics, ..Params::default() };
    let total = rate.mean(0.0, until) * until;
    let mut worst = 0.0;
    for kind in 0..4 {
        let (bed, depth) = (Field::new(n, n, 0.0), Field::new(n, n, 0.0));
        let mut flow = Flow::new(lattice, params.clone(), bed, depth)?;
        let [x, y] = lattice.center(n / 2, n / 2);
        let region = Region::disc([x, y], 0.7 * cell);
        let (cause, expected) = match kind {
            0 => {
                flow.add_spring(Source::new(region, rate.map_values(|v| 100.0 * v)))?;
                (Cause::Source, 100.0 * total)
            }
            1 => {
                let during = Some([0.31 * until, 0.32 * until]);
                flow.add_spring(Source { during, ..Source::new(region, 7.0) })?;
                (Cause::Source, 0.07 * until)
            }
            2 => {
                let discharge = rate.map_values(|v| 0.1 * v);
                flow.set_boundary(Boundary::on_edge(
                    Edge::West,
                    BoundaryKind::Inflow { discharge },
                ))?;
                let faces = 0..lattice.edge_len(Edge::West);
                let width: f64 = faces.map(|i| lattice.edge_face_width(Edge::West, i)).sum();
                (Cause::Boundary, 0.1 * total * width)
            }
            _ => {
                flow.set_rain(Some(Rain { rate: rate.map_values(|v| 36.0 * v), map: None }))?;
                let area = lattice.cell_area() * (n * n) as f64;
                (Cause::Rain, 36.0 * MM_PER_HOUR * total * area)
            }
        };
        stepper.run_until(&mut flow, until)?;
        worst = max_error(worst, (flow.ledger().inflow(cause) / expected - 1.0).abs());
    }
    Ok(worst)
}

/// Soil parameters of silt loam (Rawls, Brakensiek and Miller 1983).
const SOIL: Soil = Soil { rate: 6.5, suction: 0.1668, deficit: 0.34, capacity: None, seepage: 0.0 };

/// Depth of the ponded water (m), which is held constant.
const DEPTH: f64 = 0.05;

fn create_flat_world(setup: Setup, depth: f32) -> Result<Flow> {
    let (nx, ny) = (6, 4);
    let params = Params { level: setup.physics, ..Params::default() };
    let (bed, depth) = (Field::new(nx, ny, 0.0), Field::new(nx, ny, depth));
    let mut flow = Flow::new(setup.lattice(nx, ny, 1.0)?, params, bed, depth)?;
    flow.set_soil(Some(SOIL))?;
    Ok(flow)
}

/// Returns the water in the soil of a cell in the middle of the world (m).
fn infiltrated_depth(flow: &Flow) -> f64 {
    flow.soil_water_at(3, 2).unwrap_or(f64::NAN)
}

/// Compares infiltration under ponded water of constant depth with the Green–Ampt law `F − (ψ +
/// h)Δθ·ln(1 + F/((ψ + h)Δθ)) = K·t`.
fn measure_ponded_infiltration(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut flow = create_flat_world(setup, DEPTH as f32)?;
    for edge in Edge::ALL {
        let level = BoundaryKind::Stage { level: DEPTH.into() };
        flow.set_boundary(Boundary::on_edge(edge, level))?;
    }
    let pull = (SOIL.suction + DEPTH) * SOIL.deficit;
    let mut worst = 0.0;
    for minutes in [1.0, 5.0, 20.0, 60.0] {
        let time = 60.0 * minutes;
        stepper.run_until(&mut flow, time)?;
        // Newton's method for the single root; infiltration is concave in time.
        let mut exact = (2.0 * SOIL.rate * MM_PER_HOUR * time * pull).sqrt();
        for _ in 0..50 {
            let off = exact - pull * (exact / pull).ln_1p() - SOIL.rate * MM_PER_HOUR * time;
            exact -= off * (exact + pull) / exact;
        }
        worst = max_error(worst, (infiltrated_depth(&flow) / exact - 1.0).abs());
    }
    let metric = "relative error of infiltration under 50 mm, 1 to 60 min";
    Ok(setup.row("flow/green-ampt-ponded", metric, worst, 5e-4).into())
}

/// Measures the time at which steady rain of rate `i` causes ponding, and compares it with the time
/// `K·ψΔθ/(i·(i − K))` by the Green–Ampt law.
fn measure_ponding_time(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    const RATE: f64 = 40.0;
    let mut flow = create_flat_world(setup, 0.0)?;
    flow.set_rain(Some(Rain { rate: RATE.into(), map: None }))?;
    let (k, i) = (SOIL.rate * MM_PER_HOUR, RATE * MM_PER_HOUR);
    let exact = k * SOIL.suction * SOIL.deficit / (i * (i - k));
    let mut found = FROZEN;
    for second in 1..=(2.0 * exact) as u32 {
        let time = f64::from(second);
        stepper.run_until(&mut flow, time)?;
        if i * time - infiltrated_depth(&flow) > 1e-6 * i * exact && infiltrated_depth(&flow) > 0.0
        {
            found = time;
            break;
        }
    }
    let error = (found / exact - 1.0).abs();
    let metric = format!("relative error of the ponding time of {exact:.0} s at {RATE} mm/h");
    Ok(setup.row("flow/green-ampt-rain", metric, error, 0.01).into())
}
