//! Tests of open worlds of columns, whose chunks are loaded and unloaded while the world runs. They
//! include the test cases common to all models and further cases for columns only.

use crate::support::columns::noise;
use crate::support::open::{self, *};
use headwater::columns::open::{
    Border, CHUNK, ChunkPos, ConnectedColumns, OpenBalance, OpenWorld, Transfer,
};
use headwater::columns::{Columns, Edit, Heat, Motion, Params, Source};
use headwater::{Cause, Field, InputError, Region};
use proptest::prelude::*;

const CELL: f64 = 0.5;

/// Content of a cell: whether it is a wall, and its filled fraction (0 to 1).
type Cell = (bool, f64);

/// Returns random caves, some of which contain water.
fn caves(nx: usize, ny: usize, seed: u64) -> Field<Cell> {
    let scale = 5 + (seed % 7) as usize;
    let is_wall = |x: usize, y: usize| noise(x / scale, y / scale, seed) < 0.45;
    let is_wet = |x: usize, y: usize| noise(x / 30, y / 20, seed + 1) < 0.4;
    // Volumes are integers, so a split run gives exactly the same volumes as a single run.
    let part = |x: usize, y| (noise(x / 9, y, seed + 2) * 256.0).floor() / 256.0;
    let fill = |x, y| if is_wet(x, y) { part(x, y) } else { 0.0 };
    Field::from_fn(nx, ny, |x, y| (is_wall(x, y), fill(x, y)))
}

/// Returns a random event: an edit (`Ok`), the conversion of cells to walls (`Err(true)`), or their
/// conversion to open space (`Err(false)`).
fn random_edit_or_wall_change(step: usize, seed: u64) -> Result<Edit, bool> {
    match (noise(step, 4, seed) * 5.0) as usize {
        0 => Err(false),
        1 => Err(true),
        2 => Ok(Edit::Pour(noise(step, 5, seed) * 20.0)),
        3 => Ok(Edit::Remove(noise(step, 5, seed) * 20.0)),
        _ => Ok(Edit::Splash(noise(step, 5, seed) - 0.5)),
    }
}

impl open::Model for ConnectedColumns {
    type Cell = Cell;

    const AIR: Cell = (false, 0.0);
    const WATER: Cell = (false, 1.0);
    const WALL: Cell = (true, 0.0);
    const SIZE: f64 = CELL;
    const NEW_CHUNK: &'static str = "a new chunk";
    const FILMS_REST: bool = false;
    const LOADING_ORDER_ROUNDS: (usize, usize, &'static [usize]) = (10, 3, &[3, 7]);

    fn world() -> OpenWorld {
        OpenWorld::new(CELL, Params::default()).unwrap()
    }

    fn insert(
        world: &mut OpenWorld,
        chunk: ChunkPos,
        cells: &Field<Cell>,
    ) -> Result<(), InputError> {
        world.insert(chunk, &cells.map(|cell| cell.0), &cells.map(|cell| cell.1))
    }

    fn add_sources(world: &mut OpenWorld, first: ChunkPos) {
        let region = |x| rect_from::<Self>(first, [x, 70, 40, 40]);
        world.add_spring(Source::new(region(100), 5.0)).unwrap();
        world.add_drain(Source::new(region(200), 2.0)).unwrap();
    }

    fn disturb(world: &mut OpenWorld, region: &Region, step: usize, seed: u64) {
        match random_edit_or_wall_change(step, seed) {
            Ok(edit) => world.edit(region, edit).unwrap(),
            Err(solid) => assert!(world.set_walls(region, solid).is_ok()),
        }
    }

    fn dig(world: &mut OpenWorld, region: &Region) {
        assert_ne!(world.set_walls(region, false).unwrap(), 0);
    }

    fn build(world: &mut OpenWorld, cell: [i64; 2]) -> Result<(), InputError> {
        world.set_wall(cell, true)
    }

    fn water_level(world: &mut OpenWorld, x: i64) -> f64 {
        51.0 - world.surface_at([(x as f64 + 0.5) * CELL, 50.5 * CELL]).unwrap() / CELL
    }

    fn balances(world: &OpenWorld) -> Vec<OpenBalance<f64>> {
        vec![world.balance()]
    }

    fn transfers(world: &OpenWorld, chunk: ChunkPos) -> Vec<([i64; 2], f64)> {
        let reported = |transfer: Transfer| (transfer.cell, transfer.volume);
        world.transfers(chunk).map(reported).collect()
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
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn an_open_world_equals_a_closed_one(seed in any::<u64>(), params in any_params()) {
        // The worlds are high enough to use the same unit of height.
        let (first, nx, ny) = (ChunkPos::new(-1, -3), 2, 8);
        let (wide, high) = (nx as usize * CHUNK, ny as usize * CHUNK);
        let land = caves(wide, high, seed % 1000);
        let walled = surround_with_wall(&land, ConnectedColumns::WALL, 2);
        let (walls, fill) = (walled.map(|cell| cell.0), walled.map(|cell| cell.1));
        let mut closed = Columns::with_fill(&walls, CELL, &fill, params.clone()).unwrap();
        let mut open = OpenWorld::new(CELL, params.clone()).unwrap();
        load_field(&mut open, &land, first);
        let here = |[x, y, nx, ny]: [usize; 4]| {
            let [x, y] = [x + 2, y + 2].map(|at| at as f64 * CELL);
            Region::rect([x, y], [x + nx as f64 * CELL, y + ny as f64 * CELL])
        };
        let place = [wide / 2 - 20, 60, 40, 40];
        let wet = closed.add_spring(Source::new(here(place), 5.0)).is_ok();
        if wet {
            open.add_spring(Source::new(rect_from::<ConnectedColumns>(first, place), 5.0)).unwrap();
        }
        let corner = [first.origin()[0] as f64 * CELL, first.origin()[1] as f64 * CELL];
        for step in 0..40 {
            if step % 9 == 8 {
                let [x, y, nx, ny] = random_rect(step, seed, wide, high);
                let place = [x, y, nx.min(wide - x), ny.min(high - y)];
                ConnectedColumns::disturb(&mut open, &rect_from::<ConnectedColumns>(first, place), step, seed);
                // A closed world returns an error at positions without a column.
                match random_edit_or_wall_change(step, seed) {
                    Ok(edit) => drop(closed.edit(&here(place), edit)),
                    Err(solid) => drop(closed.set_walls(&here(place), solid)),
                }
            }
            open.step();
            closed.step();
            if step % 8 == 7 {
                prop_assert_eq!(open.balance().loaded_volume, closed.volume(), "step {}", step);
                for (x, y) in (0..high).step_by(3).flat_map(|y| (0..wide).map(move |x| (x, y))) {
                    let [x, y] = [x, y].map(|at| (at as f64 + 0.25) * CELL);
                    let theirs = [x + 2.0 * CELL, y + 2.0 * CELL];
                    let found = open.velocity_at([corner[0] + x, corner[1] + y]);
                    prop_assert!(found == closed.velocity_at(theirs), "({x}, {y}) in step {step}");
                }
            }
        }
        let balance = open.balance();
        prop_assert_eq!(balance.residual, 0.0);
        for cause in [Cause::Source, Cause::Edit] {
            prop_assert_eq!(balance.ledger.net_inflow(cause), closed.ledger().net_inflow(cause));
        }
    }

    #[test]
    fn loading_order_does_not_matter_and_ledgers_balance(
        seed in any::<u64>(), params in any_params(), pass in any::<bool>()
    ) {
        let land = caves(6 * CHUNK, 4 * CHUNK, seed % 1000);
        check_loading_order(OpenWorld::new(CELL, params).unwrap(), &land, seed, pass)?;
    }

    #[test]
    fn chunks_round_trip_through_bytes(seed in any::<u64>(), params in any_params()) {
        let land = caves(3 * CHUNK, 2 * CHUNK, seed % 1000);
        let mut world = check_chunks_round_trip(OpenWorld::new(CELL, params.clone()).unwrap(), &land)?.world;
        let first = ChunkPos::new(0, 0);
        // Loading the same chunks brings the same water into another world.
        let mut new = OpenWorld::new(CELL, params.clone()).unwrap();
        for chunk in chunks(first, 3, 2) {
            let bytes = world.unload(chunk).unwrap();
            new.load(chunk, &bytes).unwrap();
            prop_assert!(new.unload(chunk).unwrap() == bytes);
            new.load(chunk, &bytes).unwrap();
        }
        // An edit regroups the columns.
        new.edit(&Region::Everywhere, Edit::Pour(0.0)).unwrap();
        for chunk in chunks(first, 3, 2) {
            let bytes = new.unload(chunk).unwrap();
            prop_assert!(world.load(chunk, &bytes).is_ok(), "{chunk}: other bytes");
        }
        prop_assert_eq!((world.balance().residual, new.balance().residual), (0.0, 0.0));
    }
}

open_world_tests!(ConnectedColumns);

#[test]
fn water_falls_through_an_open_lower_border_and_rests_on_a_closed_one() {
    let mut world = ConnectedColumns::world();
    let below = ChunkPos::new(-1, 1);
    let shaft =
        |x: usize, _| Some(if x == 30 { ConnectedColumns::AIR } else { ConnectedColumns::WALL });
    ConnectedColumns::insert(&mut world, below, &chunk_with_floor::<ConnectedColumns>(shaft))
        .unwrap();
    world.set_border(Border::Pass);
    let bytes = world.unload(below).unwrap();
    let lake = |x, y| match (x, y) {
        (30, 51..) => Some(ConnectedColumns::AIR),
        (20..40, 41..=50) => Some(ConnectedColumns::WATER),
        _ => None,
    };
    ConnectedColumns::insert(&mut world, WEST, &chunk_with_floor::<ConnectedColumns>(lake))
        .unwrap();
    world.step_many(60);
    let balance = world.balance();
    assert!(balance.transit_volume > 10.0 * CELL * CELL && balance.residual == 0.0, "{balance:?}");
    assert!(world.transfers(below).all(|transfer| transfer.cell == [-34, 64]));
    world.load(below, &bytes).unwrap();
    world.step_many(600);
    let balance = world.balance();
    assert_eq!((balance.transit_volume, balance.residual), (0.0, 0.0));
    let bottom = (2.0 * CHUNK as f64 - 0.5) * CELL;
    let surface = world.surface_at([-33.5 * CELL, bottom]);
    assert!(surface.is_some_and(|surface| surface < bottom), "it lies in the shaft");
}

#[test]
fn chunks_with_mismatched_fills_or_columns_are_rejected() {
    let (mut world, bytes) = lake_behind_dam::<ConnectedColumns>(Border::Hold);
    let overfull = Field::new(CHUNK, CHUNK, (false, 1.5));
    assert!(ConnectedColumns::insert(&mut world, ChunkPos::new(5, 5), &overfull).is_err());
    assert!(world.set_wall([3, 3], true).is_err() && world.set_wall([-3, 3], false).is_ok());
    let params = Params { columns_per_cell: 2, ..Params::default() };
    assert_eq!(
        OpenWorld::new(CELL, params.clone()).unwrap().load(EAST, &bytes).unwrap_err().to_string(),
        "chunk (0, 0): found 1 columns of water per cell, allowed is a chunk with 2 columns of water per cell"
    );
}

#[test]
fn unsupported_features_are_rejected_by_name() {
    let says = |params| OpenWorld::new(CELL, params).unwrap_err().to_string();
    assert_eq!(
        says(Params { heat: Some(Heat::default()), ..Params::default() }),
        "heat: found a world with heat, allowed is none in an open world"
    );
    assert_eq!(
        says(Params { motion: Motion::Springs, ..Params::default() }),
        "motion: found `springs`, allowed is `discharge` in an open world"
    );
    let mut world = ConnectedColumns::world();
    let floor = chunk_with_floor::<ConnectedColumns>(|_, _| None);
    for y in 0..15 {
        ConnectedColumns::insert(&mut world, ChunkPos::new(0, y), &floor).unwrap();
    }
    let error =
        ConnectedColumns::insert(&mut world, ChunkPos::new(0, -1), &floor).unwrap_err().to_string();
    assert_eq!(error, "chunks that hang together: found 1 × 16, allowed is 256 × 15 at most");
    ConnectedColumns::insert(&mut world, ChunkPos::new(0, -2), &floor).unwrap();
    world.step();
    assert_eq!(world.take_changed_chunks().len(), 16);
}
