//! Cases in which block worlds must come to rest: hand-drawn worlds, library scenes, and single
//! blocks on ledges.

use crate::verify::{FROZEN, Outcome, Row, Stepper, boards::split_boards};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, Liquid, Params};
use headwater_scene::blocks::BlocksScene;
use headwater_scene::library::SCENES;
use headwater_scene::{blocks, scene};

/// Maximum number of ticks in which a world must come to rest.
const TICKS_TO_REST: u64 = 4000;
/// Number of ticks for which a world must stay at rest after it has come to rest.
const TICKS_AT_REST: u64 = 200;

/// Hand-drawn worlds, as text, that are typical of games.
const BOARDS: &str = include_str!("../boards/rest.txt");

/// Counts the hand-drawn worlds (with and without trapped air) and the library scenes that fail to
/// come to rest and stay at rest.
pub(super) fn check_rest(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut restless = 0_u32;
    for board in split_boards(BOARDS) {
        for trapped_air in [false, true] {
            let params = Params { trapped_air, ..Params::default() };
            let world = Blocks::from_text(&board, params)?;
            restless += u32::from(!comes_to_rest(world.clone(), &world, stepper)?);
        }
    }
    let boards = Row::at_most(name, "boards of 16 that do not come to rest", restless.into(), 0.0);
    restless = 0;
    for known in SCENES {
        let scene = scene::parse(known.name, known.text, &[])?;
        let Some(scene) = scene.blocks() else { continue };
        let start = blocks::build_world(scene)?;
        let end = simulate_to_end(scene, start.clone(), stepper)?;
        restless += u32::from(!comes_to_rest(end, &start, stepper)?);
    }
    let metric = "library scenes that do not come to rest";
    Ok(Outcome::from_rows([boards, Row::at_most(name, metric, restless.into(), 0.0)]))
}

/// Steps a world until it is at rest, but for at most `max_steps` ticks.
pub(super) fn run_to_rest(world: &mut Blocks, max_steps: u64, stepper: &dyn Stepper) -> Result<()> {
    for _ in 0..max_steps {
        if world.is_asleep() {
            break;
        }
        stepper.step_blocks(world, 1)?;
    }
    Ok(())
}

/// Returns true if a world comes to rest, stays at rest, and then differs from its initial state
/// `initial_world`.
fn comes_to_rest(mut world: Blocks, initial_world: &Blocks, stepper: &dyn Stepper) -> Result<bool> {
    run_to_rest(&mut world, TICKS_TO_REST, stepper)?;
    let rest = world.cells();
    stepper.step_blocks(&mut world, TICKS_AT_REST)?;
    Ok(world.is_asleep() && world.cells() == rest && rest != initial_world.cells())
}

/// Simulates a scene to its end, with all events. Returns a new world with the final cells and
/// without springs and drains.
fn simulate_to_end(
    scene: &BlocksScene,
    mut world: Blocks,
    stepper: &dyn Stepper,
) -> Result<Blocks> {
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
    let remaining =
        |world: &Blocks, time: f64| ((time / tick).round() as u64).saturating_sub(world.steps());
    for (time, action) in due {
        let ticks = remaining(&world, time);
        stepper.step_blocks(&mut world, ticks)?;
        blocks::apply_action(&mut world, action)?;
    }
    let ticks = remaining(&world, until);
    stepper.step_blocks(&mut world, ticks)?;
    Ok(Blocks::new(&world.cells(), world.params().clone())?)
}

/// Measures how much water remains on a ledge after a single block of water has run off. The block
/// is placed at each position in turn, on ledges of every width that a block can wet. One unit of
/// volume (1/256 cell) may remain, because a unit in the middle of a ledge flows to neither side.
pub(super) fn measure_ledges(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut remaining = 0.0_f64;
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
            stepper.step_blocks(&mut world, 500)?;
            let here = world.volume_in(Liquid::Water, 0, 0, nx, 2) as f64;
            remaining = remaining.max(if world.is_asleep() { here } else { FROZEN });
        }
    }
    Ok(Row::at_most(
        name,
        "maximum left on ledges up to 15 cells wide (1/256 cell)",
        remaining,
        1.0,
    )
    .into())
}
