//! Boards: anchors on hand-made ones, and cellars that are opened under flooded ones made from seeds.

use crate::flooded::Flooded;
use crate::verify::{FROZEN, Motion, Outcome, Row, boards::boards};
use anyhow::{Context as _, Result};
use headwater::Region;
use headwater::columns::{Columns, Edit, Params};

/// Boards, each with what is to be kept of its bubbles and left aside of its anchors, and beside it the same with water.
const BOARDS: &str = include_str!("../boards/anchors.txt");

/// Cells that are not as they should be; and again after a second in which nothing happens.
pub(super) fn anchors(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut wrong = 0.0;
    for board in boards(BOARDS) {
        let (counts, both) = board.split_once('\n').context("a board without counts")?;
        let beside = both.lines().filter_map(|line| line.split_once("  "));
        let (map, filled): (Vec<&str>, Vec<&str>) = beside.unzip();
        let mut world = Columns::from_text(&map.join("\n"), 1.0, Params::default())?;
        wrong += unlike(&world, &filled);
        let found = format!("bubbles: {} ignored: {}", world.bubbles(), world.ignored().len());
        wrong += f64::from(found != counts);
        motion.swing(&mut world, 60)?;
        wrong += unlike(&world, &filled);
    }
    // So that a world that cannot move does not pass.
    let mut stirred = Columns::from_text("#~..#\n#...#\n#####", 1.0, Params::default())?;
    stirred.edit(&Region::rect([1.0, 0.0], [2.0, 2.0]), Edit::Splash(0.2))?;
    let before = stirred.state_hash();
    motion.swing(&mut stirred, 60)?;
    let wrong = if stirred.state_hash() == before { FROZEN } else { wrong };
    Ok(Row::at_most(name, "cells and anchors that are wrong", wrong, 0.0).into())
}

fn unlike(world: &Columns, filled: &[&str]) -> f64 {
    let (walls, fill) = (world.walls(), world.layer("fill"));
    let rows = filled.iter().enumerate();
    let cells = rows.flat_map(|(y, row)| row.chars().enumerate().map(move |(x, c)| (x, y, c)));
    let wrong = cells.filter(|&(x, y, character)| {
        let fill = fill.as_ref().and_then(|fill| fill.get(x, y)).copied().unwrap_or(0.0);
        let found = match (walls[(x, y)], fill) {
            (true, _) => '#',
            (_, fill) if (fill - 1.0).abs() < 1e-4 => '~',
            (_, fill) if fill.abs() < 1e-4 => '.',
            _ => '?',
        };
        found != character
    });
    wrong.count() as f64
}

/// Boards, and steps on each.
const FLOODED: usize = 100;
const STEPS: u64 = 600;

/// Opens cellars under flooded boards. Measures how far the energy of undamped water rises above its
/// minimum, as a part of the energy released, and how far the fullest column is overfull (cells).
pub(super) fn flooded(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let (mut rise, mut over, mut moved) = (0.0_f64, 0.0_f64, 0);
    for seed in 0..FLOODED {
        let board = Flooded::from_seed(seed);
        let mut world = board.world(0.0)?;
        world.set_walls(&board.hole, false)?;
        let start = world.energy().total();
        let (mut least, mut gained) = (start, 0.0_f64);
        for _ in 0..STEPS {
            motion.swing(&mut world, 1)?;
            let now = world.energy().total();
            least = least.min(now);
            gained = gained.max(now - least);
            over = over.max(world.overfull() / world.cell());
        }
        let released = start - least;
        // Where the hole meets no water, there is nothing but rounding.
        if released > 1e-6 * start {
            moved += 1;
            rise = rise.max(gained / released);
        }
        anyhow::ensure!(world.balance().residual == 0.0, "a drop is lost");
    }
    if moved < FLOODED / 3 {
        (rise, over) = (FROZEN, FROZEN);
    }
    let energy = "greatest rise of energy on 100 boards, of what was released";
    let ceilings = "most water above a ceiling on 100 boards (cells)";
    Ok(Outcome::of([
        Row::at_most(format!("{name}-energy"), energy, rise, 1e-3),
        Row::at_most(format!("{name}-ceilings"), ceilings, over, 1e-3),
    ]))
}
