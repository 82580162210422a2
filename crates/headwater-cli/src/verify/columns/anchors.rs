//! Anchors on boards made by hand.

use super::super::{Case, FROZEN, Motion, Outcome, Row};
use super::entries;
use anyhow::Result;
use headwater::Region;
use headwater::columns::{Columns, Edit, Params};

pub(super) fn cases() -> Vec<Case> {
    entries([("columns/anchors", anchors)])
}

/// A board, the same with water, the bubbles kept and the anchors left aside.
struct Board {
    map: &'static str,
    filled: &'static str,
    bubbles: usize,
    ignored: usize,
}

const BOARDS: [Board; 4] = [
    // Under a ledge, into a hollow beyond it, past a block; not into a chamber that is shut.
    Board {
        map: "#........# #~.......# #..##....# #..##.#### #.....#..# #####.#..# ####..#..# ##########",
        filled: "#........# #~~~~~~~~# #~~##~~~~# #~~##~#### #~~~~~#..# #####~#..# ####~~#..# ##########",
        bubbles: 0,
        ignored: 0,
    },
    // Two ponds on both sides of a ridge, each at its own level, and an anchor that one of them covers.
    Board {
        map: "#.......# #..#....# #~.#....# #~.#...~# #########",
        filled: "#.......# #..#....# #~~#....# #~~#~~~~# #########",
        bubbles: 0,
        ignored: 1,
    },
    // A bell with air in it; a bubble that would get out, and one where there is no water.
    Board {
        map: ".......... ~......... ..######.. ..#....#.o ..#.o..#.. ..#....#.. .......... ##########",
        filled: ".......... ~~~~~~~~~~ ~~######~~ ~~#....#~~ ~~#....#~~ ~~#~~~~#~~ ~~~~~~~~~~ ##########",
        bubbles: 1,
        ignored: 1,
    },
    // Air in the farther of two domes.
    Board {
        map: "#~...########## #....########## #....##.###.### #....##.###o### #.............# ###############",
        filled: "#~~~~########## #~~~~########## #~~~~##~###.### #~~~~##~###.### #~~~~~~~~~~~~~# ###############",
        bubbles: 1,
        ignored: 0,
    },
];

/// Cells that are not as they should be; and again after a second in which nothing happens.
fn anchors(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut wrong = 0.0;
    for board in &BOARDS {
        let map = board.map.replace(' ', "\n");
        let mut world = Columns::from_text(&map, 1.0, Params::default())?;
        wrong += unlike(&world, board.filled);
        wrong += world.bubbles().abs_diff(board.bubbles) as f64;
        wrong += world.ignored().len().abs_diff(board.ignored) as f64;
        motion.swing(&mut world, 60)?;
        wrong += unlike(&world, board.filled);
    }
    // So that a world that cannot move does not pass.
    let mut stirred = Columns::from_text("#~..#\n#...#\n#####", 1.0, Params::default())?;
    stirred.edit(&Region::rect([1.0, 0.0], [2.0, 2.0]), Edit::Splash(0.2))?;
    let before = stirred.state_hash();
    motion.swing(&mut stirred, 60)?;
    let wrong = if stirred.state_hash() == before { FROZEN } else { wrong };
    Ok(Row::at_most(name, "cells and anchors that are wrong", wrong, 0.0).into())
}

fn unlike(world: &Columns, filled: &str) -> f64 {
    let (walls, fill) = (world.walls(), world.layer("fill"));
    let rows = filled.split(' ').enumerate();
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
