//! The cases of `waves`.

use super::{Row, pairs};
use anyhow::Result;
use headwater::waves::{Params, Waves};
use headwater::{Field, Square};
use std::hint::black_box;

type Measure = fn(&'static str) -> Result<Row>;

pub(super) const CASES: [(&str, Measure); 10] = [
    ("waves/step-1024", |name| against_plain(name, N)),
    ("waves/step-1024", |name| against_copy(name, N)),
    ("waves/step-4096", |name| against_plain(name, LARGE)),
    ("waves/step-4096", |name| against_copy(name, LARGE)),
    ("waves/single-1024", single_against_many),
    ("waves/threads-2", |name| against_one_thread(name, N)),
    ("waves/threads-2-4096", |name| against_one_thread(name, LARGE)),
    ("waves/asleep", asleep_against_awake),
    ("waves/asleep", asleep_against_copy),
    ("waves/dispersion", dispersion_against_none),
];

const N: usize = 1024;
const LARGE: usize = 4096;
/// Steps of one timed stretch.
const STEPS: usize = 24;

/// The fast path on one thread, steps that follow one another, against the plain loops.
fn against_plain(name: &'static str, n: usize) -> Result<Row> {
    let (mut fast, mut plain) = (world(n, false)?, world(n, false)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut fast)),
        || {
            (0..STEPS).for_each(|_| plain.step_plain());
            Ok(())
        },
    )?;
    Ok(row(name, n, seconds, "plain", ratio))
}

/// The fast path on one thread, against a copy of the three buffers that a step changes.
fn against_copy(name: &'static str, n: usize) -> Result<Row> {
    let mut waves = world(n, false)?;
    let mut copies = Copies::of(&waves);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut waves)),
        || {
            (0..STEPS).for_each(|_| copies.copy());
            Ok(())
        },
    )?;
    Ok(row(name, n, seconds, "copy", ratio))
}

/// Steps one by one, as where something stirs the surface in each, against as many in a few passes.
fn single_against_many(name: &'static str) -> Result<Row> {
    let (mut single, mut many) = (world(N, false)?, world(N, false)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || {
            one.install(|| (0..STEPS).for_each(|_| single.step()));
            Ok(())
        },
        || one.install(|| walk(&mut many)),
    )?;
    Ok(row(name, N, seconds, "many steps", ratio))
}

/// The fast path on two threads, against itself on one.
fn against_one_thread(name: &'static str, n: usize) -> Result<Row> {
    let (mut ours, mut reference) = (world(n, false)?, world(n, false)?);
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) =
        pairs(|| two.install(|| walk(&mut ours)), || one.install(|| walk(&mut reference)))?;
    Ok(row(name, n, seconds, "1 thread", ratio))
}

/// A surface all of whose tiles sleep, against one that moves everywhere.
fn asleep_against_awake(name: &'static str) -> Result<Row> {
    let (mut asleep, mut awake) = (asleep()?, world(N, false)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) =
        pairs(|| one.install(|| walk(&mut asleep)), || one.install(|| walk(&mut awake)))?;
    Ok(row(name, N, seconds, "awake", ratio))
}

/// The same, against a copy of the three buffers.
fn asleep_against_copy(name: &'static str) -> Result<Row> {
    let mut asleep = asleep()?;
    let mut copies = Copies::of(&asleep);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut asleep)),
        || {
            (0..STEPS).for_each(|_| copies.copy());
            Ok(())
        },
    )?;
    Ok(row(name, N, seconds, "copy", ratio))
}

/// What dispersion costs over two cells of depth.
fn dispersion_against_none(name: &'static str) -> Result<Row> {
    let (mut dispersive, mut reference) = (world(N, true)?, world(N, false)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) =
        pairs(|| one.install(|| walk(&mut dispersive)), || one.install(|| walk(&mut reference)))?;
    Ok(row(name, N, seconds, "no dispersion", ratio))
}

/// The three buffers of a step, and room for a copy of each.
struct Copies {
    pairs: [(Vec<f32>, Vec<f32>); 3],
}

impl Copies {
    fn of(waves: &Waves) -> Self {
        let state = waves.state();
        let both = |field: &Field<f32>| (field.as_slice().to_vec(), field.as_slice().to_vec());
        Self { pairs: [&state.height, &state.flux_x, &state.flux_y].map(both) }
    }

    fn copy(&mut self) {
        for (from, to) in &mut self.pairs {
            to.copy_from_slice(black_box(from));
            black_box(to);
        }
    }
}

fn walk(waves: &mut Waves) -> Result<()> {
    waves.step_many(STEPS as u64);
    Ok(())
}

fn row(name: &'static str, n: usize, seconds: f64, reference: &'static str, ratio: f64) -> Row {
    let value = (STEPS * n * n) as f64 / seconds / 1e6;
    Row { name, value, unit: "million cell-steps/s", reference, ratio }
}

/// Waves everywhere.
fn world(n: usize, dispersion: bool) -> Result<Waves> {
    let params = Params {
        speed: 4.43,
        step: 0.1,
        damping: 0.001,
        depth: 2.0,
        dispersion,
        ..Params::default()
    };
    let mut waves = Waves::new(Square::new(n, n, 1.0, 1.0)?, params)?;
    let surface = |x: usize, y: usize| 0.1 * (0.11 * x as f32).sin() * (0.07 * y as f32).cos();
    waves.set_surface(&Field::from_fn(n, n, surface))?;
    Ok(waves)
}

/// A flat surface that has been looked at.
fn asleep() -> Result<Waves> {
    let params = Params { speed: 4.43, step: 0.1, ..Params::default() };
    let mut waves = Waves::new(Square::new(N, N, 1.0, 1.0)?, params)?;
    waves.step_many(16);
    anyhow::ensure!(waves.awake() == 0, "a flat surface does not sleep");
    Ok(waves)
}
