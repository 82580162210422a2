//! The article's rule of whole blocks on small boards, worked out by hand tick by tick: how deep each block
//! lies below its body's top row, which air cells the largest pressure points at, and where the
//! blocks are after the tick.

use super::super::{Case, Motion, Outcome, Row};
use super::entries;
use anyhow::Result;
use headwater::blocks::{Blocks, Cell, Params, Rule};

pub(super) fn cases() -> Vec<Case> {
    entries([("blocks/article", article)])
}

/// One tick: the board before it with each block's Δh for a digit, and the targets (column, row).
struct Tick {
    board: &'static str,
    targets: &'static [(usize, usize)],
}

/// A board from tick to tick; after the last one nothing moves.
struct Story {
    params: fn() -> Params,
    ticks: &'static [Tick],
}

const fn tick(board: &'static str, targets: &'static [(usize, usize)]) -> Tick {
    Tick { board, targets }
}

fn plain() -> Params {
    Params { rule: Rule::WholeBlocks, ..Params::default() }
}

fn without_spill() -> Params {
    Params { spill: false, ..plain() }
}

fn finite_fall() -> Params {
    Params { finite_fall: true, ..plain() }
}

const STORIES: [Story; 11] = [
    // A block falls.
    Story { params: plain, ticks: &[tick(".0. ... ###", &[(1, 1)]), tick("... .0. ###", &[])] },
    // A U-tube: upward, the pressure is Δh − 1.
    Story {
        params: plain,
        ticks: &[tick("#0#.# #1#.# #222# #####", &[(3, 1)]), tick("#.#.# #0#0# #111# #####", &[])],
    },
    // A column on a floor: with its top gone there is no pressure left for the second target.
    Story {
        params: plain,
        ticks: &[
            tick("..... ..0.. ..1.. #####", &[(1, 2), (3, 2)]),
            tick("..... ..... .00.. #####", &[]),
        ],
    },
    // A target on the left is served from the right end of the top row, and the other way round.
    Story {
        params: plain,
        ticks: &[
            tick("....... .000... .111... #######", &[(0, 2), (4, 2)]),
            tick("....... ..0.... 11111.. #######", &[(5, 2)]),
            tick("....... ....... 000000. #######", &[]),
        ],
    },
    // A hole: the body drags itself along. At equal distance it is the left end that gives.
    Story {
        params: plain,
        ticks: &[
            tick("000 #.# #.# ###", &[(1, 1)]),
            tick(".00 #1# #.# ###", &[(1, 2)]),
            tick(".0. #1# #2# ###", &[]),
        ],
    },
    // Three blocks point at one cell; it is a target once, and the way down counts most.
    Story {
        params: plain,
        ticks: &[tick("00000 11.11 #####", &[(2, 1)]), tick(".0000 11111 #####", &[])],
    },
    // Two bodies point at one cell; the first in reading order fills it.
    Story {
        params: plain,
        ticks: &[tick("0###0 11.11 #####", &[(2, 1), (2, 1)]), tick(".###0 11111 #####", &[])],
    },
    // A lone block on a ledge, as in the article.
    Story { params: without_spill, ticks: &[tick(".0.. .#.. .... ####", &[])] },
    // It spills, and falls.
    Story {
        params: plain,
        ticks: &[
            tick(".0.. .#.. .... ####", &[(0, 0), (2, 0)]),
            tick("0... .#.. .... ####", &[(0, 1)]),
            tick(".... 0#.. .... ####", &[(0, 2)]),
            tick(".... .#.. 0... ####", &[]),
        ],
    },
    // From the middle of a ledge it runs to the nearer edge first.
    Story {
        params: plain,
        ticks: &[
            tick("....0... .#####.. ........ ########", &[(5, 0)]),
            tick(".....0.. .#####.. ........ ########", &[(6, 0)]),
            tick("......0. .#####.. ........ ########", &[(6, 1)]),
            tick("........ .#####0. ........ ########", &[(6, 2)]),
            tick("........ .#####.. ......0. ########", &[]),
        ],
    },
    // Where the way down is Δh + 1, the foot of a tall column counts more than what may fall from its
    // top; a block that has been left behind spills, and falls later.
    Story {
        params: finite_fall,
        ticks: &[
            tick("#00.. #1#.. #2#.. #33.. #####", &[(3, 3)]),
            tick("#.0.. #0#.. #1#.. #222. #####", &[(3, 0), (4, 3)]),
            tick("#..0. #.#.. #0#.. #1111 #####", &[(3, 1)]),
        ],
    },
];

/// Boards that are not as worked out by hand.
fn article(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut wrong = 0;
    for Story { params, ticks } in &STORIES {
        let map = |tick: &Tick| tick.board.replace(' ', "\n");
        let start = map(&ticks[0]).replace(|c: char| c.is_ascii_digit(), "~");
        let mut world = Blocks::from_text(&start, params())?;
        for (i, tick) in ticks.iter().enumerate() {
            let as_worked_out = depths(&world) == map(tick) && world.targets() == tick.targets;
            wrong += u32::from(!as_worked_out);
            if i + 1 < ticks.len() {
                motion.ticks(&mut world, 1)?;
            }
        }
    }
    let metric = "boards unlike those worked out by hand, of 29";
    Ok(Row::at_most(name, metric, wrong.into(), 0.0).into())
}

/// The board with each block's Δh.
fn depths(world: &Blocks) -> String {
    let pressure = world.pressure();
    let row = |y: usize| -> String {
        let cell = |x| match world.cell(x, y) {
            Some(Cell::Liquid(..)) => char::from_digit(pressure[(x, y)] as u32, 10).unwrap_or('?'),
            Some(Cell::Air) => '.',
            _ => '#',
        };
        (0..world.nx()).map(cell).collect()
    };
    (0..world.ny()).map(row).collect::<Vec<_>>().join("\n")
}
