//! An unbounded world of blocks or columns. One player walks 10,000 cells to the east and digs
//! shafts, while another player stays at the start. Chunks near the players are created or loaded,
//! and distant chunks are unloaded to bytes. At the end, the first player jumps back part of the
//! way. The program checks that the ledgers balance over all chunks, and that memory use depends
//! only on the loaded chunks.
//!
//! `cargo run --release -p headwater --example open_world -- blocks` (or
//! `columns`; a number of cells may follow)

use headwater::open::{Border, CHUNK, ChunkPos, OpenModel, OpenWorld};
use headwater::{Field, InputError, Region, blocks, columns};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

/// Largest memory use that the program accepts (MB).
const MAX_MEMORY_MB: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let cells = std::env::args().nth(2).map_or(Ok(10_000), |cells| cells.parse())?;
    match std::env::args().nth(1).as_deref() {
        Some("blocks") => walk::<Blocks>(cells),
        Some("columns") => walk::<Columns>(cells),
        _ => Err("missing argument: `blocks` or `columns`".into()),
    }
}

/// Landscape of an open world for one model: hills with lakes between them, and caves with ponds.
trait Landscape {
    type Model: OpenModel;

    /// Range of the chunk rows that the world occupies.
    const CHUNK_ROWS: std::ops::Range<i32>;
    /// Number of chunk columns that are loaded on each side of a player.
    const LOAD_RADIUS: i32;
    /// Distance from all players (chunk columns) beyond which chunks are unloaded.
    const UNLOAD_RADIUS: i32;
    /// Horizontal distance between adjacent shafts that the player digs (cells).
    const SHAFT_SPACING: i64;

    /// Creates a world with springs and without chunks.
    fn create_world() -> Result<OpenWorld<Self::Model>, InputError>;
    /// Creates the content of a new chunk and inserts the chunk into the world.
    fn insert_chunk(world: &mut OpenWorld<Self::Model>, chunk: ChunkPos) -> Result<(), InputError>;
    /// Digs a shaft in column `x` from the ground down into the caves.
    fn dig_shaft(world: &mut OpenWorld<Self::Model>, x: i64) -> Result<(), InputError>;
    /// Prints the balances of all substances, and returns whether all residuals are 0.
    fn report(world: &OpenWorld<Self::Model>) -> bool;
}

struct Blocks;

impl Landscape for Blocks {
    type Model = blocks::open::ConnectedBlocks;

    const CHUNK_ROWS: std::ops::Range<i32> = -3..5;
    const LOAD_RADIUS: i32 = 5;
    const UNLOAD_RADIUS: i32 = 7;
    const SHAFT_SPACING: i64 = 50;

    /// Creates a world with a spring at the start, and springs that act as rain on a thousand cells
    /// of hills.
    fn create_world() -> Result<blocks::open::OpenWorld, InputError> {
        let mut world = blocks::open::OpenWorld::new(blocks::Params::default())?;
        let liquid = blocks::Liquid::Water;
        let top = ground_row(0) as f64;
        let well = Region::rect([-2.0, top - 9.0], [2.0, top - 8.0]);
        world.add_spring(blocks::Spring { region: well, liquid, rate: 20 })?;
        let rain = Region::rect([200.0, -100.0], [1200.0, -99.0]);
        world.add_spring(blocks::Spring { region: rain, liquid, rate: 1 })?;
        Ok(world)
    }

    fn insert_chunk(
        world: &mut blocks::open::OpenWorld,
        chunk: ChunkPos,
    ) -> Result<(), InputError> {
        use blocks::{Cell, FULL, Liquid};
        let [left, top] = chunk.origin();
        let grounds: Vec<i64> = (0..CHUNK as i64).map(|x| ground_row(left + x)).collect();
        let cells = Field::from_fn(CHUNK, CHUNK, |column, row| {
            let (x, y) = (left + column as i64, top + row as i64);
            let depth = y - grounds[column];
            let cave = smooth_noise(x, y, 24, 1) + smooth_noise(x, y, 9, 2) / 2 > 870 && depth > 4;
            match () {
                // The ground is wet where it is lower than the sea.
                () if depth < 0 && y < 12 => Cell::Air,
                () if depth < 0 => Cell::WATER,
                () if !cave => Cell::Wall,
                () if y > 220 && y % 32 > 20 => Cell::Liquid(Liquid::Lava, FULL),
                () if smooth_noise(x, y, 60, 3) > 560 => Cell::WATER,
                () => Cell::Air,
            }
        });
        world.insert(chunk, &cells)
    }

    fn dig_shaft(world: &mut blocks::open::OpenWorld, x: i64) -> Result<(), InputError> {
        let (x, top) = (x as f64, ground_row(x) as f64);
        world.edit(&Region::rect([x, top], [x + 2.0, top + 90.0]), blocks::Edit::Dig)
    }

    fn report(world: &blocks::open::OpenWorld) -> bool {
        [blocks::Liquid::Water, blocks::Liquid::Lava].into_iter().all(|liquid| {
            let balance = world.balance(liquid);
            let [loaded, unloaded, in_transit] =
                [balance.loaded_volume, balance.unloaded_volume, balance.transit_volume]
                    .map(|amount| amount as f64 / f64::from(blocks::FULL));
            let (name, residual) = (liquid.name(), balance.residual);
            println!(
                "{name}: {loaded:.1} cells loaded, {unloaded:.1} unloaded, {in_transit:.1} in transit; residual {residual}/256"
            );
            residual == 0
        })
    }
}

struct Columns;

/// Size of a cell in the columns model (m).
const CELL: f64 = 0.5;

/// Returns the row in which the ground begins in a column. Groups of four adjacent columns have the
/// same row, so the ground forms terraces.
fn terrace_row(x: i64) -> i64 {
    ground_row(x.div_euclid(4) * 4)
}

impl Landscape for Columns {
    type Model = columns::open::ConnectedColumns;

    const CHUNK_ROWS: std::ops::Range<i32> = -2..2;
    const LOAD_RADIUS: i32 = 4;
    const UNLOAD_RADIUS: i32 = 5;
    const SHAFT_SPACING: i64 = 100;

    /// Creates a world with a spring at the start.
    fn create_world() -> Result<columns::open::OpenWorld, InputError> {
        let params = columns::Params { damping: 0.3, ..columns::Params::default() };
        let mut world = columns::open::OpenWorld::new(CELL, params)?;
        let top = terrace_row(0) as f64;
        let well = Region::rect([-2.0 * CELL, (top - 4.0) * CELL], [2.0 * CELL, top * CELL]);
        world.add_spring(columns::Source::new(well, 0.2))?;
        Ok(world)
    }

    fn insert_chunk(
        world: &mut columns::open::OpenWorld,
        chunk: ChunkPos,
    ) -> Result<(), InputError> {
        let [left, top] = chunk.origin();
        let grounds: Vec<i64> = (0..CHUNK as i64).map(|x| terrace_row(left + x)).collect();
        // The model favours axis-aligned walls, so all noise is sampled in blocks.
        let at = |column: usize, row: usize| {
            let (x, y) = (left + column as i64, top + row as i64);
            let depth = y - grounds[column];
            let [i, j] = [x.div_euclid(8) * 8, y.div_euclid(6) * 6];
            let cave = smooth_noise(i, j, 40, 1) > 620 && depth > 6;
            match () {
                () if depth < 0 => (false, y >= 12),
                () if !cave => (true, false),
                () => (false, smooth_noise(i, j, 90, 3) > 560 && y.rem_euclid(6) > 2),
            }
        };
        let walls = Field::from_fn(CHUNK, CHUNK, |x, y| at(x, y).0);
        let fill = Field::from_fn(CHUNK, CHUNK, |x, y| f64::from(u8::from(at(x, y).1)));
        world.insert(chunk, &walls, &fill)
    }

    fn dig_shaft(world: &mut columns::open::OpenWorld, x: i64) -> Result<(), InputError> {
        let top = terrace_row(x);
        let [x, top, bottom] = [x, top, top + 60].map(|at| at as f64 * CELL);
        world.set_walls(&Region::rect([x, top], [x + 2.0 * CELL, bottom]), false).map(drop)
    }

    fn report(world: &columns::open::OpenWorld) -> bool {
        let balance = world.balance();
        println!(
            "{:.1} m³ loaded, {:.1} unloaded, {:.1} in transit; residual {} m³",
            balance.loaded_volume,
            balance.unloaded_volume,
            balance.transit_volume,
            balance.residual
        );
        balance.residual == 0.0
    }
}

/// Statistics of measured durations: number, sum and maximum.
#[derive(Default)]
struct DurationStatistics {
    count: u32,
    all: Duration,
    longest: Duration,
}

impl DurationStatistics {
    fn add(&mut self, since: Instant) {
        let time = since.elapsed();
        self.count += 1;
        self.all += time;
        self.longest = self.longest.max(time);
    }
}

impl std::fmt::Display for DurationStatistics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mean = self.all.as_secs_f64() / f64::from(self.count.max(1));
        write!(f, "{:.3} ms ({:.2} at most)", 1e3 * mean, 1e3 * self.longest.as_secs_f64())
    }
}

struct Game<L: Landscape> {
    world: OpenWorld<L::Model>,
    /// Bytes of the unloaded chunks. A game would store these bytes in a file.
    unloaded: BTreeMap<ChunkPos, Vec<u8>>,
    steps: DurationStatistics,
    loads: DurationStatistics,
    unloads: DurationStatistics,
}

fn walk<L: Landscape>(cells: i64) -> Result<(), Box<dyn Error>> {
    let mut world = L::create_world()?;
    world.set_border(Border::Pass);
    let [steps, loads, unloads] = Default::default();
    let mut game = Game::<L> { world, unloaded: BTreeMap::new(), steps, loads, unloads };
    let start = 0;
    for x in 0..cells {
        game.load_around(&[start, x])?;
        if x % L::SHAFT_SPACING == 25 {
            L::dig_shaft(&mut game.world, x)?;
        }
        game.step();
    }
    game.load_around(&[start, cells / 4])?;
    (0..100).for_each(|_| game.step());
    game.report(cells)
}

impl<L: Landscape> Game<L> {
    /// Loads the chunks near any player, and unloads the chunks far from all players.
    fn load_around(&mut self, players: &[i64]) -> Result<(), InputError> {
        let columns: Vec<i32> = players.iter().map(|x| (x / CHUNK as i64) as i32).collect();
        let is_far =
            |chunk: &ChunkPos| columns.iter().all(|x| (chunk.x - x).abs() > L::UNLOAD_RADIUS);
        let far: Vec<_> = self.world.loaded_chunks().filter(is_far).collect();
        for chunk in far {
            let start = Instant::now();
            self.unloaded.insert(chunk, self.world.unload(chunk)?);
            self.unloads.add(start);
        }
        for x in columns.iter().flat_map(|x| x - L::LOAD_RADIUS..=x + L::LOAD_RADIUS) {
            for chunk in L::CHUNK_ROWS.map(|y| ChunkPos::new(x, y)) {
                if self.world.is_loaded(chunk) {
                    continue;
                }
                let start = Instant::now();
                match self.unloaded.remove(&chunk) {
                    Some(bytes) => self.world.load(chunk, &bytes)?,
                    None => L::insert_chunk(&mut self.world, chunk)?,
                }
                self.loads.add(start);
            }
        }
        Ok(())
    }

    fn step(&mut self) {
        let start = Instant::now();
        self.world.step();
        self.steps.add(start);
    }

    fn report(&self, cells: i64) -> Result<(), Box<dyn Error>> {
        let Self { world, unloaded, steps, loads, unloads } = self;
        println!("{cells} cells walked in {} steps of {steps}", world.steps());
        println!("{} chunks made or loaded in {loads} each", loads.count);
        println!("{} chunks unloaded in {unloads} each", unloads.count);
        let bytes: usize = unloaded.values().map(Vec::len).sum();
        let (loaded, count) = (world.loaded_chunks().len(), unloaded.len());
        println!("{loaded} of them are loaded now, {count} stored in {} kB", bytes / 1000);
        if !L::report(world) {
            return Err("the ledgers do not balance".into());
        }
        println!("hash {:016x}", world.state_hash());
        match peak_memory() {
            Some(peak) if peak > MAX_MEMORY_MB => {
                return Err(format!("{peak} MB of memory, over {MAX_MEMORY_MB}").into());
            }
            Some(peak) => println!("{peak} MB of memory at most"),
            None => println!("memory use is not available on this system"),
        }
        Ok(())
    }
}

/// Returns the peak memory use of the program (MB), or `None` on systems other than Linux.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? / 1000)
}

/// Returns the row in which the ground begins in a column.
fn ground_row(x: i64) -> i64 {
    (smooth_noise(x, 0, 400, 4) - 500) / 5 + (smooth_noise(x, 0, 70, 5) - 500) / 20
}

/// Returns smooth noise from 0 to 1000. It uses integer arithmetic, so it is the same on all
/// machines.
fn smooth_noise(x: i64, y: i64, scale: i64, salt: u64) -> i64 {
    let (i, j) = (x.div_euclid(scale), y.div_euclid(scale));
    let (u, v) = (x.rem_euclid(scale), y.rem_euclid(scale));
    let between = |a: i64, b: i64, at: i64| a + (b - a) * at / scale;
    let row = |j: i64| between(hash(i, j, salt), hash(i + 1, j, salt), u);
    between(row(j), row(j + 1), v)
}

/// Returns a pseudorandom number from 0 to 1000.
fn hash(i: i64, j: i64, salt: u64) -> i64 {
    let mut z = (i as u64) << 32 ^ (j as u64 & 0xFFFF_FFFF) ^ salt << 61 ^ salt << 17;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) % 1001) as i64
}
