//! Tests that the results of waves do not depend on the fast code path, on threads, mirroring or
//! snapshots, for grids of any shape.

use crate::support::flow::noise;
use crate::support::{check_damaged_snapshots, on_threads, round_trip_json};
use headwater::waves::{Body, EdgeKind, Edges, Edit, Params, Rain, Shape, Snapshot, Waves, Wind};
use headwater::{Brush, Field, InputError, Region, Square};
use proptest::prelude::*;

/// Returns a world with rain, wind and moving bodies. `kind` selects further features: an island (1
/// or 2), a wave speed that varies in space (1), and dispersion (2).
fn busy_world(nx: usize, ny: usize, seed: u64, edges: Edges, kind: usize) -> Waves {
    let (speed, depth, dispersion) = (6.0, 1.0, kind == 2);
    let params =
        Params { speed, depth, dispersion, absorbing_cells: 7, edges, ..Params::default() };
    let mut waves = pond(nx, ny, seed, params, kind, 0.05 * nx as f64);
    let (width, height) = (waves.lattice().width(), waves.lattice().height());
    waves.set_rain(Some(Rain { rate: 0.5, radius: 1.2, depth: 0.01, seed })).unwrap();
    let wind =
        Wind { velocity: [3.0, 1.0], gusts: 3, radius: 4.0, head: 0.01, lifetime: 2.0, seed };
    waves.set_wind(Some(wind)).unwrap();
    let disc = Shape::Disc { radius: 1.5 };
    let rect = Shape::Rect { half: [2.0, 0.7] };
    let body = |shape, x: f64, vx| Body {
        shape,
        position: [x * width, 0.3 * height],
        velocity: [vx, 0.5],
        draft: 0.1,
    };
    waves.add_body(body(disc, 0.2, 2.0)).unwrap();
    waves.add_body(body(rect, 0.9, -1.0)).unwrap();
    waves
}

fn calm_world(nx: usize, ny: usize, seed: u64, edges: Edges, kind: usize) -> Waves {
    let params = Params { speed: 7.0, edges, ..Params::default() };
    pond(nx, ny, seed, params, kind, 8.0)
}

/// Returns a pond with an uneven surface. The wave speed varies in space if `kind` is 1. Unless
/// `kind` is 0, there is an island of the given radius (m).
fn pond(nx: usize, ny: usize, seed: u64, params: Params, kind: usize, radius: f64) -> Waves {
    let lattice = Square::new(nx, ny, 0.5, 0.5).unwrap();
    let mut waves = Waves::new(lattice, Params { step: 0.04, ..params }).unwrap();
    let height = |x: usize, y: usize| 0.2 * (noise(x / 5, y / 5, seed) - 0.5);
    waves.set_surface(&Field::from_fn(nx, ny, height)).unwrap();
    if kind == 1 {
        let speed = |x, y| 8.0 * noise(x / 7, y / 7, seed ^ 5);
        waves.set_speed(Some(Field::from_fn(nx, ny, speed))).unwrap();
    }
    if kind > 0 {
        let island = Region::disc([0.4 * lattice.width(), 0.5 * lattice.height()], radius);
        waves.edit(&Brush::with_flat_falloff(island), Edit::Land).unwrap();
    }
    waves
}

fn edges() -> impl Strategy<Value = Edges> {
    use EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
    let side = || proptest::sample::select(&[Reflecting, Pinned, Absorbing]);
    let sides = (side(), side(), side(), side());
    (sides, any::<[bool; 2]>()).prop_map(|((west, east, north, south), [x, y])| {
        let [west, east] = if x { [Periodic; 2] } else { [west, east] };
        let [north, south] = if y { [Periodic; 2] } else { [north, south] };
        Edges { west, east, north, south }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 36, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_path_equals_the_plain_loops(
        nx in 1usize..300, ny in 1usize..90, seed in 0u64..1000, edges in edges(), kind in 0usize..3
    ) {
        let mut fast = busy_world(nx, ny, seed, edges, kind);
        let mut plain = fast.clone();
        for step in 0..40 {
            fast.step();
            plain.step_plain();
            prop_assert_eq!(fast.state_hash(), plain.state_hash(), "step {}", step);
        }
        prop_assert_eq!(fast.ledger(), plain.ledger());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn passes_of_several_steps_equal_single_steps(
        nx in 1usize..300, ny in 1usize..400, seed in 0u64..1000, edges in edges(), kind in 0usize..3,
        counts in proptest::collection::vec(1u64..20, 1..6)
    ) {
        let mut fast = calm_world(nx, ny, seed, edges, kind);
        let mut plain = fast.clone();
        for count in counts {
            fast.step_many(count);
            (0..count).for_each(|_| plain.step_plain());
            prop_assert_eq!(fast.state_hash(), plain.state_hash());
            prop_assert_eq!(fast.ledger(), plain.ledger());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn sleeping_tiles_do_not_change_results(
        seed in 0u64..1000, edges in edges(), damping in 0.5f64..3.0,
        x in 0.0f64..150.0, y in 0.0f64..50.0, land in any::<bool>()
    ) {
        // Drops fall far apart on a large pond, most of which sleeps most of the time.
        let lattice = Square::new(300, 100, 0.5, 0.5).unwrap();
        let params = Params { speed: 8.0, step: 0.04, damping, edges, ..Params::default() };
        let mut fast = Waves::new(lattice, params).unwrap();
        if land {
            let island = Region::disc([70.0, 30.0], 9.0);
            fast.edit(&Brush::with_flat_falloff(island), Edit::Land).unwrap();
        }
        let mut plain = fast.clone();
        let mut many = fast.clone();
        let mut asleep = false;
        for step in 0..160 {
            if step % 60 == 0 {
                let at = [x + 0.01 * step as f64, (y + seed as f64) % 50.0];
                for world in [&mut fast, &mut plain, &mut many] {
                    world.add_drop(at, 2.0, 0.001).unwrap();
                }
            }
            if step % 20 == 0 {
                many.step_many(20);
            }
            fast.step();
            plain.step_plain();
            asleep |= fast.awake_tile_count() < plain.awake_tile_count();
            if step % 20 == 0 {
                prop_assert_eq!(fast.state_hash(), plain.state_hash(), "step {}", step);
            }
        }
        prop_assert_eq!(fast.state_hash(), plain.state_hash());
        prop_assert_eq!(many.state_hash(), plain.state_hash());
        prop_assert_eq!(many.awake_tile_count(), fast.awake_tile_count());
        prop_assert!(asleep, "no tile ever slept");
    }
}

#[test]
fn waves_across_a_periodic_seam_wake_narrow_tiles() {
    // The last tiles are one cell wide, so waves from the previous tiles cross the seam one step
    // later.
    for (nx, ny, at) in [(513, 96, [509.5, 40.0]), (96, 257, [40.0, 253.5])] {
        let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
        let edges = Edges::uniform(EdgeKind::Periodic);
        let params = Params { speed: 8.0, step: 0.04, edges, ..Params::default() };
        let mut fast = Waves::new(lattice, params).unwrap();
        let mut plain = fast.clone();
        for step in 0..80 {
            if step == 40 {
                for world in [&mut fast, &mut plain] {
                    world.add_drop(at, 2.0, 0.5).unwrap();
                }
            }
            fast.step();
            plain.step_plain();
            assert_eq!(fast.state_hash(), plain.state_hash(), "{nx} × {ny}, step {step}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn mirrored_and_rotated_worlds_agree_bit_for_bit(
        nx in 2usize..40, ny in 2usize..40, seed in 0u64..1000, dispersion in any::<bool>()
    ) {
        let run = |turn: bool, mirror: bool| {
            let size = if turn { (ny, nx) } else { (nx, ny) };
            let lattice = Square::new(size.0, size.1, 1.0, 1.0).unwrap();
            let edges = Edges { west: EdgeKind::Absorbing, ..Edges::default() };
            let edges = match (turn, mirror) {
                (false, false) => edges,
                (false, true) => Edges { west: edges.east, east: edges.west, ..edges },
                (true, false) => Edges { north: edges.west, west: edges.north, ..edges },
                (true, true) => Edges { south: edges.west, west: edges.south, ..edges },
            };
            let params =
                Params { speed: 12.0, step: 0.05, edges, dispersion, depth: 2.0, ..Params::default() };
            let mut waves = Waves::new(lattice, params).unwrap();
            let place = |x: usize, y: usize| {
                let (x, y) = if turn { (y, x) } else { (x, y) };
                (if mirror { nx - 1 - x } else { x }, y)
            };
            let field = |f: &dyn Fn(usize, usize) -> f32| {
                Field::from_fn(size.0, size.1, |x, y| {
                    let (x, y) = place(x, y);
                    f(x, y)
                })
            };
            waves.set_surface(&field(&|x, y| 0.3 * noise(x, y, seed))).unwrap();
            let land = field(&|x, y| f32::from(u8::from(noise(x, y, seed ^ 3) > 0.9)));
            waves.set_land(Some(land.map(|&l| l > 0.0))).unwrap();
            (0..100).for_each(|_| waves.step());
            let z = &waves.state().height;
            let mut back = Field::new(nx, ny, 0.0_f32);
            for y in 0..size.1 {
                for x in 0..size.0 {
                    back[place(x, y)] = z[(x, y)];
                }
            }
            back
        };
        let straight = run(false, false);
        prop_assert!(straight.as_slice().iter().any(|&z| z != 0.0));
        for (turn, mirror) in [(false, true), (true, false), (true, true)] {
            prop_assert_eq!(&run(turn, mirror), &straight, "{} {}", turn, mirror);
        }
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let edges = Edges { east: EdgeKind::Absorbing, south: EdgeKind::Pinned, ..Edges::default() };
    for kind in 0..3 {
        let run = |threads: usize| {
            on_threads(threads, || {
                let mut waves = busy_world(301, 203, 5, edges, kind);
                (0..80).for_each(|_| waves.step());
                let mut calm = calm_world(301, 403, 5, edges, kind);
                calm.step_many(80);
                (waves.state_hash(), waves.ledger().clone(), calm.state_hash())
            })
        };
        let one = run(1);
        for threads in [3, 8] {
            assert_eq!(run(threads), one, "{kind}, {threads} threads");
        }
    }
}

#[test]
fn a_restored_world_continues_bit_for_bit() {
    for kind in 0..3 {
        let mut on = busy_world(61, 43, 3, Edges::uniform(EdgeKind::Absorbing), kind);
        on.advance(0.31).unwrap();
        let mut again = Waves::restore(round_trip_json(&on.snapshot())).unwrap();
        assert_eq!(again.state_hash(), on.state_hash());
        for world in [&mut on, &mut again] {
            world.advance(0.6).unwrap();
        }
        assert_eq!(again.state_hash(), on.state_hash());
        assert_eq!(again.ledger(), on.ledger());
        assert_eq!(again.bodies(), on.bodies());
    }
}

#[test]
fn an_inconsistent_snapshot_is_rejected() {
    let mut world = busy_world(13, 9, 1, Edges::default(), 1);
    world.advance(1.0).unwrap();
    let damages: [fn(&mut serde_json::Value); 12] = [
        |w| w["lattice"]["nx"] = 12.into(),
        |w| w["lattice"]["dy"] = 0.7.into(),
        |w| w["state"]["height"]["data"][0] = 1e-9.into(),
        |w| w["state"]["height"]["nx"] = 12.into(),
        |w| w["state"]["flux_x"]["data"][3] = 1e39.into(),
        |w| w["state"]["quantum"] = 1.0.into(),
        |w| w["params"]["step"] = 0.1.into(),
        |w| w["params"]["damping"] = (-1.0).into(),
        |w| w["land"]["ny"] = 8.into(),
        |w| w["speed"]["data"][2] = 1e4.into(),
        |w| w["bodies"]["items"][0]["draft"] = 99.0.into(),
        |w| w["gusts"]["gusts"] = serde_json::json!([]),
    ];
    check_damaged_snapshots(&world.snapshot(), Waves::restore, &damages);
}

#[test]
fn corrupted_snapshots_never_panic() {
    let mut world = busy_world(9, 7, 2, Edges::uniform(EdgeKind::Pinned), 1);
    world.advance(0.2).unwrap();
    let bytes = postcard::to_stdvec(&world.snapshot()).unwrap();
    let mut refused = 0;
    for i in 0..4 * bytes.len() {
        let mut bytes = bytes.clone();
        let at = i % bytes.len();
        bytes[at] ^= 1 << ((i / bytes.len()) * 2 + i % 2);
        let restored: Result<Result<Waves, InputError>, _> =
            postcard::from_bytes::<Snapshot>(&bytes).map(Waves::restore);
        match restored {
            Ok(Ok(mut waves)) => waves.step(),
            _ => refused += 1,
        }
    }
    assert!(refused > bytes.len() / 4, "{refused}");
}

proptest! {
    #[test]
    fn land_by_brush_equals_land_by_mask(
        (nx, ny) in (1usize..40, 1usize..40), seed in 0u64..1000, edges in edges(), kind in 0usize..3,
        strokes in prop::collection::vec((0.0f64..1.0, 0.0f64..1.0, 0.3f64..6.0, any::<bool>()), 1..6)
    ) {
        let mut by_brush = calm_world(nx, ny, seed, edges, kind.min(1));
        if kind == 2 {
            let current = |seed| Field::from_fn(nx, ny, |x, y| 0.5 * noise(x / 9, y / 9, seed));
            by_brush.set_current(Some((current(seed), current(seed ^ 1)))).unwrap();
        }
        let mut by_mask = by_brush.clone();
        let mut land = Field::from_fn(nx, ny, |x, y| by_mask.is_land(x, y));
        let (width, height) = (by_brush.lattice().width(), by_brush.lattice().height());
        for (x, y, radius, dry) in strokes {
            let brush = Brush::with_flat_falloff(Region::disc([x * width, y * height], radius));
            by_brush.edit(&brush, if dry { Edit::Land } else { Edit::Water }).unwrap();
            for t in brush.cells(*by_mask.lattice()).unwrap() {
                land[(t.x, t.y)] = dry;
            }
            by_mask.set_land(Some(land.clone())).unwrap();
            for _ in 0..5 {
                by_brush.step();
                by_mask.step();
            }
            prop_assert_eq!(by_brush.state(), by_mask.state());
        }
    }
}
