//! The article's rule of whole blocks on small boards, worked out by hand tick by tick: how deep each block
//! lies below its body's top row, which air cells the largest pressure points at, and where the
//! blocks are after the tick.

use crate::verify::{Motion, Outcome, Row, boards::boards};
use anyhow::{Context as _, Result};
use headwater::blocks::{Blocks, Cell, Params, Rule};

/// Stories: a rule, and boards from tick to tick; after the last one nothing moves.
const STORIES: &str = include_str!("../boards/article.txt");

fn params(rule: &str) -> Params {
    let plain = Params { rule: Rule::WholeBlocks, ..Params::default() };
    match rule {
        "without spill" => Params { spill: false, ..plain },
        "finite fall" => Params { finite_fall: true, ..plain },
        _ => plain,
    }
}

/// Boards that are not as worked out by hand.
pub(super) fn article(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let (mut wrong, mut going_on) = (0, None);
    for tick in boards(STORIES) {
        let (world, expected) = match tick.strip_prefix("rule: ").and_then(|t| t.split_once('\n')) {
            Some((rule, expected)) => {
                let board = expected.split("\ntargets").next().unwrap_or_default();
                let water = board.replace(|c: char| c.is_ascii_digit(), "~");
                (going_on.insert(Blocks::from_text(&water, params(rule))?), expected)
            }
            None => {
                let world = going_on.as_mut().context("a board before any rule")?;
                motion.ticks(world, 1)?;
                (world, &*tick)
            }
        };
        let targets = world.targets().into_iter().map(|(x, y)| format!(" {x},{y}"));
        let found = format!("{}\ntargets:{}", depths(world), targets.collect::<String>());
        wrong += u32::from(found != expected);
    }
    Ok(Row::at_most(name, "boards unlike those worked out by hand, of 29", wrong.into(), 0.0)
        .into())
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
