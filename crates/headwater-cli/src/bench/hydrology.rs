//! The cases of `hydrology`. The reference is the article by plain loops, one drop after another, with its
//! faults mended.

use super::{Row, median, time};
use crate::carve::{lattice, noise};
use anyhow::Result;
use headwater::Field;
use headwater::hydrology::plain::{Article, Flood};
use headwater::hydrology::{Edges, Hydrology, Params};

type Measure = fn(&'static str) -> Result<Row>;

pub(super) const CASES: [(&str, Measure); 6] = [
    ("hydrology/drops-100k", worst),
    ("hydrology/drops-100k-best", best),
    ("hydrology/lake-add-1024", lake_add),
    ("hydrology/threads-2", two_threads),
    ("hydrology/hierarchy-1024", hierarchy),
    ("hydrology/run-4096", large),
];

/// Timings of which the median counts.
const ROUNDS: usize = 9;

fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn world(n: usize, seed: u64) -> Result<Hydrology> {
    let bed = noise(n, seed);
    Ok(Hydrology::new(lattice(&bed)?, Params { seed, ..Params::default() }, &bed)?)
}

/// Drops per second after 100 000 drops on 256² cells, with lakes and plants; and those of the article. One
/// thread.
fn speeds() -> Result<Vec<[f64; 2]>> {
    let one = pool(1)?;
    (1..=5)
        .map(|seed| {
            let mut world = world(256, seed)?;
            one.install(|| world.rain(100_000));
            // A batch is the same number of drops by now.
            let batch = world.drops();
            world.step();
            let batch = (world.drops() - batch) as f64;
            let step = || {
                one.install(|| {
                    time(&mut || {
                        world.step();
                        Ok(())
                    })
                })
            };
            let seconds = std::iter::repeat_with(step).take(ROUNDS);
            let ours = batch / median(seconds.collect::<Result<_>>()?);
            let mut article = Article::new(noise(256, seed), seed);
            (0..200).for_each(|_| article.rain(500));
            let rain = || {
                time(&mut || {
                    article.rain(100);
                    Ok(())
                })
            };
            let seconds = std::iter::repeat_with(rain).take(ROUNDS);
            let plain = 100.0 / median(seconds.collect::<Result<_>>()?);
            Ok([ours, plain])
        })
        .collect()
}

/// The slowest of five seeds, against the article on its slowest.
fn worst(name: &'static str) -> Result<Row> {
    let speeds = speeds()?;
    let least = |k: usize| speeds.iter().map(|speed| speed[k]).fold(f64::INFINITY, f64::min);
    let (value, reference) = (least(0), "plain");
    Ok(Row { name, value, unit: "drops/s, worst seed", reference, ratio: value / least(1) })
}

/// The fastest of five seeds, against the slowest.
fn best(name: &'static str) -> Result<Row> {
    let speeds = speeds()?;
    let ours = || speeds.iter().map(|speed| speed[0]);
    let (value, least) = (ours().fold(0.0, f64::max), ours().fold(f64::INFINITY, f64::min));
    Ok(Row { name, value, unit: "drops/s", reference: "worst seed", ratio: value / least })
}

/// One drop into a lake of a quarter of 1024² cells, against the plain flood.
fn lake_add(name: &'static str) -> Result<Row> {
    let n = 1024;
    let rough = noise(n, 1);
    let far = |x: usize| (x as f64 / n as f64 - 0.5).abs();
    let bowl = |x: usize, y: usize| far(x).max(far(y)) as f32 * 400.0;
    let bed = Field::from_fn(n, n, |x, y| bowl(x, y) + 0.02 * rough[(x, y)]);
    let mut ours = Hydrology::new(lattice(&bed)?, Params::default(), &bed)?;
    let mut flood = Flood::new(&bed, Edges::default(), 0.0);
    // A bowl a quarter of whose area lies below this level.
    let level = bowl(n / 4, n / 2);
    let water: f64 = bed.as_slice().iter().map(|z| f64::from((level - z).max(0.0))).sum();
    let place = [n as f64 / 2.0, n as f64 / 2.0];
    ours.pour(place, water)?;
    flood.pour(n / 2, n / 2, water);
    ours.pour(place, 1.0)?;
    let rounds = 1000;
    let mut pour = || (0..rounds).try_for_each(|_| Ok(ours.pour(place, 1.0)?));
    let seconds = time(&mut pour)? / f64::from(rounds);
    let plain = (0..5).map(|_| {
        time(&mut || {
            flood.pour(n / 2, n / 2, 1.0);
            Ok(())
        })
    });
    let plain = median(plain.collect::<Result<_>>()?);
    let (value, unit) = (1e6 * seconds, "µs per drop");
    Ok(Row { name, value, unit, reference: "plain flood", ratio: plain / seconds })
}

/// Batches on 512² cells on two threads, against one.
fn two_threads(name: &'static str) -> Result<Row> {
    let mut one = world(512, 1)?;
    one.rain(60_000);
    let mut two = one.clone();
    let (single, pair) = (pool(1)?, pool(2)?);
    let steps = |world: &mut Hydrology| {
        (0..2).for_each(|_| world.step());
        Ok(())
    };
    let (seconds, ratio) =
        super::pairs(|| pair.install(|| steps(&mut two)), || single.install(|| steps(&mut one)))?;
    let value = 1e3 * seconds / 2.0;
    Ok(Row { name, value, unit: "ms per batch", reference: "1 thread", ratio })
}

/// The hierarchy of 1024² cells of noise from nothing, with all that a world needs beside it, against one
/// batch of drops on it.
fn hierarchy(name: &'static str) -> Result<Row> {
    let (one, n) = (pool(1)?, 1024);
    let bed = noise(n, 1);
    let at = lattice(&bed)?;
    let make = || Ok(Hydrology::new(at, Params::default(), &bed)?);
    let mut world = make()?;
    one.install(|| world.rain(50_000));
    let seconds = (0..5).map(|_| one.install(|| time(&mut || make().map(drop))));
    let seconds = median(seconds.collect::<Result<_>>()?);
    let batch = one.install(|| {
        time(&mut || {
            world.step();
            Ok(())
        })
    })?;
    let (value, unit, reference) = (1e3 * seconds, "ms", "a batch");
    Ok(Row { name, value, unit, reference, ratio: batch / seconds })
}

/// A world of 4096² cells: seconds for its first drops on all threads, against memory.
fn large(name: &'static str) -> Result<Row> {
    let mut world = world(4096, 1)?;
    let seconds = time(&mut || {
        world.rain(100_000);
        Ok(())
    })?;
    let value = world.memory() as f64 / (4096.0 * 4096.0);
    let (unit, reference) = ("bytes per cell", "s for 10⁵ drops");
    Ok(Row { name, value, unit, reference, ratio: seconds })
}
