//! Tests of the stream-power law of erosion: conservation of mass, reproducibility, and combination
//! with rain drops.

use crate::support::hydrology::{check_ledgers, new_land, noise};
use crate::support::{on_threads, round_trip_json};
use headwater::hydrology::reference::stream_power_step;
use headwater::hydrology::{
    EdgeKind, Edges, Hydrology, Inflow, Method, Params, Strata, StreamPower, Substance,
};
use headwater::parameter::Value;
use headwater::{Cause, Field, Model, Square};

fn world(nx: usize, ny: usize, params: Params) -> Hydrology {
    let params = Params { method: Method::StreamPower, ..params };
    let lattice = Square::new(nx, ny, 20.0, 20.0).unwrap();
    Hydrology::new(lattice, params, &noise(nx, ny, nx as u64)).unwrap()
}

/// Returns five test worlds: open land, a coast with layers of rock, a walled basin, a river with a
/// rain map, and land with lakes.
fn worlds() -> Vec<Hydrology> {
    let coast = Params {
        edges: Edges { west: EdgeKind::Sea, north: EdgeKind::Wall, ..Edges::default() },
        sea: 8.0,
        strata: Some(Strata { dip: [0.1, 0.0], ..Strata::default() }),
        soil: 0.5,
        ..Params::default()
    };
    let walls = Params { edges: Edges::uniform(EdgeKind::Wall), ..Params::default() };
    let steep = StreamPower { slope_exponent: 1.4, diffusivity: 0.0, ..StreamPower::default() };
    let lakes = Params {
        rock: 0.002,
        weathering: 0.0,
        evaporation: 0.02,
        stream_power: steep,
        ..Params::default()
    };
    let mut with_sources = world(131, 98, Params::default());
    with_sources.add_spring(Inflow { position: [30.5, 500.0], catchment: 400_000.0 }).unwrap();
    with_sources.set_rain(Some(&Field::from_fn(131, 98, |x, _| x as f32))).unwrap();
    with_sources.set_uplift(Some(&Field::from_fn(131, 98, |x, y| (x * y) as f32))).unwrap();
    vec![
        world(64, 51, Params::default()),
        world(72, 48, coast),
        world(50, 61, walls),
        with_sources,
        world(80, 66, lakes),
    ]
}

fn set_erosion_method(world: &mut Hydrology, method: Method) {
    let params = Params { method, ..world.params().clone() };
    world.set_params(params).unwrap();
}

#[test]
fn water_and_sediment_are_conserved_by_both_methods() {
    for mut world in worlds() {
        let lakes =
            world.params().edges == Edges::uniform(EdgeKind::Wall) || world.params().rock < 0.1;
        for method in [Method::StreamPower, Method::Drops, Method::StreamPower, Method::Drops] {
            set_erosion_method(&mut world, method);
            let [time, drops] = [world.time(), world.drops() as f64];
            for _ in 0..6 {
                world.step();
                check_ledgers(&world);
            }
            assert!(world.time() > time && world.drops() as f64 > drops);
            assert!(!lakes || !world.lakes().is_empty());
        }
        let ledger = world.balance(Substance::Sediment).ledger;
        let walls = world.params().edges == Edges::uniform(EdgeKind::Wall);
        assert!(ledger.inflow(Cause::Uplift) > 0);
        assert_eq!(ledger.outflow(Cause::Boundary) > 0, !walls);
        let water = world.balance(Substance::Water).ledger;
        assert_eq!(water.outflow(Cause::Boundary) > 0, !walls);
        assert_eq!(water.inflow(Cause::Source) > 0, !world.springs().is_empty());
    }
}

#[test]
fn lakes_retain_sediment_until_they_are_filled() {
    let [.., mut world] = <[_; 5]>::try_from(worlds()).unwrap();
    let lake = |world: &Hydrology| world.lakes().first().map_or(0.0, |lake| lake.volume);
    world.step();
    let (before, depth) = (lake(&world), world.layer("depth").unwrap().into_owned());
    let deep = depth.as_slice().iter().position(|&d| Some(d) == depth.min_max().map(|m| m.1));
    let deep = deep.unwrap();
    let soil = |world: &Hydrology| world.layer("soil").unwrap().as_slice()[deep];
    let laid = soil(&world);
    assert!(before > 0.0);
    let mut params = world.params().clone();
    params.rock = 0.05;
    params.stream_power.uplift = 0.0;
    world.set_params(params).unwrap();
    world.step_many(40);
    assert!(soil(&world) > 2.0 * laid && lake(&world) < before);
    check_ledgers(&world);
}

#[test]
fn the_fast_path_equals_the_plain_loops_for_any_number_of_threads() {
    for i in 0..worlds().len() {
        let run = |threads: usize, plain: bool| {
            let mut world = worlds().swap_remove(i);
            let before = world.state_hash();
            on_threads(threads, || {
                for _ in 0..12 {
                    if plain { stream_power_step(&mut world) } else { world.step() }
                }
            });
            assert_ne!(world.state_hash(), before);
            world.state_hash()
        };
        let plain = run(1, true);
        for threads in [1, [2, 8][i % 2]] {
            assert_eq!(run(threads, false), plain, "world {i} on {threads} threads");
        }
    }
}

#[test]
fn a_restored_run_with_both_methods_continues_bit_for_bit() {
    for mut world in worlds() {
        world.step_many(3);
        set_erosion_method(&mut world, Method::Drops);
        world.step_many(2);
        set_erosion_method(&mut world, Method::StreamPower);
        world.step();
        let mut again = Hydrology::restore(round_trip_json(&world.snapshot())).unwrap();
        assert_eq!(world.state_hash(), again.state_hash());
        for world in [&mut world, &mut again] {
            world.step_many(2);
            set_erosion_method(world, Method::Drops);
            world.step_many(3);
        }
        assert_eq!(world.state_hash(), again.state_hash());
        assert_eq!(world.balance(Substance::Water), again.balance(Substance::Water));
    }
}

#[test]
fn the_method_can_change_at_run_time() {
    let [mut world, ..] = <[_; 5]>::try_from(worlds()).unwrap();
    let set = |world: &mut Hydrology, key: &str, value| Model::set(world, key, &value);
    let step = world.next_rain();
    set(&mut world, "hydrology.stream_power.step", Value::Number(0.5)).unwrap();
    assert_eq!((step, world.next_rain()), (0.25, 0.5));
    let steps = world.advance(1.2).unwrap().steps;
    assert_eq!((steps, world.time()), (2, 1.0));
    set(&mut world, "hydrology.method", Value::Choice("drops".into())).unwrap();
    assert!(world.next_rain() < 0.126, "drops fall in batches of their own");
    world.advance(0.5).unwrap();
    let drops = world.drops();
    assert!(drops > 0);
    world.rain(500);
    assert!(world.drops() >= drops + 500);
    for (key, value) in [
        ("hydrology.method", Value::Choice("glaciers".into())),
        ("hydrology.stream_power.step", Value::Number(0.0)),
        ("hydrology.stream_power.uplift", Value::Number(-1.0)),
        ("hydrology.stream_power.ulpift", Value::Number(1.0)),
    ] {
        let before = world.state_hash();
        assert!(set(&mut world, key, value).is_err(), "{key}");
        assert_eq!(world.state_hash(), before);
    }
    let keys: Vec<_> = world.settings().into_iter().map(|setting| setting.key).collect();
    assert!(keys.contains(&"hydrology.stream_power.erodibility".to_owned()));
}

#[test]
fn sediment_fills_a_closed_basin_below_sea_level() {
    let bed = [579.03, -966.25, -711.0, -454.49, 600.47, -341.94, 217.9, 2.59, -712.67_f32];
    let bed = Field::from_fn(3, 3, |x, y| bed[3 * y + x]);
    let edges = Edges::uniform(EdgeKind::Wall);
    let mut land =
        new_land(&bed, Params { method: Method::StreamPower, edges, ..Params::default() });
    land.pour([2.5, 1.4], 7.4).unwrap();
    land.step_many(21);
    check_ledgers(&land);
}
