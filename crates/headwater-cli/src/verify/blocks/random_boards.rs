//! Boards made from seeds: caves, vessels, shelves, sieves and towers, a hundred of each. On every board a body comes to one
//! level, and no later than under the rule of whole blocks.

use super::rest::run_to_rest;
use super::surfaces::unlevel;
use crate::noise::scrambled;
use crate::verify::{Case, FROZEN, Motion, Outcome, Row};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Params, Rule};

/// Boards of each kind.
pub(super) const BOARDS: u64 = 100;
/// Ticks in which every board must have come to rest.
pub(super) const SETTLED: u64 = 20_000;

/// A kind of board.
struct Kind {
    name: &'static str,
    make: fn(&mut Dice) -> Field<Cell>,
}

const KINDS: [Kind; 5] = [
    Kind { name: "blocks/seeds-caves", make: caves },
    Kind { name: "blocks/seeds-vessels", make: vessels },
    Kind { name: "blocks/seeds-shelves", make: shelves },
    Kind { name: "blocks/seeds-sieves", make: sieves },
    Kind { name: "blocks/seeds-towers", make: towers },
];

pub(super) fn cases() -> Vec<Case> {
    let case = |kind: &'static Kind| Case::new(kind.name, |motion| kind.measure(motion));
    KINDS.iter().map(case).collect()
}

impl Kind {
    fn measure(&self, motion: &dyn Motion) -> Result<Outcome> {
        let (mut step, mut most) = (0.0_f64, 0.0_f64);
        for seed in 0..BOARDS {
            let cells = (self.make)(&mut Dice(scrambled(seed + 1)));
            let mut world = Blocks::new(&cells, Params::default())?;
            let ticks = ticks_over_whole_blocks(&cells, motion)?;
            run_to_rest(&mut world, SETTLED, motion)?;
            step = step.max(if world.is_asleep() { unlevel(&world) } else { FROZEN });
            most = most.max(ticks);
            // What never comes to rest on one board need not be waited for on all others.
            if step.max(most) >= FROZEN {
                break;
            }
        }
        let level =
            Row::at_most(self.name, "most that a body's surfaces differ (1/256 cell)", step, 3.0);
        let metric = "most ticks, over those of whole blocks";
        Ok(Outcome::of([level, Row::at_most(self.name, metric, most, 1.0)]))
    }
}

/// Ticks until the water is no higher than where whole blocks come to rest, or all but a hundredth of the way to where it
/// rests itself (the two rules may lead it into other basins); over the ticks that whole blocks take.
fn ticks_over_whole_blocks(cells: &Field<Cell>, motion: &dyn Motion) -> Result<f64> {
    let fall = |params: Params| -> Result<Vec<f64>> {
        let mut world = Blocks::new(cells, params)?;
        let mut energies = vec![energy(&world)];
        while !world.is_asleep() && energies.len() <= SETTLED as usize {
            motion.ticks(&mut world, 1)?;
            energies.push(energy(&world));
        }
        Ok(energies)
    };
    // As in the article: a block on a ledge stays there, and is done all the sooner.
    let whole = Params { rule: Rule::WholeBlocks, spill: false, ..Params::default() };
    let (ours, whole) = (fall(Params::default())?, fall(whole)?);
    let (first, last) = (ours[0], ours[ours.len() - 1]);
    let low = whole[whole.len() - 1].max(last + 0.01 * (first - last)) + 1e-9;
    let ticks = ours.iter().position(|energy| *energy <= low).unwrap_or(ours.len());
    if whole.len() > SETTLED as usize {
        return Ok(FROZEN);
    }
    Ok(if ticks == 0 { 0.0 } else { ticks as f64 / (whole.len() - 1).max(1) as f64 })
}

/// The water's height times its amount (cells²).
fn energy(world: &Blocks) -> f64 {
    let mut sum = 0.0;
    for y in 0..world.ny() {
        let floor = (world.ny() - 1 - y) as f64;
        for fill in (0..world.nx()).filter_map(|x| world.fill_at(x, y)) {
            let fill = f64::from(fill) / f64::from(FULL);
            sum += fill * (floor + fill / 2.0);
        }
    }
    sum
}

/// Numbers that look random.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        scrambled(self.0) >> 11
    }

    /// From `low` to `high`.
    pub(super) fn from(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }
}

/// A box that is open above, so large, with walls where `wall` says and water in its upper rows.
fn tank(nx: usize, ny: usize, depth: usize) -> Field<Cell> {
    Field::from_fn(nx, ny, |x, y| match y {
        _ if x == 0 || x == nx - 1 || y == ny - 1 => Cell::Wall,
        y if y < depth => Cell::WATER,
        _ => Cell::Air,
    })
}

pub(super) fn caves(dice: &mut Dice) -> Field<Cell> {
    caves_within(dice, [90, 60])
}

/// Caves of so many columns and rows at most.
pub(super) fn caves_within(dice: &mut Dice, [nx, ny]: [usize; 2]) -> Field<Cell> {
    let (nx, ny) = (dice.from(12, nx), dice.from(12, ny));
    let (rock, pond) = (dice.from(1, 5), dice.from(3, 9));
    let (walls, wet) = (dice.from(25, 45) as u64, dice.from(30, 60) as u64);
    let seed = dice.next();
    let noise = |x: usize, y: usize, salt: u64| {
        (scrambled(seed ^ salt ^ (x as u64) << 32 ^ (y as u64) << 8) >> 11) % 100
    };
    let mut cells = tank(nx, ny, 0);
    for (x, y) in (0..ny - 1).flat_map(|y| (1..nx - 1).map(move |x| (x, y))) {
        if noise(x / rock, y / rock, 1) < walls {
            cells[(x, y)] = Cell::Wall;
        } else if noise(x / pond, y / pond, 2) < wet {
            cells[(x, y)] = Cell::WATER;
        }
    }
    cells
}

fn vessels(dice: &mut Dice) -> Field<Cell> {
    let (height, pipe, count) = (dice.from(10, 60), dice.from(1, 4), dice.from(2, 5));
    let full = dice.from(0, count - 1);
    let mut columns = Vec::new();
    for arm in 0..count {
        columns.extend(vec![Some(arm); dice.from(1, 12)]);
        columns.extend(vec![None; dice.from(1, 4)]);
    }
    while columns.last() == Some(&None) {
        columns.pop();
    }
    let mut cells = tank(columns.len() + 2, height + pipe + 1, 0);
    for (i, arm) in columns.iter().enumerate() {
        for y in 0..height + pipe {
            cells[(i + 1, y)] = match arm {
                _ if y >= height => Cell::WATER,
                Some(arm) if *arm == full => Cell::WATER,
                Some(_) => Cell::Air,
                None => Cell::Wall,
            };
        }
    }
    cells
}

fn shelves(dice: &mut Dice) -> Field<Cell> {
    let (nx, ny, depth) = (dice.from(12, 50), dice.from(16, 60), dice.from(2, 8));
    let mut cells = tank(nx, ny, depth);
    let (mut y, mut left) = (depth, true);
    while y < ny - 3 {
        let gap = dice.from(1, 3);
        for x in 1..nx - 1 {
            if if left { x < nx - 1 - gap } else { x > gap } {
                cells[(x, y)] = Cell::Wall;
            }
        }
        (y, left) = (y + dice.from(2, 6), !left);
    }
    cells
}

fn sieves(dice: &mut Dice) -> Field<Cell> {
    let (nx, ny) = (dice.from(8, 50), dice.from(16, 70));
    let depth = dice.from(3, 20.min(ny / 2));
    let mut cells = tank(nx, ny, depth);
    let mut y = depth;
    while y < ny - 3 {
        (1..nx - 1).for_each(|x| cells[(x, y)] = Cell::Wall);
        (0..dice.from(1, 4)).for_each(|_| cells[(dice.from(1, nx - 2), y)] = Cell::Air);
        y += dice.from(2, 8);
    }
    cells
}

fn towers(dice: &mut Dice) -> Field<Cell> {
    let (nx, ny) = (dice.from(10, 90), dice.from(10, 60));
    let mut cells = tank(nx, ny, 0);
    for _ in 0..dice.from(1, 5) {
        let (left, wide, high) = (dice.from(1, nx - 2), dice.from(1, 6), dice.from(3, ny - 2));
        let lift = if dice.from(0, 2) == 0 { dice.from(0, ny - 1 - high) } else { 0 };
        for x in left..(left + wide).min(nx - 1) {
            (ny - 1 - high - lift..ny - 1 - lift).for_each(|y| cells[(x, y)] = Cell::WATER);
        }
    }
    cells
}
