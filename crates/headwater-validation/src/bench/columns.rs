//! Benchmarks of `columns`. The references are damped springs as in tutorials, and the model itself
//! with other settings.

use super::article::Springs;
use super::timing::{Case, Speed, Work, compare, in_thread_pool, repeat, serial_fraction};
use crate::flooded::FloodableWorld;
use crate::pool::create_pool;
use anyhow::Result;
use headwater::columns::open::{CHUNK, ChunkPos, OpenWorld};
use headwater::columns::{Anchor, Columns, Edit, Heat, Params};
use headwater::{Field, Region};
use std::hint::black_box;
use std::time::Instant;

pub(super) const CASES: [Case; 13] = [
    // Discharges on one thread, against springs with eight passes per step, and with one.
    ("columns/awake-1m", || {
        let (mut springs, name) = (Springs::new(COLUMNS, 8), "article, vectors");
        compare_with(1, create_world_with_waves(None)?, name, || {
            repeat(STEPS_PER_RUN, || springs.step())
        })
    }),
    ("columns/awake-1m", || {
        let (mut springs, name) = (Springs::new(COLUMNS, 1), "article, vectors, 1 pass");
        compare_with(1, create_world_with_waves(None)?, name, || {
            repeat(STEPS_PER_RUN, || springs.step())
        })
    }),
    ("columns/awake-1m", || {
        let (mut ours, mut plain) =
            (create_world_with_waves(None)?, create_world_with_waves(None)?);
        let fast = in_thread_pool(1, || repeat(STEPS_PER_RUN, || ours.step()))?;
        let comparison = compare("plain", fast, || repeat(STEPS_PER_RUN, || plain.step_plain()))?;
        Ok(comparison
            .to_milliseconds(MS_PER_MILLION, STEPS_PER_RUN)
            .with_state_hashes([ours.state_hash(), plain.state_hash()]))
    }),
    // A million sleeping columns, against the same columns awake.
    ("columns/asleep-1m", || {
        compare_with(
            1,
            create_sleeping_world()?,
            "awake",
            in_thread_pool(1, repeated_steps(create_world_with_waves(None)?))?,
        )
    }),
    ("columns/threads-2", || {
        compare_with(
            2,
            create_world_with_waves(None)?,
            "1 thread",
            in_thread_pool(1, repeated_steps(create_world_with_waves(None)?))?,
        )
    }),
    ("columns/serial", || serial_fraction(repeated_steps(create_world_with_waves(None)?))),
    ("columns/serial-heat", || {
        serial_fraction(repeated_steps(create_world_with_waves(Some(warm_water_heat()))?))
    }),
    // Cooling of water that is warmer than the air, against the same columns without heat.
    ("columns/heat-1m", compare_with_cold),
    ("columns/find-pools-2048", time_pool_search),
    // About 12 000 columns in 500 flooded pools, all awake. Times a step at rest, a step while a
    // cellar is flooded, and the slowest step of ten seconds after the cellar was opened.
    ("columns/flooded-2080", time_flooded_at_rest),
    ("columns/flooded-2080-dug", time_flooding_cellar),
    ("columns/flooded-2080-worst", time_worst_step),
    ("columns/reload-128", time_chunk_reload),
];

/// Number of columns per pool. With one wall column per pool, the world of [`POOLS`] pools is 2²⁰
/// cells wide.
const COLUMNS_PER_POOL: usize = 8191;
const POOLS: usize = 128;
const COLUMNS: usize = COLUMNS_PER_POOL * POOLS;

/// Number of steps per timed run.
const STEPS_PER_RUN: usize = 8;

const MS_PER_MILLION: &str = "ms for a step of a million columns";

/// Returns a function that performs the steps of one timed run of a world.
fn repeated_steps(mut world: Columns) -> impl Work + Send {
    move || repeat(STEPS_PER_RUN, || world.step())
}

/// Compares steps of a million columns on `threads` threads with `reference_steps`, the same number
/// of steps of the reference.
fn compare_with(
    threads: usize,
    ours: Columns,
    reference: &'static str,
    reference_steps: impl Work,
) -> Result<Speed> {
    Ok(compare(reference, in_thread_pool(threads, repeated_steps(ours))?, reference_steps)?
        .to_milliseconds(MS_PER_MILLION, STEPS_PER_RUN))
}

/// Returns heat parameters for which the water is warmer than the air.
fn warm_water_heat() -> Heat {
    Heat { water: Some(30.0), ..Heat::default() }
}

/// Compares columns of cooling water with the same columns without heat. A timed run has sixteen
/// steps, in which the heat of every pool is updated once.
fn compare_with_cold() -> Result<Speed> {
    let (mut ours, mut cold) = (
        repeated_steps(create_world_with_waves(Some(warm_water_heat()))?),
        repeated_steps(create_world_with_waves(None)?),
    );
    let twice = |work: &mut dyn FnMut() -> Result<()>| work().and_then(|()| work());
    let comparison = compare(
        "no heat",
        in_thread_pool(1, || twice(&mut ours))?,
        in_thread_pool(1, || twice(&mut cold))?,
    )?;
    Ok(comparison.to_milliseconds(MS_PER_MILLION, 2 * STEPS_PER_RUN))
}

/// Times the creation of a world from caves of 2048 × 2048 cells, which includes the search for
/// pools. The caves are filled to the level of one anchor point. The reference copies the array of
/// walls.
fn time_pool_search() -> Result<Speed> {
    let n = 2048;
    let walls = Field::from_fn(n, n, |x, y| {
        let wave = (0.031 * x as f64).sin() * (0.047 * y as f64).cos();
        wave + 0.4 * (0.11 * (x + 2 * y) as f64).sin() > 0.5
    });
    let mut copy = walls.clone();
    let comparison = compare(
        "copy",
        || {
            let anchor = Anchor::new_level([8.5, 1000.0]);
            black_box(Columns::new(black_box(&walls), 1.0, &[anchor], Params::default())?);
            Ok(())
        },
        || {
            copy.as_mut_slice().copy_from_slice(black_box(walls.as_slice()));
            black_box(&mut copy);
            Ok(())
        },
    )?;
    Ok(comparison.to_milliseconds("ms", 1))
}

/// Creates a random world with water above a dry cellar and 2,080 columns from west to east.
fn create_flooded_world() -> FloodableWorld {
    FloodableWorld::new(3, [520, 7], 6, false, 4)
}

/// Times steps of a world at rest with water above a dry cellar. The reference copies the world.
fn time_flooded_at_rest() -> Result<Speed> {
    let world = create_flooded_world().world(0.05)?;
    let (mut ours, theirs) = (world.clone(), world);
    let comparison = compare(
        "copy",
        || repeat(STEPS_PER_RUN, || ours.step()),
        || {
            repeat(STEPS_PER_RUN, || {
                black_box(theirs.clone());
            })
        },
    )?;
    Ok(comparison.to_milliseconds("ms a step", STEPS_PER_RUN))
}

/// Times steps of a world while water breaks into its cellar. The reference consists of the model's
/// plain loops.
fn time_flooding_cellar() -> Result<Speed> {
    let board = create_flooded_world();
    let mut dug = board.world(0.05)?;
    dug.set_walls(&board.hole, false)?;
    let plain = dug.clone();
    let comparison = compare(
        "plain",
        || {
            let mut world = dug.clone();
            repeat(STEPS_PER_RUN, || world.step())
        },
        || {
            let mut world = plain.clone();
            repeat(STEPS_PER_RUN, || world.step_plain())
        },
    )?;
    Ok(comparison.to_milliseconds("ms a step", STEPS_PER_RUN))
}

/// Number of steps that are examined after the cellar was opened. The slowest of them is timed.
const STEPS_AFTER_DIGGING: usize = 200;

/// Times the slowest step while water breaks into a cellar. Each measurement includes a copy of the
/// world. The reference is the same step with the model's plain loops.
fn time_worst_step() -> Result<Speed> {
    let board = create_flooded_world();
    let mut world = board.world(0.05)?;
    world.set_walls(&board.hole, false)?;
    let mut seconds = vec![f64::MAX; STEPS_AFTER_DIGGING];
    // The minimum of several runs is the time on an idle machine.
    for _ in 0..3 {
        let mut world = world.clone();
        for least in &mut seconds {
            let start = Instant::now();
            world.step();
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    let worst = (0..STEPS_AFTER_DIGGING).max_by(|a, b| seconds[*a].total_cmp(&seconds[*b]));
    repeat(worst.unwrap_or(0), || world.step())?;
    let plain = world.clone();
    let comparison = compare(
        "plain",
        || repeat(1, || world.clone().step()),
        || repeat(1, || plain.clone().step_plain()),
    )?;
    Ok(comparison.to_milliseconds("ms for the slowest step", 1))
}

/// Times the following sequence in an open world with 128 loaded chunks of hills, lakes and caves,
/// on one thread: unload a chunk, step, load the chunk again, step. For comparison, times the
/// creation of the same land as one world without chunks.
fn time_chunk_reload() -> Result<Speed> {
    let (nx, ny) = (32 * CHUNK, 4 * CHUNK);
    let walls = Field::from_fn(nx, ny, |x, y| {
        let (fx, fy) = ((x / 4 * 4) as f64, (y / 4 * 4) as f64);
        let ground = ny as f64 * (0.5 + 0.2 * (0.01 * fx).sin() + 0.05 * (0.06 * fx).sin());
        let cave = (0.05 * fx).sin() * (0.07 * fy).cos() > 0.6;
        fy > ground && !cave
    });
    let fill = Field::from_fn(nx, ny, |_, y| f64::from(u8::from(y > ny / 2)));
    let (cell, params) = (0.5, Params { damping: 0.5, ..Params::default() });
    let mut open = OpenWorld::new(cell, params.clone())?;
    for (column, row) in (0..32).flat_map(|x| (0..4).map(move |y| (x, y))) {
        let at = |x: usize, y: usize| (column * CHUNK + x, row * CHUNK + y);
        let walls = Field::from_fn(CHUNK, CHUNK, |x, y| walls[at(x, y)]);
        let fill = Field::from_fn(CHUNK, CHUNK, |x, y| fill[at(x, y)]);
        open.insert(ChunkPos::new(column as i32, row as i32), &walls, &fill)?;
    }
    open.step_many(300);
    let middle = ChunkPos::new(16, 2);
    let reload = || {
        let bytes = open.unload(middle)?;
        open.step();
        open.load(middle, &bytes)?;
        open.step();
        Ok(())
    };
    let create = || {
        black_box(Columns::with_fill(black_box(&walls), cell, &fill, params.clone())?);
        Ok(())
    };
    Ok(create_pool(1)?
        .install(|| compare("creating all", reload, create))?
        .to_milliseconds("ms", 1))
}

/// Creates a world with a million columns of water in adjacent pools with stepped floors.
fn create_world(params: Params) -> Result<Columns> {
    let (nx, ny) = ((COLUMNS_PER_POOL + 1) * POOLS, 8);
    let walls = Field::from_fn(nx, ny, |x, y| {
        x % (COLUMNS_PER_POOL + 1) == COLUMNS_PER_POOL || y + 1 + (x / 1000) % 2 >= ny
    });
    let cell = 0.25;
    let west = |pool| (pool * (COLUMNS_PER_POOL + 1)) as f64 * cell;
    let anchor = |pool| Anchor::new_level([west(pool) + 0.5 * cell, 2.0 * cell]);
    let anchors: Vec<Anchor> = (0..POOLS).map(anchor).collect();
    Ok(Columns::new(&walls, cell, &anchors, params)?)
}

/// Creates pools that are 127 cells wide on `n × n` cells, filled with warm water to half their
/// height.
pub(super) fn create_half_full_pools(n: usize) -> Result<Columns> {
    let walls = Field::from_fn(n, n, |x, y| x % 128 == 127 || y + 1 + (x / 16) % 8 >= n);
    let cell = 0.25;
    let anchor =
        |pool| Anchor::new_level([(pool * 128) as f64 * cell + 0.5 * cell, 0.5 * n as f64 * cell]);
    let anchors: Vec<Anchor> = (0..n / 128).map(anchor).collect();
    let params = Params { heat: Some(warm_water_heat()), ..Params::default() };
    let mut world = Columns::new(&walls, cell, &anchors, params)?;
    repeat(10, || world.step())?;
    Ok(world)
}

/// Creates adjacent pools with waves everywhere, so that no pool is asleep.
fn create_world_with_waves(heat: Option<Heat>) -> Result<Columns> {
    let mut world = create_world(Params { sleep_speed: 0.0, heat, ..Params::default() })?;
    let length = world.column_count() as f64 * world.column_width();
    let mut x = 5.0;
    while x < length {
        let place = Region::rect([x, 0.0], [x + 2.0, 2.0]);
        world.edit(&place, Edit::Splash(0.1))?;
        x += 40.0;
    }
    Ok(world)
}

/// Creates adjacent pools that are all asleep.
fn create_sleeping_world() -> Result<Columns> {
    let mut world = create_world(Params::default())?;
    repeat(200, || world.step())?;
    anyhow::ensure!(world.awake_pool_count() == 0, "still water does not sleep");
    Ok(world)
}
