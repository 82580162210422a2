//! Test cases that detect columns of liquid that stand upright next to open space. At rest there
//! must be no such columns, even next to oil or with the lowest flow rates. Only the contents of
//! cells are examined.

use super::oil::oily_caves;
use super::random_boards::{BOARDS, Rng, caves_within};
use super::rest::run_to_rest;
use crate::noise::scramble_bits;
use crate::verify::{Case, FROZEN, Outcome, Row, Stepper, named_cases};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid, Params};

pub(super) fn cases() -> Vec<Case> {
    named_cases([
        ("blocks/seeds-oil-walls", measure_beside_oil),
        ("blocks/seeds-lowest-rates", measure_lowest_rates),
    ])
}

/// Maximum number of ticks in which worlds must come to rest. At the lowest flow rate, a cell takes
/// 128 ticks to fill.
const TICKS_TO_REST: u64 = 200_000;
/// Largest accepted height (cells) of a liquid above the surface of the neighbouring column, in
/// worlds with oil. A cell holds only one liquid, so a full cell may stand next to a film of
/// another liquid. The additional half cell is a margin for a remaining film.
const HIGHEST_BESIDE_OIL: f64 = 1.5;
/// Largest accepted height (cells) of water above a dry floor next to it. It is three film
/// thicknesses plus a margin, because water up to this height cannot wet the floors on both sides
/// (see `surfaces.rs`).
const HIGHEST_ALONE: f64 = 0.25;

/// Returns the largest height (1/256 cell) of liquid that stands above the open space in an
/// adjacent column. Open space is air, or the surface of a liquid under air.
pub(super) fn max_free_standing_height(world: &Blocks) -> f64 {
    let columns = (0..world.ny()).flat_map(|y| (0..world.nx()).map(move |x| (x, y)));
    let walls = columns.flat_map(|at| [-1, 1].map(|side| free_standing_height(world, at, side)));
    walls.max().unwrap_or(0).into()
}

/// Returns the height (1/256 cell) of liquid in column `x` that stands above the open space in the
/// adjacent column to the west (`side` is −1) or east (`side` is 1). `(x, y)` must be the topmost
/// cell of the liquid; for any other cell, the result is 0.
fn free_standing_height(world: &Blocks, (x, y): (usize, usize), side: isize) -> u32 {
    let cell = |x: usize, y: usize| world.cell(x, y).unwrap_or(Cell::Wall);
    let Some(liquid) = cell(x, y).liquid() else { return 0 };
    let above = y.wrapping_sub(1);
    if cell(x, above).liquid() == Some(liquid) {
        return 0;
    }
    let beside = x.wrapping_add_signed(side);
    let mut high = 0;
    for y in y..world.ny() {
        let (here, there) = (cell(x, y), cell(beside, y));
        if here.liquid() != Some(liquid) || there == Cell::Wall {
            break;
        }
        let is_open = cell(beside, y.wrapping_sub(1)) == Cell::Air;
        if there != Cell::Air {
            let more = here.fill().saturating_sub(there.fill());
            high += if is_open { u32::from(more) } else { 0 };
            break;
        }
        high += u32::from(here.fill());
    }
    high
}

/// Runs worlds to rest and returns the largest height of free-standing liquid in them (cells).
fn max_height_at_rest(
    boards: impl Iterator<Item = (Field<Cell>, Params)>,
    stepper: &dyn Stepper,
) -> Result<f64> {
    let mut worst = 0.0_f64;
    for (cells, params) in boards {
        let mut world = Blocks::new(&cells, params)?;
        run_to_rest(&mut world, TICKS_TO_REST, stepper)?;
        if !world.is_asleep() {
            return Ok(FROZEN);
        }
        worst = worst.max(max_free_standing_height(&world) / f64::from(FULL));
    }
    Ok(worst)
}

const METRIC: &str = "maximum height of a column above adjacent open space (cells)";

/// Measures free-standing liquid in lakes next to a film of oil and in random caves with ponds. The
/// liquids are oil and water, or oil and lava.
fn measure_beside_oil(name: &str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut rows = Vec::new();
    for (heavy, metric) in
        [(Liquid::Water, METRIC), (Liquid::Lava, "same with lava instead of water")]
    {
        let of = |cell: Cell| match cell {
            Cell::Liquid(Liquid::Water, fill) => Cell::Liquid(heavy, fill),
            cell => cell,
        };
        let params = Params { lava_period: 1, ..Params::default() };
        let drawn = (1..=10).flat_map(|wide| [1, 3, 28].map(|oil| lake_beside_oil(wide, oil)));
        let caves = (0..BOARDS).map(|seed| oily_caves(&mut Rng(scramble_bits(seed + 1))));
        let boards = drawn.chain(caves).map(|cells| (cells.map(|cell| of(*cell)), params.clone()));
        rows.push(Row::at_most(
            name,
            metric,
            max_height_at_rest(boards, stepper)?,
            HIGHEST_BESIDE_OIL,
        ));
    }
    Ok(Outcome::from_rows(rows))
}

/// Creates a lake that is ten cells deep and `lake_width` cells wide. The floor next to the lake
/// has 28 cells, of which `oil_cells` are filled with oil.
fn lake_beside_oil(lake_width: usize, oil_cells: usize) -> Field<Cell> {
    Field::from_fn(lake_width + 30, 11, |x, y| match (x, y) {
        (0, _) | (_, 10) => Cell::Wall,
        (x, _) if x == lake_width + 29 => Cell::Wall,
        (x, _) if x <= lake_width => Cell::WATER,
        (x, 9) if x <= lake_width + oil_cells => Cell::Liquid(Liquid::Oil, FULL),
        _ => Cell::Air,
    })
}

/// Measures free-standing water in caves with the lowest values of the parameters `flow` and
/// `pour`.
fn measure_lowest_rates(name: &str, stepper: &dyn Stepper) -> Result<Outcome> {
    let rates = [(1, FULL), (FULL, 1), (1, 1), (3, FULL)];
    let boards = (0..BOARDS).map(|seed| {
        let (flow, pour) = rates[seed as usize % rates.len()];
        let cells = caves_within(&mut Rng(scramble_bits(seed + 1)), [36, 24]);
        (cells, Params { flow, pour, ..Params::default() })
    });
    Ok(Outcome::from_rows([Row::at_most(
        name,
        METRIC,
        max_height_at_rest(boards, stepper)?,
        HIGHEST_ALONE,
    )]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_heights_reach_from_the_top_to_the_adjacent_surface() {
        let of = |map: &str| {
            max_free_standing_height(&Blocks::from_text(map, Params::default()).unwrap())
        };
        assert_eq!(of("#~..\n#~..\n#~o.\n####"), 2.0 * 256.0);
        assert_eq!(of("#~..\n#~4.\n####"), 384.0);
        assert_eq!(of("#~oo\n#~~~\n####"), 0.0);
        assert_eq!(of("#...\n#~~~\n####"), 0.0);
        assert_eq!(of("####\n#~##\n####"), 0.0);
    }
}
