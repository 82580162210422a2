//! Benchmarks of `hydrology`. The reference is the algorithm of the article that the model follows,
//! with its errors fixed, in plain loops that simulate one drop after another.

use super::timing::{
    Case, Comparison, Speed, compare, compare_seconds, in_thread_pool, median_time, repeat,
    serial_fraction, time,
};
use crate::carve::{self, noise_terrain};
use anyhow::{Context as _, Result};
use headwater::hydrology::reference::McDonaldModel;
use headwater::hydrology::{Hydrology, Method, Params, StreamPower, Substance};
use headwater::{Cause, Square};

pub(super) const CASES: [Case; 8] = [
    ("hydrology/drops-100k", slowest_seed_speed),
    ("hydrology/drops-100k-best", fastest_seed_speed),
    ("hydrology/threads-2", compare_drops_on_two_threads),
    ("hydrology/serial", measure_serial_fraction),
    ("hydrology/power-serial", || {
        let mut range = create_eroded_mountains(1024, 4)?;
        serial_fraction(move || repeat(1, || range.step()))
    }),
    ("hydrology/hierarchy-1024", time_world_creation),
    ("hydrology/power-threads-2", compare_stream_power_on_two_threads),
    ("hydrology/power-4096", measure_large_range),
];

pub(super) fn create_world(n: usize, seed: u64) -> Result<Hydrology> {
    carve::create_world(&noise_terrain(n, seed), Params { seed, ..Params::default() })
}

/// Compares the speed of the model (drops per second) with that of the article's algorithm, on one
/// thread. The world has 256² cells with lakes and plants, and has received 10⁵ drops before.
/// Returns one result for each of five seeds, the slowest first.
fn measure_speeds() -> Result<Vec<Speed>> {
    let of_seed = |seed| {
        let mut world = create_world(256, seed)?;
        in_thread_pool(1, || repeat(1, || world.rain(100_000)))?()?;
        // The number of drops per batch is constant from here on.
        let before = world.drops();
        world.step();
        let batch = (world.drops() - before) as f64;
        let mut article = McDonaldModel::new(noise_terrain(256, seed), seed);
        repeat(200, || article.simulate_drops(500))?;
        let mut ours = in_thread_pool(1, || repeat(1, || world.step()))?;
        let mut theirs = in_thread_pool(1, || repeat(1, || article.simulate_drops(100)))?;
        let comparison = compare_seconds(
            "article",
            || Ok(time(&mut ours)? / batch),
            || Ok(time(&mut theirs)? / 100.0),
        )?;
        Ok(comparison.speed(1.0 / comparison.seconds, "drops/s"))
    };
    let mut speeds = (1..=5).map(of_seed).collect::<Result<Vec<_>>>()?;
    speeds.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(speeds)
}

/// Returns the speed for the slowest of five seeds.
fn slowest_seed_speed() -> Result<Speed> {
    Ok(Speed { unit: "drops/s, worst seed", ..measure_speeds()?.swap_remove(0) })
}

/// Returns the speed for the fastest of five seeds.
fn fastest_seed_speed() -> Result<Speed> {
    measure_speeds()?.pop().context("there are no seeds")
}

/// Compares batches of drops on 512² cells on two threads with the same batches on one thread.
fn compare_drops_on_two_threads() -> Result<Speed> {
    let mut one = create_world(512, 1)?;
    one.rain(60_000);
    let mut two = one.clone();
    let ours = in_thread_pool(2, || repeat(2, || two.step()))?;
    Ok(compare("1 thread", ours, in_thread_pool(1, || repeat(2, || one.step()))?)?
        .to_milliseconds("ms per batch", 2))
}

/// Measures the serial fraction of a batch of drops on 512² cells, on one thread.
fn measure_serial_fraction() -> Result<Speed> {
    let mut world = create_world(512, 1)?;
    world.rain(60_000);
    serial_fraction(move || repeat(1, || world.step()))
}

/// Times the creation of a world from noise on 1024² cells, including the world's depression
/// hierarchy. The reference is one batch of drops on this world.
fn time_world_creation() -> Result<Speed> {
    let bed = noise_terrain(1024, 1);
    let make = || carve::create_world(&bed, Params::default());
    let mut world = make()?;
    in_thread_pool(1, || repeat(1, || world.rain(50_000)))?()?;
    let seconds = median_time(5, in_thread_pool(1, || make().map(drop))?)?;
    let batch = time(in_thread_pool(1, || repeat(1, || world.step()))?)?;
    let comparison =
        Comparison { reference: "a batch", seconds, ratio: batch / seconds, spread: None };
    Ok(comparison.to_milliseconds("ms", 1))
}

/// Creates bare land from noise on `n × n` cells of 50 m, and performs `steps` steps of the
/// stream-power law.
fn create_eroded_mountains(n: usize, steps: u64) -> Result<Hydrology> {
    let power = StreamPower { uplift: 50.0, step: 1.0, ..StreamPower::default() };
    let (method, plants) = (Method::StreamPower, Vec::new());
    let params = Params { method, stream_power: power, plants, ..Params::default() };
    let mut world = Hydrology::new(Square::new(n, n, 50.0, 50.0)?, params, &noise_terrain(n, 1))?;
    world.step_many(steps);
    Ok(world)
}

/// Compares steps of the stream-power law on 1024² cells on two threads with the same steps on one
/// thread.
fn compare_stream_power_on_two_threads() -> Result<Speed> {
    let mut one = create_eroded_mountains(1024, 4)?;
    let mut two = one.clone();
    let ours = in_thread_pool(2, || repeat(1, || two.step()))?;
    Ok(compare("1 thread", ours, in_thread_pool(1, || repeat(1, || one.step()))?)?
        .to_cell_steps_per_second(1024 * 1024))
}

/// Runs the stream-power law from noise on 4096² cells until the eroded volume is within 5 % of the
/// uplift. Measures the time (s) on all threads and the memory per cell (bytes).
fn measure_large_range() -> Result<Speed> {
    let mut world = create_eroded_mountains(4096, 0)?;
    let moved = |world: &Hydrology| {
        let ledger = world.ledger(Substance::Sediment);
        [ledger.inflow(Cause::Uplift) as f64, ledger.outflow(Cause::Boundary) as f64]
    };
    let seconds = time(|| {
        for _ in 0..40 {
            let before = moved(&world);
            world.step();
            let now = moved(&world);
            let part = (now[1] - before[1]) / (now[0] - before[0]);
            if (part - 1.0).abs() < 0.05 {
                return Ok(());
            }
        }
        anyhow::bail!("the range does not come to rest")
    })?;
    let ratio = world.memory() as f64 / (4096.0 * 4096.0);
    let comparison = Comparison { reference: "bytes per cell", seconds, ratio, spread: None };
    Ok(comparison.speed(seconds, "s to a steady range"))
}
