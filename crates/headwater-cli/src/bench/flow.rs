//! The cases of `flow`. Both sides of a pair walk the same way, and must arrive at the same bits.

use super::article::{Inertial, Pipes, Shallow};
use super::timing::{Case, ROUNDS, Speed, on, race, serial, times};
use anyhow::Result;
use headwater::flow::{Amount, Edit, Flow, Params, Physics};
use headwater::{Brush, Field, Hex, Lattice, Square};

pub(super) const CASES: [Case; 36] = [
    ("flow/fused-256", || against_article(256, Physics::Pipes, Yardstick::Plain)),
    ("flow/fused-256", || against_article(256, Physics::Pipes, Yardstick::Vectors)),
    ("flow/fused-256", || against_plain(squares(256)?, Physics::Pipes)),
    ("flow/fused-1024", || against_article(1024, Physics::Pipes, Yardstick::Plain)),
    ("flow/fused-1024", || against_article(1024, Physics::Pipes, Yardstick::Vectors)),
    ("flow/fused-1024", || against_plain(squares(1024)?, Physics::Pipes)),
    ("flow/fused-4096", || against_article(4096, Physics::Pipes, Yardstick::Plain)),
    ("flow/fused-4096", || against_article(4096, Physics::Pipes, Yardstick::Vectors)),
    ("flow/fused-4096", || against_plain(squares(4096)?, Physics::Pipes)),
    ("flow/grown-2000", || against_smaller(2000)),
    ("flow/grown-8192", || against_smaller(8192)),
    ("flow/step-1024", || passes_against_steps(squares(1024)?)),
    ("flow/called-256", || called_from_outside(squares(256)?)),
    ("flow/threads-2-256", || against_one_thread(squares(256)?, Physics::Pipes)),
    ("flow/threads-2", || against_one_thread(squares(1024)?, Physics::Pipes)),
    ("flow/threads-2-4096", || against_one_thread(squares(4096)?, Physics::Pipes)),
    ("flow/threads-2-inertial", || against_one_thread(squares(1024)?, Physics::Inertial)),
    ("flow/threads-2-shallow-water", || against_one_thread(squares(512)?, Physics::ShallowWater)),
    ("flow/serial", || serial_share(squares(1024)?, Physics::Pipes)),
    ("flow/serial-inertial", || serial_share(squares(1024)?, Physics::Inertial)),
    ("flow/serial-shallow-water", || serial_share(squares(512)?, Physics::ShallowWater)),
    ("flow/serial-hex", || serial_share(hexagons(1024)?, Physics::Pipes)),
    ("flow/tiles-4096", || against_fully_wet(4096, Physics::Pipes)),
    ("flow/tiles-2048-inertial", || against_fully_wet(2048, Physics::Inertial)),
    ("flow/tiles-1024-shallow-water", || against_fully_wet(1024, Physics::ShallowWater)),
    ("flow/physics-pipes", || against_plain(squares(512)?, Physics::Pipes)),
    ("flow/physics-inertial", || against_article(512, Physics::Inertial, Yardstick::Vectors)),
    ("flow/physics-inertial", || against_article(512, Physics::Inertial, Yardstick::Seconds)),
    ("flow/physics-inertial", || against_plain(squares(512)?, Physics::Inertial)),
    ("flow/physics-shallow-water", || {
        against_article(512, Physics::ShallowWater, Yardstick::Vectors)
    }),
    ("flow/physics-shallow-water", || {
        against_article(512, Physics::ShallowWater, Yardstick::Seconds)
    }),
    ("flow/physics-shallow-water", || against_plain(squares(512)?, Physics::ShallowWater)),
    ("flow/hex", || against_plain(hexagons(512)?, Physics::Pipes)),
    ("flow/hex-inertial", || against_plain(hexagons(512)?, Physics::Inertial)),
    ("flow/hex-shallow-water", || against_plain(hexagons(512)?, Physics::ShallowWater)),
    ("flow/hex-threads-2", || against_one_thread(hexagons(1024)?, Physics::Pipes)),
];

/// Cell-steps of one timed stretch of the fast path.
const WORK: usize = 1 << 24;

/// What of the articles a case is held against.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Yardstick {
    /// Their loops, as many steps.
    Plain,
    /// The same formulas in loops that a compiler vectorises.
    Vectors,
    /// These, over as long a time of the world: each side steps as far as it dares.
    Seconds,
}

impl Yardstick {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "article",
            Self::Vectors => "article, vectors",
            Self::Seconds => "article, vectors, a second",
        }
    }
}

/// The fast path on one thread, against what articles describe, on the same ground with the same water: as many cell-steps
/// each, by steps that both find for themselves where their length depends on the water.
fn against_article(n: usize, physics: Physics, by: Yardstick) -> Result<Speed> {
    let mut world = world(squares(n)?, physics)?;
    let (bed, depth) = (&world.state().bed, &world.state().depth);
    let (manning, dt) = (world.params().manning, world.stable_dt());
    let plain = by == Yardstick::Plain;
    // A step, and how long it was (s).
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
            let mut article = Shallow::new(bed, depth, manning);
            Box::new(move || article.step())
        }
    };
    let cells = n * n;
    let steps = (WORK / 2 / cells).max(4);
    let ours = on(1, || go_on(&mut world, steps))?;
    let mut seconds = 0.0;
    let theirs = on(1, || times(steps, || seconds += f64::from(article())))?;
    let race = race(by.name(), ours, theirs)?;
    let race = match by {
        Yardstick::Seconds => race.against_more(world.time() / seconds),
        _ => race,
    };
    Ok(race.cell_steps(steps * cells))
}

/// So many steps, several in a pass where they can be.
fn go_on(flow: &mut Flow, steps: usize) -> Result<()> {
    let stop = flow.steps() + steps as u64;
    while flow.steps() < stop {
        flow.steps_toward(f64::MAX, (stop - flow.steps()) as usize)?;
    }
    Ok(())
}

/// The fast path on one thread, against the plain loops of the same world.
fn against_plain(lattice: Lattice, physics: Physics) -> Result<Speed> {
    // The plain loops are ten times slower, and a pair must do the same steps.
    walk("plain", world(lattice, physics)?, 1, WORK / 4, |plain, seconds| {
        Ok(plain.advance_plain(seconds).map(drop)?)
    })
}

/// Pipes on `n × n` cells, against as many cell-steps on 256 × 256: 1 where a cell costs the same in a world of any size. One
/// thread.
fn against_smaller(n: usize) -> Result<Speed> {
    let steps = (WORK / (n * n)).max(4);
    let mut grown = world(squares(n)?, Physics::Pipes)?;
    let mut small = world(squares(256)?, Physics::Pipes)?;
    let ours = on(1, || go_on(&mut grown, steps))?;
    let theirs = on(1, || go_on(&mut small, steps * n * n / (256 * 256)))?;
    Ok(race("256 × 256", ours, theirs)?.cell_steps(steps * n * n))
}

/// Several steps in a pass, against passes of one step each.
fn passes_against_steps(lattice: Lattice) -> Result<Speed> {
    walk("1 step a pass", world(lattice, Physics::Pipes)?, 1, WORK, |single, seconds| {
        let stop = single.time() + seconds;
        while single.step_toward(stop)? {}
        Ok(())
    })
}

/// The fast path on two threads, against itself on one.
fn against_one_thread(lattice: Lattice, physics: Physics) -> Result<Speed> {
    walk("1 thread", world(lattice, physics)?, 2, WORK, |single, seconds| {
        Ok(single.advance(seconds).map(drop)?)
    })
}

/// Steps on all threads that are called one by one from a thread of no pool, as a game's main thread does, against the same called within
/// the pool.
fn called_from_outside(lattice: Lattice) -> Result<Speed> {
    let mut ours = world(lattice, Physics::Pipes)?;
    let mut theirs = ours.clone();
    let steps = WORK / 4 / lattice.cells();
    let walk = |flow: &mut Flow| (0..steps).try_for_each(|_| Ok(flow.step(flow.stable_dt())?));
    let race = race("within the pool", || walk(&mut ours), on(0, || walk(&mut theirs))?)?;
    let speed = race.cell_steps(steps * lattice.cells());
    Ok(speed.of_states([ours.state_hash(), theirs.state_hash()]))
}

/// What of the fast path threads do not share.
fn serial_share(lattice: Lattice, physics: Physics) -> Result<Speed> {
    let mut world = world(lattice, physics)?;
    let seconds = (WORK / 4 / world.lattice().cells()).max(4) as f64 * world.stable_dt();
    serial(move || Ok(world.advance(seconds).map(drop)?))
}

/// A world that is walked again and again over a stretch of time, on so many threads, against the same on one thread in
/// another way. A stretch is one of about so many cell-steps, if steps stay as long as the first.
fn walk(
    reference: &'static str,
    world: Flow,
    threads: usize,
    work: usize,
    other_way: impl Fn(&mut Flow, f64) -> Result<()> + Sync,
) -> Result<Speed> {
    let cells = world.lattice().cells();
    let seconds = (work / cells).max(4) as f64 * world.stable_dt();
    let (mut ours, mut theirs) = (world.clone(), world);
    let race = race(
        reference,
        on(threads, || Ok(ours.advance(seconds).map(drop)?))?,
        on(1, || other_way(&mut theirs, seconds))?,
    )?;
    // In the mean over all stretches that were walked.
    let speed = race.cell_steps(ours.steps() as usize * cells / (ROUNDS + 1));
    Ok(speed.of_states([ours.state_hash(), theirs.state_hash()]))
}

/// A world of which one part in a hundred is a lake, with waves on it, and the rest dry hills, against the same one
/// under water that moves everywhere. As many steps each; the row counts all cells.
fn against_fully_wet(n: usize, physics: Physics) -> Result<Speed> {
    let (mut sparse, mut full) = (lake(n, physics, false)?, lake(n, physics, true)?);
    let steps = (WORK / (n * n)).max(4);
    let walk = |flow: &mut Flow, steps: usize| {
        (0..steps).try_for_each(|_| Ok(flow.step(flow.stable_dt())?))
    };
    // Until the dry land has been looked at.
    on(1, || walk(&mut sparse, 40))?()?;
    let ours = on(1, || walk(&mut sparse, steps))?;
    Ok(race("fully wet", ours, on(1, || walk(&mut full, steps))?)?.cell_steps(steps * n * n))
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

pub(super) fn squares(n: usize) -> Result<Lattice> {
    Ok(Square::new(n, n, 1.0, 1.0)?.into())
}

pub(super) fn hexagons(n: usize) -> Result<Lattice> {
    Ok(Hex::new(n, n, Hex::spacing_for_square(1.0))?.into())
}

/// Lakes among hills, all stirred, with a wave running over them: wet and dry cells, and no lake at rest.
pub(super) fn world(lattice: Lattice, physics: Physics) -> Result<Flow> {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let hills = |x: usize, y: usize| (0.05 * x as f32).sin() + (0.07 * y as f32).cos();
    let bed = Field::from_fn(nx, ny, |x, y| 2.0 * hills(x, y));
    let level = |x: usize, y: usize| 1.0 + 0.1 * (0.11 * x as f32).sin() * (0.13 * y as f32).cos();
    let depth = Field::from_fn(nx, ny, |x, y| (level(x, y) - bed[(x, y)]).max(0.0));
    let params = Params { level: physics, ..Params::default() };
    let mut flow = Flow::new(lattice, params, bed, depth)?;
    let middle = [0.5 * lattice.width(), 0.5 * lattice.height()];
    let reach = 0.4 * lattice.height();
    flow.edit(&Brush::soft(middle, reach), Edit::Pour(Amount::Depth(2.0)))?;
    Ok(flow)
}
