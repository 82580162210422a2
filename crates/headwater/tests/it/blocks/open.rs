//! Open worlds: they move as closed ones do, their books close over what is loaded and what is not, and the order in which chunks
//! come and go between two steps changes nothing.

use crate::support::blocks::{caves, noise, rect, world};
use headwater::blocks::open::{Border, CHUNK, ChunkPos, OpenWorld};
use headwater::blocks::{Cell, Drain, Edit, FULL, Liquid, Params, Spring};
use headwater::{Cause, Field, Region};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn any_params() -> impl Strategy<Value = Params> {
    let lava = prop_oneof![Just(1u32), Just(3)];
    (1u16..257, 1u16..257, 1u16..40, 0u16..60, lava).prop_map(
        |(flow, pour, film, evaporation, lava_period)| Params {
            flow,
            pour,
            film,
            evaporation,
            lava_period,
            evaporation_period: 7,
            ..Params::default()
        },
    )
}

fn open(params: &Params) -> OpenWorld {
    OpenWorld::new(params.clone()).unwrap()
}

/// The part of a land that is a chunk's; the land's first cell is that of `first`.
fn part(land: &Field<Cell>, first: ChunkPos, chunk: ChunkPos) -> Field<Cell> {
    let [left, top] = [chunk.x - first.x, chunk.y - first.y].map(|at| at as usize * CHUNK);
    Field::from_fn(CHUNK, CHUNK, |x, y| land[(left + x, top + y)])
}

/// The chunks of a rectangle.
fn chunks(first: ChunkPos, nx: i32, ny: i32) -> Vec<ChunkPos> {
    (0..nx).flat_map(|x| (0..ny).map(move |y| ChunkPos::new(first.x + x, first.y + y))).collect()
}

/// Something to do, and a place and a size in cells.
fn disturbance(step: usize, seed: u64, nx: usize, ny: usize) -> ([usize; 4], Edit) {
    let at = |k: usize, n: usize| (noise(step, k, seed) * n as f64) as usize;
    let edit = match at(4, 6) {
        0 => Edit::Dig,
        1 => Edit::Build,
        2 => Edit::Pour(Liquid::ALL[at(5, 3)], 1 + at(6, 256) as u16),
        3 => Edit::Remove(1 + at(6, 256) as u16),
        4 => Edit::Set(Cell::WATER),
        _ => Edit::Set(Cell::Wall),
    };
    ([at(0, nx), at(1, ny), 1 + at(2, 25), 1 + at(3, 25)], edit)
}

/// A rectangle of cells, counted from the first cell of a chunk.
fn rect_from(first: ChunkPos, [x, y, nx, ny]: [usize; 4]) -> Region {
    let [left, top] = first.origin().map(|at| at as f64);
    let (x, y) = (left + x as f64, top + y as f64);
    Region::rect([x, y], [x + nx as f64, y + ny as f64])
}

fn residuals(world: &OpenWorld) -> [i128; 3] {
    Liquid::ALL.map(|liquid| world.balance(liquid).residual)
}

/// A host: it keeps the bytes of chunks that are not loaded.
#[derive(Clone)]
struct Host {
    world: OpenWorld,
    land: Field<Cell>,
    first: ChunkPos,
    kept: BTreeMap<ChunkPos, Vec<u8>>,
}

impl Host {
    fn new(params: &Params, land: &Field<Cell>, first: ChunkPos) -> Self {
        Self { world: open(params), land: land.clone(), first, kept: BTreeMap::new() }
    }

    /// Loads a chunk if it is not, and unloads it if it is.
    fn turn(&mut self, chunk: ChunkPos) {
        if self.world.is_loaded(chunk) {
            self.kept.insert(chunk, self.world.unload(chunk).unwrap());
        } else if let Some(bytes) = self.kept.remove(&chunk) {
            self.world.load(chunk, &bytes).unwrap();
        } else {
            self.world.insert(chunk, &part(&self.land, self.first, chunk)).unwrap();
        }
    }
}

/// Loads and unloads the same chunks in two orders, and steps in between.
fn the_order_changes_nothing(
    seed: u64,
    kinds: usize,
    params: &Params,
    pass: bool,
) -> Result<(), TestCaseError> {
    let first = ChunkPos::new(-3, -2);
    let land = caves(6 * CHUNK, 4 * CHUNK, seed, kinds);
    let mut one = Host::new(params, &land, first);
    one.world.set_border(if pass { Border::Pass } else { Border::Hold });
    let spring = rect_from(first, [100, 70, 40, 2]);
    one.world.add_spring(Spring { region: spring, liquid: Liquid::Water, rate: 200 }).unwrap();
    let mut other = one.clone();
    for turn in 0..14 {
        let all = chunks(first, 6, 4).into_iter().enumerate();
        let often = if turn == 0 { 0.5 } else { 0.2 };
        let mut turned: Vec<_> =
            all.filter(|(i, _)| noise(turn, *i, seed) < often).map(|(_, chunk)| chunk).collect();
        turned.iter().for_each(|&chunk| one.turn(chunk));
        turned.sort_by_key(|chunk| (noise(chunk.x as usize, chunk.y as usize, seed) * 1e9) as u64);
        turned.iter().for_each(|&chunk| other.turn(chunk));
        if pass && turn == 6 {
            let odd = ChunkPos::new(0, 0);
            for host in [&mut one, &mut other] {
                host.world.set_border_of(odd, Some(Border::Hold));
                host.world.take_passed(ChunkPos::new(-1, 0));
            }
        }
        let (place, edit) = disturbance(turn, seed, 6 * CHUNK, 4 * CHUNK);
        for host in [&mut one, &mut other] {
            host.world.edit(&rect_from(first, place), edit).unwrap();
            host.world.step_many(1 + turn as u64 % 5);
        }
        prop_assert!(one.world.state_hash() == other.world.state_hash(), "turn {turn}");
        prop_assert_eq!(&one.kept, &other.kept);
        prop_assert_eq!(residuals(&one.world), [0; 3]);
        if turn == 8 {
            other.world = OpenWorld::restore(&one.world.save().unwrap()).unwrap();
            prop_assert_eq!(residuals(&other.world), [0; 3]);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn an_open_world_moves_as_a_closed_one_does(
        seed in any::<u64>(), kinds in 1usize..4, params in any_params(), nx in 1i32..4, ny in 1i32..3
    ) {
        let first = ChunkPos::new(-1, -1);
        let (wide, high) = (nx as usize * CHUNK, ny as usize * CHUNK);
        let land = caves(wide, high, seed, kinds);
        // The closed world has a wall around it, for that is what is not loaded.
        let walled = Field::from_fn(wide + 2, high + 2, |x, y| {
            let inside = (1..=wide).contains(&x) && (1..=high).contains(&y);
            if inside { land[(x - 1, y - 1)] } else { Cell::Wall }
        });
        let mut closed = world(&walled, &params);
        let mut open = open(&params);
        for chunk in chunks(first, nx, ny) {
            open.insert(chunk, &part(&land, first, chunk)).unwrap();
        }
        let spring = |region| Spring { region, liquid: Liquid::Water, rate: 90 };
        open.add_spring(spring(rect_from(first, [wide / 2 - 3, 3, 6, 2]))).unwrap();
        closed.add_spring(spring(rect(wide / 2 - 2, 4, 6, 2))).unwrap();
        let drain = |region| Drain { region, rate: 40 };
        open.add_drain(drain(rect_from(first, [wide / 3, high - 9, 9, 3]))).unwrap();
        closed.add_drain(drain(rect(wide / 3 + 1, high - 8, 9, 3))).unwrap();
        let [left, top] = first.origin();
        for step in 0..60 {
            if step % 9 == 8 {
                let (place, edit) = disturbance(step, seed, wide, high);
                let [x, y, nx, ny] = place;
                let (nx, ny) = (nx.min(wide - x), ny.min(high - y));
                open.edit(&rect_from(first, [x, y, nx, ny]), edit).unwrap();
                closed.edit(&rect(x + 1, y + 1, nx, ny), edit).unwrap();
            }
            open.step();
            closed.step();
            if step % 7 == 6 {
                for (x, y) in (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))) {
                    let found = open.cell([left + x as i64, top + y as i64]);
                    prop_assert!(found == closed.cell(x + 1, y + 1), "({x}, {y}) in step {step}");
                }
            }
        }
        prop_assert_eq!(residuals(&open), [0; 3]);
        for liquid in Liquid::ALL {
            let balance = closed.balance(liquid);
            prop_assert_eq!(open.balance(liquid).loaded, balance.now);
            for cause in [Cause::Source, Cause::Drain, Cause::Edit, Cause::Stone, Cause::Evaporation] {
                prop_assert_eq!(open.ledger(liquid).net(cause), balance.ledger.net(cause));
            }
        }
    }

    #[test]
    fn the_order_of_loading_changes_nothing_and_books_close(
        seed in any::<u64>(), kinds in 1usize..4, params in any_params(), pass in any::<bool>()
    ) {
        the_order_changes_nothing(seed, kinds, &params, pass)?;
    }

    #[test]
    fn chunks_come_back_as_they_went(seed in any::<u64>(), kinds in 1usize..4, params in any_params()) {
        let first = ChunkPos::new(0, 0);
        let land = caves(3 * CHUNK, 2 * CHUNK, seed, kinds);
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
    }
}

#[test]
fn what_passes_by_a_corner_sees_only_what_it_hangs_together_with() {
    // Chunks of one island that do not hang together have a ghost each, and these meet at a corner.
    let params =
        Params { flow: 1, pour: 1, film: 1, evaporation: 0, lava_period: 1, ..Params::default() };
    the_order_changes_nothing(14_324_021_650_641_547_502, 1, &params, true).unwrap();
}

#[test]
fn a_chunk_shut_right_after_islands_were_joined_bears_what_stands_on_it() {
    let params = Params {
        flow: 4,
        pour: 2,
        film: 1,
        evaporation: 13,
        evaporation_period: 7,
        lava_period: 1,
        ..Params::default()
    };
    the_order_changes_nothing(16_920_475_541_483_141_857, 1, &params, true).unwrap();
}

/// A chunk with a floor in row 50, and whatever else.
fn floored(more: impl Fn(usize, usize) -> Option<Cell>) -> Field<Cell> {
    Field::from_fn(CHUNK, CHUNK, |x, y| {
        more(x, y).unwrap_or(if y > 50 { Cell::Wall } else { Cell::Air })
    })
}

const WEST: ChunkPos = ChunkPos::new(-1, 0);
const EAST: ChunkPos = ChunkPos::new(0, 0);

/// A lake in the western chunk, behind a dam in its column 60; the eastern one has been there and gone. Gives its bytes, too.
fn dammed(border: Border) -> (OpenWorld, Vec<u8>) {
    let mut world = open(&Params::default());
    let lake = |x, y| match (x, y) {
        (60, 31..) => Some(Cell::Wall),
        (0..60, 31..=50) => Some(Cell::WATER),
        _ => None,
    };
    world.insert(WEST, &floored(lake)).unwrap();
    world.insert(EAST, &floored(|_, _| None)).unwrap();
    world.set_border(border);
    let bytes = world.unload(EAST).unwrap();
    assert!(world.run_to_rest(100));
    (world, bytes)
}

#[test]
fn water_is_held_at_a_border_and_runs_on_when_it_is_loaded() {
    let (mut world, bytes) = dammed(Border::Hold);
    world.edit(&Region::rect([-4.0, 31.0], [-3.0, 51.0]), Edit::Dig).unwrap();
    assert!(world.run_to_rest(1000));
    assert_eq!(world.balance(Liquid::Water).loaded, 60 * 20 * i128::from(FULL));
    let level = world.level([-1, 50]).unwrap();
    assert!((level + 51.0 - 60.0 * 20.0 / 64.0).abs() < 0.02, "{level}");
    world.load(EAST, &bytes).unwrap();
    assert!(!world.is_asleep());
    assert!(world.run_to_rest(1000));
    let level = world.level([63, 50]).unwrap();
    assert!((level + 51.0 - 60.0 * 20.0 / 128.0).abs() < 0.02, "{level}");
    assert_eq!(residuals(&world), [0; 3]);
}

#[test]
fn water_passes_a_border_waits_there_and_comes_in() {
    let (mut world, bytes) = dammed(Border::Pass);
    world.edit(&Region::rect([-4.0, 31.0], [-3.0, 51.0]), Edit::Dig).unwrap();
    assert!(world.run_to_rest(2000));
    let balance = world.balance(Liquid::Water);
    assert!(balance.passed > balance.loaded, "it runs out over the border: {balance:?}");
    assert_eq!((balance.unloaded, balance.residual), (0, 0));
    let passed: Vec<_> = world.passed(EAST).collect();
    assert!(passed.iter().all(|passed| passed.cell[0] == 0 && passed.liquid == Liquid::Water));
    assert_eq!(passed.iter().map(|passed| i128::from(passed.amount)).sum::<i128>(), balance.passed);

    // The host may take it...
    let mut taken = world.clone();
    assert_eq!(taken.take_passed(EAST), passed);
    assert_eq!(taken.ledger(Liquid::Water).outflow(Cause::Boundary), balance.passed);
    assert_eq!(residuals(&taken), [0; 3]);
    taken.load(EAST, &bytes).unwrap();
    assert!(taken.run_to_rest(1000));
    assert_eq!(taken.balance(Liquid::Water).loaded, balance.loaded);

    // ... and if it does not, it comes in.
    world.load(EAST, &bytes).unwrap();
    world.step();
    assert!(world.balance(Liquid::Water).passed < balance.passed);
    assert!(world.run_to_rest(5000));
    let balance = world.balance(Liquid::Water);
    assert_eq!((balance.passed, balance.residual), (0, 0));
    assert_eq!(balance.loaded, 60 * 20 * i128::from(FULL));
}

#[test]
fn a_lake_on_both_sides_of_a_border_holds_itself() {
    let mut world = open(&Params::default());
    let lake = |_, y| (31..=50).contains(&y).then_some(Cell::WATER);
    world.insert(WEST, &floored(lake)).unwrap();
    world.insert(EAST, &floored(lake)).unwrap();
    world.set_border(Border::Pass);
    world.unload(EAST).unwrap();
    assert!(world.run_to_rest(100));
    assert_eq!(world.balance(Liquid::Water).passed, 0);
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
    assert_eq!(
        says(world.insert(WEST, &floored(|_, _| None))),
        "chunk (-1, 0): found a chunk that is loaded, allowed is one that is not loaded"
    );
    assert_eq!(
        says(world.insert(EAST, &floored(|_, _| None))),
        "chunk (0, 0): found new cells, allowed is the bytes that it was unloaded to, unless it is forgotten first"
    );
    let far = ChunkPos::new(7, 7);
    assert_eq!(
        says(world.insert(far, &Field::new(64, 63, Cell::Air))),
        "chunk (7, 7): found 64 × 63 cells, allowed is 64 × 64"
    );
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    assert!(says(world.load(EAST, &damaged)).starts_with("chunk (0, 0): found damaged bytes"));
    assert!(says(world.load(EAST, &bytes[1..])).starts_with("chunk (0, 0): found"));
    // Bytes of the same chunk, but of another time.
    let mut later = world.clone();
    later.load(EAST, &bytes).unwrap();
    later.set([5, 5], Cell::Wall).unwrap();
    let other = later.unload(EAST).unwrap();
    let error = says(world.load(EAST, &other));
    assert!(
        error.contains("found bytes of hash") && error.contains("unless it is forgotten first")
    );
    assert!(says(world.unload(far).map(drop)).contains("found a chunk that is not loaded"));
    assert!(says(world.forget(far)).contains("one that was unloaded and not forgotten"));
    assert!(says(world.set([5, 5], Cell::Wall)).contains("one of a chunk that is loaded"));
    assert_eq!(world.state_hash(), before, "nothing has changed");
    world.forget(EAST).unwrap();
    world.load(EAST, &other).unwrap();
    assert_eq!(world.cell([5, 5]), Some(Cell::Wall));
    assert_eq!(residuals(&world), [0; 3]);
    let whole = Params { trapped_air: true, ..Params::default() };
    assert!(OpenWorld::new(whole).is_err());
    assert!(OpenWorld::restore(&bytes).is_err());
}

#[test]
fn what_hangs_together_has_a_limit_and_worlds_have_none() {
    let mut world = open(&Params::default());
    let air = Field::new(CHUNK, CHUNK, Cell::Air);
    for chunk in [i32::MIN, -5, 1 << 20, i32::MAX] {
        world.insert(ChunkPos::new(chunk, chunk), &air).unwrap();
        world.insert(ChunkPos::new(chunk, 3), &air).unwrap();
        let [x, y] = ChunkPos::new(chunk, 3).origin();
        world.set([x + 7, y + 60], Cell::WATER).unwrap();
    }
    for x in 0..508 {
        world.insert(ChunkPos::new(x, 100), &air).unwrap();
    }
    let error = world.insert(ChunkPos::new(508, 100), &air).unwrap_err();
    assert_eq!(
        error.to_string(),
        "chunks that hang together: found 509 × 1, allowed is 508 × 508 at most"
    );
    assert!(world.run_to_rest(200));
    let [x, y] = ChunkPos::new(i32::MAX, 3).origin();
    assert!(world.fill_at([x + 7, y + 63]) > Some(0));
    assert_eq!(world.cell([i64::MAX, 0]), None);
    assert_eq!(residuals(&world), [0; 3]);
}

#[test]
fn a_long_way_of_chunks_takes_no_more_room_than_they_do() {
    // From corner to corner: the grid around it has places for 94,000 chunks.
    let mut world = open(&Params::default());
    let air = Field::new(CHUNK, CHUNK, Cell::Air);
    let steps = |i: i32| [ChunkPos::new(i, i), ChunkPos::new(i + 1, i)];
    for chunk in (0..300).flat_map(steps) {
        world.insert(chunk, &air).unwrap();
    }
    world.edit(&Region::rect([10.0, 0.0], [30.0, 60.0]), Edit::Pour(Liquid::Water, FULL)).unwrap();
    world.step_many(20);
    for chunk in (0..300).flat_map(steps).skip(4) {
        let bytes = world.unload(chunk).unwrap();
        assert!(bytes.len() < 100, "{} bytes of air", bytes.len());
    }
    assert!(world.run_to_rest(1000));
    assert_eq!(world.balance(Liquid::Water).loaded, 20 * 60 * i128::from(FULL));
}

#[test]
fn changes_are_told_by_chunk() {
    let (mut world, bytes) = dammed(Border::Hold);
    assert_eq!(world.take_changed(), [WEST]);
    assert!(world.take_changed().is_empty());
    world.load(EAST, &bytes).unwrap();
    assert_eq!(world.take_changed(), [EAST], "a neighbour at rest has not changed");
    world.set([-30, 10], Cell::WATER).unwrap();
    assert_eq!(world.take_changed(), [WEST]);
}
