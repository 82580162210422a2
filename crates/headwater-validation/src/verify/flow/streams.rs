//! Test cases for streams in channels and on planes. The streams flow over a dike, over an oblique
//! levee or across a boundary, are decelerated by friction, or are fed by rain.

use super::levels::{LEVELS, Setup, WITH_HEXAGONS};
use crate::verify::exact::bisect;
use crate::verify::norms::{max_error, max_of_errors};
use crate::verify::{Case, Outcome, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, MM_PER_HOUR, Physics, Rain, Subgrid};
use headwater::{Edge, Field, Series, Square};

pub(in crate::verify) fn cases() -> Vec<Case> {
    let cases = [
        cases_for_setups(&LEVELS[..2], "flow/overtopped", measure_levee_overtopping),
        cases_for_setups(&WITH_HEXAGONS, "flow/stream-enters", measure_entering_stream),
        cases_for_setups(&WITH_HEXAGONS, "flow/dike", measure_dike_head),
        cases_for_setups(&WITH_HEXAGONS, "flow/slows-down", measure_deceleration),
        cases_for_setups(&WITH_HEXAGONS, "flow/rain-plane", measure_rain_runoff),
    ];
    cases.into_iter().flatten().collect()
}

/// Number of sub-grid samples along each side of a cell.
const SAMPLES: usize = 8;
/// Cell size in the levee case (m).
const CELL: f64 = 2.0;
/// Height of the levee's crest above the floor (m).
const CREST: f64 = 1.0;
/// Unit discharge of the inflow (m²/s).
const INFLOW: f64 = 0.5;

/// Compares the head over an oblique levee with the head over a broad-crested weir at the same
/// discharge.
fn measure_levee_overtopping(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let off = |thickness| {
        let heads =
            [10.0, 30.0, 45.0].map(|angle| head_over_levee(setup, stepper, angle, thickness));
        max_of_errors(heads.into_iter().map(|head| Ok((head? - 1.0).abs())))
    };
    let what = "relative error of head over a levee two cells thick at 10°, 30° and 45°";
    let thinner = "same for a levee 0.3 cells thick";
    Ok(Outcome::from_rows([
        setup.row_with_default_limit("flow/overtopped", what, off(2.0)?, 0.15),
        setup.row_with_default_limit("flow/overtopped-thin", thinner, off(0.3)?, 0.25),
    ]))
}

/// Returns the steady head over a levee of `thickness` cells, relative to the head over a
/// broad-crested weir with the same crest length, `q = (2/3)^(3/2)·√g·h^(3/2)`. `angle` is the
/// angle (degrees) between the levee's normal and the channel.
fn head_over_levee(setup: Setup, stepper: &dyn Stepper, angle: f64, thickness: f64) -> Result<f64> {
    let (nx, ny) = (60, 24);
    let (sin, cos) = angle.to_radians().sin_cos();
    let lattice = Square::new(nx, ny, CELL, CELL)?;
    // Distance from the levee's middle (cells).
    let across = |x: f64, y: f64| (x - 0.6 * nx as f64) * cos + (y - 0.5 * ny as f64) * sin;
    let fine = Field::from_fn(SAMPLES * nx, SAMPLES * ny, |x, y| {
        let [x, y] = [x, y].map(|i| (i as f64 + 0.5) / SAMPLES as f64);
        if across(x, y).abs() < 0.5 * thickness { CREST as f32 } else { 0.0 }
    });
    let (bed, subgrid) = Subgrid::from_raster(lattice, &fine)?;
    let depth = Field::from_fn(nx, ny, |x, y| {
        let behind = across(x as f64 + 0.5, y as f64 + 0.5) < 0.0;
        let filled = subgrid.depth_at_level(x, y, bed[(x, y)], 0.9 * CREST as f32);
        if behind { filled } else { 0.0 }
    });
    let mut flow = setup.world(lattice, 0.01, bed, depth)?;
    flow.set_subgrid(Some(subgrid))?;
    let comes = BoundaryKind::Inflow { discharge: INFLOW.into() };
    flow.set_boundary(Boundary::on_edge(Edge::West, comes))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    stepper.run_until(&mut flow, 300.0)?;
    let surface = flow.state().surface(nx / 6, ny / 2);
    // An oblique levee is longer than the width of the channel.
    let over = INFLOW * cos;
    let weir = (2.0_f64 / 3.0).powf(1.5) * 9.81_f64.sqrt();
    Ok((f64::from(surface) - CREST) / (over / weir).powf(2.0 / 3.0))
}

/// Measures the depth and velocity of a supercritical stream on a smooth, level floor. The stream
/// enters obliquely through the western edge; north and south are periodic. Depth and velocity must
/// be those of the inflow everywhere.
fn measure_entering_stream(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let (depth, along) = (0.2, [4.0, 1.5]);
    let lattice = setup.channel(60, 8, 1.0)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let mut flow = setup.world(lattice, 0.0, Field::new(nx, ny, 0.0), Field::new(nx, ny, 0.01))?;
    let kind = BoundaryKind::Stream {
        discharge: (depth * along[0]).into(),
        along: along[1].into(),
        level: Some(depth.into()),
    };
    flow.set_boundary(Boundary::on_edge(Edge::West, kind))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    flow.set_boundary(Boundary::on_edge(Edge::North, BoundaryKind::Periodic))?;
    stepper.run_until(&mut flow, 60.0)?;
    let (mut deep, mut fast) = (0.0, 0.0);
    for x in 1..nx - 1 {
        deep = max_error(deep, (f64::from(flow.state().depth[(x, 4)]) / depth - 1.0).abs());
        for (found, wanted) in flow.velocity(x, 4).into_iter().zip(along) {
            fast = max_error(fast, (f64::from(found) / wanted - 1.0).abs());
        }
    }
    let metrics = [
        "relative error of depth, stream at Froude number 2.9",
        "relative error of velocity, east or south",
    ];
    Ok(Outcome::from_rows([
        setup.row_with_default_limit("flow/stream-enters-depth", metrics[0], deep, 1e-3),
        setup.row_with_default_limit("flow/stream-enters-velocity", metrics[1], fast, 1e-3),
    ]))
}

/// Measures the relative error of the energy head over a dike with vertical faces. The exact head
/// is `1.5·(q²/g)^⅓` at critical depth. The error has no limit, because the schemes lose energy at
/// a bed step (docs/physics.md).
fn measure_dike_head(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let (q, crest) = (0.8, 1.0_f32);
    let lattice = setup.channel(200, 3, 0.5)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(nx, ny, |x, y| {
        if (50.0..62.0).contains(&lattice.center(x, y)[0]) { crest } else { 0.0 }
    });
    let depth = bed.map(|z| (1.2 - z).max(0.0));
    let mut flow = setup.world(lattice, 0.0, bed, depth)?;
    let inflow = BoundaryKind::Inflow { discharge: q.into() };
    flow.set_boundary(Boundary::on_edge(Edge::West, inflow))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    setup.make_uniform_across(&mut flow)?;
    stepper.run_until(&mut flow, 1000.0)?;
    let h = f64::from(flow.state().depth[(nx * 3 / 10, 1)]);
    let head = h + (q / h).powi(2) / (2.0 * 9.81) - f64::from(crest);
    let off = (head / (1.5 * (q * q / 9.81).cbrt()) - 1.0).abs();
    let metric = "relative error of energy head over a broad crest, 0.8 m²/s over a step of 1 m";
    Ok(setup.row("flow/dike", metric, off, None).into())
}

/// Measures how Manning friction decelerates a uniform stream, with small and large cells.
fn measure_deceleration(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    // Cells (m), depth (m), Manning's n (s/m^⅓) and velocity (m/s).
    let streams = [[10.0, 1.0, 0.05, 3.0], [200.0, 1.0, 0.05, 3.0], [50.0, 0.2, 0.06, 2.0]];
    let worst = max_of_errors(streams.map(|stream| deceleration_error(stream, setup, stepper)))?;
    let metric = "relative error of velocity after a minute, worst of three streams";
    Ok(setup.row_with_default_limit("flow/slows-down", metric, worst, 1e-4).into())
}

/// Returns the relative error of the velocity of a uniform stream over a level periodic floor after
/// one minute, compared with `u = u₀/(1 + g·n²·u₀·t/h^(4/3))`.
fn deceleration_error(
    [cell, h, manning, u]: [f64; 4],
    setup: Setup,
    stepper: &dyn Stepper,
) -> Result<f64> {
    let (n, time) = (16, 60.0);
    let (bed, depth) = (Field::new(n, n, 0.0), Field::new(n, n, h as f32));
    let mut flow = setup.world(setup.lattice(n, n, cell)?, manning, bed, depth)?;
    for edge in [Edge::West, Edge::North] {
        flow.set_boundary(Boundary::on_edge(edge, BoundaryKind::Periodic))?;
    }
    // The stream flows to the south-east, so that both components matter.
    let flow_field = [0.6, 0.8].map(|part| Field::new(n, n, (part * u * h) as f32));
    flow.set_unit_discharge(&flow_field[0], &flow_field[1])?;
    stepper.run_until(&mut flow, time)?;
    // Velocities belong to the last step; momentum is current.
    let at = (n / 2, n / 2);
    let [east, south] = match &flow.state().momentum {
        Some(q) => [q.x[at], q.y[at]].map(|q| f64::from(q) / h),
        None => flow.velocity(at.0, at.1).map(f64::from),
    };
    let exact = u / (1.0 + 9.81 * manning * manning * u * time / h.powf(4.0 / 3.0));
    Ok((east - 0.6 * exact).hypot(south - 0.8 * exact) / exact)
}

/// Slope (dimensionless) of the plane on which rain falls.
const SLOPE: f64 = 0.05;
/// Manning's roughness coefficient (s/m^⅓) of the plane on which rain falls.
const MANNING: f64 = 0.05;
/// Rain rate (mm/h).
const RAIN_RATE: f64 = 50.0;
/// Time at which the rain ends (s).
const RAIN_END: f64 = 900.0;
/// Position at which the runoff is measured (m downslope of the plane's upper edge).
const GAUGE_X: usize = 90;

/// Returns the runoff (m²/s) at a time (s) according to kinematic-wave theory. In this theory, a
/// point of constant depth travels downslope at `5/3` of the flow velocity (Henderson & Wooding
/// 1964).
fn runoff(time: f64) -> f64 {
    let (alpha, m) = (SLOPE.sqrt() / MANNING, 5.0 / 3.0);
    let rain = RAIN_RATE * MM_PER_HOUR;
    let steady = (rain * GAUGE_X as f64 / alpha).powf(1.0 / m);
    if time <= RAIN_END {
        return alpha * (rain * time).min(steady).powf(m);
    }
    // Position at time `time` of the depth `h`, which started at the end of the rain.
    let place = |h: f64| alpha * h.powf(m) / rain + alpha * m * h.powf(m - 1.0) * (time - RAIN_END);
    alpha * bisect(0.0, steady, |h| place(h) - GAUGE_X as f64).powf(m)
}

/// Compares the runoff from a plane with the kinematic-wave solution while the runoff rises, is
/// steady and recedes.
fn measure_rain_runoff(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let lattice = setup.channel(100, 3, 1.0)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(nx, ny, |x, y| (5.0 - SLOPE * lattice.center(x, y)[0]) as f32);
    let mut flow = setup.world(lattice, MANNING, bed, Field::new(nx, ny, 0.0))?;
    flow.set_boundary(Boundary::on_edge(Edge::East, BoundaryKind::Open))?;
    setup.make_uniform_across(&mut flow)?;
    let rate =
        Series::from_table(vec![[0.0, RAIN_RATE], [RAIN_END, RAIN_RATE], [RAIN_END + 0.01, 0.0]])?;
    flow.set_rain(Some(Rain { rate, map: None }))?;
    let mut worst = 0.0;
    for i in 1..=40 {
        let time = 40.0 * f64::from(i);
        stepper.run_until(&mut flow, time)?;
        let off = (setup.unit_discharge(&flow, GAUGE_X as f64, 1) - runoff(time)).abs();
        worst = max_error(worst, off / (RAIN_RATE * MM_PER_HOUR * GAUGE_X as f64));
    }
    let metric = "error of runoff against the kinematic wave, relative to equilibrium";
    let inertial = (setup.physics == Physics::Inertial).then_some(0.04);
    Ok(setup.row("flow/rain-plane", metric, worst, inertial.or(setup.default_limit(0.03))).into())
}
