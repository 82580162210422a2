//! Worlds that come to rest: hand-drawn boards, the scenes of the library, and lone blocks on ledges.

use crate::verify::{FROZEN, Motion, Outcome, Row, boards::boards};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, Liquid, Params};
use headwater_scene::blocks::BlocksScene;
use headwater_scene::library::SCENES;
use headwater_scene::{blocks, scene};

/// Ticks in which every board must have come to rest, and for which it must then stay.
const SETTLED: u64 = 4000;
const STILL: u64 = 200;

/// Boards that any game has.
const BOARDS: &str = include_str!("../boards/rest.txt");

/// Every board, with and without air that counts, and every scene of the library comes to rest and does
/// not move again.
pub(super) fn settles(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut restless = 0_u32;
    for board in boards(BOARDS) {
        for trapped_air in [false, true] {
            let params = Params { trapped_air, ..Params::default() };
            let world = Blocks::from_text(&board, params)?;
            restless += u32::from(!comes_to_rest(world.clone(), &world, motion)?);
        }
    }
    let boards = Row::at_most(name, "boards of 16 that do not come to rest", restless.into(), 0.0);
    restless = 0;
    for known in SCENES {
        let scene = scene::parse(known.name, known.text, &[])?;
        let Some(scene) = scene.blocks() else { continue };
        let start = blocks::blocks(scene)?;
        let end = at_its_end(scene, start.clone(), motion)?;
        restless += u32::from(!comes_to_rest(end, &start, motion)?);
    }
    let metric = "scenes of the library that do not come to rest";
    Ok(Outcome::of([boards, Row::at_most(name, metric, restless.into(), 0.0)]))
}

/// Moves a world until it is at rest, for so many ticks at most.
pub(super) fn run_to_rest(world: &mut Blocks, most: u64, motion: &dyn Motion) -> Result<()> {
    for _ in 0..most {
        if world.is_asleep() {
            break;
        }
        motion.ticks(world, 1)?;
    }
    Ok(())
}

/// Whether a world comes to rest, stays there, and is not what it was at its start.
fn comes_to_rest(mut world: Blocks, start: &Blocks, motion: &dyn Motion) -> Result<bool> {
    run_to_rest(&mut world, SETTLED, motion)?;
    let rest = world.cells();
    motion.ticks(&mut world, STILL)?;
    Ok(world.is_asleep() && world.cells() == rest && rest != start.cells())
}

/// A scene's world after its last event and its last tick, without its springs and drains.
fn at_its_end(scene: &BlocksScene, mut world: Blocks, motion: &dyn Motion) -> Result<Blocks> {
    let until = scene.time.until;
    let mut due = Vec::new();
    for event in &scene.events {
        let (times, last) = (event.times, event.times.until.unwrap_or(until).min(until));
        let count = times.every.map_or(0.0, |every| ((last - times.time) / every).floor());
        let again = times.every.unwrap_or_default();
        let times = (0..=count as usize).map(|n| times.time + n as f64 * again);
        due.extend(times.filter_map(|time| Some((time, event.action()?))));
    }
    due.sort_by(|a, b| a.0.total_cmp(&b.0));
    let tick = world.params().tick;
    let left =
        |world: &Blocks, time: f64| ((time / tick).round() as u64).saturating_sub(world.steps());
    for (time, action) in due {
        let ticks = left(&world, time);
        motion.ticks(&mut world, ticks)?;
        blocks::act(&mut world, action)?;
    }
    let ticks = left(&world, until);
    motion.ticks(&mut world, ticks)?;
    Ok(Blocks::new(&world.cells(), world.params().clone())?)
}

/// A block on ledges of every width that a block can wet, at every place. A single unit may be left in the
/// middle between two edges, for nothing says to which of them it should go.
pub(super) fn ledge(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut left = 0.0_f64;
    for width in 1..=15_usize {
        for place in 0..width {
            let nx = width + 6;
            let cells = Field::from_fn(nx, 5, |x, y| match y {
                0 if x == place + 3 => Cell::WATER,
                1 if (3..width + 3).contains(&x) => Cell::Wall,
                4 => Cell::Wall,
                _ => Cell::Air,
            });
            let mut world = Blocks::new(&cells, Params::default())?;
            motion.ticks(&mut world, 500)?;
            let here = world.volume_in(Liquid::Water, 0, 0, nx, 2) as f64;
            left = left.max(if world.is_asleep() { here } else { FROZEN });
        }
    }
    Ok(Row::at_most(name, "most left on ledges to 15 cells (1/256 cell)", left, 1.0).into())
}
