//! The cases of `hydrology`. The reference is the article by plain loops, one drop after another, with its
//! faults mended.

use super::timing::{
    Case, Race, Speed, median_time, on, race, race_of_seconds, serial, time, times,
};
use crate::carve::{self, noise};
use anyhow::{Context as _, Result};
use headwater::hydrology::plain::Article;
use headwater::hydrology::{Hydrology, Method, Params, StreamPower, Substance};
use headwater::{Cause, Square};

pub(super) const CASES: [Case; 8] = [
    ("hydrology/drops-100k", worst),
    ("hydrology/drops-100k-best", best),
    ("hydrology/threads-2", two_threads),
    ("hydrology/serial", serial_share),
    ("hydrology/power-serial", || {
        let mut range = range(1024, 4)?;
        serial(move || times(1, || range.step()))
    }),
    ("hydrology/hierarchy-1024", hierarchy),
    ("hydrology/power-threads-2", power_on_two_threads),
    ("hydrology/power-4096", large_range),
];

fn world(n: usize, seed: u64) -> Result<Hydrology> {
    carve::world(&noise(n, seed), Params { seed, ..Params::default() })
}

/// Drops per second after 100 000 drops on 256² cells, with lakes and plants, on five seeds from the slowest on; in turn with
/// those of the article on the same seed. One thread.
fn speeds() -> Result<Vec<Speed>> {
    let of_seed = |seed| {
        let mut world = world(256, seed)?;
        on(1, || times(1, || world.rain(100_000)))?()?;
        // A batch is the same number of drops by now.
        let before = world.drops();
        world.step();
        let batch = (world.drops() - before) as f64;
        let mut article = Article::new(noise(256, seed), seed);
        times(200, || article.rain(500))?;
        let mut ours = on(1, || times(1, || world.step()))?;
        let mut theirs = on(1, || times(1, || article.rain(100)))?;
        let race = race_of_seconds(
            "article",
            || Ok(time(&mut ours)? / batch),
            || Ok(time(&mut theirs)? / 100.0),
        )?;
        Ok(race.speed(1.0 / race.seconds, "drops/s"))
    };
    let mut speeds = (1..=5).map(of_seed).collect::<Result<Vec<_>>>()?;
    speeds.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(speeds)
}

/// The slowest of five seeds.
fn worst() -> Result<Speed> {
    Ok(Speed { unit: "drops/s, worst seed", ..speeds()?.swap_remove(0) })
}

/// The fastest of five seeds.
fn best() -> Result<Speed> {
    speeds()?.pop().context("there are no seeds")
}

/// Batches on 512² cells on two threads, against one.
fn two_threads() -> Result<Speed> {
    let mut one = world(512, 1)?;
    one.rain(60_000);
    let mut two = one.clone();
    let ours = on(2, || times(2, || two.step()))?;
    Ok(race("1 thread", ours, on(1, || times(2, || one.step()))?)?.ms("ms per batch", 2))
}

/// What of a batch on 512² cells threads do not share.
fn serial_share() -> Result<Speed> {
    let mut world = world(512, 1)?;
    world.rain(60_000);
    serial(move || times(1, || world.step()))
}

/// The hierarchy of 1024² cells of noise from nothing, with all that a world needs beside it, against one
/// batch of drops on it.
fn hierarchy() -> Result<Speed> {
    let bed = noise(1024, 1);
    let make = || carve::world(&bed, Params::default());
    let mut world = make()?;
    on(1, || times(1, || world.rain(50_000)))?()?;
    let seconds = median_time(5, on(1, || make().map(drop))?)?;
    let batch = time(on(1, || times(1, || world.step()))?)?;
    let race = Race { reference: "a batch", seconds, ratio: batch / seconds, spread: None };
    Ok(race.ms("ms", 1))
}

/// Bare land of noise on cells of 50 m, carved by stream power for a few steps.
fn range(n: usize, steps: u64) -> Result<Hydrology> {
    let power = StreamPower { uplift: 50.0, step: 1.0, ..StreamPower::default() };
    let (method, plants) = (Method::StreamPower, Vec::new());
    let params = Params { method, stream_power: power, plants, ..Params::default() };
    let mut world = Hydrology::new(Square::new(n, n, 50.0, 50.0)?, params, &noise(n, 1))?;
    world.step_many(steps);
    Ok(world)
}

/// Steps of stream power on 1024² cells on two threads, against one.
fn power_on_two_threads() -> Result<Speed> {
    let mut one = range(1024, 4)?;
    let mut two = one.clone();
    let ours = on(2, || times(1, || two.step()))?;
    Ok(race("1 thread", ours, on(1, || times(1, || one.step()))?)?.cell_steps(1024 * 1024))
}

/// A range on 4096² cells from noise until what leaves is within a twentieth of what rises: seconds on all threads, against
/// bytes in a cell.
fn large_range() -> Result<Speed> {
    let mut world = range(4096, 0)?;
    let moved = |world: &Hydrology| {
        let books = world.ledger(Substance::Sediment);
        [books.inflow(Cause::Uplift) as f64, books.outflow(Cause::Boundary) as f64]
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
    let race = Race { reference: "bytes per cell", seconds, ratio, spread: None };
    Ok(race.speed(seconds, "s to a steady range"))
}
