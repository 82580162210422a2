//! What runs out of a lake: into a drain beside it, and through a hole at the foot of a dam. Boards made from seeds, each also
//! mirrored.

use super::seeds::{BOARDS, Dice};
use crate::noise::scrambled;
use crate::verify::{Case, FROZEN, Motion, Outcome, Row};
use anyhow::Result;
use headwater::blocks::{Blocks, Cell, Drain, FULL, Params};
use headwater::{Field, Region};

pub(super) fn cases() -> Vec<Case> {
    vec![Case::new("blocks/seeds-drains", drains), Case::new("blocks/seeds-dams", dams)]
}

/// Lakes whose dam is gone, and drains on the ground beside them that take all that comes. Once as many ticks have passed as the
/// lake was deep, its surface falls to the drain by steps of a few cells, however deep the lake.
fn drains(motion: &dyn Motion) -> Result<Outcome> {
    let mut most = 0.0_f64;
    for seed in 0..BOARDS {
        let mut dice = Dice(scrambled(seed + 1));
        let high = dice.from(4, 40);
        let (wide, away, drain) = (dice.from(high, 3 * high), dice.from(0, 4), dice.from(high, 50));
        let (nx, ny) = (wide + away + drain + 12, high + 3);
        let flip = |x: usize| if seed % 2 == 0 { x } else { nx - 1 - x };
        let cells = Field::from_fn(nx, ny, |x, y| match (flip(x), y) {
            (0, _) => Cell::Wall,
            (x, y) if x == nx - 1 || y == ny - 1 => Cell::Wall,
            (x, y) if x <= wide && y >= ny - 1 - high => Cell::WATER,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default())?;
        let ends = [flip(wide + away + 1), flip(wide + away + drain)].map(|x| x as f64);
        let from = [ends[0].min(ends[1]), (ny - 2) as f64];
        let to = [ends[0].max(ends[1]) + 1.0, (ny - 1) as f64];
        world.add_drain(Drain { region: Region::rect(from, to), rate: FULL })?;
        motion.ticks(&mut world, high as u64)?;
        for _ in 0..high {
            motion.ticks(&mut world, 1)?;
            let heights: Vec<f64> = (1..nx - 1).map(|x| surface(&world, x)).collect();
            most = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs()).fold(most, f64::max);
        }
    }
    let metric = "drains on the ground: highest step in a lake that runs into one (cells)";
    Ok(Row::at_most("blocks/seeds-drains", metric, most, 5.0).into())
}

/// Lakes behind dams with a hole at the foot, and beyond it a floor, as high as the hole or lower, with an edge at its end. As
/// long as the lake stands over the hole no water beyond stands higher than a cell over the hole.
fn dams(motion: &dyn Motion) -> Result<Outcome> {
    let mut most = 0.0_f64;
    for seed in 0..BOARDS {
        let mut dice = Dice(scrambled(seed + 1));
        let (high, wide) = (dice.from(4, 40), dice.from(4, 120));
        let hole = dice.from(1, 3.min(high / 2));
        let drop = if dice.from(0, 1) == 0 { 0 } else { dice.from(1, 20) };
        let (floor, pit) = (dice.from(6, 120), dice.from(8, 30));
        let (nx, ny) = (wide + floor + 14, high + drop + pit + 3);
        let (foot, dam) = (high + 2, wide + 1);
        let flip = |x: usize| if seed % 2 == 0 { x } else { nx - 1 - x };
        let cells = Field::from_fn(nx, ny, |x, y| match (flip(x), y) {
            (0, _) => Cell::Wall,
            (x, y) if x == nx - 1 || y == ny - 1 => Cell::Wall,
            (x, y) if x == dam && y + hole < foot => Cell::Wall,
            (x, y) if x <= dam && y >= foot => Cell::Wall,
            (x, y) if x <= dam + floor && y >= foot + drop => Cell::Wall,
            (x, y) if x <= wide && y >= foot - high => Cell::WATER,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default())?;
        let at = [dam + floor + 1, nx - 2].map(|x| flip(x) as f64);
        let (from, to) = ([at[0].min(at[1]), 0.0], [at[0].max(at[1]) + 1.0, ny as f64]);
        let region = Region::rect([from[0], (ny - 2) as f64], to);
        world.add_drain(Drain { region, rate: FULL })?;
        let soffit = (ny - 1 - foot + hole + 1) as f64;
        let full = surface(&world, flip(1));
        for _ in 0..4 * (high + floor) {
            motion.ticks(&mut world, 1)?;
            if surface(&world, flip(1)) < soffit {
                break;
            }
            let beyond = (dam + 1..nx - 1).map(|x| surface(&world, flip(x)) - soffit);
            most = beyond.fold(most, f64::max);
        }
        // A lake must run out.
        if surface(&world, flip(1)) >= full {
            most = FROZEN;
        }
    }
    let metric = "holes at the foot of dams: most that water beyond stands above them (cells)";
    Ok(Row::at_most("blocks/seeds-dams", metric, most, 1.0).into())
}

/// The height of the surface in a column (cells above the bottom): that of its highest liquid.
fn surface(world: &Blocks, x: usize) -> f64 {
    let fill = |y: &usize| world.fill_at(x, *y).unwrap_or(0);
    let top = (0..world.ny()).find(|y| fill(y) > 0);
    top.map_or(0.0, |y| (world.ny() - 1 - y) as f64 + f64::from(fill(&y)) / f64::from(FULL))
}
