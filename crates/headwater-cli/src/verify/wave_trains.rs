//! Waves that enter over an edge, trains of waves in deep water, and run-up of solitary waves.

use super::levels::{Setup, WITH_HEXAGONS};
use super::{Case, FROZEN, Motion, Outcome, Row, on};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flood, Flow, Params, View};
use headwater::{Edge, Field, Hex, Lattice, Series};
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
        on(&WITH_HEXAGONS, "flow/wave-train", |level, motion| {
            // 19 cells a wave: along a row, and on a diagonal, where 27 columns and as many rows hold one.
            let along = train("flow/wave-train", [19, 3], [1.0, 0.0], level, motion)?;
            let aslant = train("flow/wave-train-aslant", [27, 27], [1.0; 2], level, motion)?;
            Ok(Outcome::of([along.rows, aslant.rows].concat()))
        }),
        // The other levels know no bores, and are left out.
        on(&WITH_HEXAGONS[..2], "flow/run-up", |level, motion| {
            let rows = HEIGHTS.into_iter().map(|height| run_up(height, level, motion));
            Ok(Outcome::of(rows.collect::<Result<Vec<_>>>()?))
        }),
    ];
    cases.into_iter().flatten().collect()
}

/// A world without friction and numerical damping, with pipes for waves on water of a depth (m).
fn world(
    level: Setup,
    lattice: Lattice,
    depth_of_pipes: f64,
    bed: Field<f32>,
    depth: Field<f32>,
) -> Result<Flow> {
    let params = Params {
        level: level.physics,
        manning: 0.0,
        theta: 1.0,
        pipe_area: depth_of_pipes,
        ..Params::default()
    };
    Ok(Flow::new(lattice, params, bed, depth)?)
}

/// Depth of the water that waves come into (m).
const DEPTH: f64 = 4.0;
/// Amplitude of the waves (m): small enough that they keep their shape.
const AMPLITUDE: f64 = 0.004;
/// Cells of 1 m in a wave.
const WAVE: f64 = 20.0;
/// Columns: more than the waves come through.
const CELLS: usize = 240;

fn period() -> f64 {
    WAVE / (9.81 * DEPTH).sqrt()
}

/// How high the water is lifted (m) over the edge at a time (s).
fn rise(time: f64) -> f64 {
    AMPLITUDE * (TAU * time / period()).sin()
}

/// Lets waves in over the western edge and finds their first harmonic in the cells of the second and
/// third wavelength. Amplitude and phase are extrapolated to the edge along straight lines, because
/// every scheme damps and delays waves on the way.
fn entry(name: &str, level: Setup, motion: &dyn Motion, west: BoundaryKind) -> Result<Outcome> {
    let lattice = level.channel(CELLS, 3, 1.0)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let (bed, depth) = (Field::new(nx, ny, -DEPTH as f32), Field::new(nx, ny, DEPTH as f32));
    let mut flow = world(level, lattice, DEPTH, bed, depth)?;
    flow.set_boundary(Boundary::on_edge(Edge::West, west))?;
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
    let late = if left < 0.9 { late } else { FROZEN };
    let metric = format!("amplitude off at the edge, {WAVE} cells a wave");
    Ok(Outcome::of([
        level.gated(&format!("{name}-height"), metric, left, 0.04),
        level.gated(&format!("{name}-lag"), "late or early by so many cells", late, 0.1),
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

/// Depth of deep water (m), amplitude of the waves on it (m), and wavelengths that they run.
const DEEP: f64 = 1.0;
const LOW: f64 = 0.002;
const WAVES: f64 = 7.0;

/// Sends a sinusoidal wave round a periodic world, `per` waves along its columns and its rows.
fn train(
    name: &str,
    [nx, ny]: [usize; 2],
    per: [f64; 2],
    level: Setup,
    motion: &dyn Motion,
) -> Result<Outcome> {
    let celerity = (9.81 * DEEP).sqrt();
    // Hexagons have as many columns as squares, and an even number of rows of about the same height.
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
    let rise = |x: usize, y: usize| LOW * phase(x, y).cos();
    let (bed, depth) =
        (Field::new(nx, ny, 0.0), Field::from_fn(nx, ny, |x, y| (DEEP + rise(x, y)) as f32));
    let mut flow = world(level, lattice, DEEP, bed, depth)?;
    flow.set_boundary(Boundary::on_edge(Edge::West, BoundaryKind::Periodic))?;
    flow.set_boundary(Boundary::on_edge(Edge::North, BoundaryKind::Periodic))?;
    let q = |way: f64| {
        let along = celerity * length * way;
        Field::from_fn(nx, ny, |x, y| (along * rise(x, y)) as f32)
    };
    flow.set_unit_discharge(&q(waves[0]), &q(waves[1]))?;
    motion.until(&mut flow, WAVES * length / celerity)?;
    let (mut cosine, mut sine) = (0.0, 0.0);
    for y in 0..ny {
        for x in 0..nx {
            let rise = f64::from(flow.state().surface(x, y)) - DEEP;
            let phase = phase(x, y);
            cosine += 2.0 * rise * phase.cos() / (nx * ny) as f64;
            sine += 2.0 * rise * phase.sin() / (nx * ny) as f64;
        }
    }
    let lost = (1.0 - cosine.hypot(sine) / LOW).abs();
    let lag = (sine.atan2(cosine) / TAU * length).abs();
    // A frozen wave is neither lower nor later, and a vanished one has no phase.
    let moved = flow.steps() > 0 && lost < 0.9;
    let [lost, lag] = if moved { [lost, lag] } else { [FROZEN; 2] };
    let lost_of = "part of the amplitude lost in 7 wavelengths, 19 cells a wave";
    let late = "late or early by so many cells after 7 wavelengths";
    Ok(Outcome::of([
        level.gated(&format!("{name}-lost"), lost_of, lost, 0.2),
        level.gated(&format!("{name}-lag"), late, lag, 0.2),
    ]))
}

/// Heights of the wave, as parts of the depth, which is 1 m.
const HEIGHTS: [f64; 7] = [0.005, 0.01, 0.019, 0.04, 0.1, 0.3, 0.6];

/// The beach rises by 1 m on so many.
const COT: f64 = 19.85;

/// Manning's n (s/m^⅓) below waves that break: their law is that of a flume, smooth as glass.
const FLUME: f64 = 0.009;

/// Whether a wave breaks on its way up.
fn breaks(height: f64) -> bool {
    height > 0.8183 * COT.powf(-10.0 / 9.0)
}

/// Run-up (m) of a wave: `2.831·√cot β·H^1.25` without friction if it does not break, and as measured,
/// `1.109·H^0.582`, if it does.
fn law(height: f64) -> f64 {
    if breaks(height) { 1.109 * height.powf(0.582) } else { 2.831 * COT.sqrt() * height.powf(1.25) }
}

/// Run-up of a solitary wave on a beach of 1:19.85 (Synolakis 1987), from non-breaking waves to bores.
fn run_up(height: f64, level: Setup, motion: &dyn Motion) -> Result<Row> {
    let exact = law(height);
    // The run-up goes over 20 cells; bores are a cell or two wide anyway.
    let side = (exact * COT / 20.0).min(0.1);
    // The edge lies half a wave before the beach, as the crest did when measurements began.
    let narrow = (0.75 * height).sqrt();
    let toe = 20.0_f64.sqrt().acosh() / narrow;
    let columns = ((toe + COT * (1.0 + 1.6 * exact)) / side).ceil() as usize;
    let lattice = level.channel(columns, 1, side)?;
    let (columns, rows) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(columns, rows, |x, y| {
        (-1.0 + ((lattice.center(x, y)[0] - toe) / COT).max(0.0)) as f32
    });
    let manning = if breaks(height) { FLUME } else { 0.0 };
    let params = Params { level: level.physics, manning, theta: 1.0, ..Params::default() };
    let depth = bed.map(|z| (-z).max(0.0));
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let celerity = (9.81 * (1.0 + height)).sqrt();
    let crest = 3.0 / (narrow * celerity);
    let wave = BoundaryKind::Solitary { level: 0.0, height, depth: 1.0, time: crest };
    flow.set_boundary(Boundary::on_edge(Edge::West, wave))?;
    level.keep_even(&mut flow)?;
    // The tongue ends where it is thinner than this.
    let tongue = 0.02 * exact;
    flow.set_flood(Some(Flood { depth: tongue }))?;
    let still = 9.81_f64.sqrt();
    motion.until(&mut flow, 3.0 * crest + (toe + 8.0 * COT) / still)?;
    let (deepest, highest) = (flow.view(View::MaxDepth), flow.view(View::MaxLevel));
    let wet = (0..columns).filter(|&x| f64::from(deepest[(x, 0)]) > tongue);
    let found = wet.map(|x| f64::from(highest[(x, 0)])).fold(f64::MIN, f64::max);
    let error = (found / exact - 1.0).abs();
    let metric = format!("run-up of a wave of {height} d, {exact:.4} d by law, off by a part of");
    Ok(level.gated(&format!("flow/run-up-{height}"), metric, error, 0.08))
}
