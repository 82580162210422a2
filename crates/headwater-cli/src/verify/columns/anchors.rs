//! Anchors on boards made by hand.

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
