//! The cases of `columns`.

use super::{Row, pairs};
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Edit, Heat, Params};
use headwater::{Field, Region};
use std::hint::black_box;

type Measure = fn(&'static str) -> Result<Row>;

pub(super) const CASES: [(&str, Measure); 7] = [
    ("columns/awake-1m", against_springs),
    ("columns/awake-1m", against_plain),
    ("columns/asleep-1m", asleep_against_awake),
    ("columns/threads-2", against_one_thread),
    ("columns/rest-1m", warm_at_rest),
    ("columns/heat-1m", warm),
    ("columns/find-pools-2048", find_pools),
];

/// Columns in a pool, so that with a wall each the board is not too wide; and pools.
const LONG: usize = 8191;
const POOLS: usize = 128;
const N: usize = LONG * POOLS;

/// Steps of one timed stretch.
const STEPS: usize = 8;

/// The discharges of a million columns on one thread, against the plain springs of the article with eight
/// passes.
fn against_springs(name: &'static str) -> Result<Row> {
    let (mut ours, mut springs) = (awake()?, Springs::new());
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut ours)),
        || {
            (0..STEPS).for_each(|_| springs.step());
            Ok(())
        },
    )?;
    Ok(Row { name, value: 1e3 * seconds / STEPS as f64, unit: MS, reference: "springs", ratio })
}

/// The same, against the plain loops.
fn against_plain(name: &'static str) -> Result<Row> {
    let (mut ours, mut plain) = (awake()?, awake()?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| walk(&mut ours)),
        || {
            (0..STEPS).for_each(|_| plain.step_plain());
            Ok(())
        },
    )?;
    Ok(Row { name, value: 1e3 * seconds / STEPS as f64, unit: MS, reference: "plain", ratio })
}

/// The same on two threads, against one.
fn against_one_thread(name: &'static str) -> Result<Row> {
    let (mut ours, mut reference) = (awake()?, awake()?);
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) =
        pairs(|| two.install(|| walk(&mut ours)), || one.install(|| walk(&mut reference)))?;
    Ok(Row { name, value: 1e3 * seconds / STEPS as f64, unit: MS, reference: "1 thread", ratio })
}

/// A million columns asleep, against the same awake.
fn asleep_against_awake(name: &'static str) -> Result<Row> {
    let (mut asleep, mut awake) = (world(Params::default())?, awake()?);
    for _ in 0..200 {
        asleep.step();
    }
    anyhow::ensure!(asleep.awake() == 0, "still water does not sleep");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) =
        pairs(|| one.install(|| walk(&mut asleep)), || one.install(|| walk(&mut awake)))?;
    Ok(Row { name, value: 1e3 * seconds / STEPS as f64, unit: MS, reference: "awake", ratio })
}

/// A million columns awake whose water is as warm as the air, against the same without heat.
fn warm_at_rest(name: &'static str) -> Result<Row> {
    against_cold(name, Heat::default())
}

/// The same with water that is warmer, and cools.
fn warm(name: &'static str) -> Result<Row> {
    against_cold(name, Heat { water: Some(30.0), ..Heat::default() })
}

/// A stretch is sixteen steps, so that every pool has its turn in it.
fn against_cold(name: &'static str, heat: Heat) -> Result<Row> {
    let params = || Params { sleep_speed: 0.0, ..Params::default() };
    let (mut ours, mut cold) =
        (stir(world(Params { heat: Some(heat), ..params() })?)?, stir(world(params())?)?);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let (seconds, ratio) = pairs(
        || one.install(|| (0..2).try_for_each(|_| walk(&mut ours))),
        || one.install(|| (0..2).try_for_each(|_| walk(&mut cold))),
    )?;
    let value = 1e3 * seconds / (2 * STEPS) as f64;
    Ok(Row { name, value, unit: MS, reference: "no heat", ratio })
}

/// All pools of a board of 2048 × 2048 cells of caves, with an anchor, against a copy of the board.
fn find_pools(name: &'static str) -> Result<Row> {
    let n = 2048;
    let walls = Field::from_fn(n, n, |x, y| {
        let wave = (0.031 * x as f64).sin() * (0.047 * y as f64).cos();
        wave + 0.4 * (0.11 * (x + 2 * y) as f64).sin() > 0.5
    });
    let mut copy = walls.clone();
    let (seconds, ratio) = pairs(
        || {
            let anchor = Anchor::level([8.5, 1000.0]);
            black_box(Columns::new(black_box(&walls), 1.0, &[anchor], Params::default())?);
            Ok(())
        },
        || {
            copy.as_mut_slice().copy_from_slice(black_box(walls.as_slice()));
            black_box(&mut copy);
            Ok(())
        },
    )?;
    Ok(Row { name, value: 1e3 * seconds, unit: "ms", reference: "copy", ratio })
}

const MS: &str = "ms for a step of a million columns";

fn walk(world: &mut Columns) -> Result<()> {
    (0..STEPS).for_each(|_| world.step());
    Ok(())
}

/// Pools side by side with floors that have a step here and there, and water in all.
fn world(params: Params) -> Result<Columns> {
    let (nx, ny) = ((LONG + 1) * POOLS, 8);
    let walls =
        Field::from_fn(nx, ny, |x, y| x % (LONG + 1) == LONG || y + 1 + (x / 1000) % 2 >= ny);
    let cell = 0.25;
    let anchors: Vec<Anchor> = (0..POOLS)
        .map(|pool| Anchor::level([(pool * (LONG + 1)) as f64 * cell + 0.5 * cell, 2.0 * cell]))
        .collect();
    Ok(Columns::new(&walls, cell, &anchors, params)?)
}

/// The same with waves everywhere, and none that sleeps.
fn awake() -> Result<Columns> {
    stir(world(Params { sleep_speed: 0.0, ..Params::default() })?)
}

fn stir(mut world: Columns) -> Result<Columns> {
    let length = world.columns() as f64 * world.column_width();
    let mut x = 5.0;
    while x < length {
        let place = Region::rect([x, 0.0], [x + 2.0, 2.0]);
        world.edit(&place, Edit::Splash(0.1))?;
        x += 40.0;
    }
    Ok(world)
}

/// The springs of the article, as tutorials have them: a swing of each, then passes that hand on a part of the
/// difference to both neighbours.
struct Springs {
    height: Vec<f32>,
    speed: Vec<f32>,
    left: Vec<f32>,
    right: Vec<f32>,
}

const PASSES: usize = 8;

impl Springs {
    fn new() -> Self {
        let height = (0..N).map(|i| (0.1 * i as f32).sin()).collect();
        Self { height, speed: vec![0.0; N], left: vec![0.0; N], right: vec![0.0; N] }
    }

    fn step(&mut self) {
        let Self { height, speed, left, right } = self;
        for (height, speed) in height.iter_mut().zip(speed.iter_mut()) {
            *speed -= 0.025 * *height + 0.025 * *speed;
            *height += *speed;
        }
        for _ in 0..PASSES {
            for i in 0..N {
                if i > 0 {
                    left[i] = 0.05 * (height[i] - height[i - 1]);
                    speed[i - 1] += left[i];
                }
                if i + 1 < N {
                    right[i] = 0.05 * (height[i] - height[i + 1]);
                    speed[i + 1] += right[i];
                }
            }
            for i in 0..N {
                if i > 0 {
                    height[i - 1] += left[i];
                }
                if i + 1 < N {
                    height[i + 1] += right[i];
                }
            }
        }
        black_box(height);
    }
}
