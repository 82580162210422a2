//! Test cases for the hydrostatic balance of oil and water columns, ρ₁h₁ = ρ₂h₂.

use super::random_boards::{BOARDS, Rng, TICKS_TO_REST, caves};
use super::rest::run_to_rest;
use crate::noise::scramble_bits;
use crate::verify::{Case, FROZEN, Outcome, Row, Stepper, named_cases};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid, Params};
use headwater_cli::span::min_max;

pub(super) fn cases() -> Vec<Case> {
    named_cases([
        ("blocks/oil-weight", measure_weight_balance),
        ("blocks/oil-floats", measure_oil_film),
        ("blocks/seeds-oil", measure_random_tubes),
    ])
}

/// U-tube that contains water, with oil on the water in the western arm.
struct Tube {
    /// Number of columns in the western and in the eastern arm.
    arms: [usize; 2],
    /// Number of rows of water, including the connecting pipe.
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

    /// Runs the world to rest. Returns the heaviest column minus the lightest column, expressed as
    /// a height of water (cells).
    fn imbalance(&self, world: &mut Blocks, stepper: &dyn Stepper) -> Result<f64> {
        run_to_rest(world, TICKS_TO_REST, stepper)?;
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
        let [low, high] = min_max(columns.map(weight));
        Ok(high - low)
    }

    /// Fills the top `rows` rows of the eastern arm with water.
    fn pour(&self, world: &mut Blocks, rows: usize) -> Result<()> {
        let first = self.arms[0] + 2;
        let cells = (0..rows).flat_map(|y| (first..first + self.arms[1]).map(move |x| (x, y)));
        Ok(world.set_cells(&cells.collect::<Vec<_>>(), Cell::WATER)?)
    }
}

/// Upper limit of the imbalance at rest (cells). The limit is one cell, because water under oil
/// moves only in whole cells.
const MAX_IMBALANCE: f64 = 1.0;

fn measure_weight_balance(name: &str, stepper: &dyn Stepper) -> Result<Outcome> {
    let tube = Tube { arms: [3, 3], water: 42, pipe: 2, oil: 39 };
    let mut world = tube.world()?;
    let sunk = tube.imbalance(&mut world, stepper)?;
    let east = |world: &Blocks| world.surface_level(5, Tube::HEIGHT - 2).unwrap_or(0.0);
    let face = |world: &Blocks| world.volume_in(Liquid::Water, 1, 0, 1, Tube::HEIGHT) as f64;
    // The floor is a row of walls.
    let raised = east(&world) - 1.0 - face(&world) / f64::from(FULL);
    let ratio = f64::from(Liquid::Oil.density()) / f64::from(Liquid::Water.density());
    let off = (raised - ratio * tube.oil as f64).abs();
    tube.pour(&mut world, 10)?;
    let lifted = tube.imbalance(&mut world, stepper)?;
    let metric = "difference of column weights at rest (cells of water)";
    Ok(Outcome::from_rows([
        Row::at_most(
            name,
            "39 rows of oil: error of the water level against ρ₁h₁/ρ₂ (cells)",
            off,
            MAX_IMBALANCE,
        ),
        Row::at_most(name, metric, sunk, MAX_IMBALANCE),
        Row::at_most(name, "same after water is added and lifts the oil", lifted, MAX_IMBALANCE),
    ]))
}

const OIL: Cell = Cell::Liquid(Liquid::Oil, FULL);

/// Measures two figures. The first is the difference between the largest and the smallest thickness
/// of an oil film on a lake. The second is the volume of oil that remains in a cellar below a lake
/// at rest; the oil should have risen through a hole in the cellar's ceiling.
fn measure_oil_film(name: &str, stepper: &dyn Stepper) -> Result<Outcome> {
    let lake = Field::from_fn(42, 12, |x, y| match (x, y) {
        (0 | 41, _) | (_, 11) => Cell::Wall,
        (_, 5..) => Cell::WATER,
        (18..=22, 3..) => OIL,
        _ => Cell::Air,
    });
    let mut world = Blocks::new(&lake, Params::default())?;
    run_to_rest(&mut world, TICKS_TO_REST, stepper)?;
    let film = (1..41).map(|x| world.volume_in(Liquid::Oil, x, 0, 1, 12) as f64);
    let [low, high] = min_max(film);
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
        run_to_rest(&mut world, TICKS_TO_REST, stepper)?;
        let below = world.volume_in(Liquid::Oil, 0, 8, 22, 4) as f64 / f64::from(FULL);
        left = left.max(if world.is_asleep() { below } else { FROZEN });
    }
    let metric = "10 cells of oil on a lake: unevenness of the film (1/256 cell)";
    Ok(Outcome::from_rows([
        Row::at_most(name, metric, high - low, 2.0),
        Row::at_most(name, "60 cells of oil under a hole: maximum that remains (cells)", left, 0.0),
    ]))
}

/// Measures the imbalance in random U-tubes with varying amounts of oil. Also counts the random
/// caves with ponds of oil and water that do not come to rest.
fn measure_random_tubes(name: &str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut apart, mut restless) = (0.0_f64, 0);
    for seed in 0..BOARDS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let (arms, water) =
            ([rng.integer_in(1, 12), rng.integer_in(1, 12)], rng.integer_in(20, 50));
        let tube =
            Tube { arms, water, pipe: rng.integer_in(1, 4), oil: rng.integer_in(1, water - 10) };
        let mut world = tube.world()?;
        apart = apart.max(tube.imbalance(&mut world, stepper)?);
        let rows = rng.integer_in(1, 10);
        tube.pour(&mut world, rows)?;
        apart = apart.max(tube.imbalance(&mut world, stepper)?);
        let mut world = Blocks::new(&oily_caves(&mut rng), Params::default())?;
        run_to_rest(&mut world, TICKS_TO_REST, stepper)?;
        restless += u32::from(!world.is_asleep());
    }
    Ok(Outcome::from_rows([
        Row::at_most(
            name,
            "U-tubes: difference of column weights (cells of water)",
            apart,
            MAX_IMBALANCE,
        ),
        Row::at_most(name, "caves that do not come to rest", f64::from(restless), 0.0),
    ]))
}

/// Creates caves with ponds of oil and water.
pub(super) fn oily_caves(rng: &mut Rng) -> Field<Cell> {
    let salt = rng.integer_in(0, 1000) as u64;
    let cells = caves(rng);
    Field::from_fn(cells.nx(), cells.ny(), |x, y| match cells[(x, y)] {
        Cell::Liquid(_, fill)
            if scramble_bits(salt ^ (x as u64 / 7) << 20 ^ (y as u64 / 5)) & 1 == 1 =>
        {
            Cell::Liquid(Liquid::Oil, fill)
        }
        cell => cell,
    })
}
