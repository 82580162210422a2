//! Cases for terrain carved by stream power: similarity of its rivers to real rivers; slopes,
//! profiles and knickpoints compared with the stream-power law; conservation when drops and stream
//! power alternate; equality with the reference loops; and independence of the number of threads.

use super::super::norms::count_runs_unlike_one_thread;
use super::super::{Case, FROZEN, Outcome, Row, Stepper, named_cases, parallel};
use crate::carve::{layer, noise_terrain};
use anyhow::Result;
use headwater::hydrology::reference::stream_power_step;
use headwater::hydrology::report::Report;
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Method, Params, StreamPower, Substance};
use headwater::{Cause, Field, Square};
use headwater_cli::span::min_max;

pub(super) fn cases() -> Vec<Case> {
    named_cases([
        ("hydrology/power-rivers", measure_rivers),
        ("hydrology/power-slopes", measure_slopes),
        ("hydrology/power-profile", measure_profile),
        ("hydrology/power-knickpoint", measure_knickpoint),
        ("hydrology/power-books", measure_mass_balance),
        ("hydrology/power-threads", check_thread_independence),
        ("hydrology/power-plain", compare_with_plain_loops),
    ])
}

/// Creates a terrain that is carved by stream power, with square cells of `cell_size` m.
fn create_world(bed: &Field<f32>, cell_size: f64, params: Params) -> Result<Hydrology> {
    let params = Params { method: Method::StreamPower, ..params };
    Ok(Hydrology::new(Square::new(bed.nx(), bed.ny(), cell_size, cell_size)?, params, bed)?)
}

/// Advances a terrain by `count` time steps of the stream-power method.
fn perform_steps(stepper: &dyn Stepper, world: &mut Hydrology, count: f64) -> Result<()> {
    let cells = (world.lattice().nx() * world.lattice().ny()) as f64;
    stepper.rain(world, (count * world.next_rain() * cells) as u64)
}

/// Returns parameters with which only the stream-power law acts: rock is as erodible as soil, and
/// there are no creep and no slides.
fn stream_power_params(power: StreamPower) -> Params {
    Params {
        stream_power: StreamPower { diffusivity: 0.0, ..power },
        rock: 1.0,
        creep: 0.0,
        weathering: 0.0,
        repose: 10.0,
        rock_repose: 100.0,
        plants: Vec::new(),
        ..Params::default()
    }
}

/// Returns the total uplift and the total outflow through the edges, in quanta (the smallest unit
/// of volume).
fn uplift_and_outflow(world: &Hydrology) -> [f64; 2] {
    let mass_balance = world.ledger(Substance::Sediment);
    [mass_balance.inflow(Cause::Uplift) as f64, mass_balance.outflow(Cause::Boundary) as f64]
}

/// Measures statistics of the rivers on five random terrains, each with 256² and with 512² cells of
/// 50 m. The terrains have been uplifted for 15 units of model time (drops per cell). Plants and
/// creep have their default settings.
fn measure_rivers(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let lands: Vec<(usize, u64)> =
        [512, 256].into_iter().flat_map(|n| (1..=5).map(move |seed| (n, seed))).collect();
    let carve = |&(n, seed): &(usize, u64)| {
        let bed = noise_terrain(n, seed);
        let power = StreamPower { uplift: 50.0, step: 0.5, ..StreamPower::default() };
        let params = Params { seed, stream_power: power, ..Params::default() };
        let mut world = create_world(&bed, 50.0, params)?;
        perform_steps(stepper, &mut world, 29.0)?;
        let before = uplift_and_outflow(&world);
        perform_steps(stepper, &mut world, 1.0)?;
        let [risen, gone] = uplift_and_outflow(&world);
        let steady = (gone - before[1]) / (risen - before[0]);
        Ok((world.report(), Report::from_bed(&bed, 50.0), steady, world.time() > 14.9))
    };
    let (mut reports, mut raw, mut steady, mut ran) = (Vec::new(), Vec::new(), Vec::new(), true);
    parallel::map_in_order(&lands, carve, |_, found: Result<_>| {
        let (report, of_noise, part, moved) = found?;
        reports.push(report);
        raw.push(of_noise);
        steady.push(100.0 * (part - 1.0_f64).abs());
        ran &= moved;
        Ok(())
    })?;
    let figure = |of: fn(&Report) -> f64| {
        let [low, high] = min_max(reports.iter().map(of));
        [low, if ran { high } else { FROZEN }]
    };
    let [theta, hack, pits] = [
        figure(|report| report.concavity),
        figure(|report| report.hack),
        figure(|report| 100.0 * report.pits),
    ];
    let [_, noise] = min_max(raw.iter().map(|report| report.concavity));
    let steady = if ran { min_max(steady)[1] } else { FROZEN };
    Ok(Outcome::from_rows([
        Row::at_least(name, "minimum concavity θ of five seeds, 256² and 512²", theta[0], 0.35),
        Row::at_most(name, "maximum concavity θ of five seeds, 256² and 512²", theta[1], 0.55),
        Row::at_most(name, "maximum concavity θ of the initial noise", noise, None),
        Row::at_least(name, "minimum Hack exponent", hack[0], 0.5),
        Row::at_most(name, "maximum Hack exponent", hack[1], 0.6),
        Row::at_most(name, "dry pits (% of cells)", pits[1], 0.1),
        Row::at_most(name, "difference of outflow and uplift (%)", steady, 5.0),
    ]))
}

/// Returns the largest relative error of channel slopes, compared with the steady slope
/// (U/K)^(1/n)·A^(−m/n) of the stream-power law. U is the uplift rate, K the erodibility and A the
/// drainage area.
fn max_slope_error(world: &Hydrology) -> Result<f64> {
    let StreamPower { erodibility: k, area_exponent: m, slope_exponent: n, uplift, .. } =
        world.params().stream_power;
    let (bed, area) = (layer(world, "bed")?, layer(world, "discharge")?);
    let momentum = [layer(world, "momentum_x")?, layer(world, "momentum_y")?];
    let mut worst = 0.0_f64;
    for y in 0..bed.ny() {
        for x in 0..bed.nx() {
            let [dx, dy] = [0, 1].map(|axis| momentum[axis][(x, y)].round() as isize);
            if (dx, dy) == (0, 0) {
                continue;
            }
            let to = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
            let length = world.lattice().dx() * ((dx * dx + dy * dy) as f64).sqrt();
            let slope = f64::from(bed[(x, y)] - bed[to]) / length;
            let steady = (uplift / k * f64::from(area[(x, y)]).powf(-m)).powf(1.0 / n);
            worst = worst.max((slope / steady - 1.0).abs());
        }
    }
    Ok(worst)
}

/// Measures the slopes of all cells in steady state, for four pairs of exponents m and n of the
/// stream-power law.
fn measure_slopes(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let bed = noise_terrain(96, 1).map(|z| 0.2 * z);
    let mut rows = Vec::new();
    for (m, n) in [(0.45, 1.0), (0.5, 1.0), (0.3, 0.7), (0.9, 2.0)] {
        let power = StreamPower {
            erodibility: 0.5,
            area_exponent: m,
            slope_exponent: n,
            uplift: 4.0,
            step: 20.0,
            ..StreamPower::default()
        };
        let mut world = create_world(&bed, 50.0, stream_power_params(power))?;
        perform_steps(stepper, &mut world, 200.0)?;
        let error = if world.time() > 0.0 { 100.0 * max_slope_error(&world)? } else { FROZEN };
        let metric = format!("largest error of steady slopes, m {m}, n {n} (%)");
        rows.push(Row::at_most(name, metric, error, 0.1));
    }
    Ok(Outcome::from_rows(rows))
}

/// Parameters of a test channel, in this order: number of cells, cell size (m), erodibility K
/// (m^(1−2m) per unit of model time) and area exponent m (dimensionless) of the stream-power law.
const CHANNEL: (usize, f64, f64, f64) = (400, 25.0, 2.0, 0.45);

/// Creates parallel channels in steady state that run from a wall in the east to an open edge in
/// the west.
fn create_steady_channels(stepper: &dyn Stepper, uplift: f64) -> Result<Hydrology> {
    let (cells, size, erodibility, area_exponent) = CHANNEL;
    let power =
        StreamPower { erodibility, area_exponent, uplift, step: 5.0, ..StreamPower::default() };
    let edges = Edges { west: EdgeKind::Open, ..Edges::uniform(EdgeKind::Wall) };
    let bed = Field::from_fn(cells, 3, |x, _| 0.01 * x as f32);
    let mut world = create_world(&bed, size, Params { edges, ..stream_power_params(power) })?;
    perform_steps(stepper, &mut world, 60.0)?;
    Ok(world)
}

/// Returns the drainage area (m²) of cell `x` of a channel.
fn drainage_area(x: usize) -> f64 {
    let (cells, size, ..) = CHANNEL;
    size * size * (cells - x) as f64
}

/// Compares the steady profile of a channel with z = (U/K)·∫ A^(−m) dx, where U is the uplift rate,
/// K the erodibility and A the drainage area.
fn measure_profile(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (cells, size, k, m) = CHANNEL;
    let uplift = 30.0;
    let bed = layer(&create_steady_channels(stepper, uplift)?, "bed")?;
    let mut worst = 0.0_f64;
    for x in 1..cells - 20 {
        let left = |at: f64| (size * size * (cells as f64 - at)).powf(1.0 - m);
        let chi = (left(0.5) - left(x as f64 + 0.5)) / ((1.0 - m) * size);
        let z = uplift / k * chi;
        worst = worst.max((f64::from(bed[(x, 1)]) / z - 1.0).abs());
    }
    Ok(Row::at_most(name, "largest error of channel heights (%)", 100.0 * worst, 0.02).into())
}

/// Measures the travel time of a knickpoint. When the uplift doubles, slopes double from the mouth
/// upward. The boundary of the steeper section, the knickpoint, migrates upstream at the speed
/// K·A^m (erodibility K, drainage area A).
fn measure_knickpoint(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (cells, size, k, m) = CHANNEL;
    let mut world = create_steady_channels(stepper, 30.0)?;
    let before = layer(&world, "bed")?;
    let mut params = world.params().clone();
    params.stream_power = StreamPower { uplift: 60.0, step: 0.01, ..params.stream_power };
    world.set_params(params)?;
    let (start, mut worst) = (world.time(), 0.0_f64);
    for _ in 0..4 {
        perform_steps(stepper, &mut world, 60.0)?;
        let bed = layer(&world, "bed")?;
        let ratio = |x: usize| {
            let rise = |bed: &Field<f32>| f64::from(bed[(x, 1)] - bed[(x - 1, 1)]);
            rise(&bed) / rise(&before)
        };
        // The slope at the knickpoint is halfway between both values. Interpolate with sub-cell
        // resolution.
        let knick = (1..cells).find(|&x| ratio(x) < 1.5).unwrap_or(cells - 1);
        let above = if knick > 1 { ratio(knick - 1) } else { 2.0 };
        let part = (above - 1.5) / (above - ratio(knick));
        let delay = |x: usize| size / (k * drainage_area(x).powf(m));
        let takes = (1..knick).map(delay).sum::<f64>() + part * delay(knick);
        worst = worst.max((takes / (world.time() - start) - 1.0).abs());
    }
    Ok(Row::at_most(name, "largest error of knickpoint travel time (%)", 100.0 * worst, 4.0).into())
}

/// Measures the residual of the mass balance of a coastal terrain on which drops and stream power
/// alternate.
fn measure_mass_balance(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let edges = Edges { west: EdgeKind::Sea, ..Edges::default() };
    let mut world = create_world(
        &noise_terrain(128, 1),
        20.0,
        Params { edges, sea: 6.0, ..Params::default() },
    )?;
    let mut residual = 0;
    for method in [Method::StreamPower, Method::Drops, Method::StreamPower, Method::Drops] {
        world.set_params(Params { method, ..world.params().clone() })?;
        stepper.rain(&mut world, 40_000)?;
        for substance in [Substance::Water, Substance::Sediment] {
            residual = world.balance(substance).residual.unsigned_abs().max(residual);
        }
    }
    let [risen, gone] = uplift_and_outflow(&world);
    let value = if risen > 0.0 && gone > 0.0 { residual as f64 } else { FROZEN };
    Ok(Row::at_most(name, "residual (quanta of 2⁻²⁰ m)", value, 0.0).into())
}

/// Creates terrain with lakes that persist for some steps.
fn create_lake_terrain() -> Result<Hydrology> {
    let params = Params { rock: 0.02, evaporation: 0.1, ..Params::default() };
    create_world(&noise_terrain(128, 3), 20.0, params)
}

/// Counts the runs on 2 and 8 threads that differ from the run on one thread.
fn check_thread_independence(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let before = create_lake_terrain()?;
    let differ = count_runs_unlike_one_thread(|| {
        let mut world = before.clone();
        perform_steps(stepper, &mut world, 12.0)?;
        Ok(Some(world.state_hash()).filter(|&end| end != before.state_hash()))
    })?;
    Ok(Row::at_most(name, "runs that differ from the run on one thread", differ, 0.0).into())
}

/// Compares terrain carved by stream power with the result of the reference loops, a plain serial
/// implementation.
fn compare_with_plain_loops(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut ours, mut plain) = (create_lake_terrain()?, create_lake_terrain()?);
    let mut differ = 0_u32;
    for _ in 0..12 {
        perform_steps(stepper, &mut ours, 1.0)?;
        stream_power_step(&mut plain);
        differ += u32::from(ours.state_hash() != plain.state_hash());
    }
    Ok(Row::at_most(name, "steps after which the states differ", differ.into(), 0.0).into())
}
