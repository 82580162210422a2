//! Test cases for open sides of block worlds. An open side is either connected to water of a fixed
//! level or a drain.

use super::random_boards::{BOARDS, Rng};
use super::vessels::surface_height;
use crate::noise::scramble_bits;
use crate::verify::{Outcome, Row, Stepper};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, Params, Side};

/// Number of ticks after which worlds with an open side must be at rest.
const TICKS: u64 = 20_000;

/// Measures two values in hilly worlds with one open side. If water of a fixed level adjoins the
/// side, all valleys that this water can reach must end at this level. If the side is a drain, the
/// water in a valley must end at or below the sill between the valley and the side, except for a
/// thin film. Half of the worlds are initially dry, and half are full.
pub(super) fn measure_open_sides(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut off_level, mut above_sill) = (0.0_f64, 0.0_f64);
    for seed in 0..BOARDS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let (nx, ny) = (rng.integer_in(8, 90), rng.integer_in(8, 40));
        let floors: Vec<usize> = (0..nx).map(|_| rng.integer_in(0, ny - 4)).collect();
        let (flip, is_full) = (seed % 2 == 1, seed % 4 > 1);
        let column = |x: usize| if flip { nx - 1 - x } else { x };
        let cells = Field::from_fn(nx, ny, |x, y| match (floors[column(x)], ny - 1 - y) {
            (floor, height) if height < floor => Cell::Wall,
            (_, height) if is_full && height < ny - 2 => Cell::WATER,
            _ => Cell::Air,
        });
        // Highest floor between a column and the open side, inclusive.
        let sills: Vec<usize> =
            (0..nx).map(|x| floors[..=x].iter().copied().max().unwrap_or(0)).collect();
        let level = rng.integer_in(256, 256 * (ny - 3)) as f64 / 256.0;
        for side in [Side::Level, Side::Drain] {
            let mut params = Params::default();
            if flip {
                (params.east, params.east_level) = (side, level);
            } else {
                (params.west, params.west_level) = (side, level);
            }
            let film = f64::from(params.film) / 256.0;
            let mut world = Blocks::new(&cells, params)?;
            stepper.step_blocks(&mut world, TICKS)?;
            for (x, sill) in sills.iter().enumerate() {
                let (surface, sill) = (surface_height(&world, column(x)), *sill as f64);
                if side == Side::Drain {
                    above_sill = above_sill.max(surface - sill);
                } else if level > sill + film {
                    off_level = off_level.max((surface - level).abs());
                }
            }
        }
    }
    let metric = "beside water of a fixed level: largest difference from this level (cells)";
    let level = Row::at_most(name, metric, off_level, 2.0 / 256.0);
    let metric = "beside a drained side: highest water above the sill (cells)";
    Ok(Outcome::from_rows([level, Row::at_most(name, metric, above_sill, 32.0 / 256.0)]))
}
