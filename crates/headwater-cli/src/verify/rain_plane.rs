//! Rain on a plane against the kinematic wave: how its runoff rises, stays, and falls once the rain is over.

use super::levels::{Setup, WITH_HEXAGONS};
use super::{Case, FROZEN, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, MM_PER_HOUR, Params, Physics, Rain};
use headwater::{Edge, Field, Series};

pub(super) fn cases() -> Vec<Case> {
    on(&WITH_HEXAGONS, "flow/rain-plane", |level, motion| {
        Ok(Outcome::of([measure(level, motion)?]))
    })
}

/// Slope, and Manning's n (s/m^⅓).
const SLOPE: f64 = 0.05;
const MANNING: f64 = 0.05;
/// The rain (mm/h), and when it ends (s).
const RATE: f64 = 50.0;
const ENDS: f64 = 900.0;
/// Where its runoff is measured (m from the top).
const AT: usize = 90;

/// The runoff (m²/s) at a time (s): each depth runs down at `5/3` of its velocity (Henderson & Wooding 1964).
fn runoff(time: f64) -> f64 {
    let (alpha, m) = (SLOPE.sqrt() / MANNING, 5.0 / 3.0);
    let rain = RATE * MM_PER_HOUR;
    let steady = (rain * AT as f64 / alpha).powf(1.0 / m);
    if time <= ENDS {
        return alpha * (rain * time).min(steady).powf(m);
    }
    // The depth that began at its place when the rain ended, and is here now.
    let (mut low, mut high) = (0.0, steady);
    for _ in 0..60 {
        let h: f64 = 0.5 * (low + high);
        let place = alpha * h.powf(m) / rain + alpha * m * h.powf(m - 1.0) * (time - ENDS);
        if place < AT as f64 { low = h } else { high = h }
    }
    alpha * low.powf(m)
}

fn measure(level: Setup, motion: &dyn Motion) -> Result<Row> {
    let lattice = level.channel(100, 3, 1.0)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(nx, ny, |x, y| (5.0 - SLOPE * lattice.center(x, y)[0]) as f32);
    let params = Params { level: level.physics, manning: MANNING, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, Field::new(nx, ny, 0.0))?;
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open))?;
    level.keep_even(&mut flow)?;
    let runs = |flow: &Flow| {
        if level.hex {
            let (east, south) = (AT as f64, lattice.height());
            flow.discharge_through([east, south], [east, 0.0]) / south
        } else {
            f64::from(flow.state().discharge_x[(AT, 1)])
        }
    };
    let rate = Series::table(vec![[0.0, RATE], [ENDS, RATE], [ENDS + 0.01, 0.0]])?;
    flow.set_rain(Some(Rain { rate, map: None }))?;
    let mut worst = 0.0_f64;
    for i in 1..=40 {
        let time = 40.0 * f64::from(i);
        motion.until(&mut flow, time)?;
        let off = runs(&flow) - runoff(time);
        let off = off.abs() / (RATE * MM_PER_HOUR * AT as f64);
        // Not a number is no small error.
        worst = if off <= worst { worst } else { off };
    }
    let worst = if worst.is_finite() { worst } else { FROZEN };
    let metric = "runoff off the kinematic wave's, as a part of the steady one";
    let inertial = (level.physics == Physics::Inertial).then_some(0.04);
    let limit = inertial.or(level.gate(0.03));
    Ok(Row::at_most(level.case("flow/rain-plane"), metric, worst, limit))
}
