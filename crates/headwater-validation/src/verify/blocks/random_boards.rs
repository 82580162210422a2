//! Random small block worlds: 100 of each of five kinds (caves, vessels, shelves, sieves and
//! towers). In every world each body of water must reach a single level. This must take no more
//! ticks than under the rule by which only whole blocks move.

use super::rest::run_to_rest;
use super::surfaces::level_difference;
use crate::noise::scramble_bits;
use crate::verify::{Case, FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Params, Rule};

/// Number of random worlds of each kind.
pub(super) const BOARDS: u64 = 100;
/// Maximum number of ticks in which a random world must come to rest.
pub(super) const TICKS_TO_REST: u64 = 20_000;

/// Kind of random world, with its name and generator.
struct WorldKind {
    name: &'static str,
    make: fn(&mut Rng) -> Field<Cell>,
}

const KINDS: [WorldKind; 5] = [
    WorldKind { name: "blocks/seeds-caves", make: caves },
    WorldKind { name: "blocks/seeds-vessels", make: vessels },
    WorldKind { name: "blocks/seeds-shelves", make: shelves },
    WorldKind { name: "blocks/seeds-sieves", make: sieves },
    WorldKind { name: "blocks/seeds-towers", make: towers },
];

pub(super) fn cases() -> Vec<Case> {
    let case = |kind: &'static WorldKind| Case::new(kind.name, |stepper| kind.measure(stepper));
    KINDS.iter().map(case).collect()
}

impl WorldKind {
    fn measure(&self, stepper: &dyn Stepper) -> Result<Outcome> {
        let (mut step, mut max_ticks) = (0.0_f64, 0.0_f64);
        for seed in 0..BOARDS {
            let cells = (self.make)(&mut Rng(scramble_bits(seed + 1)));
            let mut world = Blocks::new(&cells, Params::default())?;
            let ticks = relative_settling_time(&cells, stepper)?;
            run_to_rest(&mut world, TICKS_TO_REST, stepper)?;
            step = step.max(if world.is_asleep() { level_difference(&world) } else { FROZEN });
            max_ticks = max_ticks.max(ticks);
            // A failure on one board makes further boards unnecessary.
            if step.max(max_ticks) >= FROZEN {
                break;
            }
        }
        let level = Row::at_most(
            self.name,
            "maximum level difference within a body (1/256 cell)",
            step,
            3.0,
        );
        let metric = "maximum number of ticks relative to whole blocks";
        Ok(Outcome::from_rows([level, Row::at_most(self.name, metric, max_ticks, 1.0)]))
    }
}

/// Returns the settling time of a world under the default rule, divided by the time to rest under
/// the rule by which only whole blocks move. The world counts as settled if one of two conditions
/// holds: its potential energy is at most the final energy under the other rule, or 99 % of the
/// total decrease of its potential energy is complete. The second condition is needed because the
/// water may come to rest in different basins under the two rules.
fn relative_settling_time(cells: &Field<Cell>, stepper: &dyn Stepper) -> Result<f64> {
    let fall = |params: Params| -> Result<Vec<f64>> {
        let mut world = Blocks::new(cells, params)?;
        let mut energies = vec![energy(&world)];
        while !world.is_asleep() && energies.len() <= TICKS_TO_REST as usize {
            stepper.step_blocks(&mut world, 1)?;
            energies.push(energy(&world));
        }
        Ok(energies)
    };
    // With this rule, as in the original article, blocks stay on ledges and come to rest earlier.
    let whole = Params { rule: Rule::WholeBlocks, spill: false, ..Params::default() };
    let (ours, whole) = (fall(Params::default())?, fall(whole)?);
    let (first, last) = (ours[0], ours[ours.len() - 1]);
    let low = whole[whole.len() - 1].max(last + 0.01 * (first - last)) + 1e-9;
    let ticks = ours.iter().position(|energy| *energy <= low).unwrap_or(ours.len());
    if whole.len() > TICKS_TO_REST as usize {
        return Ok(FROZEN);
    }
    Ok(if ticks == 0 { 0.0 } else { ticks as f64 / (whole.len() - 1).max(1) as f64 })
}

/// Returns the potential energy of the water, as the sum of height times volume (cells²).
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

/// Seeded pseudo-random number generator.
pub(super) struct Rng(pub(super) u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        scramble_bits(self.0) >> 11
    }

    /// Returns a pseudo-random integer from `low` to `high`, both included.
    pub(super) fn integer_in(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }
}

/// Creates an open box of `nx × ny` cells whose upper `depth` rows contain water.
pub(super) fn create_tank(nx: usize, ny: usize, depth: usize) -> Field<Cell> {
    Field::from_fn(nx, ny, |x, y| match y {
        _ if x == 0 || x == nx - 1 || y == ny - 1 => Cell::Wall,
        y if y < depth => Cell::WATER,
        _ => Cell::Air,
    })
}

pub(super) fn caves(rng: &mut Rng) -> Field<Cell> {
    caves_within(rng, [90, 60])
}

/// Creates random caves with at most `nx` columns and `ny` rows.
pub(super) fn caves_within(rng: &mut Rng, [nx, ny]: [usize; 2]) -> Field<Cell> {
    let (nx, ny) = (rng.integer_in(12, nx), rng.integer_in(12, ny));
    let (rock, pond) = (rng.integer_in(1, 5), rng.integer_in(3, 9));
    let (walls, wet) = (rng.integer_in(25, 45) as u64, rng.integer_in(30, 60) as u64);
    let seed = rng.next();
    let noise = |x: usize, y: usize, salt: u64| {
        (scramble_bits(seed ^ salt ^ (x as u64) << 32 ^ (y as u64) << 8) >> 11) % 100
    };
    let mut cells = create_tank(nx, ny, 0);
    for (x, y) in (0..ny - 1).flat_map(|y| (1..nx - 1).map(move |x| (x, y))) {
        if noise(x / rock, y / rock, 1) < walls {
            cells[(x, y)] = Cell::Wall;
        } else if noise(x / pond, y / pond, 2) < wet {
            cells[(x, y)] = Cell::WATER;
        }
    }
    cells
}

pub(super) fn vessels(rng: &mut Rng) -> Field<Cell> {
    let (height, pipe, count) =
        (rng.integer_in(10, 60), rng.integer_in(1, 4), rng.integer_in(2, 5));
    let full = rng.integer_in(0, count - 1);
    let mut columns = Vec::new();
    for arm in 0..count {
        columns.extend(vec![Some(arm); rng.integer_in(1, 12)]);
        columns.extend(vec![None; rng.integer_in(1, 4)]);
    }
    while columns.last() == Some(&None) {
        columns.pop();
    }
    let mut cells = create_tank(columns.len() + 2, height + pipe + 1, 0);
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

pub(super) fn shelves(rng: &mut Rng) -> Field<Cell> {
    let (nx, ny, depth) = (rng.integer_in(12, 50), rng.integer_in(16, 60), rng.integer_in(2, 8));
    let mut cells = create_tank(nx, ny, depth);
    let (mut y, mut left) = (depth, true);
    while y < ny - 3 {
        let gap = rng.integer_in(1, 3);
        for x in 1..nx - 1 {
            if if left { x < nx - 1 - gap } else { x > gap } {
                cells[(x, y)] = Cell::Wall;
            }
        }
        (y, left) = (y + rng.integer_in(2, 6), !left);
    }
    cells
}

pub(super) fn sieves(rng: &mut Rng) -> Field<Cell> {
    let (nx, ny) = (rng.integer_in(8, 50), rng.integer_in(16, 70));
    let depth = rng.integer_in(3, 20.min(ny / 2));
    let mut cells = create_tank(nx, ny, depth);
    let mut y = depth;
    while y < ny - 3 {
        (1..nx - 1).for_each(|x| cells[(x, y)] = Cell::Wall);
        (0..rng.integer_in(1, 4)).for_each(|_| cells[(rng.integer_in(1, nx - 2), y)] = Cell::Air);
        y += rng.integer_in(2, 8);
    }
    cells
}

pub(super) fn towers(rng: &mut Rng) -> Field<Cell> {
    let (nx, ny) = (rng.integer_in(10, 90), rng.integer_in(10, 60));
    let mut cells = create_tank(nx, ny, 0);
    for _ in 0..rng.integer_in(1, 5) {
        let (left, wide, high) =
            (rng.integer_in(1, nx - 2), rng.integer_in(1, 6), rng.integer_in(3, ny - 2));
        let lift = if rng.integer_in(0, 2) == 0 { rng.integer_in(0, ny - 1 - high) } else { 0 };
        for x in left..(left + wide).min(nx - 1) {
            (ny - 1 - high - lift..ny - 1 - lift).for_each(|y| cells[(x, y)] = Cell::WATER);
        }
    }
    cells
}
