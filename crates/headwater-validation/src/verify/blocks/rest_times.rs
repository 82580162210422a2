//! Times to rest of random worlds of ten kinds, relative to the rule by which only whole blocks
//! move.

use super::random_boards::{
    Rng, TICKS_TO_REST, caves, create_tank, shelves, sieves, towers, vessels,
};
use crate::noise::scramble_bits;
use crate::verify::{FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::Field;
use headwater::blocks::{Blocks, Cell, Params, Rule};

/// Number of random worlds of each kind.
const WORLDS: u64 = 10;

const KINDS: [fn(&mut Rng) -> Field<Cell>; 10] =
    [caves, vessels, shelves, sieves, towers, spirals, mazes, stairs, pipes, dams];

/// Compares two numbers of ticks until all water is at rest: under the default rule, and under the
/// rule by which only whole blocks move. Whole blocks stop at levels that are multiples of a cell,
/// so some kinds of world may take slightly longer under the default rule.
pub(super) fn measure_rest_times(name: &str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut ours, mut whole, mut worst) = (0, 0, 0.0_f64);
    for make in KINDS {
        let mut ticks = [0; 2];
        for seed in 0..WORLDS {
            let cells = make(&mut Rng(scramble_bits(seed + 1)));
            let whole = Params { rule: Rule::WholeBlocks, ..Params::default() };
            for (ticks, params) in ticks.iter_mut().zip([Params::default(), whole]) {
                let Some(last) = ticks_to_rest(&cells, params, stepper)? else {
                    return Ok(Row::at_most(name, METRIC, FROZEN, 1.0).into());
                };
                *ticks += last;
            }
        }
        (ours, whole) = (ours + ticks[0], whole + ticks[1]);
        worst = worst.max(ticks[0] as f64 / ticks[1] as f64);
    }
    let all = Row::at_most(name, METRIC, ours as f64 / whole as f64, 1.0);
    let metric = "same for the slowest of ten kinds of worlds";
    Ok(Outcome::from_rows([all, Row::at_most(name, metric, worst, 1.05)]))
}

const METRIC: &str = "ticks until all is at rest, relative to whole blocks";

/// Returns the number of the last tick in which a cell changes, or `None` if the world does not
/// come to rest.
fn ticks_to_rest(
    cells: &Field<Cell>,
    params: Params,
    stepper: &dyn Stepper,
) -> Result<Option<u64>> {
    let mut world = Blocks::new(cells, params)?;
    let (mut before, mut last) = (world.cells(), 0);
    for tick in 1..=TICKS_TO_REST {
        if world.is_asleep() {
            return Ok(Some(last));
        }
        stepper.step_blocks(&mut world, 1)?;
        if world.steps() < tick {
            break;
        }
        let after = world.cells();
        if after != before {
            (before, last) = (after, tick);
        }
    }
    Ok(None)
}

/// Square rooms in a grid, with walls of one cell in between.
struct Rooms {
    nx: usize,
    /// Side length of a room (cells).
    size: usize,
    cells: Field<Cell>,
}

impl Rooms {
    fn new([nx, ny]: [usize; 2], size: usize) -> Self {
        let cells = Field::new(nx * (size + 1) + 1, ny * (size + 1) + 1, Cell::Wall);
        Self { nx, size, cells }
    }

    /// Clears the rectangle that spans rooms `a` and `b`, which are in the same row or column of
    /// rooms. Rooms are numbered row by row.
    fn connect(&mut self, a: usize, b: usize) {
        let (a, b) = (a.min(b), a.max(b));
        let start = |room: usize| [room % self.nx, room / self.nx].map(|i| i * (self.size + 1) + 1);
        let ([left, top], [right, bottom]) = (start(a), start(b));
        for y in top..bottom + self.size {
            (left..right + self.size).for_each(|x| self.cells[(x, y)] = Cell::Air);
        }
    }

    /// Fills the air in the top `rows` rows of cells with water.
    fn flood(mut self, rows: usize) -> Field<Cell> {
        let nx = self.cells.nx();
        for (x, y) in (0..rows).flat_map(|y| (0..nx).map(move |x| (x, y))) {
            if self.cells[(x, y)] == Cell::Air {
                self.cells[(x, y)] = Cell::WATER;
            }
        }
        self.cells
    }
}

/// Creates a corridor that winds inward, with water at its outer end.
fn spirals(rng: &mut Rng) -> Field<Cell> {
    let (n, size) = (rng.integer_in(3, 9), rng.integer_in(1, 4));
    let mut rooms = Rooms::new([n, n], size);
    let mut seen = vec![false; n * n];
    let ([mut x, mut y], mut ahead) = ([0_usize, 0_usize], [0_isize, 1_isize]);
    seen[0] = true;
    loop {
        let next = |ahead: [isize; 2]| {
            let [x, y] = [x.checked_add_signed(ahead[0])?, y.checked_add_signed(ahead[1])?];
            (x < n && y < n && !seen[y * n + x]).then_some([x, y])
        };
        let turned = [ahead[1], -ahead[0]];
        let Some(to) = next(ahead).or_else(|| next(turned)) else { break };
        ahead = if next(ahead).is_some() { ahead } else { turned };
        rooms.connect(y * n + x, to[1] * n + to[0]);
        [x, y] = to;
        seen[y * n + x] = true;
    }
    rooms.flood(rng.integer_in(1, n - 1) * (size + 1))
}

/// Creates a maze without loops, with water in its upper rooms.
fn mazes(rng: &mut Rng) -> Field<Cell> {
    let (nx, ny, size) = (rng.integer_in(5, 20), rng.integer_in(5, 16), rng.integer_in(1, 2));
    let mut rooms = Rooms::new([nx, ny], size);
    let (mut seen, mut path) = (vec![false; nx * ny], vec![0]);
    seen[0] = true;
    while let Some(&room) = path.last() {
        let (x, y) = (room % nx, room / nx);
        let beside = [
            (x > 0).then(|| room - 1),
            (x + 1 < nx).then_some(room + 1),
            (y > 0).then(|| room - nx),
            (y + 1 < ny).then_some(room + nx),
        ];
        let next: Vec<_> = beside.into_iter().flatten().filter(|&room| !seen[room]).collect();
        if next.is_empty() {
            path.pop();
            continue;
        }
        let to = next[rng.integer_in(0, next.len() - 1)];
        rooms.connect(room, to);
        seen[to] = true;
        path.push(to);
    }
    rooms.flood(rng.integer_in(1, ny / 2) * (size + 1))
}

/// Creates a lake above a flight of steps.
fn stairs(rng: &mut Rng) -> Field<Cell> {
    let (steps, wide, high) = (rng.integer_in(3, 8), rng.integer_in(1, 8), rng.integer_in(1, 6));
    let (lake, depth) = (rng.integer_in(3, 20), rng.integer_in(1, 6));
    let mut cells = create_tank(lake + steps * wide + 8, depth + steps * high + 6, 0);
    for x in 1..cells.nx() - 1 {
        let step = if x <= lake { 0 } else { (x - lake - 1) / wide + 1 };
        let top = depth + 2 + step * high;
        (top..cells.ny()).for_each(|y| cells[(x, y)] = Cell::Wall);
        if x <= lake {
            (top - depth..top).for_each(|y| cells[(x, y)] = Cell::WATER);
        }
    }
    cells
}

/// Creates a pipe that winds up and down, with water in its first arm.
fn pipes(rng: &mut Rng) -> Field<Cell> {
    let (arms, high, wide) = (rng.integer_in(2, 7), rng.integer_in(8, 40), rng.integer_in(1, 4));
    let mut cells = create_tank(arms * (wide + 1) + 1, high + 1, 0);
    for arm in 1..arms {
        let bend = wide.min(high / 3);
        let opening = if arm % 2 == 1 { high - bend } else { rng.integer_in(high / 4, high / 2) };
        let walls = (0..high).filter(|y| !(opening..opening + bend).contains(y));
        walls.for_each(|y| cells[(arm * (wide + 1), y)] = Cell::Wall);
    }
    for y in 0..high {
        (1..=wide).for_each(|x| cells[(x, y)] = Cell::WATER);
    }
    cells
}

/// Creates a lake behind a dam with a hole at its foot.
fn dams(rng: &mut Rng) -> Field<Cell> {
    let (high, lake, floor) = (rng.integer_in(3, 20), rng.integer_in(3, 30), rng.integer_in(5, 60));
    let hole = rng.integer_in(1, high);
    let mut cells = create_tank(lake + floor + 3, high + 3, 0);
    (0..high + 2 - hole).for_each(|y| cells[(lake + 1, y)] = Cell::Wall);
    for y in 2..high + 2 {
        (1..=lake).for_each(|x| cells[(x, y)] = Cell::WATER);
    }
    cells
}
