//! Test of the rule of the original article, under which only whole blocks of water move. The test
//! worlds are small and drawn as text ("boards"). The expected states were computed by hand. The
//! state after a tick consists of the positions of the blocks, their depths below the top row of
//! their body of water, and the air cells into which water flows first.

use crate::verify::{Outcome, Row, Stepper, boards::split_boards};
use anyhow::{Context as _, Result};
use headwater::blocks::{Blocks, Cell, Params, Rule};

/// Sequences of worlds drawn as text ("boards"): the name of a rule, then the board after each tick
/// until nothing moves.
const SEQUENCES: &str = include_str!("../boards/article.txt");

fn params(rule: &str) -> Params {
    let plain = Params { rule: Rule::WholeBlocks, ..Params::default() };
    match rule {
        "without spill" => Params { spill: false, ..plain },
        "finite fall" => Params { finite_fall: true, ..plain },
        _ => plain,
    }
}

/// Counts the boards (worlds drawn as text) that differ from the boards computed by hand.
pub(super) fn check_article_rule(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut wrong, mut current) = (0, None);
    for tick in split_boards(SEQUENCES) {
        let (world, expected) = match tick.strip_prefix("rule: ").and_then(|t| t.split_once('\n')) {
            Some((rule, expected)) => {
                let board = expected.split("\ntargets").next().unwrap_or_default();
                let water = board.replace(|c: char| c.is_ascii_digit(), "~");
                (current.insert(Blocks::from_text(&water, params(rule))?), expected)
            }
            None => {
                let world = current.as_mut().context("a board before any rule")?;
                stepper.step_blocks(world, 1)?;
                (world, &*tick)
            }
        };
        let targets = world.pressure_targets().into_iter().map(|(x, y)| format!(" {x},{y}"));
        let found = format!("{}\ntargets:{}", format_depths(world), targets.collect::<String>());
        wrong += u32::from(found != expected);
    }
    Ok(Row::at_most(name, "boards of 29 that differ from hand-computed ones", wrong.into(), 0.0)
        .into())
}

/// Formats a world as text. Each block of water is shown by its pressure, which is the number of
/// rows between the block and the top row of its body of water.
fn format_depths(world: &Blocks) -> String {
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
