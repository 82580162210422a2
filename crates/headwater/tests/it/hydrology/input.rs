//! Tests that the model `hydrology` rejects invalid input with a clear message.

use crate::support::hydrology::new_land;
use headwater::hydrology::{Hydrology, Inflow, Niche, Params, Strata};
use headwater::{Field, Square};

fn rejection_message(params: Params) -> String {
    let lattice = Square::new(8, 8, 1.0, 1.0).unwrap();
    Hydrology::new(lattice, params, &Field::new(8, 8, 0.0)).unwrap_err().to_string()
}

#[test]
fn parameters_out_of_range_are_named() {
    let all = Params::default;
    for (params, message) in [
        (Params { drop: 0.0, ..all() }, "drop: found 0, allowed is 0.0009765625 to 64 units"),
        (Params { exchange: f64::NAN, ..all() }, "exchange: found NaN, allowed is 0 to 1"),
        (Params { memory: 0.0, ..all() }, "memory: found 0, allowed is 0.01 to 100 drops per cell"),
    ] {
        assert!(
            rejection_message(params.clone()).starts_with(message),
            "{}",
            rejection_message(params)
        );
    }
    let strata = Strata { hard: 2.0, ..Strata::default() };
    let params = Params { strata: Some(strata), ..Params::default() };
    assert_eq!(rejection_message(params), "strata.hard: found 2, allowed is 0 to 1");
    let niche = Niche { driest: 0.5, wettest: 0.25, ..Niche::default() };
    let params = Params { plants: vec![Niche::default(), niche], ..Params::default() };
    assert_eq!(
        rejection_message(params),
        "plants[1].driest: found 0.5, allowed is 0 to 0.25 (`wettest`)"
    );
    let params = Params { plants: vec![Niche::default(); 9], ..Params::default() };
    assert_eq!(rejection_message(params), "plants: found 9, allowed is at most 8 kinds");
}

#[test]
fn invalid_maps_are_rejected() {
    let square = |nx, ny, dx, dy| Square::new(nx, ny, dx, dy).unwrap();
    let new = |lattice, bed: &Field<f32>| {
        Hydrology::new(lattice, Params::default(), bed).unwrap_err().to_string()
    };
    let flat = Field::new(8, 8, 0.0);
    assert!(
        new(square(8, 8, 1.0, 2.0), &flat)
            .contains("cells: found 1 m × 2 m, allowed is square cells")
    );
    assert!(new(square(2, 8, 1.0, 1.0), &flat).contains("at least 3 columns and rows"));
    assert!(new(square(8, 9, 1.0, 1.0), &flat).contains("bed: found 8 × 8, allowed is 8 × 9"));
    let mut bed = flat.clone();
    bed[(3, 2)] = f32::NAN;
    assert!(new(square(8, 8, 1.0, 1.0), &bed).contains("bed in cell (3, 2): found NaN"));
    bed[(3, 2)] = 1e6;
    assert!(
        new(square(8, 8, 1.0, 1.0), &bed).contains("found 1000000, allowed is -32768 to 32768 m")
    );
}

#[test]
fn invalid_rain_rivers_and_edits_change_nothing() {
    let mut world = new_land(&Field::new(8, 8, 0.0), Params::default());
    let before = world.state_hash();
    let rain = |world: &mut Hydrology, value: &dyn Fn(usize, usize) -> f32| {
        world.set_rain(Some(&Field::from_fn(8, 8, value))).map_err(|error| error.to_string())
    };
    assert!(rain(&mut world, &|_, _| 0.0).unwrap_err().contains("above 0 in at least one cell"));
    assert!(rain(&mut world, &|x, _| x as f32 - 1.0).unwrap_err().contains("rain in cell (0, 0)"));
    let far = Inflow { position: [9.0, 1.0], catchment: 10.0 };
    let message = world.add_spring(far).unwrap_err().to_string();
    assert_eq!(message, "inflow: found [9, 1] m, allowed is a position on the map of 8 m × 8 m");
    let none = Inflow { position: [1.0, 1.0], catchment: 0.0 };
    let message = world.add_spring(none).unwrap_err().to_string();
    assert!(message.contains("inflow.catchment: found 0, allowed is above 0"), "{message}");
    assert!(world.pour([1.0, 1.0], -1.0).unwrap_err().to_string().contains("volume to pour"));
    assert_eq!(world.state_hash(), before);
}

#[test]
fn damaged_snapshots_are_rejected() {
    let mut world = new_land(&Field::from_fn(8, 8, |x, y| (x + y) as f32), Params::default());
    world.rain(100);
    let whole = serde_json::to_value(world.snapshot()).unwrap();
    let broken = |pointer: &str, value: serde_json::Value| {
        let mut text = whole.clone();
        *text.pointer_mut(pointer).unwrap() = value;
        let snapshot = serde_json::from_value(text).unwrap();
        Hydrology::restore(snapshot).unwrap_err().to_string()
    };
    assert!(broken("/land/bed", serde_json::json!([1, 2])).contains("shape of its map"));
    assert!(broken("/land/bed/3", serde_json::json!(1_u64 << 60)).contains("height"));
    assert!(broken("/land/soil/3", serde_json::json!(-1)).contains("thickness of soil"));
    assert!(broken("/land/area/3", serde_json::json!(-1.0)).contains("discharge"));
    assert!(broken("/land/plants/3/kind", serde_json::json!(7)).contains("unknown kind"));
    let lake = serde_json::json!([{ "cell": 1000, "water": 1, "sediment": 0 }]);
    assert!(broken("/held", lake).contains("lake"));
}
