//! [`FloodableWorld`]: random test worlds of the model `columns`. Rooms, shafts and caves filled
//! with water lie above a dry cellar, and a hole in the cellar's ceiling lets the water in.

use crate::noise::noise;
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Params};
use headwater::{Field, Region};

/// Cell size (m).
const CELL: f64 = 0.5;

/// Walls and water level of a test world, and the hole that floods its cellar.
pub(crate) struct FloodableWorld {
    walls: Field<bool>,
    level: [f64; 2],
    /// Part of the cellar's ceiling to remove.
    pub(crate) hole: Region,
    /// Part of the walls above the cellar, to be removed later.
    pub(crate) second_hole: Region,
    pub(crate) per_cell: u32,
}

impl FloodableWorld {
    /// Creates a random arrangement of walls from a seed. The arrangement has 24 to 83 columns and
    /// 15 to 57 rows of cells, with 1 to 4 water columns per cell.
    pub(crate) fn from_seed(seed: usize) -> Self {
        let part = |k: usize| f64::from(noise(k, 1000 + seed));
        let between = |k, from: f64, to: f64| (from + (to - from) * part(k)) as usize;
        let size = [between(0, 24.0, 84.0), between(2, 3.0, 8.0)];
        Self::new(seed, size, between(1, 4.0, 8.0), part(5) < 0.35, between(6, 1.0, 5.0) as u32)
    }

    /// Creates an arrangement of walls that is `nx` cells wide and has `storeys` storeys, each of
    /// them `storey` cells high. `per_cell` is the number of water columns per cell.
    pub(crate) fn new(
        seed: usize,
        [nx, storeys]: [usize; 2],
        storey: usize,
        caves: bool,
        per_cell: u32,
    ) -> Self {
        let part = |k: usize| f64::from(noise(k, 1000 + seed));
        let sky = 2 + (6.0 * part(3)) as usize;
        let room = 5 + (9.0 * part(4)) as usize;
        let ny = sky + storey * storeys + 1;
        let top = sky + storey * (storeys - 1);
        let at = |x: usize, y: usize, k: usize| noise(x + 100 * k, y + 100 * seed);
        let walls = Field::from_fn(nx, ny, |x, y| {
            if y < sky {
                return false;
            }
            if y == top || x == 0 || x == nx - 1 || y == ny - 1 {
                return true;
            }
            if caves && y < top {
                return at(x / 3, y / 2, 1) < 0.4;
            }
            let (floor, up) = ((y - sky) / storey, (y - sky) % storey);
            // A floor with shafts, and walls. Most walls have a door.
            let shaft = at(x / 2, floor, 2) < 0.13;
            let door = at(x / room, floor, 3);
            let high = 1 + (door * 2.0 * storey as f32) as usize;
            up == 0 && !shaft || x % room == 0 && (door >= 0.75 || up + high < storey)
        });
        let west = CELL * (0.5 + (0.1 + 0.8 * part(7)) * (nx - 2) as f64);
        let hole = CELL * (0.1 + 0.8 * part(9)) * nx as f64;
        let [over, under] = [-0.3, 0.9].map(|more| CELL * (top as f64 + more));
        let depth = sky as f64 + part(11) * (top - sky) as f64;
        let second = [CELL * (0.1 + 0.8 * part(10)) * nx as f64, CELL * depth];
        Self {
            walls,
            level: [west, CELL * (0.5 + part(8) * (sky as f64 - 1.0))],
            hole: Region::rect([hole, over], [hole + 2.0 * CELL, under]),
            second_hole: Region::rect(second, [second[0] + 2.0 * CELL, second[1] + 2.0 * CELL]),
            per_cell,
        }
    }

    /// Creates the world at rest. Sleeping is disabled, so that every step computes all columns.
    pub(crate) fn world(&self, damping: f64) -> Result<Columns> {
        let per_cell = f64::from(self.per_cell);
        let params = Params {
            columns_per_cell: self.per_cell,
            wave_depth: (0.8 / (per_cell * per_cell)).max(0.05),
            damping,
            sleep_speed: 0.0,
            ..Params::default()
        };
        Ok(Columns::new(&self.walls, CELL, &[Anchor::new_level(self.level)], params)?)
    }
}
