//! Tests that results do not depend on the fast code path, on threads or on snapshots, bit for bit,
//! for grids of any shape.

use crate::support::flow::{
    CellShape, WORLDS, bounded_world, busy_world, make_periodic, noise, step_and_compare,
    step_together,
};
use crate::support::{check_damaged_snapshots, on_threads, round_trip_json};
use headwater::flow::{
    Amount, Boundary, BoundaryKind, Change, Edit, Flow, Params, Physics, Source,
};
use headwater::{Brush, Field, Region};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn fast_path_equals_the_plain_loops(
        nx in 1usize..70, ny in 1usize..40, seed in 0u64..1000,
        viscosity in prop_oneof![Just(0.0), 0.01f64..5.0],
        world in proptest::sample::select(&WORLDS), rough in any::<bool>(),
        joined in any::<[bool; 2]>()
    ) {
        let mut fast = busy_world(world, nx, ny, seed, viscosity);
        let map = rough.then(|| Field::from_fn(nx, ny, |x, y| 0.1 * noise(x, y, seed ^ 3)));
        fast.set_roughness(map).unwrap();
        make_periodic(&mut fast, joined[0], joined[1]);
        let mut plain = fast.clone();
        for _ in 0..60 {
            step_and_compare(&mut fast, &mut plain);
        }
        prop_assert_eq!(fast.balance(), plain.balance());
        prop_assert_eq!(fast.part_volumes(), plain.part_volumes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn combined_steps_equal_single_steps(
        nx in 1usize..70, ny in 1usize..150, seed in 0u64..1000,
        viscosity in prop_oneof![Just(0.0), 0.01f64..5.0],
        cells in prop_oneof![Just(CellShape::Square), Just(CellShape::Hex)],
        joined in any::<[bool; 2]>(), threads in 1usize..5
    ) {
        let mut fast = bounded_world((cells, Physics::Pipes), nx, ny, seed, viscosity);
        make_periodic(&mut fast, joined[0], joined[1]);
        let mut single = fast.clone();
        let stop = 23.3 * fast.stable_dt();
        let mut longest = 0;
        while fast.time() < stop {
            longest = longest.max(on_threads(threads, || fast.steps_toward(stop, 7)).unwrap());
        }
        while single.step_toward(stop).unwrap() {}
        prop_assert!(longest > 1, "no pass has several steps");
        prop_assert_eq!(fast.steps(), 24);
        prop_assert_eq!(fast.state_hash(), single.state_hash());
        prop_assert_eq!(fast.ledger(), single.ledger());
        prop_assert_eq!(fast.part_volumes(), single.part_volumes());
    }
}

#[test]
fn periodic_hexagons_are_invariant_under_shifts() {
    // The last row is shifted east, so half a face of its southern edge is stored at the end.
    let turned = |columns: usize| {
        let hex = headwater::Hex::new(12, 6, 2.0).unwrap();
        let at = |x: usize, y: usize, seed| noise((x + columns) % 12, y, seed);
        let bed = Field::from_fn(12, 6, |x, y| at(x, y, 1));
        let depth = Field::from_fn(12, 6, |x, y| 0.5 + at(x, y, 2));
        let params = Params { level: Physics::Inertial, ..Params::default() };
        let mut flow = Flow::new(hex, params, bed, depth).unwrap();
        make_periodic(&mut flow, true, false);
        let open = Boundary::on_edge(headwater::Edge::South, BoundaryKind::Open);
        flow.set_boundary(open).unwrap();
        flow
    };
    let (mut here, mut there) = (turned(0), turned(5));
    step_together([&mut here, &mut there], 50);
    for y in 0..6 {
        for x in 0..12 {
            let (a, b) = (here.state().depth[((x + 5) % 12, y)], there.state().depth[(x, y)]);
            assert_eq!(a, b, "{x} {y}");
        }
    }
    let (mut plain, mut fast) = (turned(0), turned(0));
    for _ in 0..22 {
        step_and_compare(&mut fast, &mut plain);
    }
}

/// Returns a world in which a lake lies in one corner of high, dry ground.
fn lake_in_a_corner(world: (CellShape, Physics), nx: usize, ny: usize) -> Flow {
    let calm = bounded_world(world, nx, ny, 3, 0.0);
    let bed = Field::from_fn(nx, ny, |x, y| {
        let away = (x as f32).hypot(y as f32);
        noise(x, y, 5) + if away < 60.0 { 0.0 } else { 3.0 + 0.01 * away }
    });
    let depth = bed.map(|z| (2.0 - z).max(0.0));
    Flow::new(*calm.lattice(), calm.params().clone(), bed, depth).unwrap()
}

#[test]
fn skipped_tiles_would_not_have_changed() {
    for (i, world) in WORLDS.into_iter().enumerate() {
        // Pipes on squares and shallow water on hexagons have periodic edges. Inertial flow selects
        // the same tiles as pipes.
        let joined = i % 5 == 0;
        let mut fast = lake_in_a_corner(world, 130, 260);
        make_periodic(&mut fast, joined, joined);
        let all = fast.awake_tile_count();
        let splash = Brush::smooth_disc([40.0, 30.0], 12.0);
        let pour = Edit::Pour(Amount::Depth(0.5));
        fast.edit(&splash, pour).unwrap();
        let mut plain = fast.clone();
        let mut fewest = all;
        for i in 0..34 {
            let dt = (if i % 3 == 0 { 0.7 } else { 0.9 }) * fast.stable_dt();
            fast.step(dt).unwrap();
            plain.step_plain(dt).unwrap();
            fewest = fewest.min(fast.awake_tile_count());
            if i == 20 {
                assert!(4 * fast.awake_tile_count() < all, "{world:?}: the hills are awake");
                // A spring and an edit in the hills, where all tiles were asleep.
                let far = Region::disc([100.0, 345.0], 5.0);
                let dig = Edit::Lower(Change::By(0.5));
                for flow in [&mut fast, &mut plain] {
                    flow.edit(&Brush::smooth_disc([268.0, 240.0], 9.0), pour).unwrap();
                    flow.edit(&Brush::with_flat_falloff(far.clone()), dig).unwrap();
                    flow.add_spring(Source::new(far.clone(), 2.0)).unwrap();
                }
            }
        }
        assert_eq!(fast.state_hash(), plain.state_hash(), "{world:?} {joined}");
        assert!(4 * fewest < all, "{world:?}: {fewest} of {all} tiles are awake");
    }
}

#[test]
fn water_crossing_a_seam_at_a_narrow_tile_is_stepped() {
    // The last tiles are one cell wide, so outflow of the previous tile crosses the seam one step
    // later.
    for (nx, ny, at) in [(193, 66, [184, 35]), (66, 193, [35, 184])] {
        for world in WORLDS {
            let calm = bounded_world(world, nx, ny, 3, 0.0);
            let (bed, depth) = (Field::new(nx, ny, 0.0), Field::new(nx, ny, 1.0));
            let mut fast = Flow::new(*calm.lattice(), calm.params().clone(), bed, depth).unwrap();
            if world.0 == CellShape::Hex && ny % 2 == 1 {
                continue;
            }
            make_periodic(&mut fast, true, true);
            let mut plain = fast.clone();
            for i in 0..54 {
                if i == 36 {
                    assert_eq!(fast.awake_tile_count(), 0, "{world:?}");
                    let splash = Brush::smooth_disc(fast.lattice().center(at[0], at[1]), 4.0);
                    for flow in [&mut fast, &mut plain] {
                        flow.edit(&splash, Edit::Pour(Amount::Depth(0.5))).unwrap();
                    }
                }
                step_and_compare(&mut fast, &mut plain);
            }
        }
    }
}

#[test]
fn column_ranges_of_shallow_water_cross_a_seam_at_a_narrow_tile() {
    // The grid is four tiles and one column wide. The stepped area around the lake ends one column
    // before the seam.
    let (nx, ny) = (257, 67);
    for cells in [CellShape::Square, CellShape::Hex] {
        for joined in [false, true] {
            let calm = bounded_world((cells, Physics::ShallowWater), nx, ny, 3, 0.0);
            // A lake, and another one at rest in a ditch along the seam.
            let bed = Field::from_fn(nx, ny, |x, y| {
                let away = (x as f32 - 160.0).hypot(y as f32 - 32.0);
                noise(x, y, 5) + if away < 20.0 || (x + 4) % nx < 8 { 0.0 } else { 3.0 }
            });
            let depth = bed.map(|z| (2.0 - z).max(0.0));
            let mut fast = Flow::new(*calm.lattice(), calm.params().clone(), bed, depth).unwrap();
            make_periodic(&mut fast, joined, joined);
            let mut plain = fast.clone();
            let all = fast.awake_tile_count();
            let mut fewest = all;
            for i in 0..48 {
                if i == 36 {
                    let (dx, dy) = (fast.lattice().dx(), fast.lattice().dy());
                    let splash = Brush::smooth_disc([160.0 * dx, 32.0 * dy], 12.0);
                    for flow in [&mut fast, &mut plain] {
                        flow.edit(&splash, Edit::Pour(Amount::Depth(0.5))).unwrap();
                    }
                }
                step_and_compare(&mut fast, &mut plain);
                fewest = fewest.min(fast.awake_tile_count());
            }
            assert!(all == 10 && fewest <= 1, "{cells:?}: {fewest} of {all} tiles are awake");
        }
    }
}

#[test]
fn uniform_roughness_equals_a_constant_map() {
    let mut number = busy_world((CellShape::Square, Physics::Inertial), 41, 33, 6, 0.0);
    let mut map = number.clone();
    map.set_roughness(Some(Field::new(41, 33, number.params().manning as f32))).unwrap();
    let mut smooth = number.clone();
    smooth.set_roughness(Some(Field::new(41, 33, 0.0))).unwrap();
    for world in [&mut number, &mut map, &mut smooth] {
        world.advance(3.0).unwrap();
    }
    assert_eq!(map.state(), number.state());
    assert_ne!(smooth.state(), number.state(), "roughness does nothing");
    assert_ne!(map.state_hash(), number.state_hash(), "a map is no part of the hash");
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |world, threads: usize| {
        on_threads(threads, || {
            let mut flow = busy_world(world, 180, 200, 5, 0.2);
            flow.advance(1.0).unwrap();
            (flow.state_hash(), flow.ledger().clone())
        })
    };
    // Each physics runs on 3 and on 8 threads, once on squares and once on hexagons.
    for (i, world) in WORLDS.into_iter().enumerate() {
        let threads = [3, 8][i % 2];
        assert_eq!(run(world, threads), run(world, 1), "{world:?}, {threads} threads");
    }
}

#[test]
fn restored_world_continues_bit_for_bit() {
    for world in WORLDS {
        let mut on = busy_world(world, 61, 43, 3, 0.0);
        on.advance(2.0).unwrap();
        let mut again = Flow::restore(round_trip_json(&on.snapshot())).unwrap();
        assert_eq!(again.state_hash(), on.state_hash());
        on.advance(5.0).unwrap();
        again.advance(5.0).unwrap();
        assert_eq!(again.state_hash(), on.state_hash());
        assert_eq!(again.ledger(), on.ledger());
        assert_eq!(again.particles(), on.particles());
    }
}

#[test]
fn interrupted_advance_reaches_the_same_state() {
    for world in WORLDS {
        let mut whole = busy_world(world, 31, 23, 8, 0.0);
        let mut broken = whole.clone();
        whole.advance(3.0).unwrap();
        for _ in 0..7 {
            assert!(broken.step_toward(3.0).unwrap());
        }
        let mut broken = Flow::restore(broken.snapshot()).unwrap();
        while broken.step_toward(3.0).unwrap() {}
        assert_eq!(broken.time(), 3.0);
        assert_eq!(broken.state_hash(), whole.state_hash());
    }
}

#[test]
fn inconsistent_snapshots_are_rejected() {
    let world = busy_world(WORLDS[0], 13, 9, 1, 0.0);
    let damages: [fn(&mut serde_json::Value); 4] = [
        |w| w["lattice"]["square"]["nx"] = 12.into(),
        |w| w["state"]["depth"]["data"][0] = (-1.0).into(),
        |w| w["state"]["bed"]["nx"] = 12.into(),
        |w| w["time"] = (-1.0).into(),
    ];
    check_damaged_snapshots(&world.snapshot(), Flow::restore, &damages);
}
