//! The cases of `columns`.

use super::article::Springs;
use super::timing::{Case, Speed, Work, on, race, serial, times};
use crate::flooded::Flooded;
use crate::pool::pool;
use anyhow::Result;
use headwater::columns::open::{CHUNK, ChunkPos, OpenWorld};
use headwater::columns::{Anchor, Columns, Edit, Heat, Params};
use headwater::{Field, Region};
use std::hint::black_box;

pub(super) const CASES: [Case; 12] = [
    // The discharges on one thread, against the springs of the article with eight passes, and with one.
    ("columns/awake-1m", || {
        let (mut springs, name) = (Springs::new(N, 8), "article, vectors");
        against(1, awake(None)?, name, || times(STEPS, || springs.step()))
    }),
    ("columns/awake-1m", || {
        let (mut springs, name) = (Springs::new(N, 1), "article, vectors, 1 pass");
        against(1, awake(None)?, name, || times(STEPS, || springs.step()))
    }),
    ("columns/awake-1m", || {
        let (mut ours, mut plain) = (awake(None)?, awake(None)?);
        let fast = on(1, || times(STEPS, || ours.step()))?;
        let race = race("plain", fast, || times(STEPS, || plain.step_plain()))?;
        Ok(race.ms(MS, STEPS).of_states([ours.state_hash(), plain.state_hash()]))
    }),
    // A million columns asleep, against the same awake.
    ("columns/asleep-1m", || against(1, asleep()?, "awake", on(1, walk(awake(None)?))?)),
    ("columns/threads-2", || against(2, awake(None)?, "1 thread", on(1, walk(awake(None)?))?)),
    ("columns/serial", || serial(walk(awake(None)?))),
    ("columns/serial-heat", || serial(walk(awake(Some(warm()))?))),
    // Water that is warmer than the air, and cools.
    ("columns/heat-1m", against_cold),
    ("columns/find-pools-2048", find_pools),
    // Some 12 000 columns in 500 pools full of water, all awake: a step at rest, and one in which a cellar is dug into.
    ("columns/flooded-2080", flooded_at_rest),
    ("columns/flooded-2080-dug", flooded_and_dug),
    ("columns/reload-128", reload),
];

/// Columns in a pool, so that with a wall each the board is not too wide; and pools.
const LONG: usize = 8191;
const POOLS: usize = 128;
const N: usize = LONG * POOLS;

/// Steps of one timed stretch.
const STEPS: usize = 8;

const MS: &str = "ms for a step of a million columns";

/// Steps of a world.
fn walk(mut world: Columns) -> impl Work + Send {
    move || times(STEPS, || world.step())
}

/// A million columns on so many threads, against other work of as many steps.
fn against(
    threads: usize,
    ours: Columns,
    reference: &'static str,
    theirs: impl Work,
) -> Result<Speed> {
    Ok(race(reference, on(threads, walk(ours))?, theirs)?.ms(MS, STEPS))
}

/// Water that is warmer than the air.
fn warm() -> Heat {
    Heat { water: Some(30.0), ..Heat::default() }
}

/// Columns that cool, against the same without heat. A stretch is sixteen steps, so that heat is
/// stepped once in every pool.
fn against_cold() -> Result<Speed> {
    let (mut ours, mut cold) = (walk(awake(Some(warm()))?), walk(awake(None)?));
    let twice = |walk: &mut dyn FnMut() -> Result<()>| walk().and_then(|()| walk());
    let race = race("no heat", on(1, || twice(&mut ours))?, on(1, || twice(&mut cold))?)?;
    Ok(race.ms(MS, 2 * STEPS))
}

/// All pools of a board of 2048 × 2048 cells of caves, with an anchor, against a copy of the board.
fn find_pools() -> Result<Speed> {
    let n = 2048;
    let walls = Field::from_fn(n, n, |x, y| {
        let wave = (0.031 * x as f64).sin() * (0.047 * y as f64).cos();
        wave + 0.4 * (0.11 * (x + 2 * y) as f64).sin() > 0.5
    });
    let mut copy = walls.clone();
    let race = race(
        "copy",
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
    Ok(race.ms("ms", 1))
}

/// The flooded board: 2,080 columns from west to east.
fn flooded() -> Flooded {
    Flooded::new(3, [520, 7], 6, false, 4)
}

/// A board that is stepped and stirred by nothing, against the same copied.
fn flooded_at_rest() -> Result<Speed> {
    let world = flooded().world(0.05)?;
    let (mut ours, theirs) = (world.clone(), world);
    let race = race(
        "copy",
        || times(STEPS, || ours.step()),
        || {
            times(STEPS, || {
                black_box(theirs.clone());
            })
        },
    )?;
    Ok(race.ms("ms a step", STEPS))
}

/// The hole is dug, and the steps that follow are those in which the water breaks in; against the same by plain loops.
fn flooded_and_dug() -> Result<Speed> {
    let board = flooded();
    let mut dug = board.world(0.05)?;
    dug.set_walls(&board.hole, false)?;
    let plain = dug.clone();
    let race = race(
        "plain",
        || {
            let mut world = dug.clone();
            times(STEPS, || world.step())
        },
        || {
            let mut world = plain.clone();
            times(STEPS, || world.step_plain())
        },
    )?;
    Ok(race.ms("ms a step", STEPS))
}

/// A chunk of an open world unloaded, a step, the chunk loaded again and another step, with hills, lakes and caves of 128 chunks loaded.
/// One thread. The reference lays out the same land as one board, once.
fn reload() -> Result<Speed> {
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
    let turn = || {
        let bytes = open.unload(middle)?;
        open.step();
        open.load(middle, &bytes)?;
        open.step();
        Ok(())
    };
    let lay = || {
        black_box(Columns::with_fill(black_box(&walls), cell, &fill, params.clone())?);
        Ok(())
    };
    Ok(pool(1)?.install(|| race("laying out all", turn, lay))?.ms("ms", 1))
}

/// Pools side by side with floors that have a step here and there, and water in all.
fn world(params: Params) -> Result<Columns> {
    let (nx, ny) = ((LONG + 1) * POOLS, 8);
    let walls =
        Field::from_fn(nx, ny, |x, y| x % (LONG + 1) == LONG || y + 1 + (x / 1000) % 2 >= ny);
    let cell = 0.25;
    let west = |pool| (pool * (LONG + 1)) as f64 * cell;
    let anchor = |pool| Anchor::level([west(pool) + 0.5 * cell, 2.0 * cell]);
    let anchors: Vec<Anchor> = (0..POOLS).map(anchor).collect();
    Ok(Columns::new(&walls, cell, &anchors, params)?)
}

/// The same with waves everywhere, and none that sleeps.
fn awake(heat: Option<Heat>) -> Result<Columns> {
    let mut world = world(Params { sleep_speed: 0.0, heat, ..Params::default() })?;
    let length = world.columns() as f64 * world.column_width();
    let mut x = 5.0;
    while x < length {
        let place = Region::rect([x, 0.0], [x + 2.0, 2.0]);
        world.edit(&place, Edit::Splash(0.1))?;
        x += 40.0;
    }
    Ok(world)
}

/// The same asleep.
fn asleep() -> Result<Columns> {
    let mut world = world(Params::default())?;
    times(200, || world.step())?;
    anyhow::ensure!(world.awake() == 0, "still water does not sleep");
    Ok(world)
}
