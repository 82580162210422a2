//! [`Caves`]: generator for side-view worlds with hills, caves and ponds. The liquid in the ponds
//! is at rest.
//!
//! There are two kinds of caves. Chambers come from a cellular automaton: cells are random at
//! first; then, in several rounds, each cell becomes wall or air like the majority of its
//! neighbours. Winding tunnels follow the zeros of a noise function. A pond fills a connected
//! region below a level, so it is at rest in a basin of any shape.
//!
//! Only sums, products and the tables of the noise generators are used, so the cells are the same
//! on every machine.

use crate::picture::connected_components;
use headwater::blocks::{Cell, FULL, Liquid, MAX_SIDE};
use headwater::parameter::Range;
use headwater::{Field, InputError};
use noise::{NoiseFn, SuperSimplex};
use serde::{Deserialize, Serialize};

/// Parameters from which a world with hills, caves and ponds is generated. Every field has a
/// default.
///
/// ```
/// use headwater::blocks::{Blocks, Params};
/// use headwater_scene::blocks::Caves;
/// let cells = Caves::default().generate(7, 120, 90)?;
/// let mut world = Blocks::new(&cells, Params::default())?;
/// world.step();
/// assert_eq!(world.cells(), cells, "the ponds are at rest");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Caves {
    /// Mean fraction of the world's height that is above the ground, 0 to 0.9.
    pub sky: f64,
    /// Amplitude of the hills (cells), 0 to 1000.
    pub hills: f64,
    /// Abundance of caves (dimensionless): 0 for none, 1 for the maximum.
    pub hollow: f64,
    /// Fraction of basins that contain a pond, 0 to 1.
    pub ponds: f64,
    /// Maximum depth of a pond (cells), 1 to 200.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 200)))]
    pub pond_depth: u32,
    /// Fraction of the ponds in the lowest quarter of the world that contain lava, 0 to 1.
    pub lava: f64,
    /// Fraction of all other ponds that contain oil, 0 to 1.
    pub oil: f64,
}

impl Default for Caves {
    fn default() -> Self {
        Self { sky: 0.25, hills: 9.0, hollow: 0.5, ponds: 0.5, pond_depth: 9, lava: 0.0, oil: 0.0 }
    }
}

/// Maximum size of a pond in a cave (cells).
const MAX_CAVE_POND_CELLS: usize = 900;
/// Maximum size of a pond at the surface (cells).
const MAX_SURFACE_POND_CELLS: usize = 240;
/// Size (cells) below which a cave is filled with rock.
const MIN_CAVE_CELLS: usize = 24;
/// Size (cells) below which an isolated rock is removed.
const MIN_ROCK_CELLS: usize = 14;
const AUTOMATON_ROUNDS: usize = 5;

impl Caves {
    /// Checks that every field is in its range.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first field that is out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        let parts = [
            ("hollow", self.hollow),
            ("ponds", self.ponds),
            ("lava", self.lava),
            ("oil", self.oil),
        ];
        Range::new(0.0, 0.9).check("sky", self.sky, "")?;
        Range::new(0.0, 1000.0).check("hills", self.hills, "cells")?;
        Range::new(1.0, 200.0).check("pond_depth", self.pond_depth.into(), "cells")?;
        parts.into_iter().try_for_each(|(key, part)| Range::new(0.0, 1.0).check(key, part, ""))
    }

    /// Generates the cells of a world with `nx` columns and `ny` rows. The same seed always gives
    /// the same world.
    ///
    /// # Errors
    /// Returns [`InputError`] if a field, `nx` or `ny` is out of range.
    pub fn generate(&self, seed: u32, nx: usize, ny: usize) -> Result<Field<Cell>, InputError> {
        self.validate()?;
        if ![nx, ny].iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            let allowed = format!("1 to {MAX_SIDE} columns and rows");
            return Err(InputError::new("size", format!("{nx} × {ny} cells"), allowed));
        }
        let ground = self.surface_rows(seed, nx, ny);
        let mut walls = self.generate_walls(seed, &ground, ny);
        invert_small_regions(&mut walls, true, MIN_ROCK_CELLS);
        invert_small_regions(&mut walls, false, MIN_CAVE_CELLS);
        let mut cells = walls.map(|&wall| if wall { Cell::Wall } else { Cell::Air });
        self.add_ponds(seed, &ground, &mut cells);
        Ok(cells)
    }

    /// Returns the row of the ground surface in each column. The values are whole numbers and may
    /// lie outside the grid.
    fn surface_rows(&self, seed: u32, nx: usize, ny: usize) -> Vec<f64> {
        let layers = [0, 1, 2].map(|i| SuperSimplex::new(seed.wrapping_mul(16).wrapping_add(i)));
        let height = |x: usize| {
            let x = x as f64;
            let at = |i: usize, scale: f64| layers[i].get([x / scale, 0.5]);
            0.75 * at(0, 60.0) + 0.35 * at(1, 23.0) + 0.1 * at(2, 8.0)
        };
        (0..nx).map(|x| (self.sky * ny as f64 - self.hills * height(x)).round()).collect()
    }

    /// Returns a field that is true in walls and false in open cells. `ground` is the row of the
    /// ground surface in each column.
    fn generate_walls(&self, seed: u32, ground: &[f64], ny: usize) -> Field<bool> {
        let nx = ground.len();
        let layers = [4, 5, 6].map(|i| SuperSimplex::new(seed.wrapping_mul(16).wrapping_add(i)));
        let noise = |i: usize, x: usize, y: usize, wide: f64, high: f64| {
            layers[i].get([x as f64 / wide, y as f64 / high])
        };
        let below = |x: usize, y: usize| y as f64 - ground[x];
        let mut chambers = Field::from_fn(nx, ny, |x, y| {
            // More rock near the surface leaves ground to walk on.
            let crust = (1.0 - below(x, y) / 14.0).clamp(0.0, 1.0);
            let patch = 0.1 * noise(0, x, y, 40.0, 28.0);
            let solid = 0.68 - 0.22 * self.hollow + 0.25 * crust + patch;
            pseudorandom_for_cell(seed, 1, x, y) < solid
        });
        for _ in 0..AUTOMATON_ROUNDS {
            chambers = Field::from_fn(nx, ny, |x, y| count_walls_around(&chambers, x, y) >= 5);
        }
        let dug = Field::from_fn(nx, ny, |x, y| {
            let deep = below(x, y);
            let wide = 0.18 * self.hollow * (0.4 + 0.6 * (deep / 30.0).clamp(0.0, 1.0));
            let winding = noise(1, x, y, 36.0, 24.0).abs() < wide;
            // Tunnels reach the surface only in a few places.
            let reaches = deep > 5.0 || noise(2, x, y, 45.0, 45.0) > 0.35;
            deep >= 0.0 && chambers[(x, y)] && !(winding && reaches)
        });
        // The final round removes slits and spikes but leaves the surface unchanged.
        Field::from_fn(nx, ny, |x, y| match below(x, y) {
            deep if deep < 2.0 => dug[(x, y)],
            _ => count_walls_around(&dug, x, y) >= 5,
        })
    }

    /// Fills some basins with water, oil or lava at rest.
    fn add_ponds(&self, seed: u32, ground: &[f64], cells: &mut Field<Cell>) {
        let (nx, ny) = (cells.nx(), cells.ny());
        let is_air = |cells: &Field<Cell>, x: usize, y: usize| cells[(x, y)] == Cell::Air;
        for y in (0..ny).rev() {
            for x in 0..nx {
                let is_floor =
                    is_air(cells, x, y) && (y + 1 == ny || cells[(x, y + 1)] == Cell::Wall);
                // With `ponds` at 0.5, one floor cell in 24 is tried as the lowest cell of a pond.
                if !is_floor || pseudorandom_for_cell(seed, 2, x, y) >= self.ponds / 12.0 {
                    continue;
                }
                let in_air = (y as f64) < ground[x];
                let (limit, largest) = match in_air {
                    true => (self.pond_depth.min(5), MAX_SURFACE_POND_CELLS),
                    false => (self.pond_depth, MAX_CAVE_POND_CELLS),
                };
                let max_depth =
                    1 + (pseudorandom_for_cell(seed, 3, x, y) * f64::from(limit)) as usize;
                let is_lava = 4 * y > 3 * ny && pseudorandom_for_cell(seed, 4, x, y) < self.lava;
                let liquid = match pseudorandom_for_cell(seed, 5, x, y) {
                    _ if is_lava => Liquid::Lava,
                    part if part < self.oil => Liquid::Oil,
                    _ => Liquid::Water,
                };
                for depth in (1..=max_depth).rev() {
                    let Some(top) = (y + 1).checked_sub(depth) else { continue };
                    if let Some(pond) = find_basin(cells, (x, y), top, largest) {
                        pond.into_iter().for_each(|at| cells[at] = Cell::Liquid(liquid, FULL));
                        break;
                    }
                }
            }
        }
    }
}

/// Returns the air cells of a basin: those connected to the cell `start` without rising above the
/// row `top`. Returns `None` if there are more than `max_cells` such cells, or if one of them is
/// next to a liquid in or below this row.
fn find_basin(
    cells: &Field<Cell>,
    start: (usize, usize),
    top: usize,
    max_cells: usize,
) -> Option<Vec<(usize, usize)>> {
    let mut found = vec![start];
    let mut known = std::collections::HashSet::from([start]);
    let mut next = 0;
    while let Some(&(x, y)) = found.get(next) {
        next += 1;
        let neighbours = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        for (east, down) in neighbours {
            let place = (x.checked_add_signed(east), y.checked_add_signed(down));
            let (Some(x), Some(y)) = place else { continue };
            if x >= cells.nx() || y >= cells.ny() || y < top {
                continue;
            }
            match cells[(x, y)] {
                Cell::Wall => {}
                Cell::Liquid(..) => return None,
                Cell::Air => {
                    if known.insert((x, y)) {
                        found.push((x, y));
                    }
                }
            }
        }
        if found.len() > max_cells {
            return None;
        }
    }
    Some(found)
}

/// Returns the number of walls among a cell and its eight neighbours. Cells outside the grid count
/// as walls.
fn count_walls_around(walls: &Field<bool>, x: usize, y: usize) -> usize {
    let is_wall = |(east, down): (isize, isize)| {
        let place = (x.checked_add_signed(east), y.checked_add_signed(down));
        match place {
            (Some(x), Some(y)) if x < walls.nx() && y < walls.ny() => walls[(x, y)],
            _ => true,
        }
    };
    (-1..=1)
        .flat_map(|down| (-1..=1).map(move |east| (east, down)))
        .filter(|&at| is_wall(at))
        .count()
}

/// Inverts each connected region of fewer than `min_cells` cells: regions of walls if `are_walls`
/// is true, otherwise regions of air.
fn invert_small_regions(walls: &mut Field<bool>, are_walls: bool, min_cells: usize) {
    let size = [walls.nx(), walls.ny()];
    let parts = connected_components(size, false, |i| walls.as_slice()[i] == are_walls);
    for i in parts.into_iter().filter(|part| part.len() < min_cells).flatten() {
        walls.as_mut_slice()[i] = !are_walls;
    }
}

/// Returns a pseudorandom number from 0 to 1 for the cell in column `x` and row `y`. `stream`
/// selects one of several independent random sequences.
fn pseudorandom_for_cell(seed: u32, stream: u64, x: usize, y: usize) -> f64 {
    let key = (u64::from(seed) << 32 | stream << 28).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut z = key ^ ((x as u64) << 32 | y as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::blocks::{Blocks, Params};

    fn count_matching_cells(cells: &Field<Cell>, predicate: impl Fn(Cell) -> bool) -> usize {
        cells.as_slice().iter().filter(|&&cell| predicate(cell)).count()
    }

    #[test]
    fn generated_ponds_are_at_rest_and_worlds_depend_only_on_the_seed() {
        let caves = Caves { lava: 0.7, oil: 0.2, hollow: 0.7, ponds: 0.8, ..Caves::default() };
        for seed in 0..12 {
            let cells = caves.generate(seed, 161, 140).unwrap();
            assert_eq!(cells, caves.generate(seed, 161, 140).unwrap());
            assert_ne!(cells, caves.generate(seed + 1, 161, 140).unwrap());
            for liquid in Liquid::ALL {
                let there = count_matching_cells(&cells, |cell| cell.liquid() == Some(liquid));
                assert!(there > 10, "seed {seed}: {there} cells of {}", liquid.name());
            }
            let mut world = Blocks::new(&cells, Params::default()).unwrap();
            (0..12).for_each(|_| world.step());
            assert_eq!(world.cells(), cells, "seed {seed}");
        }
    }

    #[test]
    fn each_parameter_changes_the_world_as_documented() {
        let with = |change: fn(&mut Caves)| {
            let mut caves = Caves::default();
            change(&mut caves);
            caves.generate(3, 150, 120).unwrap()
        };
        let plain = with(|_| ());
        let air = |cells: &Field<Cell>| count_matching_cells(cells, |cell| cell != Cell::Wall);
        assert!(air(&with(|caves| caves.sky = 0.5)) > air(&plain) + 2000);
        assert!(air(&with(|caves| caves.hollow = 1.0)) > air(&plain) + 500);
        let solid = with(|caves| caves.hollow = 0.0);
        let under = (0..150).filter(|&x| (60..120).any(|y| solid[(x, y)] != Cell::Wall)).count();
        assert!(under < 75, "{under} columns with hollows");
        let wet = |cells: &Field<Cell>| count_matching_cells(cells, |cell| cell.liquid().is_some());
        assert!(wet(&plain) > 150, "{}", wet(&plain));
        assert_eq!(wet(&with(|caves| caves.ponds = 0.0)), 0);
        assert!(wet(&with(|caves| caves.ponds = 0.02)) < wet(&plain) / 2);
        assert!(wet(&with(|caves| caves.pond_depth = 1)) < wet(&plain));
        let tops = |cells: &Field<Cell>| {
            let first = |x| (0..120).find(|&y| cells[(x, y)] == Cell::Wall).unwrap_or(120);
            let rows: Vec<usize> = (0..150).map(first).collect();
            rows.iter().max().unwrap() - rows.iter().min().unwrap()
        };
        let level = with(|caves| (caves.hills, caves.hollow) = (0.0, 0.0));
        assert!(tops(&level) <= 1 && tops(&plain) > 4);
    }

    #[test]
    fn values_out_of_range_are_rejected() {
        let error = |caves: Caves| caves.generate(0, 10, 10).unwrap_err().to_string();
        let default = Caves::default();
        assert_eq!(error(Caves { sky: 0.95, ..default }), "sky: found 0.95, allowed is 0 to 0.9");
        assert_eq!(
            error(Caves { hollow: f64::NAN, ..default }),
            "hollow: found NaN, allowed is 0 to 1"
        );
        let size = default.generate(0, 0, 10).unwrap_err().to_string();
        assert_eq!(size, "size: found 0 × 10 cells, allowed is 1 to 32768 columns and rows");
    }
}
