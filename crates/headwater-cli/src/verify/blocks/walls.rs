//! Walls of liquid: at rest nothing stands upright beside open space, neither beside oil nor at the lowest rates. Told from the cells
//! alone.

use super::oil::oily_caves;
use super::rest::run_to_rest;
use super::seeds::{BOARDS, Dice, caves_within};
use crate::noise::scrambled;
use crate::verify::{Case, FROZEN, Motion, Outcome, Row, entries};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid, Params};

pub(super) fn cases() -> Vec<Case> {
    entries([("blocks/seeds-oil-walls", beside_oil), ("blocks/seeds-lowest-rates", lowest_rates)])
}

/// Ticks in which boards must have come to rest: at the lowest rate a cell takes 128 to fill.
const SETTLED: u64 = 200_000;
/// A cell holds one liquid, so that a cell of one stands beside a film of the other; and what is left of a film (cells).
const HIGHEST_BESIDE_OIL: f64 = 1.5;
/// What may stand on a dry floor: three films that cannot spread to both sides, as in `surfaces.rs`; and what lies over (cells).
const HIGHEST_ALONE: f64 = 0.25;

/// How high a column stands above the open space beside it at most (cells): air, or the surface of any liquid that has air over it.
pub(super) fn highest_wall(world: &Blocks) -> f64 {
    let columns = (0..world.ny()).flat_map(|y| (0..world.nx()).map(move |x| (x, y)));
    let walls = columns.flat_map(|at| [-1, 1].map(|side| wall_at(world, at, side)));
    walls.max().unwrap_or(0).into()
}

/// The same of the column that has its top in a cell, on one side (256ths).
fn wall_at(world: &Blocks, (x, y): (usize, usize), side: isize) -> u32 {
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

/// What comes of boards, at worst (cells).
fn worst(boards: impl Iterator<Item = (Field<Cell>, Params)>, motion: &dyn Motion) -> Result<f64> {
    let mut worst = 0.0_f64;
    for (cells, params) in boards {
        let mut world = Blocks::new(&cells, params)?;
        run_to_rest(&mut world, SETTLED, motion)?;
        if !world.is_asleep() {
            return Ok(FROZEN);
        }
        worst = worst.max(highest_wall(&world) / f64::from(FULL));
    }
    Ok(worst)
}

const METRIC: &str = "most that a column stands above open space beside it (cells)";

/// Towers and lakes beside a film of oil, and caves with ponds of oil and of water, or of oil and of lava.
fn beside_oil(name: &str, motion: &dyn Motion) -> Result<Outcome> {
    let mut rows = Vec::new();
    for (heavy, metric) in
        [(Liquid::Water, METRIC), (Liquid::Lava, "the same with lava instead of water")]
    {
        let of = |cell: Cell| match cell {
            Cell::Liquid(Liquid::Water, fill) => Cell::Liquid(heavy, fill),
            cell => cell,
        };
        let params = Params { lava_period: 1, ..Params::default() };
        let drawn = (1..=10).flat_map(|wide| [1, 3, 28].map(|oil| lake_beside_oil(wide, oil)));
        let caves = (0..BOARDS).map(|seed| oily_caves(&mut Dice(scrambled(seed + 1))));
        let boards = drawn.chain(caves).map(|cells| (cells.map(|cell| of(*cell)), params.clone()));
        rows.push(Row::at_most(name, metric, worst(boards, motion)?, HIGHEST_BESIDE_OIL));
    }
    Ok(Outcome::of(rows))
}

/// A lake ten cells deep and so wide, and so much oil on the floor beside it, of which there are 28 cells.
fn lake_beside_oil(wide: usize, oil: usize) -> Field<Cell> {
    Field::from_fn(wide + 30, 11, |x, y| match (x, y) {
        (0, _) | (_, 10) => Cell::Wall,
        (x, _) if x == wide + 29 => Cell::Wall,
        (x, _) if x <= wide => Cell::WATER,
        (x, 9) if x <= wide + oil => Cell::Liquid(Liquid::Oil, FULL),
        _ => Cell::Air,
    })
}

/// Caves with water that flows and pours as slowly as can be.
fn lowest_rates(name: &str, motion: &dyn Motion) -> Result<Outcome> {
    let rates = [(1, FULL), (FULL, 1), (1, 1), (3, FULL)];
    let boards = (0..BOARDS).map(|seed| {
        let (flow, pour) = rates[seed as usize % rates.len()];
        let cells = caves_within(&mut Dice(scrambled(seed + 1)), [36, 24]);
        (cells, Params { flow, pour, ..Params::default() })
    });
    Ok(Outcome::of([Row::at_most(name, METRIC, worst(boards, motion)?, HIGHEST_ALONE)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_is_seen_from_its_top_down_to_what_lies_beside_it() {
        let of = |map: &str| highest_wall(&Blocks::from_text(map, Params::default()).unwrap());
        assert_eq!(of("#~..\n#~..\n#~o.\n####"), 2.0 * 256.0);
        assert_eq!(of("#~..\n#~4.\n####"), 384.0);
        assert_eq!(of("#~oo\n#~~~\n####"), 0.0);
        assert_eq!(of("#...\n#~~~\n####"), 0.0);
        assert_eq!(of("####\n#~##\n####"), 0.0);
    }
}
