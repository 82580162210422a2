//! Bad input gets one clear message.

use headwater::hydrology::{Hydrology, Inflow, Niche, Params, Strata};
use headwater::{Field, Square};

fn refused(params: Params) -> String {
    let lattice = Square::new(8, 8, 1.0, 1.0).unwrap();
    Hydrology::new(lattice, params, &Field::new(8, 8, 0.0)).unwrap_err().to_string()
}

#[test]
fn parameters_out_of_range_are_named() {
    let ranges = [
        (
            Params { drop: 0.0, ..Params::default() },
            "`drop` must be from 0.0009765625 to 64, found 0",
        ),
        (Params { exchange: f64::NAN, ..Params::default() }, "`exchange` must be from 0 to 1"),
        (Params { memory: 0.0, ..Params::default() }, "`memory` must be from 0.01 to 100"),
    ];
    for (params, message) in ranges {
        assert!(refused(params.clone()).starts_with(message), "{}", refused(params));
    }
    let strata = Strata { hard: 2.0, ..Strata::default() };
    let params = Params { strata: Some(strata), ..Params::default() };
    assert_eq!(refused(params), "`strata.hard` must be from 0 to 1, found 2");
    let niche = Niche { driest: 0.5, wettest: 0.25, ..Niche::default() };
    let params = Params { plants: vec![Niche::default(), niche], ..Params::default() };
    assert_eq!(refused(params), "`plants[1].driest` must be from 0 to 0.25, found 0.5");
    let params = Params { plants: vec![Niche::default(); 9], ..Params::default() };
    assert_eq!(refused(params), "`plants` must be at most 8 kinds, found 9");
}

#[test]
fn maps_that_cannot_be_are_refused() {
    let square = |nx, ny, dx, dy| Square::new(nx, ny, dx, dy).unwrap();
    let new = |lattice, bed: &Field<f32>| {
        Hydrology::new(lattice, Params::default(), bed).unwrap_err().to_string()
    };
    let flat = Field::new(8, 8, 0.0);
    assert!(new(square(8, 8, 1.0, 2.0), &flat).contains("as wide as high, found 1 m × 2 m"));
    assert!(new(square(2, 8, 1.0, 1.0), &flat).contains("at least 3 columns and rows"));
    assert!(new(square(8, 9, 1.0, 1.0), &flat).contains("bed has 8 × 8 values, but the map 8 × 9"));
    let mut bed = flat.clone();
    bed[(3, 2)] = f32::NAN;
    assert!(new(square(8, 8, 1.0, 1.0), &bed).contains("height at cell (3, 2)"));
    bed[(3, 2)] = 1e6;
    assert!(new(square(8, 8, 1.0, 1.0), &bed).contains("from -32768 to 32768 m, found 1000000"));
}

#[test]
fn rain_rivers_and_pouring_are_checked_and_change_nothing() {
    let lattice = Square::new(8, 8, 1.0, 1.0).unwrap();
    let mut world = Hydrology::new(lattice, Params::default(), &Field::new(8, 8, 0.0)).unwrap();
    let before = world.state_hash();
    let rain = |world: &mut Hydrology, value: &dyn Fn(usize, usize) -> f32| {
        world.set_rain(Some(&Field::from_fn(8, 8, value))).map_err(|error| error.to_string())
    };
    assert!(rain(&mut world, &|_, _| 0.0).unwrap_err().contains("above 0 somewhere"));
    assert!(rain(&mut world, &|x, _| x as f32 - 1.0).unwrap_err().contains("rain at cell (0, 0)"));
    let far = Inflow { position: [9.0, 1.0], catchment: 10.0 };
    let message = world.add_inflow(far).unwrap_err().to_string();
    assert_eq!(message, "the inflow at (9, 1) m lies off the map of 8 m × 8 m");
    let none = Inflow { position: [1.0, 1.0], catchment: 0.0 };
    assert!(world.add_inflow(none).unwrap_err().to_string().contains("above 0 m²"));
    assert!(world.pour([1.0, 1.0], -1.0).unwrap_err().to_string().contains("volume to pour"));
    assert_eq!(world.state_hash(), before);
}

#[test]
fn damaged_snapshots_are_refused() {
    let lattice = Square::new(8, 8, 1.0, 1.0).unwrap();
    let bed = Field::from_fn(8, 8, |x, y| (x + y) as f32);
    let mut world = Hydrology::new(lattice, Params::default(), &bed).unwrap();
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
    assert!(broken("/land/plants/3/kind", serde_json::json!(7)).contains("no kind"));
    let lake = serde_json::json!([{ "cell": 1000, "water": 1, "sediment": 0 }]);
    assert!(broken("/held", lake).contains("lake"));
}
