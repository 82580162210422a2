//! Benchmarks of `flow`. If the reference is the model itself with another setting, both sides
//! perform the same steps and must reach the same state bit for bit.

use super::article::{Inertial, Pipes, ShallowWaterReference};
use super::timing::{Case, ROUNDS, Speed, compare, in_thread_pool, repeat, serial_fraction};
use anyhow::Result;
use headwater::flow::{Amount, Edit, Flow, Params, Physics};
use headwater::{Brush, Field, Hex, Lattice, Square};

pub(super) const CASES: [Case; 36] = [
    ("flow/fused-256", || compare_with_article(256, Physics::Pipes, ArticleReference::Plain)),
    ("flow/fused-256", || compare_with_article(256, Physics::Pipes, ArticleReference::Vectors)),
    ("flow/fused-256", || compare_with_plain_loops(square_lattice(256)?, Physics::Pipes)),
    ("flow/fused-1024", || compare_with_article(1024, Physics::Pipes, ArticleReference::Plain)),
    ("flow/fused-1024", || compare_with_article(1024, Physics::Pipes, ArticleReference::Vectors)),
    ("flow/fused-1024", || compare_with_plain_loops(square_lattice(1024)?, Physics::Pipes)),
    ("flow/fused-4096", || compare_with_article(4096, Physics::Pipes, ArticleReference::Plain)),
    ("flow/fused-4096", || compare_with_article(4096, Physics::Pipes, ArticleReference::Vectors)),
    ("flow/fused-4096", || compare_with_plain_loops(square_lattice(4096)?, Physics::Pipes)),
    ("flow/grown-2000", || compare_with_smaller_grid(2000)),
    ("flow/grown-8192", || compare_with_smaller_grid(8192)),
    ("flow/step-1024", || compare_passes_with_single_steps(square_lattice(1024)?)),
    ("flow/called-256", || compare_with_calls_inside_pool(square_lattice(256)?)),
    ("flow/threads-2-256", || compare_with_one_thread(square_lattice(256)?, Physics::Pipes)),
    ("flow/threads-2", || compare_with_one_thread(square_lattice(1024)?, Physics::Pipes)),
    ("flow/threads-2-4096", || compare_with_one_thread(square_lattice(4096)?, Physics::Pipes)),
    ("flow/threads-2-inertial", || {
        compare_with_one_thread(square_lattice(1024)?, Physics::Inertial)
    }),
    ("flow/threads-2-shallow-water", || {
        compare_with_one_thread(square_lattice(512)?, Physics::ShallowWater)
    }),
    ("flow/serial", || measure_serial_fraction(square_lattice(1024)?, Physics::Pipes)),
    ("flow/serial-inertial", || measure_serial_fraction(square_lattice(1024)?, Physics::Inertial)),
    ("flow/serial-shallow-water", || {
        measure_serial_fraction(square_lattice(512)?, Physics::ShallowWater)
    }),
    ("flow/serial-hex", || measure_serial_fraction(hexagonal_lattice(1024)?, Physics::Pipes)),
    ("flow/tiles-4096", || compare_with_fully_wet(4096, Physics::Pipes)),
    ("flow/tiles-2048-inertial", || compare_with_fully_wet(2048, Physics::Inertial)),
    ("flow/tiles-1024-shallow-water", || compare_with_fully_wet(1024, Physics::ShallowWater)),
    ("flow/physics-pipes", || compare_with_plain_loops(square_lattice(512)?, Physics::Pipes)),
    ("flow/physics-inertial", || {
        compare_with_article(512, Physics::Inertial, ArticleReference::Vectors)
    }),
    ("flow/physics-inertial", || {
        compare_with_article(512, Physics::Inertial, ArticleReference::SameTime)
    }),
    ("flow/physics-inertial", || compare_with_plain_loops(square_lattice(512)?, Physics::Inertial)),
    ("flow/physics-shallow-water", || {
        compare_with_article(512, Physics::ShallowWater, ArticleReference::Vectors)
    }),
    ("flow/physics-shallow-water", || {
        compare_with_article(512, Physics::ShallowWater, ArticleReference::SameTime)
    }),
    ("flow/physics-shallow-water", || {
        compare_with_plain_loops(square_lattice(512)?, Physics::ShallowWater)
    }),
    ("flow/hex", || compare_with_plain_loops(hexagonal_lattice(512)?, Physics::Pipes)),
    ("flow/hex-inertial", || compare_with_plain_loops(hexagonal_lattice(512)?, Physics::Inertial)),
    ("flow/hex-shallow-water", || {
        compare_with_plain_loops(hexagonal_lattice(512)?, Physics::ShallowWater)
    }),
    ("flow/hex-threads-2", || compare_with_one_thread(hexagonal_lattice(1024)?, Physics::Pipes)),
];

/// Number of cell-steps (cells times steps) in a timed run of the model's optimised loops.
const CELL_STEPS_PER_RUN: usize = 1 << 24;

/// Reference implementation of an article's scheme, with which the model is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArticleReference {
    /// The article's loops, with the same number of steps as the model.
    Plain,
    /// The article's formulas in loops that a compiler can vectorise, with the same number of steps
    /// as the model.
    Vectors,
    /// The loops of `Vectors` with their own time step. Their times are scaled, so that both sides
    /// are compared over the same simulated time.
    SameTime,
}

impl ArticleReference {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "article",
            Self::Vectors => "article, vectors",
            Self::SameTime => "article, vectors, a second",
        }
    }
}

/// Compares the model's optimised loops on one thread with an article's scheme, with the same water
/// on the same ground. Both perform the same number of cell-steps. For physics with adaptive time
/// steps, each scheme uses its own time step.
fn compare_with_article(
    n: usize,
    physics: Physics,
    article_reference: ArticleReference,
) -> Result<Speed> {
    let mut world = create_world(square_lattice(n)?, physics)?;
    let (bed, depth) = (&world.state().bed, &world.state().depth);
    let (manning, dt) = (world.params().manning, world.stable_dt());
    let plain = article_reference == ArticleReference::Plain;
    // Function that performs one step and returns its length (s).
    let mut article: Box<dyn FnMut() -> f32 + Send> = match physics {
        Physics::Pipes => {
            let mut article = Pipes::new(bed, depth, dt);
            let step = if plain { Pipes::step } else { Pipes::step_in_vectors };
            Box::new(move || {
                step(&mut article);
                dt as f32
            })
        }
        Physics::Inertial => {
            let mut article = Inertial::new(bed, depth, manning);
            Box::new(move || article.step())
        }
        Physics::ShallowWater => {
            let mut article = ShallowWaterReference::new(bed, depth, manning);
            Box::new(move || article.step())
        }
    };
    let cells = n * n;
    let steps = (CELL_STEPS_PER_RUN / 2 / cells).max(4);
    let ours = in_thread_pool(1, || perform_steps(&mut world, steps))?;
    let mut seconds = 0.0;
    let theirs = in_thread_pool(1, || repeat(steps, || seconds += f64::from(article())))?;
    let comparison = compare(article_reference.name(), ours, theirs)?;
    let comparison = match article_reference {
        ArticleReference::SameTime => comparison.scale_reference(world.time() / seconds),
        _ => comparison,
    };
    Ok(comparison.to_cell_steps_per_second(steps * cells))
}

/// Performs `steps` steps, several per pass over the grid if possible.
fn perform_steps(flow: &mut Flow, steps: usize) -> Result<()> {
    let stop = flow.steps() + steps as u64;
    while flow.steps() < stop {
        flow.steps_toward(f64::MAX, (stop - flow.steps()) as usize)?;
    }
    Ok(())
}

/// Compares the model's optimised loops on one thread with its plain loops on the same world.
fn compare_with_plain_loops(lattice: Lattice, physics: Physics) -> Result<Speed> {
    // Use fewer steps, because the plain loops are ten times slower and both sides do the same
    // steps.
    compare_runs(
        "plain",
        create_world(lattice, physics)?,
        1,
        CELL_STEPS_PER_RUN / 4,
        |plain, seconds| Ok(plain.advance_plain(seconds).map(drop)?),
    )
}

/// Compares the virtual-pipe model on `n × n` cells with the same number of cell-steps on 256 × 256
/// cells, on one thread. The ratio is 1 if the cost per cell does not depend on the grid size.
fn compare_with_smaller_grid(n: usize) -> Result<Speed> {
    let steps = (CELL_STEPS_PER_RUN / (n * n)).max(4);
    let mut grown = create_world(square_lattice(n)?, Physics::Pipes)?;
    let mut small = create_world(square_lattice(256)?, Physics::Pipes)?;
    let ours = in_thread_pool(1, || perform_steps(&mut grown, steps))?;
    let theirs = in_thread_pool(1, || perform_steps(&mut small, steps * n * n / (256 * 256)))?;
    Ok(compare("256 × 256", ours, theirs)?.to_cell_steps_per_second(steps * n * n))
}

/// Compares several steps per pass over the grid with one step per pass, on one thread.
fn compare_passes_with_single_steps(lattice: Lattice) -> Result<Speed> {
    compare_runs(
        "1 step a pass",
        create_world(lattice, Physics::Pipes)?,
        1,
        CELL_STEPS_PER_RUN,
        |single, seconds| {
            let stop = single.time() + seconds;
            while single.step_toward(stop)? {}
            Ok(())
        },
    )
}

/// Compares steps on two threads with the same steps on one thread.
fn compare_with_one_thread(lattice: Lattice, physics: Physics) -> Result<Speed> {
    compare_runs(
        "1 thread",
        create_world(lattice, physics)?,
        2,
        CELL_STEPS_PER_RUN,
        |single, seconds| Ok(single.advance(seconds).map(drop)?),
    )
}

/// Compares single steps that are called from outside the thread pool with the same calls from
/// inside the pool. The main thread of a game, for example, calls from outside.
fn compare_with_calls_inside_pool(lattice: Lattice) -> Result<Speed> {
    let mut ours = create_world(lattice, Physics::Pipes)?;
    let mut theirs = ours.clone();
    let steps = CELL_STEPS_PER_RUN / 4 / lattice.cell_count();
    let step_each = |flow: &mut Flow| (0..steps).try_for_each(|_| Ok(flow.step(flow.stable_dt())?));
    let comparison = compare(
        "within the pool",
        || step_each(&mut ours),
        in_thread_pool(0, || step_each(&mut theirs))?,
    )?;
    let speed = comparison.to_cell_steps_per_second(steps * lattice.cell_count());
    Ok(speed.with_state_hashes([ours.state_hash(), theirs.state_hash()]))
}

/// Measures the serial fraction of a step, on one thread.
fn measure_serial_fraction(lattice: Lattice, physics: Physics) -> Result<Speed> {
    let mut world = create_world(lattice, physics)?;
    let seconds =
        (CELL_STEPS_PER_RUN / 4 / world.lattice().cell_count()).max(4) as f64 * world.stable_dt();
    serial_fraction(move || Ok(world.advance(seconds).map(drop)?))
}

/// Compares the model on `threads` threads with `reference_steps` on one thread, over the same
/// simulated time. A timed run has about `work` cell-steps (cells times steps) if the time step
/// does not change.
fn compare_runs(
    reference: &'static str,
    world: Flow,
    threads: usize,
    work: usize,
    reference_steps: impl Fn(&mut Flow, f64) -> Result<()> + Sync,
) -> Result<Speed> {
    let cells = world.lattice().cell_count();
    let seconds = (work / cells).max(4) as f64 * world.stable_dt();
    let (mut ours, mut theirs) = (world.clone(), world);
    let comparison = compare(
        reference,
        in_thread_pool(threads, || Ok(ours.advance(seconds).map(drop)?))?,
        in_thread_pool(1, || reference_steps(&mut theirs, seconds))?,
    )?;
    // Mean number of steps per run, over all timed runs and the warm-up.
    let speed = comparison.to_cell_steps_per_second(ours.steps() as usize * cells / (ROUNDS + 1));
    Ok(speed.with_state_hashes([ours.state_hash(), theirs.state_hash()]))
}

/// Compares a world that is dry except for a lake on one hundredth of the cells with a fully wet
/// world. Both worlds have waves and perform the same number of steps. Dry cells count in the
/// reported speed.
fn compare_with_fully_wet(n: usize, physics: Physics) -> Result<Speed> {
    let (mut sparse, mut full) = (create_lake(n, physics, false)?, create_lake(n, physics, true)?);
    let steps = (CELL_STEPS_PER_RUN / (n * n)).max(4);
    let step_each = |flow: &mut Flow, steps: usize| {
        (0..steps).try_for_each(|_| Ok(flow.step(flow.stable_dt())?))
    };
    // Warm up until the dry land is asleep.
    in_thread_pool(1, || step_each(&mut sparse, 40))?()?;
    let ours = in_thread_pool(1, || step_each(&mut sparse, steps))?;
    Ok(compare("fully wet", ours, in_thread_pool(1, || step_each(&mut full, steps))?)?
        .to_cell_steps_per_second(steps * n * n))
}

/// Creates a world with a round lake on one hundredth of the cells. If `is_fully_wet` is true,
/// creates the same ground fully under water.
fn create_lake(n: usize, physics: Physics, is_fully_wet: bool) -> Result<Flow> {
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
            if is_fully_wet { 4.0 + 0.1 * (0.3 * x as f32 + 0.2 * y as f32).sin() } else { 1.0 };
        (level - bed[(x, y)]).max(0.0)
    });
    let params = Params { level: physics, ..Params::default() };
    let mut flow = Flow::new(square_lattice(n)?, params, bed, depth)?;
    let splash = Brush::smooth_disc([f64::from(middle); 2], 0.5 * f64::from(radius));
    flow.edit(&splash, Edit::Pour(Amount::Depth(0.5)))?;
    Ok(flow)
}

pub(super) fn square_lattice(n: usize) -> Result<Lattice> {
    Ok(Square::new(n, n, 1.0, 1.0)?.into())
}

pub(super) fn hexagonal_lattice(n: usize) -> Result<Lattice> {
    Ok(Hex::new(n, n, Hex::spacing_for_square(1.0))?.into())
}

/// Creates lakes among hills with waves everywhere. The world has wet and dry cells, and no lake is
/// at rest.
pub(super) fn create_world(lattice: Lattice, physics: Physics) -> Result<Flow> {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let hills = |x: usize, y: usize| (0.05 * x as f32).sin() + (0.07 * y as f32).cos();
    let bed = Field::from_fn(nx, ny, |x, y| 2.0 * hills(x, y));
    let level = |x: usize, y: usize| 1.0 + 0.1 * (0.11 * x as f32).sin() * (0.13 * y as f32).cos();
    let depth = Field::from_fn(nx, ny, |x, y| (level(x, y) - bed[(x, y)]).max(0.0));
    let params = Params { level: physics, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let middle = [0.5 * lattice.width(), 0.5 * lattice.height()];
    let reach = 0.4 * lattice.height();
    flow.edit(&Brush::smooth_disc(middle, reach), Edit::Pour(Amount::Depth(2.0)))?;
    Ok(flow)
}
