//! Tests of parameter changes in running worlds: the state does not change, snapshots contain the
//! new parameters, and changes of fixed parameters are rejected.

use headwater::blocks::{self, Blocks};
use headwater::columns::{self, Columns};
use headwater::flow::{Flow, Params, Physics, Soil};
use headwater::hydrology::{self, Hydrology};
use headwater::waves::{self, Waves};
use headwater::{Field, Id, Series, Square};

fn hill() -> Flow {
    let square = Square::new(40, 30, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(40, 30, |x, y| 0.05 * x as f32 + 0.02 * y as f32);
    let depth = Field::from_fn(40, 30, |x, _| if x < 12 { 2.0 } else { 0.1 });
    Flow::new(square, Params::default(), bed, depth).unwrap()
}

#[test]
fn flow_parameters_can_change() {
    let mut flow = hill();
    flow.advance(2.0).unwrap();
    for physics in [Physics::Inertial, Physics::ShallowWater, Physics::Pipes, Physics::ShallowWater]
    {
        let (before, volume) = (flow.velocity(14, 15), flow.volume());
        let params = Params { level: physics, manning: 0.05, ..Params::default() };
        flow.set_params(params.clone()).unwrap();
        assert_eq!(flow.volume(), volume);
        if physics == Physics::ShallowWater {
            let momentum = flow.state().momentum.as_ref().unwrap();
            let depth = flow.state().depth[(14, 15)];
            assert_eq!(momentum.x[(14, 15)], depth * before[0], "it goes on as fast");
        }
        let mut again = Flow::restore(flow.snapshot()).unwrap();
        assert_eq!(again.params(), &params);
        flow.advance(1.0).unwrap();
        again.advance(1.0).unwrap();
        assert_eq!(flow.state_hash(), again.state_hash());
        assert!(flow.balance().residual_relative.abs() < 1e-6);
    }
    let before = flow.state_hash();
    assert!(flow.set_params(Params { gravity: -1.0, ..Params::default() }).is_err());
    assert_eq!(flow.state_hash(), before);
}

#[test]
fn soil_keeps_its_water_and_rain_its_remainder() {
    let mut flow = hill();
    let soil = Soil { rate: 1000.0, capacity: Some(1.0), seepage: 0.0, ..Soil::default() };
    flow.set_soil(Some(soil)).unwrap();
    flow.set_rain_rate(Series::from(10.0)).unwrap();
    flow.advance(5.0).unwrap();
    let held = flow.soil_water_at(5, 5).unwrap();
    flow.set_soil_params(Soil { rate: 500.0, ..soil }).unwrap();
    flow.set_rain_rate(Series::from(99.0)).unwrap();
    assert!(held > 0.0 && flow.soil_water_at(5, 5) == Some(held));
    let before = flow.state_hash();
    assert!(flow.set_soil_params(Soil { rate: -1.0, ..soil }).is_err());
    assert_eq!(flow.state_hash(), before, "a soil that cannot be leaves the old one");
    assert!(flow.set_spring_rate(Id::new(0), Series::from(1.0)).is_err());
    flow.advance(5.0).unwrap();
    assert!(flow.balance().residual_relative.abs() < 1e-6);
}

#[test]
fn wave_speed_and_damping_can_change_but_not_the_step() {
    let params = waves::Params::default();
    let new = || {
        let mut waves = Waves::new(Square::new(64, 48, 0.1, 0.1).unwrap(), params.clone()).unwrap();
        waves.add_drop([3.0, 2.0], 0.5, 0.1).unwrap();
        waves
    };
    let mut waves = new();
    (0..20).for_each(|_| waves.step());
    let (before, volume) = (waves.state_hash(), waves.volume());
    for fixed in [
        waves::Params { step: 0.01, ..params.clone() },
        waves::Params { highest: 2.0, ..params.clone() },
        waves::Params { speed: 100.0, ..params.clone() },
    ] {
        assert!(waves.set_params(fixed).is_err());
    }
    assert_eq!((waves.state_hash(), waves.params()), (before, &params));
    let faster = waves::Params { speed: 3.0, damping: 1.0, ..params.clone() };
    let height = waves.state().height.clone();
    waves.set_params(faster.clone()).unwrap();
    assert_ne!(waves.state_hash(), before, "parameters are part of the state");
    assert_eq!(waves.state().height, height);
    let mut again = Waves::restore(waves.snapshot()).unwrap();
    let mut plain = waves.clone();
    for _ in 0..20 {
        waves.step();
        plain.step_plain();
    }
    again.step_many(20);
    assert_eq!([waves.state_hash(), again.state_hash()], [plain.state_hash(); 2]);
    assert_eq!(waves.volume(), volume);
    // The world must be identical to one created with these parameters.
    let (mut early, mut made) = (new(), new());
    early.set_params(faster).unwrap();
    (0..20).for_each(|_| early.step());
    (0..20).for_each(|_| made.step());
    assert_ne!(early.state_hash(), made.state_hash());
}

#[test]
fn blocks_and_columns_can_change_all_but_their_time_step() {
    let map = "#~~~..#\n#~~~..#\n#~~~#.#\n#.....#\n#######";
    let params = blocks::Params::default();
    let mut world = Blocks::from_text(map, params.clone()).unwrap();
    (0..3).for_each(|_| world.step());
    let before = world.state_hash();
    assert!(world.set_params(blocks::Params { tick: 1.0, ..params.clone() }).is_err());
    assert_eq!(world.state_hash(), before);
    let cells = world.cells();
    world.set_params(blocks::Params { flow: 20, ..params.clone() }).unwrap();
    assert_eq!(world.cells(), cells);
    assert_ne!(world.state_hash(), before, "parameters are part of the state");
    let mut again = Blocks::restore(world.snapshot()).unwrap();
    let mut plain = world.clone();
    plain.set_params(params).unwrap();
    for world in [&mut world, &mut again, &mut plain] {
        (0..10).for_each(|_| world.step());
    }
    assert_eq!(world.state_hash(), again.state_hash());
    assert_ne!(world.state_hash(), plain.state_hash());

    let map = "#~....#\n#.....#\n#..#..#\n#..#..#\n#######";
    let params = columns::Params { damping: 0.0, ..columns::Params::default() };
    let mut world = Columns::from_text(map, 1.0, params.clone()).unwrap();
    (0..20).for_each(|_| world.step());
    assert!(world.set_params(columns::Params { step: 0.01, ..params.clone() }).is_err());
    assert!(world.set_params(columns::Params { gravity: 1e6, ..params.clone() }).is_err());
    world.set_params(columns::Params { gravity: 3.0, damping: 1.0, ..params }).unwrap();
    let mut again = Columns::restore(world.snapshot()).unwrap();
    (0..50).for_each(|_| world.step());
    (0..50).for_each(|_| again.step());
    assert_eq!(world.state_hash(), again.state_hash());
    assert_eq!(world.balance().residual, 0.0);
}

#[test]
fn hydrology_parameters_can_change_except_the_seed() {
    let square = Square::new(48, 40, 10.0, 10.0).unwrap();
    let bed = Field::from_fn(48, 40, |x, y| 2.0 * x as f32 + (y as f32 - 20.0).abs());
    let params = hydrology::Params::default();
    let mut land = Hydrology::new(square, params.clone(), &bed).unwrap();
    (0..10).for_each(|_| land.step());
    let before = land.state_hash();
    assert!(land.set_params(hydrology::Params { seed: 9, ..params.clone() }).is_err());
    let mut other = land.clone();
    other.set_params(hydrology::Params { capacity: 0.6, rock: 0.9, ..params }).unwrap();
    assert_eq!(land.state_hash(), before);
    assert_ne!(other.state_hash(), before, "parameters are part of the state");
    let mut again = Hydrology::restore(other.snapshot()).unwrap();
    for land in [&mut land, &mut other, &mut again] {
        (0..20).for_each(|_| land.step());
    }
    assert_ne!(land.state_hash(), other.state_hash());
    assert_eq!(other.state_hash(), again.state_hash());
    assert_eq!(other.balance(hydrology::Substance::Sediment).residual, 0);
    let found = other.cell_at([100.0, 100.0]).unwrap();
    let bed = other.layer("bed").unwrap();
    assert_eq!(found.bed as f32, bed[(10, 10)]);
    assert!(found.discharge > 0.0 && other.cell_at([-1.0, 0.0]).is_none());
}
