//! Test cases for waves that enter through a boundary, for wave trains in deep water, and for the
//! run-up of solitary waves.

use super::levels::{Setup, WITH_HEXAGONS};
use crate::verify::{Case, FROZEN, Outcome, Row, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::flow::{Boundary, BoundaryKind, Flood, Flow, Params, View};
use headwater::{Edge, Field, Hex, Lattice, Series};
use std::f64::consts::TAU;

pub(in crate::verify) fn cases() -> Vec<Case> {
    let cases = [
        cases_for_setups(&WITH_HEXAGONS, "flow/wave-over-stage", |setup, stepper| {
            let point = |i: u32| [f64::from(i) * 0.005, elevation(f64::from(i) * 0.005)];
            let level_of = Series::from_table((0..12_000).map(point).collect())?;
            measure_wave_entry(
                "flow/wave-over-stage",
                setup,
                stepper,
                BoundaryKind::Stage { level: level_of },
            )
        }),
        cases_for_setups(&WITH_HEXAGONS, "flow/wave-over-wave", |setup, stepper| {
            let waves = BoundaryKind::Wave { level: 0.0, amplitude: AMPLITUDE, period: period() };
            measure_wave_entry("flow/wave-over-wave", setup, stepper, waves)
        }),
        cases_for_setups(&WITH_HEXAGONS, "flow/wave-train", |setup, stepper| {
            // 19 cells per wave along a row, and on a diagonal, where 27 columns and 27 rows
            // contain one wave.
            let along = measure_wave_train("flow/wave-train", [19, 3], [1.0, 0.0], setup, stepper)?;
            let aslant =
                measure_wave_train("flow/wave-train-aslant", [27, 27], [1.0; 2], setup, stepper)?;
            Ok(Outcome::from_rows([along.rows, aslant.rows].concat()))
        }),
        // The other levels have no bores and are omitted.
        cases_for_setups(&WITH_HEXAGONS[..2], "flow/run-up", |setup, stepper| {
            let rows = HEIGHTS.into_iter().map(|height| measure_run_up(height, setup, stepper));
            Ok(Outcome::from_rows(rows.collect::<Result<Vec<_>>>()?))
        }),
    ];
    cases.into_iter().flatten().collect()
}

/// Creates a world without friction and without numerical damping. With the physics model `Pipes`,
/// the wave speed of the virtual pipes corresponds to a depth of `depth_of_pipes` (m).
fn world(
    setup: Setup,
    lattice: Lattice,
    depth_of_pipes: f64,
    bed: Field<f32>,
    depth: Field<f32>,
) -> Result<Flow> {
    let params = Params {
        level: setup.physics,
        manning: 0.0,
        theta: 1.0,
        pipe_area: depth_of_pipes,
        ..Params::default()
    };
    Ok(Flow::new(lattice, params, bed, depth)?)
}

/// Depth of the water at the boundary (m).
const DEPTH: f64 = 4.0;
/// Amplitude of the incoming waves (m), small enough for linear waves.
const AMPLITUDE: f64 = 0.004;
/// Wavelength (cells of 1 m).
const WAVELENGTH: f64 = 20.0;
/// Number of cells along the channel, large enough that the waves do not reach the other end.
const CELLS: usize = 240;

fn period() -> f64 {
    WAVELENGTH / (9.81 * DEPTH).sqrt()
}

/// Returns the surface elevation (m) at the boundary at a time (s).
fn elevation(time: f64) -> f64 {
    AMPLITUDE * (TAU * time / period()).sin()
}

/// Lets waves enter through the western edge, and measures their amplitude and phase at the edge.
/// Both are extrapolated linearly from the first harmonic of the surface elevation in the cells of
/// the second and third wavelength from the edge, because every scheme damps and delays waves.
fn measure_wave_entry(
    name: &str,
    setup: Setup,
    stepper: &dyn Stepper,
    west: BoundaryKind,
) -> Result<Outcome> {
    let lattice = setup.channel(CELLS, 3, 1.0)?;
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let (bed, depth) = (Field::new(nx, ny, -DEPTH as f32), Field::new(nx, ny, DEPTH as f32));
    let mut flow = world(setup, lattice, DEPTH, bed, depth)?;
    flow.set_boundary(Boundary::on_edge(Edge::West, west))?;
    setup.make_uniform_across(&mut flow)?;
    // Run until the fifth wave has passed the third wavelength, before reflections arrive.
    stepper.run_until(&mut flow, 8.0 * period())?;
    let (moments, cells) = (32, 20..60);
    let mut sums = vec![[0.0; 2]; CELLS];
    for i in 0..moments {
        let time = (8.0 + f64::from(i) / f64::from(moments)) * period();
        stepper.run_until(&mut flow, time)?;
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
            // Unwrap the phase along the row.
            let mut phase_lag = -cosine.atan2(sine);
            phase_lag += TAU * ((last - phase_lag) / TAU).round();
            last = phase_lag;
            // On hexagons, every other row is shifted by half a cell. The edge lies halfway between
            // these positions.
            let edge = if setup.hex { 0.25 * flow.lattice().dx() } else { 0.0 };
            [flow.lattice().center(x, 1)[0] - edge, sine.hypot(cosine).ln(), phase_lag]
        })
        .collect();
    let amplitude_error = (extrapolate_to_edge(&waves, 1).exp() / AMPLITUDE - 1.0).abs();
    let phase_lag = extrapolate_to_edge(&waves, 2);
    let phase_lag = (phase_lag - TAU * (phase_lag / TAU).round()).abs() / TAU * WAVELENGTH;
    let phase_lag = if amplitude_error < 0.9 { phase_lag } else { FROZEN };
    let metric = format!("relative error of amplitude at the edge, {WAVELENGTH} cells per wave");
    Ok(Outcome::from_rows([
        setup.row_with_default_limit(&format!("{name}-height"), metric, amplitude_error, 0.04),
        setup.row_with_default_limit(&format!("{name}-lag"), "phase error (cells)", phase_lag, 0.1),
    ]))
}

/// Returns the value at x = 0 of the least-squares line through `points`. Element 0 of each point
/// is its x-coordinate, and `element` is the index of the fitted value.
fn extrapolate_to_edge(points: &[[f64; 3]], element: usize) -> f64 {
    let n = points.len() as f64;
    let mean = |i: usize| points.iter().map(|point| point[i]).sum::<f64>() / n;
    let (x, y) = (mean(0), mean(element));
    let (mut both, mut square) = (0.0, 0.0);
    for point in points {
        both += (point[0] - x) * (point[element] - y);
        square += (point[0] - x).powi(2);
    }
    y - x * both / square
}

/// Depth of the water for wave trains (m).
const TRAIN_DEPTH: f64 = 1.0;
/// Amplitude of the wave trains (m).
const TRAIN_AMPLITUDE: f64 = 0.002;
/// Distance that the wave trains travel, in wavelengths.
const TRAIN_WAVELENGTHS: f64 = 7.0;

/// Measures the amplitude loss and the phase error of a sinusoidal wave that travels through a
/// periodic world. `wave_counts` contains the numbers of wavelengths across the world from west to
/// east and from north to south.
fn measure_wave_train(
    name: &str,
    [nx, ny]: [usize; 2],
    wave_counts: [f64; 2],
    setup: Setup,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let celerity = (9.81 * TRAIN_DEPTH).sqrt();
    // Hexagons have as many columns as squares, and an even number of rows of about the same total
    // height.
    let lattice: Lattice = if setup.hex {
        let rows = 2 * (ny as f64 / 0.75_f64.sqrt() / 2.0).round() as usize;
        Hex::new(nx, rows, 1.0)?.into()
    } else {
        setup.lattice(nx, ny, 1.0)?
    };
    let ny = lattice.ny();
    let place = |x: usize, y: usize| {
        let [east, south] = lattice.center(x, y);
        [east - 0.5 * lattice.dx(), south - 0.5 * lattice.dy()]
    };
    let height = ny as f64 * lattice.dy();
    let waves = [wave_counts[0] / nx as f64, wave_counts[1] / height];
    let length = 1.0 / waves[0].hypot(waves[1]);
    let phase = |x: usize, y: usize| {
        let [east, south] = place(x, y);
        TAU * (waves[0] * east + waves[1] * south)
    };
    let elevation = |x: usize, y: usize| TRAIN_AMPLITUDE * phase(x, y).cos();
    let (bed, depth) = (
        Field::new(nx, ny, 0.0),
        Field::from_fn(nx, ny, |x, y| (TRAIN_DEPTH + elevation(x, y)) as f32),
    );
    let mut flow = world(setup, lattice, TRAIN_DEPTH, bed, depth)?;
    flow.set_boundary(Boundary::on_edge(Edge::West, BoundaryKind::Periodic))?;
    flow.set_boundary(Boundary::on_edge(Edge::North, BoundaryKind::Periodic))?;
    let q = |way: f64| {
        let along = celerity * length * way;
        Field::from_fn(nx, ny, |x, y| (along * elevation(x, y)) as f32)
    };
    flow.set_unit_discharge(&q(waves[0]), &q(waves[1]))?;
    stepper.run_until(&mut flow, TRAIN_WAVELENGTHS * length / celerity)?;
    let (mut cosine, mut sine) = (0.0, 0.0);
    for y in 0..ny {
        for x in 0..nx {
            let elevation = f64::from(flow.state().surface(x, y)) - TRAIN_DEPTH;
            let phase = phase(x, y);
            cosine += 2.0 * elevation * phase.cos() / (nx * ny) as f64;
            sine += 2.0 * elevation * phase.sin() / (nx * ny) as f64;
        }
    }
    let lost = (1.0 - cosine.hypot(sine) / TRAIN_AMPLITUDE).abs();
    let lag = (sine.atan2(cosine) / TAU * length).abs();
    // A frozen wave has no error, and a vanished one no phase.
    let moved = flow.steps() > 0 && lost < 0.9;
    let [lost, lag] = if moved { [lost, lag] } else { [FROZEN; 2] };
    let lost_of = "relative loss of amplitude over 7 wavelengths, 19 cells per wave";
    let phase_lag = "phase error after 7 wavelengths (cells)";
    Ok(Outcome::from_rows([
        setup.row_with_default_limit(&format!("{name}-lost"), lost_of, lost, 0.2),
        setup.row_with_default_limit(&format!("{name}-lag"), phase_lag, lag, 0.2),
    ]))
}

/// Heights of the solitary waves, relative to the depth of 1 m.
const HEIGHTS: [f64; 7] = [0.005, 0.01, 0.019, 0.04, 0.1, 0.3, 0.6];

/// Cotangent of the slope angle of the beach (dimensionless).
const BEACH_COTANGENT: f64 = 19.85;

/// Manning's n (s/m^⅓) for breaking waves. It represents the smooth flume in which their run-up law
/// was measured.
const FLUME_MANNING: f64 = 0.009;

/// Returns true if a solitary wave of the given height breaks during run-up.
fn is_breaking_wave(height: f64) -> bool {
    height > 0.8183 * BEACH_COTANGENT.powf(-10.0 / 9.0)
}

/// Returns the expected run-up (m) of a solitary wave of the given height (m). It is `2.831·√cot
/// β·H^1.25` for non-breaking waves without friction, and the empirical `1.109·H^0.582` for
/// breaking waves.
fn run_up_law(height: f64) -> f64 {
    if is_breaking_wave(height) {
        1.109 * height.powf(0.582)
    } else {
        2.831 * BEACH_COTANGENT.sqrt() * height.powf(1.25)
    }
}

/// Measures the run-up of a solitary wave on a beach with a slope of 1:19.85 (Synolakis 1987). The
/// cases range from non-breaking waves to bores.
fn measure_run_up(height: f64, setup: Setup, stepper: &dyn Stepper) -> Result<Row> {
    let exact = run_up_law(height);
    // The run-up spans 20 cells; bores are only a cell or two wide.
    let side = (exact * BEACH_COTANGENT / 20.0).min(0.1);
    // The edge is half a wave before the beach, like the crest at the start of the experiments.
    let narrow = (0.75 * height).sqrt();
    let toe = 20.0_f64.sqrt().acosh() / narrow;
    let columns = ((toe + BEACH_COTANGENT * (1.0 + 1.6 * exact)) / side).ceil() as usize;
    let lattice = setup.channel(columns, 1, side)?;
    let (columns, rows) = (lattice.nx(), lattice.ny());
    let bed = Field::from_fn(columns, rows, |x, y| {
        (-1.0 + ((lattice.center(x, y)[0] - toe) / BEACH_COTANGENT).max(0.0)) as f32
    });
    let manning = if is_breaking_wave(height) { FLUME_MANNING } else { 0.0 };
    let params = Params { level: setup.physics, manning, theta: 1.0, ..Params::default() };
    let depth = bed.map(|z| (-z).max(0.0));
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let celerity = (9.81 * (1.0 + height)).sqrt();
    let crest = 3.0 / (narrow * celerity);
    let wave = BoundaryKind::Solitary { level: 0.0, height, depth: 1.0, time: crest };
    flow.set_boundary(Boundary::on_edge(Edge::West, wave))?;
    setup.make_uniform_across(&mut flow)?;
    // Depth (m) that defines the tip of the swash on the beach.
    let tongue = 0.02 * exact;
    flow.set_flood(Some(Flood { depth: tongue }))?;
    let still = 9.81_f64.sqrt();
    stepper.run_until(&mut flow, 3.0 * crest + (toe + 8.0 * BEACH_COTANGENT) / still)?;
    let (deepest, highest) = (flow.view(View::MaxDepth), flow.view(View::MaxLevel));
    let wet = (0..columns).filter(|&x| f64::from(deepest[(x, 0)]) > tongue);
    let found = wet.map(|x| f64::from(highest[(x, 0)])).fold(f64::MIN, f64::max);
    let error = (found / exact - 1.0).abs();
    let metric =
        format!("relative error of run-up, wave height {height} d, run-up law {exact:.4} d");
    Ok(setup.row_with_default_limit(&format!("flow/run-up-{height}"), metric, error, 0.08))
}
