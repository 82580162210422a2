//! The cases of `waves`.

use super::{Row, pairs};
use anyhow::Result;
use headwater::waves::{Params, Waves};
use headwater::{Field, Square};
use std::hint::black_box;

type Measure = fn(&'static str) -> Result<Row>;

pub(super) const CASES: [(&str, Measure); 6] = [
    ("waves/step-1024", against_plain),
    ("waves/step-1024", against_copy),
    ("waves/threads-2", against_one_thread),
    ("waves/asleep", asleep_against_awake),
    ("waves/asleep", asleep_against_copy),
    ("waves/dispersion", dispersion_against_none),
];

const N: usize = 1024;
/// Steps of one timed stretch.
const STEPS: usize = 20;

/// The fast path on one thread, against the plain loops.
fn against_plain(name: &'static str) -> Result<Row> {
    let (mut fast, mut plain) = (world(false)?, world(false)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut fast, STEPS)),
        || {
            (0..STEPS).for_each(|_| plain.step_plain());
            Ok(())
        },
    )?;
    Ok(row(name, seconds, "plain", ratio))
}

/// The fast path on one thread, against a copy of the three buffers that a step changes.
fn against_copy(name: &'static str) -> Result<Row> {
    let mut waves = world(false)?;
    let mut copies = Copies::of(&waves);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut waves, STEPS)),
        || {
            (0..STEPS).for_each(|_| copies.copy());
            Ok(())
        },
    )?;
    Ok(row(name, seconds, "copy", ratio))
}

/// The fast path on two threads, against itself on one.
fn against_one_thread(name: &'static str) -> Result<Row> {
    let (mut ours, mut reference) = (world(false)?, world(false)?);
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || two.install(|| walk(&mut ours, STEPS)),
        || one.install(|| walk(&mut reference, STEPS)),
    )?;
    Ok(row(name, seconds, "1 thread", ratio))
}

/// A surface all of whose tiles sleep, against one that moves everywhere.
fn asleep_against_awake(name: &'static str) -> Result<Row> {
    let (mut asleep, mut awake) = (asleep()?, world(false)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut asleep, STEPS)),
        || one.install(|| walk(&mut awake, STEPS)),
    )?;
    Ok(row(name, seconds, "awake", ratio))
}

/// The same, against a copy of the three buffers.
fn asleep_against_copy(name: &'static str) -> Result<Row> {
    let mut asleep = asleep()?;
    let mut copies = Copies::of(&asleep);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut asleep, STEPS)),
        || {
            (0..STEPS).for_each(|_| copies.copy());
            Ok(())
        },
    )?;
    Ok(row(name, seconds, "copy", ratio))
}

/// What dispersion costs over two cells of depth.
fn dispersion_against_none(name: &'static str) -> Result<Row> {
    let (mut dispersive, mut reference) = (world(true)?, world(false)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut dispersive, STEPS)),
        || one.install(|| walk(&mut reference, STEPS)),
    )?;
    Ok(row(name, seconds, "no dispersion", ratio))
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

fn walk(waves: &mut Waves, steps: usize) -> Result<()> {
    (0..steps).for_each(|_| waves.step());
    Ok(())
}

fn row(name: &'static str, seconds: f64, reference: &'static str, ratio: f64) -> Row {
    let value = (STEPS * N * N) as f64 / seconds / 1e6;
    Row { name, value, unit: "million cell-steps/s", reference, ratio }
}

/// Waves everywhere.
fn world(dispersion: bool) -> Result<Waves> {
    let params = Params {
        speed: 4.43,
        step: 0.1,
        damping: 0.001,
        depth: 2.0,
        dispersion,
        ..Params::default()
    };
    let mut waves = Waves::new(Square::new(N, N, 1.0, 1.0)?, params)?;
    let surface = |x: usize, y: usize| 0.1 * (0.11 * x as f32).sin() * (0.07 * y as f32).cos();
    waves.set_surface(&Field::from_fn(N, N, surface))?;
    Ok(waves)
}

/// A flat surface that has been looked at.
fn asleep() -> Result<Waves> {
    let params = Params { speed: 4.43, step: 0.1, ..Params::default() };
    let mut waves = Waves::new(Square::new(N, N, 1.0, 1.0)?, params)?;
    walk(&mut waves, 16)?;
    anyhow::ensure!(waves.awake() == 0, "a flat surface does not sleep");
    Ok(waves)
}
