//! Test cases for the time until water is at rest, in castles whose doors are opened and in rooms
//! with waves. A further case measures the period of waves in a room.

use crate::noise::noise;
use crate::verify::{FROZEN, Outcome, Row, Stepper, norms::max_of_errors};
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Edit, Params};
use headwater::{Field, Region};
use std::f64::consts::PI;

/// Number of random worlds of each kind, one per seed.
const SEEDS: usize = 50;

/// Cell size (m). Larger cells would make the rooms so wide that they drain over sills for minutes.
const CELL: f64 = 0.5;

/// Number of rows of open air above the rooms of a castle.
const SKY_ROWS: usize = 3;

/// Change of a surface within two seconds (m) below which the motion of water is not visible.
const VISIBLE_CHANGE: f64 = 0.002;

/// Time (s) after which a castle is reported as never at rest.
const MAX_SECONDS: u32 = 400;

/// Test world of rooms side by side and on top of each other. Water stands in some rooms. The doors
/// in their walls and the holes in their floors are still closed.
struct Castle {
    world: Columns,
    doors: Vec<Region>,
    /// Points (m) at which the water surface is observed: one near the floor of each room.
    points: Vec<[f64; 2]>,
}

impl Castle {
    fn from_seed(seed: usize) -> Result<Self> {
        let part = |k: usize| f64::from(noise(k, 9000 + seed));
        let between =
            |k: usize, from: usize, to: usize| from + (part(k) * (to + 1 - from) as f64) as usize;
        let [rows, columns] = [between(0, 2, 3), between(1, 2, 4)];
        let [width, height] = [between(2, 5, 10), between(3, 3, 5)];
        let params = Params { columns_per_cell: 1 << between(5, 0, 2), ..Params::default() };
        let (nx, ny) = (columns * (width + 1) + 1, SKY_ROWS + rows * (height + 1) + 1);
        let walls = Field::from_fn(nx, ny, |x, y| {
            x == 0
                || x == nx - 1
                || y >= SKY_ROWS
                    && (x.is_multiple_of(width + 1) || (y - SKY_ROWS).is_multiple_of(height + 1))
        });
        let rect = |[x, y]: [usize; 2], [wide, high]: [usize; 2]| {
            let scale = |x: usize| CELL * x as f64;
            Region::rect([scale(x), scale(y)], [scale(x + wide), scale(y + high)])
        };
        let (mut doors, mut points, mut anchors) = (vec![], vec![], vec![]);
        for room in 0..rows * columns {
            let (column, row) = (room % columns, room / columns);
            let [left, top] = [1 + column * (width + 1), SKY_ROWS + 1 + row * (height + 1)];
            let part = |k: usize| part(100 * (room + 1) + k);
            let between = |k: usize, from: usize, to: usize| {
                from + (part(k) * (to + 1 - from) as f64) as usize
            };
            let middle = CELL * (left as f64 + 0.5 * width as f64);
            points.push([middle, CELL * ((top + height) as f64 - 0.5)]);
            if part(0) < 0.6 {
                let level = top as f64 + (0.3 + 0.4 * part(1)) * height as f64;
                anchors.push(Anchor::new_level([middle, CELL * level]));
            }
            if column + 1 < columns && part(2) < 0.7 {
                let high = between(3, 1, 2);
                let y = top + between(4, 0, height - high);
                doors.push(rect([left + width, y], [1, high]));
            }
            if row + 1 < rows && part(5) < 0.6 {
                let wide = between(6, 1, 3);
                doors.push(rect([left + between(7, 0, width - wide), top + height], [wide, 1]));
            }
        }
        let world = Columns::new(&walls, CELL, &anchors, params)?;
        Ok(Self { world, doors, points })
    }

    /// Opens all doors and holes. Returns two times (s after the opening): the time of the last
    /// visible motion, and the last time at which a pool was still awake.
    fn times_to_rest(mut self, stepper: &dyn Stepper) -> Result<[u32; 2]> {
        let half_second = (0.5 / self.world.params().step).round() as u64;
        for door in &self.doors {
            self.world.set_walls(door, false)?;
        }
        let surfaces = |world: &Columns| -> Vec<Option<f64>> {
            self.points.iter().map(|&at| world.surface_at(at)).collect()
        };
        let mut last = [0; 2];
        let mut before = surfaces(&self.world);
        for time in (2..MAX_SECONDS).step_by(2) {
            stepper.step_columns(&mut self.world, 4 * half_second)?;
            let now = surfaces(&self.world);
            let moves = |(a, b): (&Option<f64>, &Option<f64>)| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() > VISIBLE_CHANGE,
                (a, b) => a.is_some() != b.is_some(),
            };
            if now.iter().zip(&before).any(moves) {
                last[0] = time;
            }
            before = now;
            if self.world.awake_pool_count() == 0 {
                break;
            }
            last[1] = time;
        }
        Ok(last)
    }
}

/// Measures how long castles stay awake after the last visible motion.
pub(super) fn measure_castles(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut longest, mut moved) = (0, 0);
    for seed in 0..SEEDS {
        let [motion, awake] = Castle::from_seed(seed)?.times_to_rest(stepper)?;
        moved += usize::from(motion > 4);
        longest = longest.max(awake.saturating_sub(motion));
    }
    let longest = if moved < SEEDS / 2 { FROZEN } else { f64::from(longest) };
    let metric = "longest time awake after the last visible motion, 50 castles (s)";
    Ok(Row::at_most(name, metric, longest, 60.0).into())
}

/// Measures the wave height in a room 10 m wide, 20 s after a splash, relative to the initial wave
/// height. Damping has its default value.
pub(super) fn measure_damping(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let left = max_of_errors((0..SEEDS).map(|seed| {
        let part = |k: usize| f64::from(noise(k, 9500 + seed));
        let params = Params { columns_per_cell: 1 + (3.99 * part(0)) as u32, ..Params::default() };
        let nx = 22;
        let walls = Field::from_fn(nx, 12, |x, y| x == 0 || x == nx - 1 || y == 11);
        let level = Anchor::new_level([5.0, 1.5 + 2.0 * part(1)]);
        let mut world = Columns::new(&walls, CELL, &[level], params)?;
        let wide = 0.5 + 2.0 * part(2);
        let x = 0.5 + (10.0 - wide) * part(3);
        world.edit(&Region::rect([x, 0.0], [x + wide, 5.0]), Edit::Splash(0.2 + 0.3 * part(4)))?;
        let highest = |world: &Columns| -> f64 {
            let surfaces = (0..20).filter_map(|i| world.surface_at([0.75 + 0.5 * i as f64, 5.25]));
            let surfaces: Vec<f64> = surfaces.collect();
            let mean = surfaces.iter().sum::<f64>() / surfaces.len() as f64;
            surfaces.iter().map(|surface| (surface - mean).abs()).fold(0.0, f64::max)
        };
        let steps = (1.0 / world.params().step).round() as u64;
        let amplitude = |world: &mut Columns| -> Result<f64> {
            let mut peak = 0.0_f64;
            for _ in 0..40 {
                stepper.step_columns(world, steps / 20)?;
                peak = peak.max(highest(world));
            }
            Ok(peak)
        };
        let start = amplitude(&mut world)?;
        stepper.step_columns(&mut world, 18 * steps)?;
        Ok(amplitude(&mut world)? / start)
    }))?;
    let metric = "height of waves after 20 s in a room of 10 m, relative to the start";
    Ok(Row::at_most(name, metric, left, 0.05).into())
}

/// Compares the period of the longest wave in rooms of different width and depth with linear wave
/// theory: `ω² = gk·tanh(kh)`, with the wavenumber `k = π/L` for the width L. The parameter
/// `wave_depth` has the value that its documentation recommends.
pub(super) fn measure_room_periods(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let error = max_of_errors((0..SEEDS).map(|seed| {
        let part = |k: usize| f64::from(noise(k, 9900 + seed));
        let (nx, ny) = (10 + (30.0 * part(0)) as usize, 20);
        let width = CELL * (nx - 2) as f64;
        let level = 1.0 + 6.0 * part(1);
        let depth = CELL * (ny - 1) as f64 - level;
        let k = PI / width;
        let wave_depth = (k * depth).tanh() / k;
        let params = Params { wave_depth, damping: 0.0, sleep_speed: 0.0, ..Params::default() };
        let walls = Field::from_fn(nx, ny, |x, y| x == 0 || x == nx - 1 || y == ny - 1);
        let mut world = Columns::new(&walls, CELL, &[Anchor::new_level([1.0, level])], params)?;
        let half = Region::rect([0.0, 0.0], [0.5 * CELL * nx as f64, CELL * ny as f64]);
        world.edit(&half, Edit::Splash(0.1))?;
        let bottom = CELL * (ny as f64 - 1.5);
        let difference = |world: &Columns| {
            let ends = [1.5, nx as f64 - 1.5].map(|x| world.surface_at([CELL * x, bottom]));
            ends[0].unwrap_or(0.0) - ends[1].unwrap_or(0.0)
        };
        let step = world.params().step;
        let exact = 2.0 * PI / (world.params().gravity * k * (k * depth).tanh()).sqrt();
        let (mut crossings, mut last) = (Vec::new(), difference(&world));
        for i in 0..(3.0 * exact / step) as usize {
            stepper.step_columns(&mut world, 1)?;
            let now = difference(&world);
            if last < 0.0 && now >= 0.0 {
                crossings.push(step * (i as f64 + last / (last - now)));
            }
            last = now;
        }
        let period = crossings.windows(2).map(|pair| pair[1] - pair[0]).next();
        Ok(period.map_or(FROZEN, |period| (period / exact - 1.0).abs()))
    }))?;
    let metric = "maximum relative error of the period of the longest wave in 50 rooms";
    Ok(Row::at_most(name, metric, error, 0.05).into())
}
