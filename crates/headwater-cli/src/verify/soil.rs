//! Soil against the law of Green and Ampt: what has gone in below ponded water, and when rain begins to pond.

use super::levels::{SETUPS, Setup};
use super::{Case, FROZEN, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, MM_PER_HOUR, Params, Rain, Soil};
use headwater::{Edge, Field};

pub(super) fn cases() -> Vec<Case> {
    let cases =
        [on(&SETUPS, "flow/green-ampt-ponded", ponded), on(&SETUPS, "flow/green-ampt-rain", rain)];
    cases.into_iter().flatten().collect()
}

/// Silt loam, by Rawls, Brakensiek and Miller (1983).
const SOIL: Soil = Soil { rate: 6.5, suction: 0.1668, deficit: 0.34, capacity: None, seepage: 0.0 };

/// The depth (m) that the water is kept at.
const DEPTH: f64 = 0.05;

fn flat(setup: Setup, depth: f32) -> Result<Flow> {
    let (nx, ny) = (6, 4);
    let params = Params { level: setup.physics, ..Params::default() };
    let (bed, depth) = (Field::new(nx, ny, 0.0), Field::new(nx, ny, depth));
    let mut flow = Flow::new(setup.lattice(nx, ny, 1.0)?, params, bed, depth)?;
    flow.set_soil(Some(SOIL))?;
    Ok(flow)
}

/// Water in the soil of a cell in the middle (m).
fn held(flow: &Flow) -> f64 {
    flow.soil_at(3, 2).unwrap_or(f64::NAN)
}

/// Below water of one depth, `F − (ψ + h)Δθ·ln(1 + F/((ψ + h)Δθ)) = K·t`.
fn ponded(setup: Setup, motion: &dyn Motion) -> Result<Outcome> {
    let mut flow = flat(setup, DEPTH as f32)?;
    for edge in [Edge::West, Edge::East, Edge::North, Edge::South] {
        let level = BoundaryKind::Stage { level: DEPTH.into() };
        flow.set_boundary(Boundary::whole(edge, level))?;
    }
    let pull = (SOIL.suction + DEPTH) * SOIL.deficit;
    let mut worst = 0.0_f64;
    for minutes in [1.0, 5.0, 20.0, 60.0] {
        let time = 60.0 * minutes;
        motion.until(&mut flow, time)?;
        // Newton's way to the one root: what goes in grows ever more slowly.
        let mut exact = (2.0 * SOIL.rate * MM_PER_HOUR * time * pull).sqrt();
        for _ in 0..50 {
            let off = exact - pull * (exact / pull).ln_1p() - SOIL.rate * MM_PER_HOUR * time;
            exact -= off * (exact + pull) / exact;
        }
        let error = (held(&flow) / exact - 1.0).abs();
        // Not a number is no small error.
        worst = if error <= worst { worst } else { error };
    }
    let metric = "gone in below 50 mm, 1 to 60 min (relative)";
    Ok(Row::at_most(setup.case("flow/green-ampt-ponded"), metric, worst, 5e-4).into())
}

/// Steady rain of the rate `i` ponds at `K·ψΔθ/(i·(i − K))`.
fn rain(setup: Setup, motion: &dyn Motion) -> Result<Outcome> {
    const RATE: f64 = 40.0;
    let mut flow = flat(setup, 0.0)?;
    flow.set_rain(Some(Rain { rate: RATE.into(), map: None }))?;
    let (k, i) = (SOIL.rate * MM_PER_HOUR, RATE * MM_PER_HOUR);
    let exact = k * SOIL.suction * SOIL.deficit / (i * (i - k));
    let mut found = FROZEN;
    for second in 1..=(2.0 * exact) as u32 {
        let time = f64::from(second);
        motion.until(&mut flow, time)?;
        if i * time - held(&flow) > 1e-6 * i * exact && held(&flow) > 0.0 {
            found = time;
            break;
        }
    }
    let error = (found / exact - 1.0).abs();
    let metric = format!("ponded by {RATE} mm/h after {exact:.0} s (relative)");
    Ok(Row::at_most(setup.case("flow/green-ampt-rain"), metric, error, 0.01).into())
}
