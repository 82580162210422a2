//! The cases of `flow`.

use super::{Row, pairs};
use anyhow::Result;
use headwater::flow::{Amount, Edit, Flow, Params, Physics};
use headwater::{Brush, Field, Hex, Lattice, Square};

type Measure = fn(&'static str) -> Result<Row>;

pub(super) const CASES: [(&str, Measure); 8] = [
    ("flow/step-256", |name| against_plain(name, 256)),
    ("flow/step-1024", |name| against_plain(name, 1024)),
    ("flow/threads-2", |name| against_one_thread(name, 1024)),
    ("flow/physics-pipes", |name| against_plain_pipes(name, Physics::Pipes)),
    ("flow/physics-inertial", |name| against_plain_pipes(name, Physics::Inertial)),
    ("flow/physics-shallow-water", |name| against_plain_pipes(name, Physics::ShallowWater)),
    ("flow/hex", |name| against_plain_hexagons(name, Physics::Pipes)),
    ("flow/hex-inertial", |name| against_plain_hexagons(name, Physics::Inertial)),
];

/// Cell-steps of one timed stretch: a tenth of a second or more for the slower side.
const WORK: usize = 1 << 23;

/// The fast path on one thread, against the plain loops.
fn against_plain(name: &'static str, n: usize) -> Result<Row> {
    let world = world(squares(n)?, Physics::Pipes)?;
    let (seconds, ratio, work) = on_one_thread(world.clone(), world)?;
    Ok(row(name, work, seconds, "plain", ratio))
}

/// What a level of physics costs: its fast path on one thread, against the plain loops of the pipes.
fn against_plain_pipes(name: &'static str, physics: Physics) -> Result<Row> {
    let plain = world(squares(512)?, Physics::Pipes)?;
    let (seconds, ratio, work) = on_one_thread(world(squares(512)?, physics)?, plain)?;
    Ok(row(name, work, seconds, "plain pipes", ratio))
}

/// A level of physics on hexagons, its fast path on one thread, against the plain loops of the pipes on
/// hexagons.
fn against_plain_hexagons(name: &'static str, physics: Physics) -> Result<Row> {
    let hexagons = Hex::new(512, 512, Hex::spacing_of_area(1.0))?;
    let plain = world(hexagons, Physics::Pipes)?;
    let (seconds, ratio, work) = on_one_thread(world(hexagons, physics)?, plain)?;
    Ok(row(name, work, seconds, "plain pipes on hexagons", ratio))
}

fn squares(n: usize) -> Result<Square> {
    Ok(Square::new(n, n, 1.0, 1.0)?)
}

/// Steps `fast` by the fast path on one thread and `plain`, of the same size, by plain loops; gives the
/// seconds of the first, the ratio, and the cell-steps done.
fn on_one_thread(mut fast: Flow, mut plain: Flow) -> Result<(f64, f64, usize)> {
    let cells = fast.lattice().cells();
    let steps = WORK / cells;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut fast, steps)),
        || (0..steps).try_for_each(|_| Ok(plain.step_plain(plain.stable_dt())?)),
    )?;
    Ok((seconds, ratio, steps * cells))
}

/// The fast path on two threads, against itself on one.
fn against_one_thread(name: &'static str, n: usize) -> Result<Row> {
    let mut ours = world(squares(n)?, Physics::Pipes)?;
    let mut reference = ours.clone();
    let steps = WORK / (n * n);
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || two.install(|| walk(&mut ours, steps)),
        || one.install(|| walk(&mut reference, steps)),
    )?;
    Ok(row(name, steps * n * n, seconds, "1 thread", ratio))
}

fn walk(flow: &mut Flow, steps: usize) -> Result<()> {
    (0..steps).try_for_each(|_| Ok(flow.step(flow.stable_dt())?))
}

fn row(
    name: &'static str,
    cell_steps: usize,
    seconds: f64,
    reference: &'static str,
    ratio: f64,
) -> Row {
    let value = cell_steps as f64 / seconds / 1e6;
    Row { name, value, unit: "million cell-steps/s", reference, ratio }
}

/// Lakes among hills, with a wave running over them: wet and dry cells, none at rest.
fn world(lattice: impl Into<Lattice>, physics: Physics) -> Result<Flow> {
    let lattice = lattice.into();
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let hills = |x: usize, y: usize| (0.05 * x as f32).sin() + (0.07 * y as f32).cos();
    let bed = Field::from_fn(nx, ny, |x, y| 2.0 * hills(x, y));
    let depth = bed.map(|z| (1.0 - z).max(0.0));
    let params = Params { physics, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let middle = [0.5 * lattice.width(), 0.5 * lattice.height()];
    let reach = 0.4 * lattice.height();
    flow.edit(&Brush::soft(middle, reach), Edit::Pour(Amount::Depth(2.0)))?;
    Ok(flow)
}
