//! Test cases for open worlds, whose chunks are loaded and unloaded while the world runs. All
//! models with open worlds use these cases.

use super::blocks::noise;
use headwater::open::{Border, CHUNK, ChunkPos, OpenBalance, OpenModel, OpenWorld};
use headwater::{Cause, Field, InputError, Region};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Interface through which the test cases use the open worlds of a model.
pub(crate) trait Model: OpenModel {
    /// Type of the contents of a cell.
    type Cell: Copy;

    const AIR: Self::Cell;
    const WATER: Self::Cell;
    const WALL: Self::Cell;
    /// Side length of a cell (m, or 1 for blocks). The volume of a full cell is the square of this
    /// length.
    const SIZE: f64;
    /// Name by which error messages refer to a new chunk.
    const NEW_CHUNK: &'static str;
    /// Whether thin films of liquid come to rest in this model.
    const FILMS_REST: bool;
    /// Parameters of the test of the loading order: the number of rounds, the increment of the
    /// number of steps from one round to the next, and the rounds after which the world is restored
    /// from a snapshot.
    const LOADING_ORDER_ROUNDS: (usize, usize, &'static [usize]);

    /// Creates an empty open world with default parameters.
    fn world() -> OpenWorld<Self>;
    fn insert(
        world: &mut OpenWorld<Self>,
        chunk: ChunkPos,
        cells: &Field<Self::Cell>,
    ) -> Result<(), InputError>;
    fn add_sources(world: &mut OpenWorld<Self>, first: ChunkPos);
    /// Applies a random edit, which depends on `step` and `seed`, to a region.
    fn disturb(world: &mut OpenWorld<Self>, region: &Region, step: usize, seed: u64);
    fn dig(world: &mut OpenWorld<Self>, region: &Region);
    fn build(world: &mut OpenWorld<Self>, cell: [i64; 2]) -> Result<(), InputError>;
    /// Returns the height of the water surface in the column `x` (cells), measured from the top of
    /// row 51, which is the floor.
    fn water_level(world: &mut OpenWorld<Self>, x: i64) -> f64;
    /// Returns the mass balance of each substance; water comes first.
    fn balances(world: &OpenWorld<Self>) -> Vec<OpenBalance<f64>>;
    /// Returns the pending transfers into a chunk, each as the position of the receiving cell and
    /// the volume.
    fn transfers(world: &OpenWorld<Self>, chunk: ChunkPos) -> Vec<([i64; 2], f64)>;
}

fn is_balanced<M: Model>(world: &OpenWorld<M>) -> bool {
    M::balances(world).iter().all(|balance| balance.residual == 0.0)
}

/// Returns three volumes of water (cells): in loaded chunks, in unloaded chunks, and in transit
/// between chunks.
fn volumes<M: Model>(world: &OpenWorld<M>) -> [f64; 3] {
    let water = &M::balances(world)[0];
    [water.loaded_volume, water.unloaded_volume, water.transit_volume]
        .map(|volume| volume / M::SIZE.powi(2))
}

/// Returns the positions of a rectangle of `nx × ny` chunks, whose top left chunk is `first`.
pub(crate) fn chunks(first: ChunkPos, nx: i32, ny: i32) -> Vec<ChunkPos> {
    (0..nx).flat_map(|x| (0..ny).map(move |y| ChunkPos::new(first.x + x, first.y + y))).collect()
}

/// Returns a rectangle of cells as a region. Its top left cell is in column `x` and row `y`,
/// counted from the top left cell of the chunk `first`. `nx` and `ny` are its numbers of columns
/// and rows.
pub(crate) fn rect_from<M: Model>(first: ChunkPos, [x, y, nx, ny]: [usize; 4]) -> Region {
    let [left, top] = first.origin().map(|at| at as f64);
    let (x, y) = (left + x as f64, top + y as f64);
    let corner = |x: f64, y: f64| [x * M::SIZE, y * M::SIZE];
    Region::rect(corner(x, y), corner(x + nx as f64, y + ny as f64))
}

/// Returns the column, row, width and height of a random rectangle on a grid of `nx × ny` cells.
pub(crate) fn random_rect(step: usize, seed: u64, nx: usize, ny: usize) -> [usize; 4] {
    let at = |k: usize, n: usize| (noise(step, k, seed) * n as f64) as usize;
    [at(0, nx), at(1, ny), 1 + at(2, 25), 1 + at(3, 25)]
}

/// Returns a copy of a field, surrounded by a wall that is `margin` cells thick.
pub(crate) fn surround_with_wall<C: Copy>(land: &Field<C>, wall: C, margin: usize) -> Field<C> {
    Field::from_fn(land.nx() + 2 * margin, land.ny() + 2 * margin, |x, y| {
        let (x, y) = (x.wrapping_sub(margin), y.wrapping_sub(margin));
        if x < land.nx() && y < land.ny() { land[(x, y)] } else { wall }
    })
}

/// Returns the part of a field that belongs to `chunk`. The top left corner of the field is that of
/// the chunk `first`.
fn chunk_of_field<C: Copy>(land: &Field<C>, first: ChunkPos, chunk: ChunkPos) -> Field<C> {
    let [left, top] = [chunk.x - first.x, chunk.y - first.y].map(|at| at as usize * CHUNK);
    Field::from_fn(CHUNK, CHUNK, |x, y| land[(left + x, top + y)])
}

/// Inserts all chunks of a field into a world. The top left corner of the field is that of the
/// chunk `first`.
pub(crate) fn load_field<M: Model>(
    world: &mut OpenWorld<M>,
    land: &Field<M::Cell>,
    first: ChunkPos,
) {
    let [nx, ny] = [land.nx(), land.ny()].map(|cells| (cells / CHUNK) as i32);
    for chunk in chunks(first, nx, ny) {
        M::insert(world, chunk, &chunk_of_field(land, first, chunk)).unwrap();
    }
}

/// Host of an open world, which stores the serialized bytes of unloaded chunks as a game would.
#[derive(Clone)]
pub(crate) struct ChunkHost<M: Model> {
    pub(crate) world: OpenWorld<M>,
    land: Field<M::Cell>,
    first: ChunkPos,
    kept: BTreeMap<ChunkPos, Vec<u8>>,
}

impl<M: Model> ChunkHost<M> {
    fn new(world: OpenWorld<M>, land: &Field<M::Cell>, first: ChunkPos) -> Self {
        Self { world, land: land.clone(), first, kept: BTreeMap::new() }
    }

    /// Unloads a chunk if it is currently loaded, and loads it otherwise.
    fn toggle(&mut self, chunk: ChunkPos) {
        if self.world.is_loaded(chunk) {
            self.kept.insert(chunk, self.world.unload(chunk).unwrap());
        } else if let Some(bytes) = self.kept.remove(&chunk) {
            self.world.load(chunk, &bytes).unwrap();
        } else {
            let part = chunk_of_field(&self.land, self.first, chunk);
            M::insert(&mut self.world, chunk, &part).unwrap();
        }
    }
}

/// Checks that the order in which chunks are loaded and unloaded between two steps does not affect
/// the result. The land consists of 6 × 4 chunks.
pub(crate) fn check_loading_order<M: Model>(
    world: OpenWorld<M>,
    land: &Field<M::Cell>,
    seed: u64,
    pass: bool,
) -> Result<(), TestCaseError> {
    let first = ChunkPos::new(-3, -2);
    let mut one = ChunkHost::new(world, land, first);
    one.world.set_border(if pass { Border::Pass } else { Border::Hold });
    M::add_sources(&mut one.world, first);
    let mut other = one.clone();
    let (turns, steps, restored) = M::LOADING_ORDER_ROUNDS;
    for turn in 0..turns {
        let all = chunks(first, 6, 4).into_iter().enumerate();
        let often = if turn == 0 { 0.5 } else { 0.2 };
        let mut turned: Vec<_> =
            all.filter(|(i, _)| noise(turn, *i, seed) < often).map(|(_, chunk)| chunk).collect();
        turned.iter().for_each(|&chunk| one.toggle(chunk));
        let order = |at: &ChunkPos| (noise(at.x as usize, at.y as usize, seed) * 1e9) as u64;
        turned.sort_by_key(order);
        turned.iter().for_each(|&chunk| other.toggle(chunk));
        prop_assert!(is_balanced(&one.world));
        if pass && turn == 6 {
            for host in [&mut one, &mut other] {
                host.world.set_chunk_border(ChunkPos::new(0, 0), Some(Border::Hold));
                host.world.take_transfers(ChunkPos::new(-1, 0));
            }
        }
        let region = rect_from::<M>(first, random_rect(turn, seed, 6 * CHUNK, 4 * CHUNK));
        for host in [&mut one, &mut other] {
            M::disturb(&mut host.world, &region, turn, seed);
            host.world.step_many((1 + steps * (turn % 5)) as u64);
        }
        prop_assert!(one.world.state_hash() == other.world.state_hash(), "turn {turn}");
        prop_assert!(one.kept == other.kept, "turn {turn}");
        prop_assert!(is_balanced(&one.world));
        if restored.contains(&turn) {
            other.world = OpenWorld::restore(&one.world.save().unwrap()).unwrap();
            prop_assert_eq!(one.world.state_hash(), other.world.state_hash());
            prop_assert_eq!(M::balances(&other.world), M::balances(&one.world));
        }
    }
    Ok(())
}

/// Checks that a world does not change if all its 3 × 2 chunks are unloaded and reloaded between
/// two steps.
pub(crate) fn check_chunks_round_trip<M: Model>(
    world: OpenWorld<M>,
    land: &Field<M::Cell>,
) -> Result<ChunkHost<M>, TestCaseError> {
    let first = ChunkPos::new(0, 0);
    let mut host = ChunkHost::new(world, land, first);
    chunks(first, 3, 2).into_iter().for_each(|chunk| host.toggle(chunk));
    let mut on = host.clone();
    for round in 0..6 {
        for _ in 0..2 {
            chunks(first, 3, 2).into_iter().for_each(|chunk| host.toggle(chunk));
        }
        host.world.step_many(round + 1);
        on.world.step_many(round + 1);
        prop_assert_eq!(host.world.state_hash(), on.world.state_hash());
    }
    Ok(host)
}

pub(crate) const WEST: ChunkPos = ChunkPos::new(-1, 0);
pub(crate) const EAST: ChunkPos = ChunkPos::new(0, 0);

/// Returns a chunk in which row 51 and all rows below it are floor. Where `cell_override` returns a
/// cell, that cell is used. Where it returns `None`, the cell belongs to the floor or is empty.
pub(crate) fn chunk_with_floor<M: Model>(
    cell_override: impl Fn(usize, usize) -> Option<M::Cell>,
) -> Field<M::Cell> {
    let floor = |y| if y > 50 { M::WALL } else { M::AIR };
    Field::from_fn(CHUNK, CHUNK, |x, y| cell_override(x, y).unwrap_or(floor(y)))
}

/// Returns a world with two chunks, and the bytes of the eastern chunk, which has been unloaded.
/// The western chunk contains a lake behind a dam in column 60.
pub(crate) fn lake_behind_dam<M: Model>(border: Border) -> (OpenWorld<M>, Vec<u8>) {
    let mut world = M::world();
    let lake = |x, y| match (x, y) {
        (60, 31..) => Some(M::WALL),
        (0..60, 31..=50) => Some(M::WATER),
        _ => None,
    };
    M::insert(&mut world, WEST, &chunk_with_floor::<M>(lake)).unwrap();
    M::insert(&mut world, EAST, &chunk_with_floor::<M>(|_, _| None)).unwrap();
    world.set_border(border);
    let bytes = world.unload(EAST).unwrap();
    assert!(world.run_to_rest(1000));
    (world, bytes)
}

/// Position and size of the dam, in cells of the western chunk: `[x, y, width, height]`.
const DAM: [usize; 4] = [60, 31, 1, 20];

/// Volume of the lake (cells).
const LAKE: f64 = 60.0 * 20.0;

pub(crate) fn water_stops_at_a_closed_border_until_the_chunk_is_loaded<M: Model>() {
    let (mut world, bytes) = lake_behind_dam::<M>(Border::Hold);
    M::dig(&mut world, &rect_from::<M>(WEST, DAM));
    assert!(world.run_to_rest(20_000));
    assert_eq!(volumes(&world)[0], LAKE);
    let level = M::water_level(&mut world, -1);
    assert!((level - LAKE / 64.0).abs() < 0.02 / M::SIZE, "{level}");
    world.load(EAST, &bytes).unwrap();
    assert!(!world.is_asleep());
    assert!(world.run_to_rest(20_000));
    let level = M::water_level(&mut world, 63);
    assert!((level - LAKE / 128.0).abs() < 0.02 / M::SIZE, "{level}");
    assert!(is_balanced(&world));
}

pub(crate) fn water_crosses_an_open_border_and_enters_when_the_chunk_is_loaded<M: Model>() {
    let (mut world, bytes) = lake_behind_dam::<M>(Border::Pass);
    M::dig(&mut world, &rect_from::<M>(WEST, DAM));
    assert_eq!(world.run_to_rest(6000), M::FILMS_REST);
    let [loaded, unloaded, in_transit] = volumes(&world);
    assert!(in_transit > loaded, "{in_transit} cells are in transit, {loaded} are loaded");
    assert!(unloaded == 0.0 && is_balanced(&world));
    let transfers = M::transfers(&world, EAST);
    assert!(transfers.iter().all(|(cell, _)| cell[0] == 0));
    let sum: f64 = transfers.iter().map(|(_, volume)| volume).sum();
    assert!((sum - in_transit * M::SIZE.powi(2)).abs() < 1e-9);

    // The host may take the transferred water ...
    let mut taken = world.clone();
    assert_eq!(taken.take_transfers(EAST).len(), transfers.len());
    let ledger = &M::balances(&taken)[0].ledger;
    assert_eq!(ledger.outflow(Cause::Boundary), in_transit * M::SIZE.powi(2));
    assert!(is_balanced(&taken) && M::transfers(&taken, EAST).is_empty());
    taken.load(EAST, &bytes).unwrap();
    assert_eq!(taken.run_to_rest(1000), M::FILMS_REST);
    assert_eq!(volumes(&taken)[0], loaded);

    // ... and otherwise the water enters the chunk when it is loaded.
    world.load(EAST, &bytes).unwrap();
    world.step();
    assert!(volumes(&world)[2] < in_transit);
    assert!(world.run_to_rest(60_000));
    assert_eq!(volumes(&world), [LAKE, 0.0, 0.0]);
    assert!(is_balanced(&world));
}

pub(crate) fn a_lake_across_a_border_stays_level<M: Model>() {
    let mut world = M::world();
    let lake = chunk_with_floor::<M>(|_, y| (31..=50).contains(&y).then_some(M::WATER));
    M::insert(&mut world, WEST, &lake).unwrap();
    M::insert(&mut world, EAST, &lake).unwrap();
    world.set_border(Border::Pass);
    world.unload(EAST).unwrap();
    assert!(world.run_to_rest(1000));
    assert_eq!(volumes(&world)[2], 0.0);
}

pub(crate) fn a_foreign_chunk_is_rejected<M: Model>() {
    let (mut world, bytes) = lake_behind_dam::<M>(Border::Hold);
    let before = world.state_hash();
    let says = |result: Result<(), InputError>| result.unwrap_err().to_string();
    assert_eq!(
        says(world.load(WEST, &bytes)),
        "chunk (-1, 0): found bytes of chunk (0, 0), allowed is the bytes that it was unloaded to"
    );
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert!(says(world.load(EAST, &damaged)).starts_with("chunk (0, 0): found"));
        assert!(says(world.load(EAST, &bytes[..place])).starts_with("chunk (0, 0): found"));
    }
    assert!(says(world.load(EAST, &bytes[1..])).starts_with("chunk (0, 0): found"));
    let floor = chunk_with_floor::<M>(|_, _| None);
    assert_eq!(
        says(M::insert(&mut world, WEST, &floor)),
        "chunk (-1, 0): found a chunk that is loaded, allowed is one that is not loaded"
    );
    let allowed = "the bytes that it was unloaded to, unless it is forgotten first";
    assert_eq!(
        says(M::insert(&mut world, EAST, &floor)),
        format!("chunk (0, 0): found {}, allowed is {allowed}", M::NEW_CHUNK)
    );
    let far = ChunkPos::new(7, 7);
    let small = Field::new(CHUNK, 63, M::AIR);
    assert_eq!(
        says(M::insert(&mut world, far, &small)),
        "chunk (7, 7): found 64 × 63 cells, allowed is 64 × 64"
    );
    // Bytes of the same chunk from another time.
    let mut later = world.clone();
    later.load(EAST, &bytes).unwrap();
    M::build(&mut later, [5, 5]).unwrap();
    let other = later.unload(EAST).unwrap();
    let error = says(world.load(EAST, &other));
    assert!(error.contains("found bytes of hash") && error.contains("unless it is forgotten"));
    assert!(says(world.unload(far).map(drop)).contains("found a chunk that is not loaded"));
    assert!(says(world.forget(far)).contains("one that was unloaded and not forgotten"));
    assert!(world.unload(EAST).is_err() && world.forget(WEST).is_err());
    assert!(says(M::build(&mut world, [5, 5])).contains("one of a chunk that is loaded"));
    assert_eq!(world.state_hash(), before, "nothing has changed");
    world.forget(EAST).unwrap();
    world.load(EAST, &other).unwrap();
    assert!(is_balanced(&world) && world.unload(EAST).unwrap() == other);
    world.forget(EAST).unwrap();
    M::insert(&mut world, EAST, &floor).unwrap();
    assert!(is_balanced(&world) && world.unload(EAST).unwrap() == bytes);
    assert!(OpenWorld::<M>::restore(&bytes).is_err());
    let saved = world.save().unwrap();
    for place in (0..saved.len()).step_by(97) {
        let mut damaged = saved.clone();
        damaged[place] ^= 0x10;
        assert!(OpenWorld::<M>::restore(&damaged).is_err());
    }
}

/// Generates one test for a given model from each test case that has no parameters.
macro_rules! open_world_tests {
    ($model:ty) => {
        open_world_tests!(
            $model: water_stops_at_a_closed_border_until_the_chunk_is_loaded,
            water_crosses_an_open_border_and_enters_when_the_chunk_is_loaded,
            a_lake_across_a_border_stays_level,
            a_foreign_chunk_is_rejected
        );
    };
    ($model:ty: $($case:ident),*) => {
        $(
            #[test]
            fn $case() {
                crate::support::open::$case::<$model>();
            }
        )*
    };
}
pub(crate) use open_world_tests;
