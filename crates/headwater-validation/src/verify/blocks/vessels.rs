//! Test cases for connected vessels with one full and one empty arm, and for trapped air in a
//! diving bell and a siphon.

use super::random_boards::{BOARDS, Rng};
use super::rest::run_to_rest;
use crate::noise::scramble_bits;
use crate::verify::{Case, FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::blocks::{Blocks, Cell, Drain, Edit, FULL, Liquid, Params};
use headwater::{Field, Region};
use headwater_cli::span::min_max;

/// Vessel with a full and an empty arm that are connected by a pipe. All lengths are in cells.
struct Vessel {
    name: &'static str,
    nx: usize,
    ny: usize,
    /// Width of the arm that is initially full (cells).
    full_arm_width: usize,
    /// Width of the arm that is initially empty (cells).
    empty_arm_width: usize,
    /// Width of the connecting pipe (cells).
    pipe_width: usize,
    /// Upper limit of the measured value: the number of ticks until the levels are equal or, for
    /// the deep vessel, the level difference at rest (cells).
    limit: f64,
}

/// Connected vessels, each with an upper limit on the number of ticks until both levels are equal.
/// A column moves one cell per tick, so the smallest possible number of ticks is the level change
/// in the narrower arm. It is half the height for equal arms, and three quarters of the height if
/// one arm is three times as wide as the other.
const TUBES: [Vessel; 6] = [
    tube("blocks/u-tube-100", 100, [4, 4, 4], 50.0),
    tube("blocks/u-tube-100-narrow-to-wide", 100, [4, 12, 4], 75.0),
    tube("blocks/u-tube-100-wide-to-narrow", 100, [12, 4, 4], 75.0),
    tube("blocks/u-tube-400", 400, [16, 16, 16], 200.0),
    tube("blocks/u-tube-400-narrow-to-wide", 400, [16, 48, 16], 300.0),
    tube("blocks/u-tube-400-wide-to-narrow", 400, [48, 16, 16], 300.0),
];

const DEEP: Vessel = Vessel {
    name: "blocks/deep",
    nx: 11,
    ny: 2003,
    full_arm_width: 2,
    empty_arm_width: 5,
    pipe_width: 2,
    limit: 1.0,
};

const fn tube(name: &'static str, n: usize, arms: [usize; 3], limit: f64) -> Vessel {
    Vessel {
        name,
        nx: n,
        ny: n,
        full_arm_width: arms[0],
        empty_arm_width: arms[1],
        pipe_width: arms[2],
        limit,
    }
}

pub(super) fn cases() -> Vec<Case> {
    let to_level =
        |tube: &'static Vessel| Case::new(tube.name, |stepper| tube.ticks_to_level(stepper));
    let mut cases: Vec<Case> = TUBES.iter().map(to_level).collect();
    cases.push(Case::new(DEEP.name, |stepper| DEEP.error_at_rest(stepper)));
    cases
}

impl Vessel {
    fn columns(&self) -> Vec<usize> {
        let last = self.nx - 1;
        (1..=self.full_arm_width).chain(last - self.empty_arm_width..last).collect()
    }

    fn world(&self) -> Result<Blocks> {
        let (columns, bottom) = (self.columns(), self.ny - 1);
        let cells = Field::from_fn(self.nx, self.ny, |x, y| match x {
            _ if y == bottom || x == 0 || x == self.nx - 1 => Cell::Wall,
            _ if x <= self.full_arm_width || y >= bottom - self.pipe_width => Cell::WATER,
            _ if columns.contains(&x) => Cell::Air,
            _ => Cell::Wall,
        });
        Ok(Blocks::new(&cells, Params::default())?)
    }

    fn ticks_to_level(&self, stepper: &dyn Stepper) -> Result<Outcome> {
        let (mut world, columns, mut ticks) = (self.world()?, self.columns(), 0.0);
        let volume = world.volume(Liquid::Water);
        while surface_height_range(&world, &columns) > 1.0 && ticks < 4.0 * self.limit {
            stepper.step_blocks(&mut world, 1)?;
            ticks += 1.0;
        }
        let level =
            world.volume(Liquid::Water) == volume && surface_height_range(&world, &columns) <= 1.0;
        let ticks = if level { ticks } else { FROZEN };
        Ok(Row::at_most(
            self.name,
            "ticks until levels differ by at most one cell",
            ticks,
            self.limit,
        )
        .into())
    }

    fn error_at_rest(&self, stepper: &dyn Stepper) -> Result<Outcome> {
        let mut world = self.world()?;
        let volume = world.volume(Liquid::Water);
        run_to_rest(&mut world, 4 * self.ny as u64, stepper)?;
        let kept = world.volume(Liquid::Water) == volume;
        let error = if kept { surface_height_range(&world, &self.columns()) } else { FROZEN };
        let metric = "level difference at rest, 2000 cells deep (cells)";
        Ok(Row::at_most(self.name, metric, error, self.limit).into())
    }
}

/// Returns the height of the liquid surface in column `x`, in cells above the bottom.
pub(super) fn surface_height(world: &Blocks, x: usize) -> f64 {
    let fill = |y: usize| world.fill_at(x, y).unwrap_or(0);
    let top = (0..world.ny()).find(|&y| fill(y) > 0);
    top.map_or(0.0, |y| (world.ny() - 1 - y) as f64 + f64::from(fill(y)) / f64::from(FULL))
}

/// Returns the largest difference between the surface heights of the given columns (cells).
fn surface_height_range(world: &Blocks, columns: &[usize]) -> f64 {
    let surfaces = columns.iter().map(|&x| surface_height(world, x));
    let [low, high] = min_max(surfaces);
    high - low
}

const BELL: &str = include_str!("../boards/bell.txt");

fn params_with_air() -> Params {
    Params { trapped_air: true, ..Params::default() }
}

/// Measures how much water enters a diving bell in a lake. The lake is disturbed by a block of
/// water, three rows high, that is added on one side.
pub(super) fn measure_diving_bell(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut world = Blocks::from_text(BELL, params_with_air())?;
    world.edit(&Region::rect([1.0, 0.0], [7.0, 3.0]), Edit::Set(Cell::WATER))?;
    stepper.step_blocks(&mut world, 200)?;
    let lake: Vec<usize> = (1..14).collect();
    let (wet, level) =
        (world.volume_in(Liquid::Water, 6, 5, 3, 3), surface_height_range(&world, &lake));
    let wet = if level <= 1.0 && world.is_asleep() { wet as f64 } else { FROZEN };
    Ok(Row::at_most(name, "water in the bell (1/256 cell)", wet, 0.0).into())
}

const SIPHON: &str = include_str!("../boards/siphon.txt");

/// Measures whether two lakes of different levels reach the same level when a full pipe over a wall
/// connects them.
pub(super) fn measure_siphon(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut world = Blocks::from_text(SIPHON, params_with_air())?;
    stepper.step_blocks(&mut world, 500)?;
    let lakes = [1, 2, 3, 4, 5, 18, 19, 20, 21, 22, 23];
    let apart = if world.is_asleep() { surface_height_range(&world, &lakes) } else { FROZEN };
    Ok(Row::at_most(name, "level difference of the lakes at rest (cells)", apart, 1.0).into())
}

/// Creates a cup with a full siphon: a pipe from the bottom of the cup, over a bend above the cup's
/// surface, down to a mouth above a basin. Returns the cells, and then `[columns, bottom]`: the
/// width of the cup in columns, and the first row below the inside of the cup.
fn cup_with_siphon(rng: &mut Rng) -> (Field<Cell>, [usize; 2]) {
    let (cup, pipe) = (rng.integer_in(3, 12), rng.integer_in(1, 3));
    let (deep, leg) = (rng.integer_in(4, 16), rng.integer_in(2, 14));
    let (bend, bottom) = (2, 2 + pipe + deep);
    let mouth = bottom + leg;
    let inner = cup + 2..cup + 2 + pipe;
    let outer = inner.end + 1..inner.end + 1 + pipe;
    let (nx, ny) = (outer.end + 6, mouth + 4);
    let cells = Field::from_fn(nx, ny, |x, y| match (x, y) {
        (0, _) => Cell::Wall,
        (x, y) if x == nx - 1 || y == ny - 1 => Cell::Wall,
        (x, y) if x <= cup && y < bottom => {
            if y < bend + pipe {
                Cell::Air
            } else {
                Cell::WATER
            }
        }
        (x, y) if x == cup + 1 && y + 1 == bottom => Cell::WATER,
        (x, y) if inner.contains(&x) && (bend..bottom).contains(&y) => Cell::WATER,
        (x, y) if x == inner.end && (bend..bend + pipe).contains(&y) => Cell::WATER,
        (x, y) if outer.contains(&x) && (bend..mouth).contains(&y) => Cell::WATER,
        (x, y) if x <= outer.end && y < mouth => Cell::Wall,
        (x, y) if x < inner.end && y >= mouth => Cell::Wall,
        _ => Cell::Air,
    });
    (cells, [cup, bottom])
}

/// Measures the water that remains in a cup above the intake of a siphon. The siphon is initially
/// full and drains the cup.
pub(super) fn measure_cup_siphons(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut worst = 0.0_f64;
    for seed in 0..BOARDS {
        let (cells, [cup, bottom]) = cup_with_siphon(&mut Rng(scramble_bits(seed + 1)));
        let mut world = Blocks::new(&cells, params_with_air())?;
        let foot = (cells.ny() - 2) as f64;
        let region = Region::rect([1.0, foot], [(cells.nx() - 1) as f64, foot + 1.0]);
        world.add_drain(Drain { region, rate: FULL })?;
        stepper.step_blocks(&mut world, 1000)?;
        let above = world.volume_in(Liquid::Water, 1, 0, cup, bottom - 1);
        worst = worst.max(above as f64 / f64::from(FULL));
    }
    let metric = "full siphons: most that stays in a cup above the intake (cells)";
    Ok(Row::at_most(name, metric, worst, 0.0).into())
}
