//! Oil and water: columns hold one another in balance by their weights, ρ₁h₁ = ρ₂h₂.

use super::rest::run_to_rest;
use super::seeds::{BOARDS, Dice, SETTLED, caves};
use crate::noise::scrambled;
use crate::span::span;
use crate::verify::{Case, FROZEN, Motion, Outcome, Row, entries};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid, Params};

pub(super) fn cases() -> Vec<Case> {
    entries([
        ("blocks/oil-weight", weight),
        ("blocks/oil-floats", floats),
        ("blocks/seeds-oil", seeds),
    ])
}

/// A U-tube with water in it and oil on the water in its western arm.
struct Tube {
    /// Columns of the western arm, and of the eastern.
    arms: [usize; 2],
    /// Rows of water, those of the pipe among them.
    water: usize,
    pipe: usize,
    oil: usize,
}

impl Tube {
    const HEIGHT: usize = 120;

    fn world(&self) -> Result<Blocks> {
        let [west, east] = self.arms;
        let bottom = Self::HEIGHT - 1;
        let last = west + east + 2;
        let cells = Field::from_fn(last + 1, Self::HEIGHT, |x, y| match (x, bottom - y) {
            (x, row) if row == 0 || x == 0 || x == last => Cell::Wall,
            (_, row) if row <= self.pipe => Cell::WATER,
            (x, _) if x == west + 1 => Cell::Wall,
            (_, row) if row <= self.water => Cell::WATER,
            (x, row) if x <= west && row <= self.water + self.oil => {
                Cell::Liquid(Liquid::Oil, FULL)
            }
            _ => Cell::Air,
        });
        Ok(Blocks::new(&cells, Params::default())?)
    }

    /// How far apart columns are at rest in weight, as the height of water (cells).
    fn apart(&self, world: &mut Blocks, motion: &dyn Motion) -> Result<f64> {
        run_to_rest(world, SETTLED, motion)?;
        if !world.is_asleep() {
            return Ok(FROZEN);
        }
        let unit = f64::from(Liquid::Water.density()) * f64::from(FULL);
        let weight = |x: usize| {
            let of = |liquid: Liquid| {
                world.volume_in(liquid, x, 0, 1, Self::HEIGHT) as f64 * f64::from(liquid.density())
            };
            Liquid::ALL.map(of).iter().sum::<f64>() / unit
        };
        let columns = (1..world.nx() - 1).filter(|x| *x != self.arms[0] + 1);
        let [low, high] = span(columns.map(weight));
        Ok(high - low)
    }

    /// Fills so many rows of the eastern arm under the top of the world.
    fn pour(&self, world: &mut Blocks, rows: usize) -> Result<()> {
        let first = self.arms[0] + 2;
        let cells = (0..rows).flat_map(|y| (first..first + self.arms[1]).map(move |x| (x, y)));
        Ok(world.set_all(&cells.collect::<Vec<_>>(), Cell::WATER)?)
    }
}

/// Water under oil gives way in whole cells only.
const APART: f64 = 1.0;

fn weight(name: &str, motion: &dyn Motion) -> Result<Outcome> {
    let tube = Tube { arms: [3, 3], water: 42, pipe: 2, oil: 39 };
    let mut world = tube.world()?;
    let sunk = tube.apart(&mut world, motion)?;
    let east = |world: &Blocks| world.level(5, Tube::HEIGHT - 2).unwrap_or(0.0);
    let face = |world: &Blocks| world.volume_in(Liquid::Water, 1, 0, 1, Tube::HEIGHT) as f64;
    // The floor is a row of wall.
    let raised = east(&world) - 1.0 - face(&world) / f64::from(FULL);
    let ratio = f64::from(Liquid::Oil.density()) / f64::from(Liquid::Water.density());
    let off = (raised - ratio * tube.oil as f64).abs();
    tube.pour(&mut world, 10)?;
    let lifted = tube.apart(&mut world, motion)?;
    let metric = "columns apart in weight at rest (cells of water)";
    Ok(Outcome::of([
        Row::at_most(name, "39 rows of oil: water over the face, off ρ₁h₁/ρ₂ (cells)", off, APART),
        Row::at_most(name, metric, sunk, APART),
        Row::at_most(name, "the same when water is poured in and lifts the oil", lifted, APART),
    ]))
}

const OIL: Cell = Cell::Liquid(Liquid::Oil, FULL);

/// Oil laid on a lake, and oil in a cellar under a lake, whose ceiling has a hole.
fn floats(name: &str, motion: &dyn Motion) -> Result<Outcome> {
    let lake = Field::from_fn(42, 12, |x, y| match (x, y) {
        (0 | 41, _) | (_, 11) => Cell::Wall,
        (_, 5..) => Cell::WATER,
        (18..=22, 3..) => OIL,
        _ => Cell::Air,
    });
    let mut world = Blocks::new(&lake, Params::default())?;
    run_to_rest(&mut world, SETTLED, motion)?;
    let film = (1..41).map(|x| world.volume_in(Liquid::Oil, x, 0, 1, 12) as f64);
    let [low, high] = span(film);
    let mut left = 0.0_f64;
    for hole in [1, 2, 3, 6, 20] {
        let cellar = Field::from_fn(22, 12, |x, y| match (x, y) {
            (0 | 21, _) | (_, 11) => Cell::Wall,
            (_, 8..) => OIL,
            (x, 7) if x + hole < 21 => Cell::Wall,
            (_, 2..7) => Cell::WATER,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cellar, Params::default())?;
        run_to_rest(&mut world, SETTLED, motion)?;
        let below = world.volume_in(Liquid::Oil, 0, 8, 22, 4) as f64 / f64::from(FULL);
        left = left.max(if world.is_asleep() { below } else { FROZEN });
    }
    let metric = "10 cells of oil laid on a lake: their film uneven by (1/256 cell)";
    Ok(Outcome::of([
        Row::at_most(name, metric, high - low, 2.0),
        Row::at_most(name, "60 cells of oil under a hole: most that stay (cells)", left, 0.0),
    ]))
}

/// U-tubes of all shapes with more or less oil, and caves with ponds of oil and of water.
fn seeds(name: &str, motion: &dyn Motion) -> Result<Outcome> {
    let (mut apart, mut restless) = (0.0_f64, 0);
    for seed in 0..BOARDS {
        let mut dice = Dice(scrambled(seed + 1));
        let (arms, water) = ([dice.from(1, 12), dice.from(1, 12)], dice.from(20, 50));
        let tube = Tube { arms, water, pipe: dice.from(1, 4), oil: dice.from(1, water - 10) };
        let mut world = tube.world()?;
        apart = apart.max(tube.apart(&mut world, motion)?);
        let rows = dice.from(1, 10);
        tube.pour(&mut world, rows)?;
        apart = apart.max(tube.apart(&mut world, motion)?);
        let mut world = Blocks::new(&oily_caves(&mut dice), Params::default())?;
        run_to_rest(&mut world, SETTLED, motion)?;
        restless += u32::from(!world.is_asleep());
    }
    Ok(Outcome::of([
        Row::at_most(name, "U-tubes: columns apart in weight (cells of water)", apart, APART),
        Row::at_most(name, "caves that do not come to rest", f64::from(restless), 0.0),
    ]))
}

/// Caves with ponds of oil and of water.
pub(super) fn oily_caves(dice: &mut Dice) -> Field<Cell> {
    let salt = dice.from(0, 1000) as u64;
    let cells = caves(dice);
    Field::from_fn(cells.nx(), cells.ny(), |x, y| match cells[(x, y)] {
        Cell::Liquid(_, fill)
            if scrambled(salt ^ (x as u64 / 7) << 20 ^ (y as u64 / 5)) & 1 == 1 =>
        {
            Cell::Liquid(Liquid::Oil, fill)
        }
        cell => cell,
    })
}
