//! A world of blocks without edges: a player walks through it, 10,000 cells to the east, and digs. Chunks around the player are
//! made or loaded, those behind are kept as bytes; somebody else stays at home, with chunks of their own. In the end the player
//! jumps back a part of the way. The books close over all of it, and memory stays what a walk needs, not what a world is.
//!
//! `cargo run --release -p headwater --example open_world` (or with another number of cells after it)

use headwater::blocks::open::{Border, CHUNK, ChunkPos, OpenWorld};
use headwater::blocks::{Cell, Edit, FULL, Liquid, Params, Spring};
use headwater::{Field, Region};
use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

/// Rows of chunks that the world has: three above row 0, five below.
const ROWS: std::ops::Range<i32> = -3..5;
/// Columns of chunks that are loaded on both sides of a player, and how far away they are unloaded.
const NEAR: i32 = 5;
const FAR: i32 = 7;
/// Rows below this hold water where the ground is lower.
const SEA: i64 = 12;
/// What all of it may take at most (MB).
const MEMORY: u64 = 200;

fn main() -> Result<(), Box<dyn Error>> {
    let cells = std::env::args().nth(1).map_or(Ok(10_000), |cells| cells.parse())?;
    let mut game = Game::new()?;
    let home = 0;
    for x in 0..cells {
        game.load_around(&[home, x])?;
        if x % 50 == 25 {
            game.dig_shaft(x)?;
        }
        game.step();
    }
    game.load_around(&[home, cells / 4])?;
    (0..100).for_each(|_| game.step());
    game.report(cells)
}

struct Game {
    world: OpenWorld,
    /// The bytes of chunks that are not loaded. A game would have them in a file.
    kept: BTreeMap<ChunkPos, Vec<u8>>,
    /// How long steps took, and loading and unloading of a chunk.
    times: [Times; 3],
}

#[derive(Default)]
struct Times {
    count: u32,
    all: Duration,
    longest: Duration,
}

impl Times {
    fn add(&mut self, since: Instant) {
        let time = since.elapsed();
        self.count += 1;
        self.all += time;
        self.longest = self.longest.max(time);
    }
}

impl Game {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut world = OpenWorld::new(Params::default())?;
        world.set_border(Border::Pass);
        // A well at home, and rain on a thousand cells of hills.
        let spring = |region, rate| Spring { region, liquid: Liquid::Water, rate };
        let home = ground(0) as f64;
        world.add_spring(spring(Region::rect([-2.0, home - 9.0], [2.0, home - 8.0]), 20))?;
        world.add_spring(spring(Region::rect([200.0, -100.0], [1200.0, -99.0]), 1))?;
        Ok(Self { world, kept: BTreeMap::new(), times: Default::default() })
    }

    /// Loads what is near a player, and unloads what is far from all.
    fn load_around(&mut self, players: &[i64]) -> Result<(), Box<dyn Error>> {
        let columns: Vec<i32> = players.iter().map(|x| (x / CHUNK as i64) as i32).collect();
        let is_far = |chunk: &ChunkPos| columns.iter().all(|x| (chunk.x - x).abs() > FAR);
        let far: Vec<_> = self.world.loaded().filter(is_far).collect();
        for chunk in far {
            let start = Instant::now();
            self.kept.insert(chunk, self.world.unload(chunk)?);
            self.times[2].add(start);
        }
        for x in columns.iter().flat_map(|x| x - NEAR..=x + NEAR) {
            for chunk in ROWS.map(|y| ChunkPos::new(x, y)) {
                if self.world.is_loaded(chunk) {
                    continue;
                }
                let kept = self.kept.remove(&chunk);
                let new = if kept.is_none() { Some(made(chunk)) } else { None };
                let start = Instant::now();
                match (kept, new) {
                    (Some(bytes), _) => self.world.load(chunk, &bytes)?,
                    (_, Some(cells)) => self.world.insert(chunk, &cells)?,
                    _ => {}
                }
                self.times[1].add(start);
            }
        }
        Ok(())
    }

    /// Digs from the ground down into the caves.
    fn dig_shaft(&mut self, x: i64) -> Result<(), Box<dyn Error>> {
        let (x, top) = (x as f64, ground(x) as f64);
        Ok(self.world.edit(&Region::rect([x, top], [x + 2.0, top + 90.0]), Edit::Dig)?)
    }

    fn step(&mut self) {
        let start = Instant::now();
        self.world.step();
        self.times[0].add(start);
    }

    fn report(&self, cells: i64) -> Result<(), Box<dyn Error>> {
        let world = &self.world;
        let bytes: usize = self.kept.values().map(Vec::len).sum();
        let [step, load, unload] = &self.times;
        let of = |times: &Times| {
            let mean = times.all.as_secs_f64() / f64::from(times.count.max(1));
            format!("{:.3} ms ({:.2} at most)", 1e3 * mean, 1e3 * times.longest.as_secs_f64())
        };
        println!("{cells} cells walked in {} steps of {}", world.steps(), of(step));
        println!("{} chunks loaded in {} each", load.count, of(load));
        println!("{} chunks unloaded in {} each", unload.count, of(unload));
        let (loaded, kept) = (world.loaded().len(), self.kept.len());
        println!("{loaded} of them are loaded now, {kept} kept in {} kB", bytes / 1000);
        for liquid in [Liquid::Water, Liquid::Lava] {
            let balance = world.balance(liquid);
            let of = |amount: i128| amount as f64 / f64::from(FULL);
            println!(
                "{}: {:.1} cells loaded, {:.1} unloaded, {:.1} on its way; off by {}/256",
                liquid.name(),
                of(balance.loaded),
                of(balance.unloaded),
                of(balance.passed),
                balance.residual
            );
            if balance.residual != 0 {
                return Err("the books do not close".into());
            }
        }
        println!("hash {:016x}", world.state_hash());
        match peak_memory() {
            Some(peak) if peak > MEMORY => {
                return Err(format!("{peak} MB of memory, over {MEMORY}").into());
            }
            Some(peak) => println!("{peak} MB of memory at most"),
            None => println!("how much memory it took, this system does not say"),
        }
        Ok(())
    }
}

/// The most memory that the program has had (MB), where Linux says so.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? / 1000)
}

/// A chunk as it is made: hills with lakes between them, caves with ponds, lava in the deep.
fn made(chunk: ChunkPos) -> Field<Cell> {
    let [left, top] = chunk.origin();
    let grounds: Vec<i64> = (0..CHUNK as i64).map(|x| ground(left + x)).collect();
    Field::from_fn(CHUNK, CHUNK, |column, row| {
        let (x, y) = (left + column as i64, top + row as i64);
        let depth = y - grounds[column];
        let cave = noise2(x, y, 24, 1) + noise2(x, y, 9, 2) / 2 > 870 && depth > 4;
        match () {
            () if depth < 0 && y < SEA => Cell::Air,
            () if depth < 0 => Cell::WATER,
            () if !cave => Cell::Wall,
            () if y > 220 && y % 32 > 20 => Cell::Liquid(Liquid::Lava, FULL),
            () if noise2(x, y, 60, 3) > 560 => Cell::WATER,
            () => Cell::Air,
        }
    })
}

/// The row in which the ground begins in a column.
fn ground(x: i64) -> i64 {
    (noise2(x, 0, 400, 4) - 500) / 5 + (noise2(x, 0, 70, 5) - 500) / 20
}

/// Smooth noise from 0 to 1000, in whole numbers: the same on every machine.
fn noise2(x: i64, y: i64, scale: i64, salt: u64) -> i64 {
    let (i, j) = (x.div_euclid(scale), y.div_euclid(scale));
    let (u, v) = (x.rem_euclid(scale), y.rem_euclid(scale));
    let between = |a: i64, b: i64, at: i64| a + (b - a) * at / scale;
    let row = |j: i64| between(dice(i, j, salt), dice(i + 1, j, salt), u);
    between(row(j), row(j + 1), v)
}

/// A number from 0 to 1000 that looks random.
fn dice(i: i64, j: i64, salt: u64) -> i64 {
    let mut z = (i as u64) << 32 ^ (j as u64 & 0xFFFF_FFFF) ^ salt << 61 ^ salt << 17;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) % 1001) as i64
}
