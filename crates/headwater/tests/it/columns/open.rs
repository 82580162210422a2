//! Open worlds of pools: they move as closed ones do, their books close over what is loaded and what is not, and the order in which
//! chunks come and go between two steps changes nothing.

use crate::support::columns::noise;
use headwater::columns::open::{Border, CHUNK, ChunkPos, OpenWorld};
use headwater::columns::{Columns, Edit, Heat, Motion, Params, Source};
use headwater::{Cause, Field, Region};
use proptest::prelude::*;
use std::collections::BTreeMap;

const CELL: f64 = 0.5;

/// Walls, and how full the cells are.
type Land = (Field<bool>, Field<f64>);

/// Caves with water in some of them, from a seed.
fn caves(nx: usize, ny: usize, seed: u64) -> Land {
    let scale = 5 + (seed % 7) as usize;
    let is_wall = |x: usize, y: usize| noise(x / scale, y / scale, seed) < 0.45;
    let is_wet = |x: usize, y: usize| noise(x / 30, y / 20, seed + 1) < 0.4;
    // Whole quanta: those of a run that is cut are those of the whole one.
    let part = |x: usize, y| (noise(x / 9, y, seed + 2) * 256.0).floor() / 256.0;
    let fill = |x, y| if is_wet(x, y) { part(x, y) } else { 0.0 };
    (Field::from_fn(nx, ny, is_wall), Field::from_fn(nx, ny, fill))
}

fn open(params: &Params) -> OpenWorld {
    OpenWorld::new(CELL, params.clone()).unwrap()
}

/// The part of a land that is a chunk's; the land's first cell is that of `first`.
fn part((walls, fill): &Land, first: ChunkPos, chunk: ChunkPos) -> Land {
    let [left, top] = [chunk.x - first.x, chunk.y - first.y].map(|at| at as usize * CHUNK);
    (
        Field::from_fn(CHUNK, CHUNK, |x, y| walls[(left + x, top + y)]),
        Field::from_fn(CHUNK, CHUNK, |x, y| fill[(left + x, top + y)]),
    )
}

/// The chunks of a rectangle.
fn chunks(first: ChunkPos, nx: i32, ny: i32) -> Vec<ChunkPos> {
    (0..nx).flat_map(|x| (0..ny).map(move |y| ChunkPos::new(first.x + x, first.y + y))).collect()
}

/// Something to do.
#[derive(Clone, Debug)]
enum Event {
    Edit(Edit),
    Walls(bool),
}

/// Something to do, and a place and a size in cells.
fn disturbance(step: usize, seed: u64, nx: usize, ny: usize) -> ([usize; 4], Event) {
    let at = |k: usize, n: usize| (noise(step, k, seed) * n as f64) as usize;
    let event = match at(4, 5) {
        0 => Event::Walls(false),
        1 => Event::Walls(true),
        2 => Event::Edit(Edit::Pour(noise(step, 5, seed) * 20.0)),
        3 => Event::Edit(Edit::Remove(noise(step, 5, seed) * 20.0)),
        _ => Event::Edit(Edit::Splash(noise(step, 5, seed) - 0.5)),
    };
    ([at(0, nx), at(1, ny), 1 + at(2, 25), 1 + at(3, 25)], event)
}

/// A rectangle of cells, counted from the first cell of a chunk.
fn rect_from(first: ChunkPos, [x, y, nx, ny]: [usize; 4]) -> Region {
    let [left, top] = first.origin().map(|at| at as f64);
    let (x, y) = (left + x as f64, top + y as f64);
    Region::rect([x * CELL, y * CELL], [(x + nx as f64) * CELL, (y + ny as f64) * CELL])
}

fn disturb(world: &mut OpenWorld, region: &Region, event: &Event) {
    match *event {
        Event::Edit(edit) => world.edit(region, edit).unwrap(),
        Event::Walls(solid) => {
            world.set_walls(region, solid).unwrap();
        }
    }
}

/// A host: it keeps the bytes of chunks that are not loaded.
#[derive(Clone)]
struct Host {
    world: OpenWorld,
    land: Land,
    first: ChunkPos,
    kept: BTreeMap<ChunkPos, Vec<u8>>,
}

impl Host {
    fn new(params: &Params, land: &Land, first: ChunkPos) -> Self {
        Self { world: open(params), land: land.clone(), first, kept: BTreeMap::new() }
    }

    /// Loads a chunk if it is not, and unloads it if it is.
    fn turn(&mut self, chunk: ChunkPos) {
        if self.world.is_loaded(chunk) {
            self.kept.insert(chunk, self.world.unload(chunk).unwrap());
        } else if let Some(bytes) = self.kept.remove(&chunk) {
            self.world.load(chunk, &bytes).unwrap();
        } else {
            let (walls, fill) = part(&self.land, self.first, chunk);
            self.world.insert(chunk, &walls, &fill).unwrap();
        }
    }
}

fn any_params() -> impl Strategy<Value = Params> {
    (1u32..3, 0.0f64..0.5, 0.1f64..2.0).prop_map(|(columns_per_cell, damping, wave_depth)| Params {
        columns_per_cell,
        damping,
        wave_depth,
        ..Params::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn an_open_world_moves_as_a_closed_one_does(seed in any::<u64>(), params in any_params()) {
        // So high that both count heights in the same quanta.
        let (first, nx, ny) = (ChunkPos::new(-1, -3), 2, 8);
        let (wide, high) = (nx as usize * CHUNK, ny as usize * CHUNK);
        let land = caves(wide, high, seed % 1000);
        let walled = |x: usize, y: usize| {
            let inside = (2..wide + 2).contains(&x) && (2..high + 2).contains(&y);
            inside.then(|| (x - 2, y - 2))
        };
        let walls = |x, y| walled(x, y).is_none_or(|at| land.0[at]);
        let fill = |x, y| walled(x, y).map_or(0.0, |at| land.1[at]);
        let [walls, fill] = [
            Field::from_fn(wide + 4, high + 4, |x, y| f64::from(u8::from(walls(x, y)))),
            Field::from_fn(wide + 4, high + 4, fill),
        ];
        let mut closed =
            Columns::with_fill(&walls.map(|&w| w > 0.0), CELL, &fill, params.clone()).unwrap();
        let mut open = open(&params);
        for chunk in chunks(first, nx, ny) {
            let (walls, fill) = part(&land, first, chunk);
            open.insert(chunk, &walls, &fill).unwrap();
        }
        let here = |[x, y, nx, ny]: [usize; 4]| {
            let [x, y] = [x + 2, y + 2].map(|at| at as f64 * CELL);
            Region::rect([x, y], [x + nx as f64 * CELL, y + ny as f64 * CELL])
        };
        let place = [wide / 2 - 20, 60, 40, 40];
        let wet = closed.add_spring(Source::new(here(place), 5.0)).is_ok();
        if wet {
            open.add_spring(Source::new(rect_from(first, place), 5.0)).unwrap();
        }
        let corner = [first.origin()[0] as f64 * CELL, first.origin()[1] as f64 * CELL];
        for step in 0..40 {
            if step % 9 == 8 {
                let ([x, y, nx, ny], event) = disturbance(step, seed, wide, high);
                let place = [x, y, nx.min(wide - x), ny.min(high - y)];
                disturb(&mut open, &rect_from(first, place), &event);
                // Where no column is, a closed world says so.
                match event {
                    Event::Edit(edit) => drop(closed.edit(&here(place), edit)),
                    Event::Walls(solid) => drop(closed.set_walls(&here(place), solid)),
                }
            }
            open.step();
            closed.step();
            if step % 8 == 7 {
                prop_assert_eq!(open.volume(), closed.volume(), "step {}", step);
                for (x, y) in (0..high).step_by(3).flat_map(|y| (0..wide).map(move |x| (x, y))) {
                    let [x, y] = [x, y].map(|at| (at as f64 + 0.25) * CELL);
                    let theirs = [x + 2.0 * CELL, y + 2.0 * CELL];
                    let found = open.velocity_at([corner[0] + x, corner[1] + y]);
                    prop_assert!(found == closed.velocity_at(theirs), "({x}, {y}) in step {step}");
                }
            }
        }
        let books = open.balance();
        prop_assert_eq!(books.residual, 0.0);
        for cause in [Cause::Source, Cause::Edit] {
            prop_assert_eq!(books.ledger.net(cause), closed.ledger().net(cause));
        }
    }

    #[test]
    fn the_order_of_loading_changes_nothing_and_books_close(
        seed in any::<u64>(), params in any_params(), pass in any::<bool>()
    ) {
        let first = ChunkPos::new(-3, -2);
        let land = caves(6 * CHUNK, 4 * CHUNK, seed % 1000);
        let mut one = Host::new(&params, &land, first);
        one.world.set_border(if pass { Border::Pass } else { Border::Hold });
        one.world.add_spring(Source::new(rect_from(first, [100, 70, 40, 40]), 5.0)).unwrap();
        one.world.add_drain(Source::new(rect_from(first, [200, 70, 40, 40]), 2.0)).unwrap();
        let mut other = one.clone();
        for turn in 0..10 {
            let all = chunks(first, 6, 4).into_iter().enumerate();
            let often = if turn == 0 { 0.5 } else { 0.2 };
            let mut turned: Vec<_> =
                all.filter(|(i, _)| noise(turn, *i, seed) < often).map(|(_, chunk)| chunk).collect();
            turned.iter().for_each(|&chunk| one.turn(chunk));
            turned.sort_by_key(|chunk| (noise(chunk.x as usize, chunk.y as usize, seed) * 1e9) as u64);
            turned.iter().for_each(|&chunk| other.turn(chunk));
            prop_assert_eq!(one.world.balance().residual, 0.0);
            if pass && turn == 6 {
                let odd = ChunkPos::new(0, 0);
                for host in [&mut one, &mut other] {
                    host.world.set_border_of(odd, Some(Border::Hold));
                    host.world.take_passed(ChunkPos::new(-1, 0));
                }
            }
            let (place, event) = disturbance(turn, seed, 6 * CHUNK, 4 * CHUNK);
            for host in [&mut one, &mut other] {
                disturb(&mut host.world, &rect_from(first, place), &event);
                host.world.step_many(1 + 3 * (turn as u64 % 5));
            }
            prop_assert!(one.world.state_hash() == other.world.state_hash(), "turn {turn}");
            prop_assert!(one.kept == other.kept, "turn {turn}");
            prop_assert_eq!(one.world.balance().residual, 0.0);
            if turn % 4 == 3 {
                other.world = OpenWorld::restore(&one.world.save().unwrap()).unwrap();
                prop_assert_eq!(one.world.state_hash(), other.world.state_hash());
                prop_assert_eq!(other.world.balance(), one.world.balance());
            }
        }
    }

    #[test]
    fn chunks_come_back_as_they_went(seed in any::<u64>(), params in any_params()) {
        let first = ChunkPos::new(0, 0);
        let land = caves(3 * CHUNK, 2 * CHUNK, seed % 1000);
        let mut host = Host::new(&params, &land, first);
        chunks(first, 3, 2).into_iter().for_each(|chunk| host.turn(chunk));
        let mut on = host.clone();
        for round in 0..6 {
            // All of them go and come again between two steps.
            for _ in 0..2 {
                chunks(first, 3, 2).into_iter().for_each(|chunk| host.turn(chunk));
            }
            host.world.step_many(round + 1);
            on.world.step_many(round + 1);
            prop_assert_eq!(host.world.state_hash(), on.world.state_hash());
        }
        // Into a world of its own, the same chunks bring the same water.
        let mut new = open(&params);
        for chunk in chunks(first, 3, 2) {
            let bytes = host.world.unload(chunk).unwrap();
            new.load(chunk, &bytes).unwrap();
            prop_assert!(new.unload(chunk).unwrap() == bytes);
            new.load(chunk, &bytes).unwrap();
        }
        // An edit of nothing puts them together.
        new.edit(&Region::Everywhere, Edit::Pour(0.0)).unwrap();
        for chunk in chunks(first, 3, 2) {
            let bytes = new.unload(chunk).unwrap();
            prop_assert!(host.world.load(chunk, &bytes).is_ok(), "{chunk}: other bytes");
        }
        prop_assert_eq!((host.world.balance().residual, new.balance().residual), (0.0, 0.0));
    }
}

/// A chunk with a floor in row 50, and whatever else.
fn floored(more: impl Fn(usize, usize) -> Option<(bool, f64)>) -> Land {
    let at = |x, y| more(x, y).unwrap_or((y > 50, 0.0));
    (
        Field::from_fn(CHUNK, CHUNK, |x, y| at(x, y).0),
        Field::from_fn(CHUNK, CHUNK, |x, y| at(x, y).1),
    )
}

const WEST: ChunkPos = ChunkPos::new(-1, 0);
const EAST: ChunkPos = ChunkPos::new(0, 0);

/// The volume of a full cell (m³).
const FULL: f64 = CELL * CELL;

/// A lake in the western chunk, behind a dam in its column 60; the eastern one has been there and gone. Gives its bytes, too.
fn dammed(border: Border) -> (OpenWorld, Vec<u8>) {
    let mut world = open(&Params { damping: 0.5, ..Params::default() });
    let lake = |x, y| match (x, y) {
        (60, 31..) => Some((true, 0.0)),
        (0..60, 31..=50) => Some((false, 1.0)),
        _ => None,
    };
    let (walls, fill) = floored(lake);
    world.insert(WEST, &walls, &fill).unwrap();
    let (walls, fill) = floored(|_, _| None);
    world.insert(EAST, &walls, &fill).unwrap();
    world.set_border(border);
    let bytes = world.unload(EAST).unwrap();
    assert!(world.run_to_rest(1000));
    (world, bytes)
}

/// How high water stands above the floor of row 50 at the middle of a column of cells (m).
fn level(world: &OpenWorld, x: f64) -> f64 {
    51.0 * CELL - world.surface_at([(x + 0.5) * CELL, 50.5 * CELL]).unwrap()
}

fn open_the_dam(world: &mut OpenWorld) {
    let dam = Region::rect([-4.0 * CELL, 31.0 * CELL], [-3.0 * CELL, 51.0 * CELL]);
    assert_eq!(world.set_walls(&dam, false).unwrap(), 20);
}

#[test]
fn water_is_held_at_a_border_and_runs_on_when_it_is_loaded() {
    let (mut world, bytes) = dammed(Border::Hold);
    open_the_dam(&mut world);
    assert!(world.run_to_rest(20_000));
    assert_eq!(world.balance().loaded, 60.0 * 20.0 * FULL);
    assert!((level(&world, -1.0) - 60.0 * 20.0 / 64.0 * CELL).abs() < 0.02);
    world.load(EAST, &bytes).unwrap();
    assert!(!world.is_asleep());
    assert!(world.run_to_rest(20_000));
    assert!((level(&world, 63.0) - 60.0 * 20.0 / 128.0 * CELL).abs() < 0.02);
    assert_eq!(world.balance().residual, 0.0);
}

#[test]
fn water_passes_a_border_waits_there_and_comes_in() {
    let (mut world, bytes) = dammed(Border::Pass);
    open_the_dam(&mut world);
    // A film runs on for hours.
    world.step_many(6000);
    let balance = world.balance();
    assert!(balance.passed > balance.loaded, "it runs out over the border: {balance:?}");
    assert_eq!((balance.unloaded, balance.residual), (0.0, 0.0));
    let passed: Vec<_> = world.passed(EAST).collect();
    assert!(passed.iter().all(|passed| passed.cell[0] == 0));
    let sum = passed.iter().map(|passed| passed.volume).sum::<f64>();
    assert!((sum - balance.passed).abs() < 1e-9);

    // The host may take it...
    let mut taken = world.clone();
    assert_eq!(taken.take_passed(EAST), passed);
    assert_eq!(taken.balance().ledger.outflow(Cause::Boundary), balance.passed);
    assert_eq!(taken.balance().residual, 0.0);
    taken.load(EAST, &bytes).unwrap();
    taken.step_many(100);
    assert_eq!(taken.balance().loaded, balance.loaded);

    // ... and if it does not, it comes in.
    world.load(EAST, &bytes).unwrap();
    world.step();
    assert!(world.balance().passed < balance.passed);
    assert!(world.run_to_rest(60_000));
    let balance = world.balance();
    assert_eq!((balance.passed, balance.residual), (0.0, 0.0));
    assert_eq!(balance.loaded, 60.0 * 20.0 * FULL);
}

#[test]
fn water_falls_through_a_border_below_and_stands_over_one() {
    let mut world = open(&Params::default());
    let below = ChunkPos::new(-1, 1);
    let shaft = |x: usize, _| Some((x != 30, 0.0));
    let (walls, fill) = floored(shaft);
    world.insert(below, &walls, &fill).unwrap();
    world.set_border(Border::Pass);
    let bytes = world.unload(below).unwrap();
    let lake = |x, y| match (x, y) {
        (30, 51..) => Some((false, 0.0)),
        (20..40, 41..=50) => Some((false, 1.0)),
        _ => None,
    };
    let (walls, fill) = floored(lake);
    world.insert(WEST, &walls, &fill).unwrap();
    world.step_many(60);
    let balance = world.balance();
    assert!(balance.passed > 10.0 * FULL && balance.residual == 0.0, "{balance:?}");
    assert!(world.passed(below).all(|passed| passed.cell == [-34, 64]));
    world.load(below, &bytes).unwrap();
    world.step_many(600);
    let balance = world.balance();
    assert_eq!((balance.passed, balance.residual), (0.0, 0.0));
    let bottom = (2.0 * CHUNK as f64 - 0.5) * CELL;
    assert!(world.is_under_water([-33.5 * CELL, bottom]), "it lies in the shaft");
}

#[test]
fn a_lake_on_both_sides_of_a_border_holds_itself() {
    let mut world = open(&Params::default());
    let (walls, fill) = floored(|_, y| (31..=50).contains(&y).then_some((false, 1.0)));
    world.insert(WEST, &walls, &fill).unwrap();
    world.insert(EAST, &walls, &fill).unwrap();
    world.set_border(Border::Pass);
    world.unload(EAST).unwrap();
    assert!(world.run_to_rest(1000));
    assert_eq!(world.balance().passed, 0.0);
}

#[test]
fn a_chunk_that_does_not_belong_is_refused() {
    let (mut world, bytes) = dammed(Border::Hold);
    let before = world.state_hash();
    let says = |result: Result<(), headwater::InputError>| result.unwrap_err().to_string();
    assert_eq!(
        says(world.load(WEST, &bytes)),
        "chunk (-1, 0): found bytes of chunk (0, 0), allowed is the bytes that it was unloaded to"
    );
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert!(world.load(EAST, &damaged).is_err());
        assert!(world.load(EAST, &bytes[..place]).is_err());
    }
    let (walls, fill) = floored(|_, _| None);
    let found = says(world.insert(EAST, &walls, &fill));
    assert_eq!(
        found,
        "chunk (0, 0): found a new chunk, allowed is the bytes that it was unloaded to, unless it is forgotten first"
    );
    assert_eq!(
        says(world.insert(WEST, &walls, &fill)),
        "chunk (-1, 0): found a chunk that is loaded, allowed is one that is not loaded"
    );
    let small = Field::new(CHUNK, 3, false);
    assert_eq!(
        says(world.insert(ChunkPos::new(5, 5), &small, &fill)),
        "chunk (5, 5): found 64 × 3 cells, allowed is 64 × 64"
    );
    assert!(world.insert(ChunkPos::new(5, 5), &walls, &Field::new(CHUNK, CHUNK, 1.5)).is_err());
    assert!(world.unload(EAST).is_err() && world.forget(WEST).is_err());
    assert!(world.set_wall([3, 3], true).is_err() && world.set_wall([-3, 3], false).is_ok());
    assert_eq!(world.state_hash(), before);
    // Bytes of another world are welcome once this one has forgotten.
    let other = OpenWorld::new(CELL, Params { columns_per_cell: 2, ..Params::default() }).unwrap();
    let mut other = other;
    assert_eq!(
        says(other.load(EAST, &bytes)),
        "chunk (0, 0): found 1 columns of water to a cell, allowed is what a chunk with 2 columns of water to a cell can be"
    );
    world.forget(EAST).unwrap();
    world.insert(EAST, &walls, &fill).unwrap();
    assert_eq!(world.balance().residual, 0.0);
    assert!(OpenWorld::restore(&bytes).is_err());
    let saved = world.save().unwrap();
    for place in (0..saved.len()).step_by(97) {
        let mut damaged = saved.clone();
        damaged[place] ^= 0x10;
        assert!(OpenWorld::restore(&damaged).is_err());
    }
}

#[test]
fn what_chunks_do_not_carry_is_refused_by_name() {
    let says = |params| OpenWorld::new(CELL, params).unwrap_err().to_string();
    assert_eq!(
        says(Params { heat: Some(Heat::default()), ..Params::default() }),
        "heat: found a world with heat, allowed is none in an open world"
    );
    assert_eq!(
        says(Params { motion: Motion::Springs, ..Params::default() }),
        "motion: found `springs`, allowed is `discharge` in an open world"
    );
    let mut world = open(&Params::default());
    let (walls, fill) = floored(|_, _| None);
    for y in 0..15 {
        world.insert(ChunkPos::new(0, y), &walls, &fill).unwrap();
    }
    let error = world.insert(ChunkPos::new(0, -1), &walls, &fill).unwrap_err().to_string();
    assert_eq!(error, "chunks that hang together: found 1 × 16, allowed is 256 × 15 at most");
    world.insert(ChunkPos::new(0, -2), &walls, &fill).unwrap();
    world.step();
    assert_eq!(world.take_changed().len(), 16);
}
