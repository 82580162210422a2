//! Worlds that come to rest: hand-drawn boards, and lone blocks on ledges.

use super::super::{Case, FROZEN, Motion, Outcome, Row};
use super::entries;
use anyhow::Result;
use headwater::blocks::{Blocks, Liquid, Params};

pub(super) fn cases() -> Vec<Case> {
    entries([("blocks/settles", settles), ("blocks/ledge", ledge)])
}

/// Ticks in which every board must have come to rest, and for which it must then stay.
const SETTLED: u64 = 2000;
const STILL: u64 = 200;

/// Boards that any game has.
pub(super) const BOARDS: [&str; 8] = [
    // A U-tube.
    "#~~#......#
     #~~#......#
     #~~#.##...#
     #~~#.#....#
     #~~~~#....#
     ###########",
    // A comb.
    "#~#.#.#.#~#
     #~#.#.#.#~#
     #~#.#.#.#~#
     #~#.#.#.#~#
     #~#.#.#.#~#
     #~......5~#
     ###########",
    // Ledges.
    ".....~~....
     ....####...
     ...........
     .~......~~.
     ###....####
     ...........
     ...........
     ...#####...
     ...........
     ###########",
    // A waterfall into a basin.
    "~~~~~~......
     ~~~~~~......
     ######......
     ............
     ............
     ............
     ..#........#
     ..#...##...#
     ..#...##...#
     ..##########",
    // Caves.
    "~~~~~~~~~~~~
     ##.###.###.#
     #..#.....#.#
     #.##.###.#.#
     #......#...#
     ####.#.###.#
     #....#.....#
     ############",
    // A tower that collapses, puddles beside it.
    "......~~~.......
     ......~~~.......
     ......~~~.......
     ......~~~.......
     ......~~~.......
     1..2..~~~..3...7
     ################",
    // Oil, water and lava.
    "#..oooo~~~~..#
     #..oooo~~~~..#
     #..oooo~~~~..#
     #..#......#..#
     #LL#......#.4#
     #LL.......#77#
     #LL#~~~~~~#..#
     ##############",
    // A drop at a time through a sieve.
    "~~7~~6~~5~~4~~3~
     ~~~~~~~~~~~~~~~~
     .###.###.###.##.
     ................
     #.###.###.###.##
     ................
     .....#....#.....
     ################",
];

/// Every board, with and without air that counts, comes to rest and does not move again.
fn settles(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut restless = 0;
    for board in BOARDS {
        for trapped_air in [false, true] {
            let params = Params { trapped_air, ..Params::default() };
            let mut world = Blocks::from_text(board, params)?;
            let start = world.cells();
            for _ in 0..SETTLED {
                if world.is_asleep() {
                    break;
                }
                motion.ticks(&mut world, 1)?;
            }
            let rest = world.cells();
            motion.ticks(&mut world, STILL)?;
            let still = world.is_asleep() && world.cells() == rest && rest != start;
            restless += u32::from(!still);
        }
    }
    let metric = "boards of 16 that do not come to rest";
    Ok(Row::at_most(name.into(), metric, restless.into(), 0.0).into())
}

/// A block on ledges of every width that a block can wet, at every place. A single unit may be left in the
/// middle between two edges, for nothing says to which of them it should go.
fn ledge(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut left = 0.0_f64;
    for width in 1..=15_usize {
        for place in 0..width {
            let nx = width + 6;
            let row = |ledge: char, at: Option<usize>| -> String {
                let cell = |x: usize| match x.checked_sub(3) {
                    Some(i) if Some(i) == at => '~',
                    Some(i) if i < width => ledge,
                    _ => '.',
                };
                (0..nx).map(cell).collect()
            };
            let rows = [row('.', Some(place)), row('#', None), row('.', None), row('.', None)];
            let map = format!("{}\n{}", rows.join("\n"), "#".repeat(nx));
            let mut world = Blocks::from_text(&map, Params::default())?;
            motion.ticks(&mut world, 500)?;
            let here = world.volume_in(Liquid::Water, 0, 0, nx, 2) as f64;
            left = left.max(if world.is_asleep() { here } else { FROZEN });
        }
    }
    let metric = "most left on ledges to 15 cells (1/256 cell)";
    Ok(Row::at_most(name.into(), metric, left, 1.0).into())
}
