//! What runs out of a lake: into a drain beside it, through a hole at the foot of a dam, and past a drain over an edge. Boards made
//! from seeds, half of them mirrored.

use super::seeds::{BOARDS, Dice};
use super::vessels::surface;
use crate::noise::scrambled;
use crate::verify::{Case, FROZEN, Motion, Outcome, Row};
use anyhow::Result;
use headwater::blocks::{Blocks, Cell, Drain, FULL, Liquid, Params};
use headwater::{Field, Region};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case::new("blocks/seeds-drains", drains),
        Case::new("blocks/seeds-dams", dams),
        Case::new("blocks/seeds-holes", holes),
        Case::new("blocks/seeds-edges", edges),
    ]
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
        drain_row(&mut world, [wide + away + 1, wide + away + drain].map(flip))?;
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
        drain_row(&mut world, [dam + floor + 1, nx - 2].map(flip))?;
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

/// Lakes behind dams with a hole at the foot, over a pit. As long as the lake stands two cells over the hole, at least half a cell and at
/// most four run out in a tick for each cell that the hole is high.
fn holes(motion: &dyn Motion) -> Result<Outcome> {
    let (mut least, mut most) = (f64::MAX, 0.0_f64);
    for seed in 0..BOARDS {
        let mut dice = Dice(scrambled(seed + 1));
        let hole = dice.from(1, 10);
        let lake =
            Lake { high: hole + dice.from(4, 24), wide: dice.from(40, 160), flip: seed % 2 == 1 };
        let mut world = lake.over_a_pit(hole, dice.from(8, 40))?;
        // The fall begins.
        motion.ticks(&mut world, hole as u64)?;
        let (before, mut ticks) = (lake.holds(&world), 0);
        while ticks < 30 && lake.level(&world) > (hole + 2) as f64 {
            motion.ticks(&mut world, 1)?;
            ticks += 1;
        }
        if ticks >= 10 {
            let out = (before - lake.holds(&world)) / (ticks * hole) as f64;
            (least, most) = (least.min(out), most.max(out));
        }
    }
    let name = "blocks/seeds-holes";
    let metric = "holes over a pit: least that runs out for each cell of height (cells a tick)";
    let low = Row::at_least(name, metric, least, 0.5);
    let metric = "holes over a pit: most that runs out for each cell of height (cells a tick)";
    Ok(Outcome::of([low, Row::at_most(name, metric, most, 4.0)]))
}

/// The same, and shores without a dam, with a drain in the last cell before the pit that takes all that the cell can hold: the lake
/// loses more than that.
fn edges(motion: &dyn Motion) -> Result<Outcome> {
    let mut least = f64::MAX;
    for seed in 0..BOARDS {
        let mut dice = Dice(scrambled(seed + 1));
        let high = dice.from(3, 24);
        let hole = if dice.from(0, 1) == 0 { high + 2 } else { dice.from(1, 4.min(high)) };
        let lake = Lake { high, wide: dice.from(60, 160), flip: seed % 2 == 1 };
        let mut world = lake.over_a_pit(hole, dice.from(8, 40))?;
        let (x, y) = (lake.column(lake.wide + 1) as f64, (lake.foot() - 1) as f64);
        world.add_drain(Drain { region: Region::rect([x, y], [x + 1.0, y + 1.0]), rate: FULL })?;
        let before = lake.holds(&world);
        motion.ticks(&mut world, 40)?;
        least = least.min((before - lake.holds(&world)) / 40.0);
    }
    let metric =
        "a drain that takes a cell a tick before a fall: least that the lake loses (cells a tick)";
    Ok(Row::at_least("blocks/seeds-edges", metric, least, 1.25).into())
}

/// A lake behind a dam, from the wall on, and how it is turned.
struct Lake {
    high: usize,
    wide: usize,
    flip: bool,
}

impl Lake {
    /// Columns of the pit.
    const PIT: usize = 32;

    fn nx(&self) -> usize {
        self.wide + Self::PIT + 3
    }

    /// The row of the ground below the lake.
    fn foot(&self) -> usize {
        self.high + 2
    }

    fn column(&self, x: usize) -> usize {
        if self.flip { self.nx() - 1 - x } else { x }
    }

    /// A world in which the dam has a hole so high at its foot, with a pit so deep beyond it, whose floor is drained.
    fn over_a_pit(&self, hole: usize, deep: usize) -> Result<Blocks> {
        let (nx, ny, foot) = (self.nx(), self.foot() + deep + 2, self.foot());
        let cells = Field::from_fn(nx, ny, |x, y| match (self.column(x), y) {
            (0, _) => Cell::Wall,
            (x, y) if x == nx - 1 || y == ny - 1 => Cell::Wall,
            (x, y) if x <= self.wide + 1 && y >= foot => Cell::Wall,
            (x, y) if x == self.wide + 1 && y + hole < foot => Cell::Wall,
            (x, y) if x <= self.wide && y >= foot - self.high => Cell::WATER,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default())?;
        drain_row(&mut world, [self.wide + 2, nx - 2].map(|x| self.column(x)))?;
        Ok(world)
    }

    /// What is in it (cells).
    fn holds(&self, world: &Blocks) -> f64 {
        let from = self.column(1).min(self.column(self.wide));
        let volume = world.volume_in(Liquid::Water, from, 0, self.wide, self.foot());
        volume as f64 / f64::from(FULL)
    }

    /// How high it stands at the far end (cells).
    fn level(&self, world: &Blocks) -> f64 {
        surface(world, self.column(1)) - (world.ny() - 1 - self.foot()) as f64 - 1.0
    }
}

/// Adds a drain over the bottom of a world, from one column to another, that takes all it can.
fn drain_row(world: &mut Blocks, [one, other]: [usize; 2]) -> Result<()> {
    let row = (world.ny() - 2) as f64;
    let (from, to) = (one.min(other) as f64, one.max(other) as f64);
    let region = Region::rect([from, row], [to + 1.0, row + 1.0]);
    world.add_drain(Drain { region, rate: FULL })?;
    Ok(())
}
