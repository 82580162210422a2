//! The cases of `flow`. WorldStepper sides of a pair walk the same way, and must arrive at the same bits.

use super::{ROUNDS, Row, pairs};
use anyhow::{Result, ensure};
use headwater::flow::{Amount, Edit, Flow, Params, Physics};
use headwater::{Brush, Field, Hex, Lattice, Square};
use rayon::{ThreadPool, ThreadPoolBuilder};

type Measure = fn(&'static str) -> Result<Row>;

pub(super) const CASES: [(&str, Measure); 18] = [
    ("flow/fused-256", |name| against_plain(name, squares(256)?, Physics::Pipes)),
    ("flow/fused-1024", |name| against_plain(name, squares(1024)?, Physics::Pipes)),
    ("flow/fused-4096", |name| against_plain(name, squares(4096)?, Physics::Pipes)),
    ("flow/step-1024", |name| passes_against_steps(name, 1024)),
    ("flow/threads-2-256", |name| against_one_thread(name, 256, Physics::Pipes)),
    ("flow/threads-2", |name| against_one_thread(name, 1024, Physics::Pipes)),
    ("flow/threads-2-4096", |name| against_one_thread(name, 4096, Physics::Pipes)),
    ("flow/threads-2-inertial", |name| against_one_thread(name, 1024, Physics::Inertial)),
    ("flow/threads-2-shallow-water", |name| against_one_thread(name, 512, Physics::ShallowWater)),
    ("flow/tiles-4096", |name| against_fully_wet(name, 4096, Physics::Pipes)),
    ("flow/tiles-2048-inertial", |name| against_fully_wet(name, 2048, Physics::Inertial)),
    ("flow/tiles-1024-shallow-water", |name| against_fully_wet(name, 1024, Physics::ShallowWater)),
    ("flow/physics-pipes", |name| against_plain(name, squares(512)?, Physics::Pipes)),
    ("flow/physics-inertial", |name| against_plain(name, squares(512)?, Physics::Inertial)),
    ("flow/physics-shallow-water", |name| {
        against_plain(name, squares(512)?, Physics::ShallowWater)
    }),
    ("flow/hex", |name| against_plain(name, hexagons(512)?, Physics::Pipes)),
    ("flow/hex-inertial", |name| against_plain(name, hexagons(512)?, Physics::Inertial)),
    ("flow/hex-threads-2", |name| hexagons_against_one_thread(name, 1024)),
];

/// Cell-steps of one timed stretch of the fast path.
const WORK: usize = 1 << 24;

/// The fast path on one thread, against the plain loops of the same world.
fn against_plain(name: &'static str, lattice: impl Into<Lattice>, physics: Physics) -> Result<Row> {
    let world = world(lattice, physics)?;
    let one = threads(1)?;
    // The plain loops are ten times slower, and a pair must do the same steps.
    let walk = Walk::of(&world, WORK / 4);
    let (mut fast, mut plain) = (world.clone(), world);
    let (seconds, ratio) = pairs(
        || one.install(|| walk.run(&mut fast)),
        || Ok(plain.advance_plain(walk.seconds).map(drop)?),
    )?;
    same_bits(name, &fast, &plain)?;
    Ok(row(name, Walk::cell_steps(&fast), seconds, "plain", ratio))
}

/// Several steps in a pass, against passes of one step each.
fn passes_against_steps(name: &'static str, n: usize) -> Result<Row> {
    let world = world(squares(n)?, Physics::Pipes)?;
    let (walk, one) = (Walk::of(&world, WORK), threads(1)?);
    let (mut ours, mut reference) = (world.clone(), world);
    let (seconds, ratio) = pairs(
        || one.install(|| walk.run(&mut ours)),
        || {
            one.install(|| {
                let stop = reference.time() + walk.seconds;
                while reference.step_toward(stop)? {}
                Ok(())
            })
        },
    )?;
    same_bits(name, &ours, &reference)?;
    Ok(row(name, Walk::cell_steps(&ours), seconds, "1 step a pass", ratio))
}

/// The fast path on two threads, against itself on one.
fn against_one_thread(name: &'static str, n: usize, physics: Physics) -> Result<Row> {
    two_against_one(name, world(squares(n)?, physics)?)
}

fn hexagons_against_one_thread(name: &'static str, n: usize) -> Result<Row> {
    two_against_one(name, world(hexagons(n)?, Physics::Pipes)?)
}

fn two_against_one(name: &'static str, world: Flow) -> Result<Row> {
    let (walk, one, two) = (Walk::of(&world, WORK), threads(1)?, threads(2)?);
    let (mut ours, mut reference) = (world.clone(), world);
    let (seconds, ratio) =
        pairs(|| two.install(|| walk.run(&mut ours)), || one.install(|| walk.run(&mut reference)))?;
    same_bits(name, &ours, &reference)?;
    Ok(row(name, Walk::cell_steps(&ours), seconds, "1 thread", ratio))
}

/// A world of which one part in a hundred is a lake, with waves on it, and the rest dry hills, against the same one
/// under water that moves everywhere. As many steps each; the row counts all cells.
fn against_fully_wet(name: &'static str, n: usize, physics: Physics) -> Result<Row> {
    let one = threads(1)?;
    let (mut sparse, mut full) = (lake(n, physics, false)?, lake(n, physics, true)?);
    let steps = (WORK / (n * n)).max(4);
    let walk = |flow: &mut Flow| (0..steps).try_for_each(|_| Ok(flow.step(flow.stable_dt())?));
    // Until the dry land has been looked at.
    one.install(|| (0..40).try_for_each(|_| sparse.step(sparse.stable_dt())))?;
    let (seconds, ratio) =
        pairs(|| one.install(|| walk(&mut sparse)), || one.install(|| walk(&mut full)))?;
    Ok(row(name, steps * n * n, seconds, "fully wet", ratio))
}

/// A round lake that covers a hundredth of the land, or the same ground under water everywhere.
fn lake(n: usize, physics: Physics, everywhere: bool) -> Result<Flow> {
    let middle = 0.5 * n as f32;
    let radius = (0.01 / std::f32::consts::PI).sqrt() * n as f32;
    let bed = Field::from_fn(n, n, |x, y| {
        let (east, south) = (x as f32, y as f32);
        let ripples = 0.1 * (0.05 * east).sin() + 0.1 * (0.07 * south).cos();
        let away = (east - middle).hypot(south - middle);
        ripples + if away < radius { 0.0 } else { 3.0 }
    });
    let depth = Field::from_fn(n, n, |x, y| {
        let level =
            if everywhere { 4.0 + 0.1 * (0.3 * x as f32 + 0.2 * y as f32).sin() } else { 1.0 };
        (level - bed[(x, y)]).max(0.0)
    });
    let params = Params { level: physics, ..Params::default() };
    let mut flow = Flow::new(squares(n)?, params, bed, depth)?;
    let splash = Brush::soft([f64::from(middle); 2], 0.5 * f64::from(radius));
    flow.edit(&splash, Edit::Pour(Amount::Depth(0.5)))?;
    Ok(flow)
}

fn squares(n: usize) -> Result<Square> {
    Ok(Square::new(n, n, 1.0, 1.0)?)
}

fn hexagons(n: usize) -> Result<Hex> {
    Ok(Hex::new(n, n, Hex::spacing_of_area(1.0))?)
}

fn threads(count: usize) -> Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(count).build()?)
}

/// A stretch of time that is walked again and again.
struct Walk {
    seconds: f64,
}

impl Walk {
    /// One of about so many cell-steps, if steps stay as long as the first.
    fn of(world: &Flow, work: usize) -> Self {
        let steps = (work / world.lattice().cells()).max(4);
        Self { seconds: steps as f64 * world.stable_dt() }
    }

    fn run(&self, flow: &mut Flow) -> Result<()> {
        flow.advance(self.seconds)?;
        Ok(())
    }

    /// Cell-steps of one stretch, in the mean over all that a world has walked.
    fn cell_steps(flow: &Flow) -> usize {
        flow.steps() as usize * flow.lattice().cells() / (ROUNDS + 1)
    }
}

fn same_bits(name: &str, ours: &Flow, reference: &Flow) -> Result<()> {
    let (ours, theirs) = (ours.state_hash(), reference.state_hash());
    ensure!(
        ours == theirs,
        "{name}: the state is {ours:016x}, that of the reference {theirs:016x}"
    );
    Ok(())
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
pub(super) fn world(lattice: impl Into<Lattice>, physics: Physics) -> Result<Flow> {
    let lattice = lattice.into();
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let hills = |x: usize, y: usize| (0.05 * x as f32).sin() + (0.07 * y as f32).cos();
    let bed = Field::from_fn(nx, ny, |x, y| 2.0 * hills(x, y));
    let depth = bed.map(|z| (1.0 - z).max(0.0));
    let params = Params { level: physics, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let middle = [0.5 * lattice.width(), 0.5 * lattice.height()];
    let reach = 0.4 * lattice.height();
    flow.edit(&Brush::soft(middle, reach), Edit::Pour(Amount::Depth(2.0)))?;
    Ok(flow)
}
