//! Test cases for well-balancedness (a lake at rest stays at rest) and symmetry, with every physics
//! model.

use super::levels::{SETUPS, Setup, WITH_HEXAGONS};
use crate::noise::noise;
use crate::verify::exact::GRAVITY;
use crate::verify::norms::{max_difference, max_error};
use crate::verify::{Case, FROZEN, Outcome, Stepper, cases_for_setups};
use anyhow::Result;
use headwater::flow::{Amount, Edit, Flow, Params, Physics};
use headwater::{Brush, Field, Region};

pub(in crate::verify) fn cases() -> Vec<Case> {
    let mut cases = cases_for_setups(&WITH_HEXAGONS, "flow/rest", measure_lake_at_rest);
    cases.extend(cases_for_setups(&WITH_HEXAGONS, "flow/rest-noise", measure_noise_decay));
    cases.extend(cases_for_setups(&WITH_HEXAGONS, "flow/rest-any", measure_random_lakes));
    cases.extend(cases_for_setups(&WITH_HEXAGONS, "flow/symmetry", measure_symmetry));
    // Add the other levels on hexagons.
    for setup in SETUPS[3..5].iter().map(std::slice::from_ref) {
        cases.extend(cases_for_setups(setup, "flow/rest", measure_lake_at_rest));
        cases.extend(cases_for_setups(setup, "flow/rest-any", measure_random_lakes));
        cases.extend(cases_for_setups(setup, "flow/symmetry", measure_symmetry));
    }
    cases
}

/// Number of steps in the long run of the lake at rest.
const LONG_RUN_STEPS: u64 = 100_000;

/// Returns a rough bed of `n × n` cells with heights up to 10 m.
fn rough_bed(n: usize) -> Field<f32> {
    Field::from_fn(n, n, |x, y| 10.0 * (0.7 * noise(x / 9, y / 9) + 0.3 * noise(x, y)))
}

/// Water level of the lake (m), at which a third of the bed is dry.
const LAKE_LEVEL: f32 = 7.0;

/// Measures the drift and speed of a lake at rest over a rough bed with dry islands, in a long run.
/// Afterwards a local rise of 1 cm must spread, which shows that the world is not frozen.
fn measure_lake_at_rest(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let n = if setup.hex { 64 } else { 128 };
    let bed = rough_bed(n);
    let depth = bed.map(|z| (LAKE_LEVEL - z).max(0.0));
    let params = Params { level: setup.physics, ..Params::default() };
    let mut flow = Flow::new(setup.lattice(n, n, 1.0)?, params, bed, depth)?;
    let surface = |flow: &Flow| Field::from_fn(n, n, |x, y| flow.state().surface(x, y));
    let (before, depth) = (surface(&flow), flow.state().depth.clone().into_vec());
    let dt = flow.stable_dt();
    let steps = stepper.feasible_steps(LONG_RUN_STEPS);
    stepper.step_flow(&mut flow, steps, dt)?;
    let mut drift = max_difference(&surface(&flow), &before);
    let mut speed = max_speed(&flow);
    let deepest = (0..n * n).max_by(|a, b| depth[*a].total_cmp(&depth[*b])).unwrap_or(0);
    let at = flow.lattice().center(deepest % n, deepest / n);
    flow.edit(&Brush::with_flat_falloff(Region::disc(at, 0.1)), Edit::Pour(Amount::Depth(0.01)))?;
    let until = flow.time() + 10.0;
    stepper.run_until(&mut flow, until)?;
    let left = flow.state().depth.as_slice()[deepest] - depth[deepest];
    if left > 0.009 {
        (drift, speed) = (FROZEN, FROZEN);
    }
    let row = |name, measured: &str, unit: &str, value, limit| {
        let metric = format!("{measured} after {:e} steps ({unit})", steps as f64);
        setup.row(name, metric, value, limit)
    };
    Ok(Outcome::from_rows([
        row("flow/rest", "drift of the surface", "m", drift, 5e-6),
        row("flow/rest-speed", "maximum speed", "m/s", speed, 1e-4),
    ]))
}

/// Number of random lakes.
const LAKES: usize = 24;
/// Number of steps for which each random lake is simulated.
const STEPS_OF_LAKE: u64 = 10_000;

/// Measures the motion of lakes at random levels over random ground without friction. Heights and
/// levels range from millimetres to hundreds of metres, with and without islands. Afterwards a
/// local rise by a thousandth of the greatest depth must spread.
fn measure_random_lakes(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let (nx, ny) = (27, 24);
    let steps = stepper.feasible_steps(STEPS_OF_LAKE);
    let (mut drift, mut speed) = (0.0, 0.0);
    for seed in 0..LAKES {
        let random = |i: usize| 2.0 * noise(seed, 100 + i) - 1.0;
        let size = |i: usize| (18.0 * noise(seed, 200 + i) - 9.0).exp2();
        let level = random(0) * size(0);
        // Half of them have ground heights around the lake level, so they have islands.
        let (height, relief) = (if seed % 2 == 0 { level } else { random(1) * size(1) }, size(2));
        let bed = Field::from_fn(nx, ny, |x, y| {
            let (hills, stones) = (noise(seed + x / 5, y / 5), noise(x + 7 * seed, y));
            height + relief * (1.4 * hills + 0.6 * stones - 1.0)
        });
        let depth = bed.map(|z| (level - z).max(0.0));
        let mut flow = setup.world(setup.lattice(nx, ny, 1.0)?, 0.0, bed, depth)?;
        let start = flow.state().depth.clone();
        let dt = flow.stable_dt();
        stepper.step_flow(&mut flow, steps, dt)?;
        drift = max_error(drift, max_difference(&flow.state().depth, &start));
        speed = max_error(speed, max_speed(&flow));
        let cells = start.as_slice();
        let deepest = (0..nx * ny).max_by(|a, b| cells[*a].total_cmp(&cells[*b])).unwrap_or(0);
        if cells[deepest] > 0.0 {
            let more = 1e-3 * f64::from(cells[deepest]);
            let at = flow.lattice().center(deepest % nx, deepest / nx);
            flow.edit(
                &Brush::with_flat_falloff(Region::disc(at, 0.1)),
                Edit::Pour(Amount::Depth(more)),
            )?;
            let poured = flow.state().depth.clone();
            let until = flow.time() + 20.0 * dt;
            stepper.run_until(&mut flow, until)?;
            if flow.state().depth == poured {
                (drift, speed) = (FROZEN, FROZEN);
            }
        }
    }
    let limit = if stepper.is_exact() { 0.0 } else { 1e-6 };
    let of = format!("of {LAKES} lakes after {:e} steps", steps as f64);
    let row = |name, metric, value| setup.row(name, metric, value, limit);
    Ok(Outcome::from_rows([
        row("flow/rest-any", format!("drift of the surface {of} (m)"), drift),
        row("flow/rest-any-speed", format!("maximum speed {of} (m/s)"), speed),
    ]))
}

/// Measures whether a frictionless lake with 1 cm of noise on its surface comes to rest. Otherwise
/// the lake is the same as in [`measure_lake_at_rest`].
fn measure_noise_decay(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    let n = 128;
    let bed = rough_bed(n);
    let depth = Field::from_fn(n, n, |x, y| {
        let surface = LAKE_LEVEL + 0.01 * (noise(x + n, y) - 0.5);
        (surface - bed[(x, y)]).max(0.0)
    });
    let lake = depth.clone();
    let mut flow = setup.world(setup.lattice(n, n, 1.0)?, 0.0, bed, depth)?;
    let dt = flow.stable_dt();
    let (start, mut min_energy, mut grown) = (energy(&flow), f64::INFINITY, 0.0_f64);
    for part in 0..=200 {
        stepper.run_until(&mut flow, f64::from(part) * 100.0 * dt)?;
        let now = energy(&flow);
        min_energy = min_energy.min(now);
        grown = grown.max(now - min_energy);
    }
    let lost = start - min_energy;
    let unevenness = |depth: &Field<f32>| -> f64 {
        // Water left on ground above the lake is not part of its surface.
        let above = |(depth, bed): (&f32, &f32)| match *bed < LAKE_LEVEL {
            true => (f64::from(*bed) + f64::from(*depth) - f64::from(LAKE_LEVEL)).powi(2),
            false => 0.0,
        };
        depth.as_slice().iter().zip(flow.state().bed.as_slice()).map(above).sum::<f64>().sqrt()
    };
    let uneven = unevenness(&flow.state().depth) / unevenness(&lake);
    let (grown, speed, uneven) = if flow.state().depth == lake || flow.volume() == 0.0 {
        (FROZEN, FROZEN, FROZEN)
    } else {
        (grown / lost, max_speed(&flow), uneven)
    };
    let growth = "growth of energy relative to its loss";
    let speed_metric = "maximum speed after 2e4 steps (m/s)";
    // Pipes without friction conserve energy, and shores excite them.
    let decaying = |limit: f64| (setup.physics != Physics::Pipes).then_some(limit);
    let left = "surface noise after 2e4 steps relative to the initial one";
    Ok(Outcome::from_rows([
        // Rounding changes the surface by a few times 2.4e-7 m, the resolution of `f32` at 7 m.
        setup.row("flow/rest-noise", growth, grown, setup.default_limit(1e-3).or(decaying(1e-2))),
        setup.row("flow/rest-noise-speed", speed_metric, speed, decaying(1e-2)),
        setup.row("flow/rest-noise-surface", left, uneven, decaying(1.0)),
    ]))
}

/// Returns the energy of the world minus that of the lake at rest, divided by density and cell area
/// (m³/s²): `Σ ½·h·|u|² + ½·g·((η − L)² − (z − L)²)`, with the surface elevation η, the bed
/// elevation z and the lake level L. `(z − L)²` is subtracted only in cells whose bed is above L.
/// The expression omits a constant and a term proportional to the volume, which do not change.
fn energy(flow: &Flow) -> f64 {
    let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
    let above = |height: f32| f64::from(height) - f64::from(LAKE_LEVEL);
    let cell = |(x, y): (usize, usize)| {
        let h = f64::from(flow.state().depth[(x, y)]);
        let z = above(flow.state().bed[(x, y)]);
        let [u, v] = flow.velocity(x, y).map(f64::from);
        0.5 * h * (u * u + v * v)
            + 0.5 * GRAVITY * ((z + h).powi(2) - z.powi(2) + z.min(0.0).powi(2))
    };
    (0..nx * ny).map(|i| cell((i % nx, i / nx))).sum()
}

fn max_speed(flow: &Flow) -> f64 {
    let (nx, ny) = (flow.lattice().nx(), flow.lattice().ny());
    let speed = |i: usize| {
        let [u, v] = flow.velocity(i % nx, i / nx);
        f64::from(u).hypot(v.into())
    };
    (0..nx * ny).map(speed).fold(0.0, f64::max)
}

/// Counts the cells of a circular dam break that are not bit-identical to their symmetric
/// counterparts. The symmetry operations are reflection and transposition on squares, and rotation
/// by 180° on hexagons.
fn measure_symmetry(setup: Setup, stepper: &dyn Stepper) -> Result<Outcome> {
    // A rotation by 180° maps an even number of hexagonal rows onto itself.
    let (nx, ny) = (101, if setup.hex { 100 } else { 101 });
    let lattice = setup.lattice(nx, ny, 1.0)?;
    let middle = [0.5 * lattice.width(), 0.5 * lattice.height()];
    let depth = Field::from_fn(nx, ny, |x, y| {
        let [east, south] = lattice.center(x, y);
        let far = (east - middle[0]).hypot(south - middle[1]);
        if far < 20.0 { 2.5 } else { 0.5 }
    });
    let start = depth.clone();
    let params = Params { level: setup.physics, ..Params::default() };
    let mut flow = Flow::new(lattice, params, Field::new(nx, ny, 0.0), depth)?;
    // The run is long enough for the wave to return from the walls, at least once on slow backends.
    stepper.run_until(&mut flow, 0.1 * stepper.feasible_steps(300).max(100) as f64)?;
    let h = &flow.state().depth;
    let images = |x: usize, y: usize| {
        let (west, north) = (nx - 1 - x, ny - 1 - y);
        if setup.hex { vec![(west, north)] } else { vec![(west, y), (x, north), (y, x)] }
    };
    let same = |(x, y)| images(x, y).iter().all(|at| h[*at].to_bits() == h[(x, y)].to_bits());
    let differ = (0..nx * ny).filter(|i| !same((i % nx, i / nx))).count() as f64;
    let differ = if *h == start || flow.volume() == 0.0 { FROZEN } else { differ };
    let images = if setup.hex { "their rotations by 180°" } else { "their mirror images" };
    let metric = format!("cells that differ from {images}");
    Ok(setup.row("flow/symmetry", metric, differ, 0.0).into())
}
