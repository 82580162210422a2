//! How waves come in over an edge: how much of their height is left, and how late they are, as told from the waves that run
//! beyond it.

use super::levels::{Setup, WITH_HEXAGONS};
use super::{Case, FROZEN, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flow, Params};
use headwater::{Edge, Field, Series};
use std::f64::consts::TAU;

pub(super) fn cases() -> Vec<Case> {
    let cases = [
        on(&WITH_HEXAGONS, "flow/wave-over-stage", |level, motion| {
            let point = |i: u32| [f64::from(i) * 0.005, rise(f64::from(i) * 0.005)];
            let level_of = Series::table((0..12_000).map(point).collect())?;
            entry("flow/wave-over-stage", level, motion, BoundaryKind::Stage { level: level_of })
        }),
        on(&WITH_HEXAGONS, "flow/wave-over-wave", |level, motion| {
            let waves = BoundaryKind::Wave { level: 0.0, amplitude: AMPLITUDE, period: period() };
            entry("flow/wave-over-wave", level, motion, waves)
        }),
        on(&WITH_HEXAGONS, "flow/stream-enters", stream),
    ];
    cases.into_iter().flatten().collect()
}

/// A stream that shoots in aslant over a smooth, level floor runs on as it came, however wide the floor is: its north and south are joined.
fn stream(level: Setup, motion: &dyn Motion) -> Result<Outcome> {
    let (nx, ny, depth, along) = (60, 8, 0.2, [4.0, 1.5]);
    let params = Params { level: level.physics, manning: 0.0, ..Params::default() };
    let lattice = level.channel(nx, ny, 1.0)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let (bed, water) = (Field::new(nx, ny, 0.0), Field::new(nx, ny, 0.01));
    let mut flow = Flow::new(lattice, params, bed, water)?;
    let kind = BoundaryKind::Stream {
        discharge: (depth * along[0]).into(),
        along: along[1].into(),
        level: Some(depth.into()),
    };
    flow.set_boundary(Boundary::whole(Edge::West, kind))?;
    flow.set_boundary(Boundary::whole(Edge::East, BoundaryKind::Open))?;
    flow.set_boundary(Boundary::whole(Edge::North, BoundaryKind::Periodic))?;
    motion.until(&mut flow, 60.0)?;
    let (mut deep, mut fast) = (0.0_f64, 0.0_f64);
    for x in 1..nx - 1 {
        deep = deep.max((f64::from(flow.state().depth[(x, 4)]) / depth - 1.0).abs());
        let velocity = flow.velocity(x, 4);
        for (found, wanted) in velocity.into_iter().zip(along) {
            fast = fast.max((f64::from(found) / wanted - 1.0).abs());
        }
    }
    let row = |what: &str, metric: &'static str, value: f64| {
        let value = if value.is_finite() { value } else { FROZEN };
        Row::at_most(
            level.case(&format!("flow/stream-enters-{what}")),
            metric,
            value,
            level.gate(1e-3),
        )
    };
    Ok(Outcome::of([
        row("depth", "depth off, of a stream at Froude 2.9", deep),
        row("velocity", "velocity off, to the east or the south", fast),
    ]))
}

/// Depth of the water (m).
const DEPTH: f64 = 4.0;
/// Amplitude of the waves (m): small enough that they keep their shape.
const AMPLITUDE: f64 = 0.004;
/// Cells of 1 m in a wave.
const WAVE: f64 = 20.0;
/// Columns: more than the waves come through.
const CELLS: usize = 240;

fn celerity() -> f64 {
    (9.81 * DEPTH).sqrt()
}

fn period() -> f64 {
    WAVE / celerity()
}

/// How high the water is lifted (m) over the edge at a time (s).
fn rise(time: f64) -> f64 {
    AMPLITUDE * (TAU * time / period()).sin()
}

/// Lets waves in over the western edge, and finds by their first harmonic what they are in the cells of the second and third
/// wavelength. From there their height and phase are followed back to the edge, along straight lines, for on the way every
/// scheme damps and delays them too.
fn entry(name: &str, level: Setup, motion: &dyn Motion, west: BoundaryKind) -> Result<Outcome> {
    let lattice = level.channel(CELLS, 3, 1.0)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let params = Params {
        level: level.physics,
        manning: 0.0,
        theta: 1.0,
        pipe_area: DEPTH,
        ..Params::default()
    };
    let (bed, depth) = (Field::new(nx, ny, -DEPTH as f32), Field::new(nx, ny, DEPTH as f32));
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    flow.set_boundary(Boundary::whole(Edge::West, west))?;
    level.keep_even(&mut flow)?;
    // Until the fifth wave has come through the third wavelength; nothing is back from the other end.
    motion.until(&mut flow, 8.0 * period())?;
    let (moments, cells) = (32, 20..60);
    let mut sums = vec![[0.0; 2]; CELLS];
    for i in 0..moments {
        let time = (8.0 + f64::from(i) / f64::from(moments)) * period();
        motion.until(&mut flow, time)?;
        let phase = TAU * f64::from(i) / f64::from(moments);
        for x in cells.clone() {
            let surface = f64::from(flow.state().surface(x, 1));
            sums[x][0] += surface * phase.sin() * 2.0 / f64::from(moments);
            sums[x][1] += surface * phase.cos() * 2.0 / f64::from(moments);
        }
    }
    let mut last = 0.0;
    let waves: Vec<[f64; 3]> = cells
        .map(|x| {
            let [sine, cosine] = sums[x];
            // Each cell is later than the one before.
            let mut late = -cosine.atan2(sine);
            late += TAU * ((last - late) / TAU).round();
            last = late;
            // Of hexagons, every other one stands out by half a cell: the edge lies between.
            let edge = if level.hex { 0.25 * flow.lattice().dx() } else { 0.0 };
            [flow.lattice().center(x, 1)[0] - edge, sine.hypot(cosine).ln(), late]
        })
        .collect();
    let left = (at_edge(&waves, 1).exp() / AMPLITUDE - 1.0).abs();
    let late = at_edge(&waves, 2);
    let late = (late - TAU * (late / TAU).round()).abs() / TAU * WAVE;
    let seen = |value: f64| if value.is_finite() { value } else { FROZEN };
    let row = |what: &str, metric: String, value, limit| {
        Row::at_most(level.case(&format!("{name}-{what}")), metric, seen(value), level.gate(limit))
    };
    Ok(Outcome::of([
        row("height", format!("amplitude off at the edge, {WAVE} cells a wave"), left, 0.04),
        row(
            "lag",
            "late or early by so many cells".into(),
            if left < 0.9 { late } else { FROZEN },
            0.1,
        ),
    ]))
}

/// A straight line through points `[x, …]`, at 0.
fn at_edge(points: &[[f64; 3]], of: usize) -> f64 {
    let n = points.len() as f64;
    let mean = |i: usize| points.iter().map(|point| point[i]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(of));
    let (mut both, mut square) = (0.0, 0.0);
    for point in points {
        both += (point[0] - x) * (point[of] - y);
        square += (point[0] - x).powi(2);
    }
    y - x * both / square
}
