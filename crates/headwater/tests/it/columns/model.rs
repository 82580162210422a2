//! Tests of columns through the trait `Model`: change tracking, parameters and layers.

use crate::support::changes::{check_loaded, follow_changes};
use crate::support::columns::{busy_world, disturb, noise};
use headwater::changes::Stamp;
use headwater::columns::{Anchor, Body, Columns, Heat, Heater, LAYERS, Motion, Params, Shape};
use headwater::layer::Reach;
use headwater::model::BodyState;
use headwater::parameter::Value;
use headwater::{Brush, Field, Id, Model, Region};

/// Returns a world of adjacent halls, each of which contains a lake.
fn halls_with_lakes(params: Params) -> Columns {
    let walls = Field::from_fn(264, 70, |x, y| x % 66 < 2 || y > 67);
    let anchors: Vec<Anchor> =
        (0..4).map(|hall| Anchor::new_level([17.0 + 33.0 * f64::from(hall), 20.0])).collect();
    Columns::new(&walls, 0.5, &anchors, params).unwrap()
}

fn layers(world: &Columns) -> Vec<Field<f32>> {
    let reported = LAYERS.iter().filter(|layer| layer.reach == Reach::Cell);
    reported.map(|layer| world.layer(layer.name).unwrap()).collect()
}

/// Runs a world for a number of steps, and calls `act` before each step to edit the world. Returns
/// the number of tiles reported as changed and the total number of tiles, both summed over the
/// steps.
fn count_reported_tiles(
    mut world: Columns,
    steps: usize,
    act: impl Fn(&mut Columns, usize),
) -> [usize; 2] {
    let all = world.changed_since(Stamp::NEVER).tiles.len();
    let differs = |before: &Vec<Field<f32>>, after: &Vec<Field<f32>>, at| {
        let mut pairs = before.iter().zip(after);
        pairs.any(|(old, new)| old[at].to_bits() != new[at].to_bits())
    };
    let followed = follow_changes(&mut world, steps, layers, differs, act);
    [followed.tiles.iter().sum(), steps * all]
}

#[test]
fn all_changes_are_reported_and_sleeping_pools_are_not() {
    let heat = |air, water| Some(Heat { air, water, pace: 1e4, ..Heat::default() });
    let kinds = [
        (Motion::Discharge, None),
        (Motion::Springs, None),
        (Motion::Discharge, heat(10.0, None)),
        (Motion::Discharge, heat(-20.0, Some(1.0))),
    ];
    for (kind, (motion, heat)) in kinds.into_iter().enumerate() {
        let params = Params { motion, heat, damping: 2.0, ..Params::default() };
        let mut world = halls_with_lakes(params);
        world.step_many(120);
        let [reported, all] = count_reported_tiles(world, 80, |world, k| match k {
            3 => disturb(world, 2, 7),
            14 => disturb(world, 6, 9),
            28 => world.set_visible(None),
            35 => {
                let shape = Shape::Box { center: [50.0, 18.0], half: [1.0, 0.5] };
                world.add_body(Body::new(shape, 500.0)).unwrap();
            }
            48 if world.air_temperature().is_some() => {
                world.add_heater(Heater::new(Region::disc([90.0, 22.0], 2.0), 1e4)).unwrap();
            }
            62 if world.air_temperature().is_some() => world.set_air_temperature(12.0).unwrap(),
            75 => {
                world.set_walls(&Region::disc([33.0, 25.0], 3.0), false).unwrap();
            }
            77 => world.set_params(Params { gravity: 5.0, ..world.params().clone() }).unwrap(),
            _ => world.step(),
        });
        // Freezing changes the whole pool, so the limit does not apply to it.
        assert!(kind == 3 || 4 * reported < 3 * all, "{kind}: {reported} of {all} tiles");
    }
}

#[test]
fn all_changes_are_reported_in_busy_caves() {
    for seed in 0..4 {
        let heat = Heat { air: -10.0, water: Some(4.0), pace: 1e4, ..Heat::default() };
        let heat = (seed % 2 == 1).then_some(heat);
        let params = Params { wave_depth: 0.5, heat, ..Params::default() };
        count_reported_tiles(busy_world(150, 70, seed, params), 42, |world, k| {
            if k % 3 == 0 {
                disturb(world, k, seed);
            } else if k % 17 == 0 {
                let at = [noise(k, 1, seed) * 75.0, noise(k, 2, seed) * 35.0];
                world.set_walls(&Region::disc(at, 2.0), k % 2 == 0).unwrap();
            } else {
                world.step();
            }
        });
    }
}

#[test]
fn replacing_a_pool_by_walls_is_reported() {
    let regions = [
        Region::rect([1.0, 10.0], [33.0, 34.0]),
        Region::rect([40.0, 0.0], [60.0, 4.0]),
        Region::Everywhere,
    ];
    count_reported_tiles(halls_with_lakes(Params::default()), regions.len(), |world, k| {
        assert!(world.set_walls(&regions[k], true).unwrap() > 0);
    });
}

#[test]
fn loading_reports_the_whole_grid_as_changed() {
    let mut world = busy_world(90, 70, 1, Params { wave_depth: 0.5, ..Params::default() });
    world.step_many(20);
    let all = world.changed_since(Stamp::NEVER).tiles.len();
    check_loaded(&mut world, all);
}

#[test]
fn columns_work_through_the_model_trait() {
    let heat = Some(Heat::default());
    let mut pools = halls_with_lakes(Params { heat, ..Params::default() });
    let world: &mut dyn Model = &mut pools;
    assert_eq!((world.name(), world.grid_size()), ("columns", [264, 70]));
    for setting in world.settings() {
        let done = world.set(&setting.key, &setting.value);
        assert!(done.is_ok(), "{}: {done:?}", setting.key);
    }
    world.set("physics.gravity", &Value::Number(5.0)).unwrap();
    world.set("physics.heat.pace", &Value::Number(10.0)).unwrap();
    world.set("weather.rain", &Value::Number(100.0)).unwrap();
    world.set("wind.gusts", &Value::Number(2.0)).unwrap();
    for (key, value) in [
        ("physics.step", 0.01),
        ("physics.heat.air", 3.0),
        ("physics.gravity", 1e6),
        ("wind.gusts", -1.0),
        ("wind.gust", 1.0),
        ("winds", 1.0),
    ] {
        let before = world.state_hash();
        assert!(world.set(key, &Value::Number(value)).is_err(), "{key}");
        assert_eq!(world.state_hash(), before);
    }
    assert!(world.advance(0.1).unwrap().steps == 6 && world.steps() == 6);
    let brush = Brush::with_flat_falloff(Region::disc([17.0, 22.0], 3.0));
    for edit in world.edits() {
        world.edit(edit.name, &brush, 0.5).unwrap();
    }
    assert!(world.edit("freeze", &brush, 0.5).is_err());
    assert_eq!(world.add_spring(Region::disc([84.0, 22.0], 3.0), 1.0), Ok(Id::new(0)));
    assert_eq!(world.add_drain(Region::disc([50.0, 22.0], 3.0), 1.0), Ok(Id::new(0)));
    let (position, velocity) = ([50.0, 20.0], [0.0; 2]);
    let body = BodyState { position, size: [2.0, 1.0], heading: 0.0, velocity, draft: 0.4 };
    world.add_body(body).unwrap();
    world.advance(0.5).unwrap();
    assert!((world.bodies()[0].1.draft - 0.4).abs() < 1e-12);
    for layer in world.layers() {
        assert_eq!(world.layer(layer.name).unwrap().nx(), 264, "{}", layer.name);
    }
    let found = world.sample_at([50.0, 25.0]);
    assert!(found.iter().any(|sample| sample.name == "pressure" && sample.value > 1.0));
    assert!(world.sample_at([0.2, 30.0]).is_empty(), "in a wall");
    for account in world.substance_balances() {
        assert_eq!(account.balance.residual, 0.0, "{}", account.substance);
    }
    assert_eq!(world.substance_balances().len(), 2);
}
