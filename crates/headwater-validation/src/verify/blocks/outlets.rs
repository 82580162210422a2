//! Test cases for the outflow of lakes in block worlds: into a nearby drain, through a hole at the
//! foot of a dam, over an edge with a drain, and as a steady waterfall. The worlds are random, and
//! half of them are mirrored.

use super::random_boards::{BOARDS, Rng};
use super::vessels::surface_height;
use crate::noise::scramble_bits;
use crate::verify::{Case, FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::blocks::{Blocks, Cell, Drain, FULL, Liquid, Params, Spring};
use headwater::{Field, Region};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("blocks/seeds-drains", measure_drained_lakes),
        Case::new("blocks/seeds-dams", measure_dams),
        Case::new("blocks/seeds-holes", measure_hole_outflow),
        Case::new("blocks/seeds-edges", measure_edge_drains),
        Case::new("blocks/seeds-steady-falls", measure_steady_falls),
    ]
}

/// Measures the largest difference in surface height between adjacent columns while lakes drain.
/// The lakes have no dam and flow into a nearby drain that removes water at the maximum rate. For a
/// lake that is initially `d` cells deep, the measurement starts after `d` ticks and lasts `d`
/// ticks. The difference must not exceed a few cells.
fn measure_drained_lakes(stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for seed in 0..BOARDS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let high = rng.integer_in(4, 40);
        let (wide, away, drain) =
            (rng.integer_in(high, 3 * high), rng.integer_in(0, 4), rng.integer_in(high, 50));
        let (nx, ny) = (wide + away + drain + 12, high + 3);
        let flip = |x: usize| if seed % 2 == 0 { x } else { nx - 1 - x };
        let cells = Field::from_fn(nx, ny, |x, y| match (flip(x), y) {
            (0, _) => Cell::Wall,
            (x, y) if x == nx - 1 || y == ny - 1 => Cell::Wall,
            (x, y) if x <= wide && y >= ny - 1 - high => Cell::WATER,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default())?;
        add_drain_row(&mut world, [wide + away + 1, wide + away + drain].map(flip))?;
        stepper.step_blocks(&mut world, high as u64)?;
        for _ in 0..high {
            stepper.step_blocks(&mut world, 1)?;
            let heights: Vec<f64> = (1..nx - 1).map(|x| surface_height(&world, x)).collect();
            worst = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs()).fold(worst, f64::max);
        }
    }
    let metric = "drains on the ground: highest surface step of the draining lake (cells)";
    Ok(Row::at_most("blocks/seeds-drains", metric, worst, 5.0).into())
}

/// Measures the water level downstream of dams with a hole at the foot. The downstream floor is at
/// the foot of the dam or lower, and ends at a drop into a drained pit. While the lake is above the
/// top of the hole, the downstream water must not rise more than a cell above the top of the hole.
fn measure_dams(stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for seed in 0..BOARDS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let (high, wide) = (rng.integer_in(4, 40), rng.integer_in(4, 120));
        let hole = rng.integer_in(1, 3.min(high / 2));
        let drop = if rng.integer_in(0, 1) == 0 { 0 } else { rng.integer_in(1, 20) };
        let (floor, pit) = (rng.integer_in(6, 120), rng.integer_in(8, 30));
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
        add_drain_row(&mut world, [dam + floor + 1, nx - 2].map(flip))?;
        let soffit = (ny - 1 - foot + hole + 1) as f64;
        let full = surface_height(&world, flip(1));
        for _ in 0..4 * (high + floor) {
            stepper.step_blocks(&mut world, 1)?;
            if surface_height(&world, flip(1)) < soffit {
                break;
            }
            let beyond = (dam + 1..nx - 1).map(|x| surface_height(&world, flip(x)) - soffit);
            worst = beyond.fold(worst, f64::max);
        }
        // The lake must drain.
        if surface_height(&world, flip(1)) >= full {
            worst = FROZEN;
        }
    }
    let metric = "holes at the foot of dams: maximum downstream level above the hole (cells)";
    Ok(Row::at_most("blocks/seeds-dams", metric, worst, 1.0).into())
}

/// Measures the outflow of lakes through a hole at the foot of a dam into a pit. While the lake is
/// at least two cells above the top of the hole, each row of the hole must pass 0.5 to 4 cells of
/// water per tick.
fn measure_hole_outflow(stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut min, mut max) = (f64::MAX, 0.0_f64);
    for seed in 0..BOARDS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let hole = rng.integer_in(1, 10);
        let lake = Lake {
            depth: hole + rng.integer_in(4, 24),
            width: rng.integer_in(40, 160),
            is_mirrored: seed % 2 == 1,
        };
        let mut world = lake.world_with_pit(hole, rng.integer_in(8, 40))?;
        // Skips the start of the fall.
        stepper.step_blocks(&mut world, hole as u64)?;
        let (before, mut ticks) = (lake.volume(&world), 0);
        while ticks < 30 && lake.level(&world) > (hole + 2) as f64 {
            stepper.step_blocks(&mut world, 1)?;
            ticks += 1;
        }
        if ticks >= 10 {
            let out = (before - lake.volume(&world)) / (ticks * hole) as f64;
            (min, max) = (min.min(out), max.max(out));
        }
    }
    let name = "blocks/seeds-holes";
    let metric = "holes over a pit: minimum outflow per cell of height (cells/tick)";
    let low = Row::at_least(name, metric, min, 0.5);
    let metric = "holes over a pit: maximum outflow per cell of height (cells/tick)";
    Ok(Outcome::from_rows([low, Row::at_most(name, metric, max, 4.0)]))
}

/// Measures how much water lakes lose over an edge into a pit, either through a hole in a dam or
/// without a dam. A drain in the last cell before the edge removes one cell per tick. The lake must
/// lose more water than the drain removes.
fn measure_edge_drains(stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = f64::MAX;
    for seed in 0..BOARDS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let high = rng.integer_in(3, 24);
        let hole =
            if rng.integer_in(0, 1) == 0 { high + 2 } else { rng.integer_in(1, 4.min(high)) };
        let lake = Lake { depth: high, width: rng.integer_in(60, 160), is_mirrored: seed % 2 == 1 };
        let mut world = lake.world_with_pit(hole, rng.integer_in(8, 40))?;
        let (x, y) = (lake.column(lake.width + 1) as f64, (lake.ground_row() - 1) as f64);
        world.add_drain(Drain { region: Region::rect([x, y], [x + 1.0, y + 1.0]), rate: FULL })?;
        let before = lake.volume(&world);
        stepper.step_blocks(&mut world, 40)?;
        worst = worst.min((before - lake.volume(&world)) / 40.0);
    }
    let metric =
        "a drain of one cell per tick before a fall: minimum loss of the lake (cells/tick)";
    Ok(Row::at_least("blocks/seeds-edges", metric, worst, 1.25).into())
}

/// Measures how much the volumes of a lake and of its waterfall vary during ten seconds. The ten
/// seconds start ten seconds after the first water has fallen. A steady spring of 16 to 1024 units
/// (1/256 cell) per tick feeds the lake, at most 512 if the lake is narrow. Drains remove all water
/// that falls. The lake is either a film on a level floor or a basin behind a ledge. In every third
/// world, the water falls into a shaft of 1 to 7 cells that is wide enough for the flow.
fn measure_steady_falls(stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for seed in 0..STEADY_FALLS {
        let mut rng = Rng(scramble_bits(seed + 1));
        let basin = rng.integer_in(0, 12);
        let is_wide = seed < WIDE_STEADY_FALLS;
        let (widths, max_rate) = if is_wide { ([6, 60], 1024) } else { ([3, 5], 512) };
        let width = rng.integer_in(widths[0], widths[1]);
        let ledge = rng.integer_in(1, 8).min(basin);
        let shaft = if seed % 3 == 2 { rng.integer_in(1, 7) } else { Lake::PIT };
        let spring = rng.integer_in(1, width.min(8));
        // Each column of a falling stream carries up to 192 units.
        let rate = rng.integer_in(16, (230 * spring).min(192 * shaft).min(max_rate));
        let lake = Lake { depth: 10, width: width + ledge, is_mirrored: seed % 2 == 1 };
        let (drop, up) = (rng.integer_in(6, 30), rng.integer_in(1, 6));
        let west = rng.integer_in(1, 1 + width - spring);
        let foot = lake.ground_row() + drop;
        let ny = (foot + 4).max(lake.ground_row() + basin + 1);
        let cells = Field::from_fn(lake.nx(), ny, |x, y| match (lake.column(x), y) {
            (0, _) => Cell::Wall,
            (x, y) if x > lake.width + shaft || y >= foot + 3 && x > lake.width => Cell::Wall,
            (x, y) if x <= width && y >= lake.ground_row() + basin => Cell::Wall,
            (x, y) if x > width && x <= lake.width && y >= lake.ground_row() => Cell::Wall,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default())?;
        // The cells of the spring differ by at most one unit.
        for (cells, rate) in [(spring, rate / spring), (rate % spring, 1)] {
            if cells > 0 && rate > 0 {
                let region = lake.region([west, west + cells - 1], lake.ground_row() - up, 1);
                let spring = Spring { region, liquid: Liquid::Water, rate: rate as u16 };
                world.add_spring(spring)?;
            }
        }
        let pit = [lake.width + 1, lake.width + shaft];
        world.add_drain(Drain { region: lake.region(pit, foot, 3), rate: FULL })?;
        let volume = |world: &Blocks, [one, other]: [usize; 2], rows: usize| {
            let start = lake.column(one).min(lake.column(other));
            let volume = world.volume_in(Liquid::Water, start, 0, other - one + 1, rows);
            volume as f64 / f64::from(FULL)
        };
        let mut steps = 0;
        while volume(&world, pit, foot) == 0.0 && steps < MAX_FILL_STEPS {
            stepper.step_blocks(&mut world, 1)?;
            steps += 1;
        }
        stepper.step_blocks(&mut world, 200)?;
        let mut volumes = [[f64::MAX, 0.0]; 2];
        for _ in 0..200 {
            stepper.step_blocks(&mut world, 1)?;
            let now = [volume(&world, [1, lake.width], ny), volume(&world, pit, foot)];
            for (range, volume) in volumes.iter_mut().zip(now) {
                *range = [range[0].min(volume), range[1].max(volume)];
            }
        }
        let [lake, fall] = volumes.map(|[low, high]| high - low);
        // A lake without a fall is not steady.
        worst = worst.max(if volumes[1][1] == 0.0 { FROZEN } else { lake.max(fall) });
    }
    let metric = "steady springs: largest change of lake or fall after 10 s (cells)";
    Ok(Row::at_most("blocks/seeds-steady-falls", metric, worst, 0.1).into())
}

/// Number of worlds in the case of steady falls.
const STEADY_FALLS: u64 = 200;
/// Number of these worlds whose lakes are 6 to 60 cells wide. The other lakes have 3 to 5 cells.
const WIDE_STEADY_FALLS: u64 = 150;
/// Maximum number of ticks until a lake in the steady-fall case is full and overflows.
const MAX_FILL_STEPS: usize = 20_000;

/// Lake behind a dam, optionally mirrored from west to east.
struct Lake {
    depth: usize,
    width: usize,
    is_mirrored: bool,
}

impl Lake {
    /// Width of the pit downstream of the dam (cells).
    const PIT: usize = 32;

    fn nx(&self) -> usize {
        self.width + Self::PIT + 3
    }

    /// Returns the topmost row of the ground below the lake.
    fn ground_row(&self) -> usize {
        self.depth + 2
    }

    fn column(&self, x: usize) -> usize {
        if self.is_mirrored { self.nx() - 1 - x } else { x }
    }

    /// Returns the region between two columns of the unmirrored world, both included, with `rows`
    /// rows from row `y` down.
    fn region(&self, columns: [usize; 2], y: usize, rows: usize) -> Region {
        let [one, other] = columns.map(|x| self.column(x));
        let (from, to) = (one.min(other), one.max(other) + 1);
        Region::rect([from as f64, y as f64], [to as f64, (y + rows) as f64])
    }

    /// Creates a world with a hole of height `hole` (cells) at the foot of the dam. The drained pit
    /// downstream of the dam is `pit_depth` cells deep.
    fn world_with_pit(&self, hole: usize, pit_depth: usize) -> Result<Blocks> {
        let (nx, ny, foot) = (self.nx(), self.ground_row() + pit_depth + 2, self.ground_row());
        let cells = Field::from_fn(nx, ny, |x, y| match (self.column(x), y) {
            (0, _) => Cell::Wall,
            (x, y) if x == nx - 1 || y == ny - 1 => Cell::Wall,
            (x, y) if x <= self.width + 1 && y >= foot => Cell::Wall,
            (x, y) if x == self.width + 1 && y + hole < foot => Cell::Wall,
            (x, y) if x <= self.width && y >= foot - self.depth => Cell::WATER,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default())?;
        add_drain_row(&mut world, [self.width + 2, nx - 2].map(|x| self.column(x)))?;
        Ok(world)
    }

    /// Returns the volume of the lake (cells).
    fn volume(&self, world: &Blocks) -> f64 {
        let from = self.column(1).min(self.column(self.width));
        let volume = world.volume_in(Liquid::Water, from, 0, self.width, self.ground_row());
        volume as f64 / f64::from(FULL)
    }

    /// Returns the water level (cells above the ground) at the end of the lake farthest from the
    /// dam.
    fn level(&self, world: &Blocks) -> f64 {
        surface_height(world, self.column(1)) - (world.ny() - 1 - self.ground_row()) as f64 - 1.0
    }
}

/// Adds a drain of maximum rate that covers the bottom row from one given column to the other, both
/// included.
fn add_drain_row(world: &mut Blocks, columns: [usize; 2]) -> Result<()> {
    let row = (world.ny() - 2) as f64;
    let (from, to) = (columns[0].min(columns[1]) as f64, columns[0].max(columns[1]) as f64);
    let region = Region::rect([from, row], [to + 1.0, row + 1.0]);
    world.add_drain(Drain { region, rate: FULL })?;
    Ok(())
}
