//! Tests of changes of walls: water in unaffected space stays in place, and the volume is
//! conserved.

use crate::support::columns::{advance_by, busy_world, disturb, level_at, noise};
use crate::support::round_trip_json;
use headwater::columns::{Columns, Edit, Heat, Motion, Params};
use headwater::{Field, Region};
use proptest::prelude::*;

fn world(map: &str, params: Params) -> Columns {
    Columns::from_text(map, 0.5, params).unwrap()
}

fn cell_region(x: usize, y: usize) -> Region {
    Region::disc([0.5 * x as f64 + 0.25, 0.5 * y as f64 + 0.25], 0.01)
}

const KEEP: &str = "
    ..................
    #.....#...........
    #~....#...........
    #.....#...........
    #.....#...........
    #.....#####.......
    #.....#...#......#
    #.....#...#......#
    ##################";

#[test]
fn an_opened_gate_drains_a_tower() {
    let mut keep = world(KEEP, Params { damping: 0.3, ..Params::default() });
    let volume = keep.volume();
    assert_eq!(level_at(&keep, [7.0, 3.7]), None);
    advance_by(&mut keep, 20.0);
    assert_eq!(keep.awake_pool_count(), 0);
    // Water flows from the moat into the cellar and on into the ditch.
    assert_eq!(keep.set_walls(&cell_region(6, 7), false).unwrap(), 1);
    assert_eq!(keep.set_walls(&cell_region(6, 7), false).unwrap(), 0, "it is open");
    assert!(keep.awake_pool_count() > 0);
    assert_eq!(keep.volume(), volume, "not a quantum has moved yet");
    advance_by(&mut keep, 30.0);
    assert!(level_at(&keep, [4.0, 3.7]).unwrap() > 1.4, "the cellar is full");
    keep.set_walls(&cell_region(10, 6), false).unwrap();
    advance_by(&mut keep, 120.0);
    let [moat, ditch] = [1.5, 6.5].map(|x| level_at(&keep, [x, 3.7]).unwrap());
    assert!((moat - ditch).abs() < 0.02 || ditch > 1.5, "{moat} {ditch}");
    assert!(moat < 2.0 && ditch > 1.2, "{moat} {ditch}");
    assert_eq!(keep.volume(), volume);
    assert_eq!(keep.balance().residual, 0.0);
}

#[test]
fn building_displaces_water_and_records_the_excess() {
    let mut lake = world(
        "............\n............\n~...........\n............\n............",
        Params::default(),
    );
    let volume = lake.volume();
    let block = Region::rect([2.0, 1.0], [3.5, 2.5]);
    assert_eq!(lake.set_walls(&block, true).unwrap(), 9);
    assert_eq!(lake.volume(), volume);
    let [west, east] = [1.8, 3.8].map(|x| level_at(&lake, [x, 2.0]).unwrap());
    assert!(west > 1.6, "it stands higher beside the block");
    assert!((west - east).abs() < 1e-6, "as much on either side: {west} {east}");
    assert!(level_at(&lake, [0.2, 2.0]).unwrap() < 1.6, "not everywhere at once");
    assert_eq!(lake.balance().ledger.total_outflow(), 0.0);
    lake.set_walls(&Region::Everywhere, true).unwrap();
    assert_eq!((lake.volume(), lake.column_count()), (0.0, 0));
    let balance = lake.balance();
    assert_eq!((balance.residual, balance.ledger.total_outflow()), (0.0, volume));
    lake.step();
    lake.set_walls(&Region::Everywhere, false).unwrap();
    lake.edit(&Region::Everywhere, Edit::Pour(1.0)).unwrap();
    lake.step();
    assert_eq!(lake.balance().residual, 0.0);
    let error = lake.set_walls(&Region::disc([-9.0, 0.0], 1.0), true).unwrap_err();
    assert_eq!((&*error.what, &*error.found), ("a region", "no cell of the grid"));
}

#[test]
fn distant_waves_are_not_affected_by_building() {
    let heat = Some(Heat { air: 5.0, water: Some(20.0), ..Heat::default() });
    let air = ".".repeat(40);
    let map = format!("{air}\n{air}\n~{}\n{air}\n{air}", &air[1..]);
    let mut calm = world(&map, Params { heat, ..Params::default() });
    calm.edit(&Region::disc([15.0, 2.0], 1.0), Edit::Splash(0.3)).unwrap();
    advance_by(&mut calm, 1.0);
    let mut built = calm.clone();
    // A roof above the water and a shaft beside it split the pool into several pools.
    built.set_walls(&Region::rect([2.0, 0.5], [4.0, 1.0]), true).unwrap();
    assert!(built.pool_count() > calm.pool_count());
    for name in ["velocity", "temperature"] {
        let [a, b] = [&calm, &built].map(|world| world.layer(name).unwrap());
        assert!(a.min_max().unwrap() != (0.0, 0.0));
        for y in 2..5 {
            assert_eq!(a.row(y), b.row(y), "{name}");
        }
    }
    advance_by(&mut calm, 1.0);
    advance_by(&mut built, 1.0);
    let [a, b] = [calm, built].map(|world| level_at(&world, [15.0, 2.0]).unwrap());
    assert!((a - b).abs() < 1e-4 && (a - 1.5).abs() > 2e-4, "{a} {b}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn digging_and_building_conserve_volume(
        nx in 2usize..60, ny in 2usize..30, seed in 0u64..1000, kind in 0usize..4
    ) {
        let heat = |air, water| Some(Heat { air, water, pace: 1e4, ..Heat::default() });
        let heat = [None, heat(-30.0, Some(2.0)), heat(120.0, Some(80.0)), heat(15.0, None)];
        let params = Params { heat: heat[kind].clone(), wave_depth: 0.5, ..Params::default() };
        let mut fast = busy_world(nx, ny, seed, params);
        let mut plain = fast.clone();
        for k in 0..40 {
            for (world, by_rows) in [(&mut fast, true), (&mut plain, false)] {
                disturb(world, k, seed);
                let at = |p| noise(k, p, seed);
                let [x, y] = [at(21) * nx as f64 * 0.5, at(22) * ny as f64 * 0.5];
                let region = Region::disc([x, y], 0.2 + 2.0 * at(23));
                world.set_walls(&region, at(24) < 0.5).unwrap();
                prop_assert_eq!(world.balance().residual, 0.0, "step {}", k);
                if let Some(balance) = world.heat_balance() {
                    prop_assert_eq!(balance.residual, 0.0, "step {}", k);
                }
                if by_rows { world.step() } else { world.step_plain() }
                prop_assert_eq!(world.balance().residual, 0.0, "step {}", k);
            }
            prop_assert_eq!(fast.state_hash(), plain.state_hash(), "step {}", k);
            let again = Columns::restore(round_trip_json(&fast.snapshot())).unwrap();
            prop_assert_eq!(fast.state_hash(), again.state_hash(), "step {}", k);
        }
    }
}

#[test]
fn walls_equal_those_that_were_set() {
    let mut world = world("....\n....\n~...\n....", Params::default());
    world.set_walls(&Region::rect([0.5, 0.5], [1.5, 1.0]), true).unwrap();
    assert_eq!(world.walls(), Field::from_fn(4, 4, |x, y| y == 1 && (1..3).contains(&x)));
}

#[test]
fn ledgers_balance_on_a_grid_of_walls() {
    let heat = Some(Heat { air: -30.0, water: Some(2.0), ..Heat::default() });
    let params = Params { heat, ..Params::default() };
    let mut tank = Columns::from_text("~~\n~~", 0.5, params).unwrap();
    tank.set_walls(&Region::disc([0.5, 0.5], 2.0), true).unwrap();
    assert_eq!((tank.volume(), tank.balance().residual), (0.0, 0.0));
    let balance = tank.heat_balance().unwrap();
    assert_eq!((balance.now, balance.residual), (0.0, 0.0));
    tank.set_walls(&Region::disc([0.5, 0.5], 2.0), false).unwrap();
    tank.step();
    assert_eq!(tank.heat_balance().unwrap().residual, 0.0);
}

#[test]
fn springs_can_be_placed_in_newly_dug_cells() {
    let params = Params { motion: Motion::Springs, ..Params::default() };
    let mut solid = Columns::new(&Field::new(1, 1, true), 0.5, &[], params).unwrap();
    solid.set_walls(&Region::Everywhere, false).unwrap();
    let kept = Columns::restore(solid.snapshot()).unwrap();
    solid.step();
    assert_eq!((kept.column_count(), solid.column_count()), (1, 1));
}
