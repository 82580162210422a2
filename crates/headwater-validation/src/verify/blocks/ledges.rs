//! Test case for ledges next to pools that are full to the brim.

use super::random_boards::{BOARDS, Rng, TICKS_TO_REST};
use super::rest::run_to_rest;
use super::surfaces::fill_at;
use crate::noise::scramble_bits;
use crate::verify::{FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, Liquid, Params};
use headwater_cli::span::min_max;

/// Measures the largest difference in level at rest between a pool and the ledges next to it.
/// Initially the pool is full to the brim, and each cell of a ledge holds 1 to 200 units (1/256
/// cell) of water. At rest, the water on the ledges and in the pool must be at the same level.
pub(super) fn measure_ledges_beside_pools(name: &str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for seed in 0..BOARDS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let [west, east] = [0, 1].map(|low| rng.integer_in(low, 5));
        let (pool, deep) = (rng.integer_in(1, 40), rng.integer_in(1, 6));
        let films = [west, east].map(|_| rng.integer_in(1, 200) as u16);
        let nx = west + pool + east + 2;
        let cells = Field::from_fn(nx, deep + 4, |x, y| match (x, y) {
            (0, _) => Cell::Wall,
            (x, y) if x == nx - 1 || y == deep + 3 => Cell::Wall,
            (x, _) if (west + 1..=west + pool).contains(&x) && y > 2 => Cell::WATER,
            (_, 3..) => Cell::Wall,
            (x, 2) if x <= west => Cell::Liquid(Liquid::Water, films[0]),
            (x, 2) if x > west + pool => Cell::Liquid(Liquid::Water, films[1]),
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default())?;
        run_to_rest(&mut world, TICKS_TO_REST, stepper)?;
        if !world.is_asleep() {
            worst = FROZEN;
        }
        let levels = (1..nx - 1).map(|x| fill_at(&world, x, 2));
        let [low, high] = min_max(levels.map(|level| level as f64));
        worst = worst.max(high - low);
    }
    let metric = "ledges beside full pools: level difference at rest (1/256 cell)";
    Ok(Row::at_most(name, metric, worst, 2.0).into())
}
