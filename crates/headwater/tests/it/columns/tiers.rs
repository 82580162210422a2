//! Tests of layered ice and water, which freeze and thaw from above.

use crate::support::changes::check_rows_of_layers;
use headwater::columns::{Anchor, Columns, Edit, Heat, Heater, Motion, Params, Weather};
use headwater::{Field, Region};
use proptest::prelude::*;

fn basin(motion: Motion) -> Columns {
    let heat = Heat { air: -20.0, water: Some(0.0), pace: 1e4, ..Heat::default() };
    let walls = Field::from_fn(24, 8, |x, y| y > 6 || y > 5 && x > 12);
    let params = Params { motion, heat: Some(heat), ..Params::default() };
    Columns::new(&walls, 0.5, &[Anchor::new_level([1.0, 1.6])], params).unwrap()
}

const DEEP: [f64; 2] = [2.0, 2.5];

fn ice_flags_of_tiers(world: &Columns) -> Vec<bool> {
    world.strata_at(DEEP).iter().map(|tier| tier.is_ice).collect()
}

fn advance_at_air_temperature(world: &mut Columns, air_temperature: f64, seconds: f64) {
    world.set_air_temperature(air_temperature).unwrap();
    world.step_many((seconds / world.params().step) as u64);
    let balance = world.heat_balance().unwrap();
    assert_eq!((world.balance().residual, balance.residual), (0.0, 0.0));
}

const ICE: bool = true;
const WATER: bool = false;

#[test]
fn a_pool_freezes_thaws_and_freezes_again() {
    let mut lake = basin(Motion::Discharge);
    advance_at_air_temperature(&mut lake, -20.0, 20.0);
    assert_eq!(ice_flags_of_tiers(&lake), [WATER, ICE]);
    let ice = lake.ice_thickness_at(DEEP).unwrap();
    advance_at_air_temperature(&mut lake, 10.0, 5.0);
    assert_eq!(ice_flags_of_tiers(&lake), [WATER, ICE, WATER], "a pond lies on the ice");
    assert!(lake.ice_thickness_at(DEEP).unwrap() < ice);
    assert!(lake.temperature_at([2.0, 1.5]).unwrap() > 0.0);
    let before = lake.surface_at(DEEP).unwrap();
    lake.edit(&Region::disc([2.0, 2.0], 1.0), Edit::Splash(0.3)).unwrap();
    assert_eq!(lake.surface_at(DEEP), Some(before), "ice holds its pond, too");
    advance_at_air_temperature(&mut lake, -20.0, 1.0);
    assert_eq!(ice_flags_of_tiers(&lake), [WATER, ICE, WATER, ICE], "the pond has a crust");
    let tiers = lake.strata_at(DEEP);
    assert!(tiers.windows(2).all(|pair| pair[0].top == pair[1].bottom));
    let out = tiers.last().unwrap().top;
    let stands = lake.ice_thickness_at(DEEP).unwrap() * 0.083;
    assert!((lake.surface_at(DEEP).unwrap() - out - stands).abs() < 1e-3, "it floats");
    advance_at_air_temperature(&mut lake, -20.0, 60.0);
    assert_eq!(
        ice_flags_of_tiers(&lake),
        [WATER, ICE],
        "the pond is ice, and one with what it lay on"
    );
    advance_at_air_temperature(&mut lake, -60.0, 2000.0);
    assert_eq!(ice_flags_of_tiers(&lake), [ICE], "frozen through");
    advance_at_air_temperature(&mut lake, 20.0, 30.0);
    assert_eq!(
        ice_flags_of_tiers(&lake),
        [ICE, WATER],
        "what was frozen through holds to the ground"
    );
    lake.edit(&Region::disc([2.0, 2.0], 1.0), Edit::Splash(0.05)).unwrap();
    assert_ne!(lake.layer("velocity").unwrap().min_max(), None);
    lake.step_many(10);
    let (low, high) = lake.layer("velocity").unwrap().min_max().unwrap();
    assert!(high > low, "water over it waves");
    advance_at_air_temperature(&mut lake, -20.0, 10.0);
    assert_eq!(ice_flags_of_tiers(&lake), [ICE, WATER, ICE]);
    advance_at_air_temperature(&mut lake, 20.0, 5.0);
    assert_eq!(ice_flags_of_tiers(&lake), [ICE, WATER, ICE, WATER]);
    advance_at_air_temperature(&mut lake, -20.0, 0.5);
    assert_eq!(ice_flags_of_tiers(&lake), [ICE, WATER, ICE, WATER, ICE]);
    let mut again = Columns::restore(lake.snapshot()).unwrap();
    again.step_many(100);
    lake.step_many(100);
    assert_eq!(again.state_hash(), lake.state_hash());
    lake.add_heater(Heater::new(Region::rect([0.0, 3.0], [12.0, 4.0]), 10.0)).unwrap();
    advance_at_air_temperature(&mut lake, 0.0, 2.0);
    assert_eq!(ice_flags_of_tiers(&lake)[0], WATER, "what a hearth lets go floats");
    advance_at_air_temperature(&mut lake, 20.0, 2000.0);
    assert_eq!(ice_flags_of_tiers(&lake), [WATER]);
}

#[test]
fn rain_collects_on_ice_and_evaporates() {
    let mut lake = basin(Motion::Discharge);
    advance_at_air_temperature(&mut lake, -20.0, 20.0);
    let rain = Weather { rain: 36_000.0.into(), ..Weather::default() };
    lake.set_weather(rain).unwrap();
    advance_at_air_temperature(&mut lake, 0.0, 10.0);
    let tiers = lake.strata_at(DEEP);
    assert_eq!(ice_flags_of_tiers(&lake), [WATER, ICE, WATER]);
    assert!((tiers[2].bottom - tiers[2].top - 0.1).abs() < 3e-3, "{tiers:?}");
    let dry = Weather { evaporation: 36_000.0.into(), ..Weather::default() };
    lake.set_weather(dry).unwrap();
    advance_at_air_temperature(&mut lake, 0.0, 11.0);
    assert_eq!(ice_flags_of_tiers(&lake), [WATER, ICE]);
}

#[derive(Clone, Debug)]
enum WeatherEvent {
    Air(f64),
    Rain(f64),
    Pour(f64),
    Remove(f64),
    Splash(f64),
    Dig(bool),
    Heat(f64),
}

fn any_event() -> impl Strategy<Value = WeatherEvent> {
    prop_oneof![
        5 => prop_oneof![-60.0..0.0, 0.0..40.0].prop_map(WeatherEvent::Air),
        1 => (0.0..2e4).prop_map(WeatherEvent::Rain),
        1 => (0.0..4.0).prop_map(WeatherEvent::Pour),
        1 => (0.0..8.0).prop_map(WeatherEvent::Remove),
        1 => (-0.3..0.3).prop_map(WeatherEvent::Splash),
        1 => any::<bool>().prop_map(WeatherEvent::Dig),
        1 => (0.0..1e3).prop_map(WeatherEvent::Heat),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 24 } else { 200 }))]

    #[test]
    fn random_weather_conserves_water_and_heat(
        events in proptest::collection::vec((any_event(), 1u64..400), 1..12), springs: bool
    ) {
        let mut lake = basin(if springs { Motion::Springs } else { Motion::Discharge });
        let west = Region::rect([0.0, 0.0], [4.0, 4.0]);
        let hearth = lake.add_heater(Heater::new(west.clone(), 0.0)).unwrap();
        for (event, steps) in events {
            // The motion model `Springs` has no external exchange, so these calls may fail.
            let _ = match event {
                WeatherEvent::Air(air) => lake.set_air_temperature(air),
                WeatherEvent::Rain(rain) => {
                    let weather = lake.weather().clone();
                    lake.set_weather(Weather { rain: rain.into(), ..weather })
                }
                WeatherEvent::Pour(volume) => lake.edit(&west, Edit::Pour(volume)),
                WeatherEvent::Remove(volume) => lake.edit(&west, Edit::Remove(volume)),
                WeatherEvent::Splash(height) => lake.edit(&west, Edit::Splash(height)),
                WeatherEvent::Dig(build) => {
                    lake.set_walls(&Region::rect([3.0, 2.0], [5.0, 3.0]), build).map(|_| ())
                }
                WeatherEvent::Heat(power) => lake.set_heater_power(hearth, power),
            };
            lake.step_many(steps);
            let balance = lake.heat_balance().unwrap();
            prop_assert_eq!((lake.balance().residual, balance.residual), (0.0, 0.0));
            for x in 0..24 {
                let at = [0.5 * f64::from(x) + 0.25, 2.75];
                let tiers = lake.strata_at(at);
                prop_assert!(tiers.iter().all(|s| s.top < s.bottom), "{tiers:?}");
                prop_assert!(tiers.windows(2).all(|pair| pair[0].top == pair[1].bottom));
                let water = |s: &headwater::columns::Stratum| !s.is_ice;
                prop_assert!(!tiers.windows(2).any(|pair| pair.iter().all(water)), "{tiers:?}");
                if let Some(temperature) = lake.temperature_at(at) {
                    prop_assert!((-60.01..100.1).contains(&temperature), "{temperature}");
                }
            }
            let ice = lake.layer("ice").unwrap();
            prop_assert!(ice.as_slice().iter().all(|part| (0.0..=1.0).contains(part)));
            let again = Columns::restore(lake.snapshot()).unwrap();
            prop_assert_eq!(again.state_hash(), lake.state_hash());
        }
        check_rows_of_layers(&lake);
    }
}
