//! Tests of open block worlds, whose chunks are loaded and unloaded while the world runs. They
//! include the test cases common to all models and further cases for blocks only.

use crate::support::blocks::{caves, noise, rect, world};
use crate::support::open::{self, *};
use headwater::blocks::open::{
    Border, CHUNK, ChunkPos, ConnectedBlocks, OpenBalance, OpenWorld, Transfer,
};
use headwater::blocks::{Cell, Drain, Edit, FULL, Liquid, Params, Spring};
use headwater::{Cause, Field, InputError, Region};
use proptest::prelude::*;

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

fn random_edit(step: usize, seed: u64) -> Edit {
    let at = |k: usize, n: usize| (noise(step, k, seed) * n as f64) as usize;
    match at(4, 6) {
        0 => Edit::Dig,
        1 => Edit::Build,
        2 => Edit::Pour(Liquid::ALL[at(5, 3)], 1 + at(6, 256) as u16),
        3 => Edit::Remove(1 + at(6, 256) as u16),
        4 => Edit::Set(Cell::WATER),
        _ => Edit::Set(Cell::Wall),
    }
}

fn residuals(world: &OpenWorld) -> [i128; 3] {
    Liquid::ALL.map(|liquid| world.balance(liquid).residual)
}

impl open::Model for ConnectedBlocks {
    type Cell = Cell;

    const AIR: Cell = Cell::Air;
    const WATER: Cell = Cell::WATER;
    const WALL: Cell = Cell::Wall;
    const SIZE: f64 = 1.0;
    const NEW_CHUNK: &'static str = "new cells";
    const FILMS_REST: bool = true;
    const LOADING_ORDER_ROUNDS: (usize, usize, &'static [usize]) = (14, 1, &[8]);

    fn world() -> OpenWorld {
        OpenWorld::new(Params::default()).unwrap()
    }

    fn insert(
        world: &mut OpenWorld,
        chunk: ChunkPos,
        cells: &Field<Cell>,
    ) -> Result<(), InputError> {
        world.insert(chunk, cells)
    }

    fn add_sources(world: &mut OpenWorld, first: ChunkPos) {
        let region = rect_from::<Self>(first, [100, 70, 40, 2]);
        world.add_spring(Spring { region, liquid: Liquid::Water, rate: 200 }).unwrap();
    }

    fn disturb(world: &mut OpenWorld, region: &Region, step: usize, seed: u64) {
        world.edit(region, random_edit(step, seed)).unwrap();
    }

    fn dig(world: &mut OpenWorld, region: &Region) {
        world.edit(region, Edit::Dig).unwrap();
    }

    fn build(world: &mut OpenWorld, cell: [i64; 2]) -> Result<(), InputError> {
        world.set(cell, Cell::Wall)
    }

    fn water_level(world: &mut OpenWorld, x: i64) -> f64 {
        world.surface_level([x, 50]).unwrap() + 51.0
    }

    fn balances(world: &OpenWorld) -> Vec<OpenBalance<f64>> {
        let of = |liquid| world.balance(liquid).scaled(1.0 / f64::from(FULL));
        [Liquid::Water, Liquid::Oil, Liquid::Lava].map(of).to_vec()
    }

    fn transfers(world: &OpenWorld, chunk: ChunkPos) -> Vec<([i64; 2], f64)> {
        let reported = |transfer: Transfer| {
            assert_eq!(transfer.liquid, Liquid::Water);
            (transfer.cell, transfer.amount as f64 / f64::from(FULL))
        };
        world.transfers(chunk).map(reported).collect()
    }
}

/// Checks that the order in which chunks are loaded and unloaded between two steps does not affect
/// the result. `kinds` selects the liquids: 1 for water, 2 for water and oil, 3 for water, oil and
/// lava. `pass` states whether liquids can cross the border into unloaded chunks.
fn check_loading_order_of_caves(
    seed: u64,
    kinds: usize,
    params: Params,
    pass: bool,
) -> Result<(), TestCaseError> {
    let land = caves(6 * CHUNK, 4 * CHUNK, seed, kinds);
    check_loading_order(OpenWorld::new(params).unwrap(), &land, seed, pass)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn an_open_world_equals_a_closed_one(
        seed in any::<u64>(), kinds in 1usize..4, params in any_params(), nx in 1i32..4, ny in 1i32..3
    ) {
        let first = ChunkPos::new(-1, -1);
        let (wide, high) = (nx as usize * CHUNK, ny as usize * CHUNK);
        let land = caves(wide, high, seed, kinds);
        let mut closed = world(&surround_with_wall(&land, Cell::Wall, 1), &params);
        let mut open = OpenWorld::new(params).unwrap();
        load_field(&mut open, &land, first);
        let spring = |region| Spring { region, liquid: Liquid::Water, rate: 90 };
        open.add_spring(spring(rect_from::<ConnectedBlocks>(first, [wide / 2 - 3, 3, 6, 2]))).unwrap();
        closed.add_spring(spring(rect(wide / 2 - 2, 4, 6, 2))).unwrap();
        // The drains share columns of cells, and one lies across a border if there is one.
        for (y, ny, rate) in [(high - 9, 3, 40), (high / 2 - 5, 10, 70), (high / 2 - 3, 9, 30)] {
            let drain = |region| Drain { region, rate };
            open.add_drain(drain(rect_from::<ConnectedBlocks>(first, [wide / 3, y, 9, ny]))).unwrap();
            closed.add_drain(drain(rect(wide / 3 + 1, y + 1, 9, ny))).unwrap();
        }
        let [left, top] = first.origin();
        for step in 0..60 {
            if step % 9 == 8 {
                let [x, y, nx, ny] = random_rect(step, seed, wide, high);
                let edit = random_edit(step, seed);
                let (nx, ny) = (nx.min(wide - x), ny.min(high - y));
                open.edit(&rect_from::<ConnectedBlocks>(first, [x, y, nx, ny]), edit).unwrap();
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
            let found = open.balance(liquid);
            prop_assert_eq!(found.loaded_volume, balance.now);
            for cause in [Cause::Source, Cause::Drain, Cause::Edit, Cause::Stone, Cause::Evaporation] {
                prop_assert_eq!(found.ledger.net_inflow(cause), balance.ledger.net_inflow(cause));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]

    #[test]
    fn loading_order_does_not_matter_and_ledgers_balance(
        seed in any::<u64>(), kinds in 1usize..4, params in any_params(), pass in any::<bool>()
    ) {
        check_loading_order_of_caves(seed, kinds, params, pass)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn chunks_round_trip_through_bytes(seed in any::<u64>(), kinds in 1usize..4, params in any_params()) {
        let world = OpenWorld::new(params).unwrap();
        check_chunks_round_trip(world, &caves(3 * CHUNK, 2 * CHUNK, seed, kinds))?;
    }
}

#[test]
fn unconnected_chunks_evolve_independently() {
    // The ghost cells of the chunks meet at a corner.
    let [flow, pour, film] = [1; 3];
    let corner = Params { flow, pour, film, evaporation: 0, lava_period: 1, ..Params::default() };
    // A ghost cell becomes wall right after groups were joined and supports the liquid above.
    let (evaporation, evaporation_period) = (13, 7);
    let joined = Params { flow: 4, pour: 2, evaporation, evaporation_period, ..corner.clone() };
    check_loading_order_of_caves(14_324_021_650_641_547_502, 1, corner, true).unwrap();
    check_loading_order_of_caves(16_920_475_541_483_141_857, 1, joined, true).unwrap();
}

open_world_tests!(ConnectedBlocks);

#[test]
fn trapped_air_is_rejected() {
    assert!(OpenWorld::new(Params { trapped_air: true, ..Params::default() }).is_err());
}

#[test]
fn the_size_of_groups_is_limited_but_not_of_worlds() {
    let mut world = ConnectedBlocks::world();
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
    assert!(world.cell([x + 7, y + 63]).map(Cell::fill) > Some(0));
    assert_eq!(world.cell([i64::MAX, 0]), None);
    assert_eq!(residuals(&world), [0; 3]);
}

#[test]
fn memory_is_proportional_to_loaded_chunks() {
    // The region is diagonal, so its bounding box has 94,000 chunks.
    let mut world = ConnectedBlocks::world();
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
    assert_eq!(world.balance(Liquid::Water).loaded_volume, 20 * 60 * i128::from(FULL));
}

#[test]
fn changes_are_reported_by_chunk() {
    let (mut world, bytes) = lake_behind_dam::<ConnectedBlocks>(Border::Hold);
    assert_eq!(world.take_changed_chunks(), [WEST]);
    assert!(world.take_changed_chunks().is_empty());
    world.load(EAST, &bytes).unwrap();
    assert_eq!(world.take_changed_chunks(), [EAST], "a neighbour at rest has not changed");
    world.set([-30, 10], Cell::WATER).unwrap();
    assert_eq!(world.take_changed_chunks(), [WEST]);
}
