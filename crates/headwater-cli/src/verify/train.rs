//! Trains of waves in deep water without edges: how much of their height is left after seven wavelengths, and how late they are.

use super::levels::{Setup, WITH_HEXAGONS};
use super::{Case, FROZEN, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params};
use headwater::{Edge, Field, Hex, Lattice};
use std::f64::consts::TAU;

pub(super) fn cases() -> Vec<Case> {
    on(&WITH_HEXAGONS, "flow/wave-train", |level, motion| {
        // 19 cells a wave: along a row, and on a diagonal, where 27 columns and as many rows hold one.
        let along = train("flow/wave-train", [19, 3], [1.0, 0.0], level, motion)?;
        let aslant = train("flow/wave-train-aslant", [27, 27], [1.0, 1.0], level, motion)?;
        let [[lost, lag], [lost_aslant, lag_aslant]] = [along, aslant];
        Ok(Outcome::of([lost, lag, lost_aslant, lag_aslant]))
    })
}

/// Depth of the water (m).
const DEPTH: f64 = 1.0;
/// Amplitude of the waves (m): small enough that they keep their shape.
const AMPLITUDE: f64 = 0.002;
/// Wavelengths that they run.
const WAVES: f64 = 7.0;

/// Sends a sinusoidal wave round a world that is joined to itself, `per` waves along its columns and its rows.
fn train(
    name: &str,
    [nx, ny]: [usize; 2],
    per: [f64; 2],
    level: Setup,
    motion: &dyn Motion,
) -> Result<[Row; 2]> {
    let celerity = (9.81 * DEPTH).sqrt();
    // As many hexagons along a row hold a wave as squares do; of their rows, which are even, so many that they are as high.
    let lattice: Lattice = if level.hex {
        let rows = 2 * (ny as f64 / 0.75_f64.sqrt() / 2.0).round() as usize;
        Hex::new(nx, rows, 1.0)?.into()
    } else {
        level.lattice(nx, ny, 1.0)?
    };
    let ny = lattice.ny();
    let place = |x: usize, y: usize| {
        let [east, south] = lattice.center(x, y);
        [east - 0.5 * lattice.dx(), south - 0.5 * lattice.dy()]
    };
    let height = ny as f64 * lattice.dy();
    let waves = [per[0] / nx as f64, per[1] / height];
    let length = 1.0 / waves[0].hypot(waves[1]);
    let phase = |x: usize, y: usize| {
        let [east, south] = place(x, y);
        TAU * (waves[0] * east + waves[1] * south)
    };
    let rise = |x: usize, y: usize| AMPLITUDE * phase(x, y).cos();
    let params = Params {
        level: level.physics,
        manning: 0.0,
        theta: 1.0,
        pipe_area: DEPTH,
        ..Params::default()
    };
    let (bed, depth) =
        (Field::new(nx, ny, 0.0), Field::from_fn(nx, ny, |x, y| (DEPTH + rise(x, y)) as f32));
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    flow.set_boundary(Boundary::whole(Edge::West, BoundaryKind::Periodic))?;
    flow.set_boundary(Boundary::whole(Edge::North, BoundaryKind::Periodic))?;
    let q = |way: f64| {
        let along = celerity * length * way;
        Field::from_fn(nx, ny, |x, y| (along * rise(x, y)) as f32)
    };
    flow.set_unit_discharge(&q(waves[0]), &q(waves[1]))?;
    motion.until(&mut flow, WAVES * length / celerity)?;
    let (mut cosine, mut sine) = (0.0, 0.0);
    for y in 0..ny {
        for x in 0..nx {
            let rise = f64::from(flow.state().surface(x, y)) - DEPTH;
            let phase = phase(x, y);
            cosine += 2.0 * rise * phase.cos() / (nx * ny) as f64;
            sine += 2.0 * rise * phase.sin() / (nx * ny) as f64;
        }
    }
    let lost = (1.0 - cosine.hypot(sine) / AMPLITUDE).abs();
    let lag = (sine.atan2(cosine) / TAU * length).abs();
    let row = |what: &str, metric: &'static str, value: f64, limit| {
        // Waves that stand still would be neither lower nor later, and those that are gone have no phase.
        let moved = flow.steps() > 0 && lost < 0.9 && value.is_finite();
        let value = if moved { value } else { FROZEN };
        Row::at_most(level.case(&format!("{name}-{what}")), metric, value, level.gate(limit))
    };
    let lost_of = "part of the amplitude lost in 7 wavelengths, 19 cells a wave";
    let late = "late or early by so many cells after 7 wavelengths";
    Ok([row("lost", lost_of, lost, 0.2), row("lag", late, lag, 0.2)])
}
