//! Tests of heat in columns: growth of ice as in Stefan's solution, floating ice, boiling, and
//! conservation of volume and energy.

use crate::support::columns::{advance_by, level_at};
use headwater::Cause;
use headwater::columns::{Anchor, Columns, Edit, Heat, Heater, Motion, Params, Source};
use headwater::{Field, Id, Region};

/// Returns a basin of 40 × 12 cells of 0.5 m, with water 4 m deep.
fn basin(heat: Heat) -> Columns {
    basin_with(Params { heat: Some(heat), ..Params::default() })
}

fn basin_with(params: Params) -> Columns {
    let walls = Field::from_fn(40, 12, |_, y| y > 10);
    Columns::new(&walls, 0.5, &[Anchor::new_level([1.0, 1.5])], params).unwrap()
}

#[test]
fn ice_grows_with_the_square_root_of_time_and_floats() {
    let pace = 1e4;
    let heat = Heat { air: -10.0, water: Some(0.0), pace, air_rate: 1e5, ..Heat::default() };
    let mut lake = basin(heat);
    assert_eq!(lake.ice_thickness_at([5.0, 2.0]), Some(0.0));
    for seconds in [10.0, 20.0, 30.0] {
        let left = seconds - lake.time();
        advance_by(&mut lake, left);
        // Stefan's solution: h = √(2·k·ΔT·t/(ρ·L)).
        let exact = (2.0 * 2.2 * 10.0 * seconds * pace / (917.0 * 334e3)).sqrt();
        let ice = lake.ice_thickness_at([5.0, 2.0]).unwrap();
        assert!((ice / exact - 1.0).abs() < 0.03, "{seconds}: {ice} {exact}");
    }
    let volume = lake.ice_volume() / 20.0;
    assert!((volume / 0.917 / lake.ice_thickness_at([5.0, 2.0]).unwrap() - 1.0).abs() < 1e-9);
    assert_eq!(level_at(&lake, [5.0, 2.0]), Some(4.5), "what floats pushes no water away");
    let fill: f64 =
        lake.layer("fill").unwrap().as_slice().iter().map(|&part| f64::from(part)).sum();
    let out = fill * 0.25 - 80.0;
    assert!(
        (out - 20.0 * 0.083 * lake.ice_thickness_at([5.0, 2.0]).unwrap()).abs() < 0.01,
        "{out}"
    );
    let top = lake.temperature_at([5.0, 1.0]).unwrap();
    assert!((top + 10.0).abs() < 0.1, "as cold as the air: {top}");
    assert!(lake.temperature_at([5.0, 3.0]).unwrap().abs() < 0.1);
    assert_eq!(lake.balance().residual, 0.0);
}

#[test]
fn ice_suppresses_waves_until_it_melts() {
    let heat = Heat { air: -30.0, water: Some(0.0), pace: 1e3, ..Heat::default() };
    for motion in [Motion::Discharge, Motion::Springs] {
        let mut lake = basin_with(Params { motion, heat: Some(heat.clone()), ..Params::default() });
        advance_by(&mut lake, 5.0);
        assert!(lake.ice_thickness_at([5.0, 2.0]).unwrap() > 0.01);
        lake.edit(&Region::disc([5.0, 2.0], 1.0), Edit::Splash(0.5)).unwrap();
        lake.edit(&Region::disc([9.0, 2.0], 1.0), Edit::Push(2.0)).unwrap();
        advance_by(&mut lake, 2.0);
        assert_eq!(lake.layer("velocity").unwrap().min_max(), Some((0.0, 0.0)), "{motion:?}");
        assert_eq!(level_at(&lake, [5.0, 2.0]), Some(4.5));
        advance_by(&mut lake, 5.0);
        assert_eq!(lake.awake_pool_count(), 0, "frozen, it sleeps");
        let ice = lake.ice_thickness_at([5.0, 2.0]).unwrap();
        advance_by(&mut lake, 20.0);
        assert!(lake.ice_thickness_at([5.0, 2.0]).unwrap() > 1.2 * ice, "and goes on freezing");
        lake.set_air_temperature(30.0).unwrap();
        advance_by(&mut lake, 600.0);
        assert_eq!(lake.ice_volume(), 0.0);
        lake.edit(&Region::disc([5.0, 2.0], 1.0), Edit::Splash(0.5)).unwrap();
        advance_by(&mut lake, 0.5);
        assert_ne!(level_at(&lake, [5.0, 2.0]), Some(4.5));
        assert_eq!(lake.heat_balance().unwrap().residual, 0.0);
    }
}

#[test]
fn water_flows_below_stationary_ice() {
    let heat = Heat { air: -30.0, water: Some(0.0), pace: 1e3, ..Heat::default() };
    let mut lake = basin(heat);
    advance_by(&mut lake, 5.0);
    let ice = lake.ice_thickness_at([18.0, 2.0]).unwrap();
    assert!(ice > 0.01, "{ice}");
    // A tenth of the water is removed at the western shore.
    lake.edit(&Region::rect([0.0, 1.0], [2.0, 4.0]), Edit::Remove(8.0)).unwrap();
    advance_by(&mut lake, 1.0);
    let (near, far) = (level_at(&lake, [1.0, 2.0]).unwrap(), level_at(&lake, [18.0, 2.0]).unwrap());
    assert!(near < far - 0.1, "{near} {far}");
    let volume = lake.ice_volume();
    advance_by(&mut lake, 60.0);
    let levels = (0..20).map(|x| level_at(&lake, [x as f64 + 0.5, 3.0]).unwrap());
    let (low, high) =
        levels.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)));
    assert!(low > 4.0 && high < 4.2 && high - low < 0.01, "{low} {high}");
    assert!(lake.ice_volume() > volume && lake.awake_pool_count() == 0);
    assert_eq!((lake.balance().residual, lake.heat_balance().unwrap().residual), (0.0, 0.0));
}

#[test]
fn boiling_rate_matches_the_heater_power() {
    let heat = Heat { air: 20.0, water: Some(99.0), pace: 1e3, air_rate: 5.0, ..Heat::default() };
    let mut kettle = basin(heat);
    let power = 2e4;
    let hearth = Heater::new(Region::Everywhere, power);
    assert_eq!(kettle.add_heater(hearth).unwrap(), Id::new(0));
    advance_by(&mut kettle, 30.0);
    let (start, from) = (kettle.volume(), kettle.time());
    let air = kettle.heat_balance().unwrap().ledger.net_inflow(Cause::Boundary);
    assert!(kettle.temperature_at([5.0, 2.0]).unwrap() > 99.9);
    let mut swing = 0.0_f64;
    for _ in 0..600 {
        kettle.step();
        swing = swing.max((level_at(&kettle, [5.0, 2.0]).unwrap() - 4.5).abs());
    }
    assert!(swing > 0.02, "its surface jumps: {swing}");
    advance_by(&mut kettle, 50.0);
    assert_eq!(kettle.awake_pool_count(), 1, "what boils does not sleep");
    let gone = start - kettle.volume();
    let balance = kettle.heat_balance().unwrap();
    let heat =
        power * 1e3 * (kettle.time() - from) + balance.ledger.net_inflow(Cause::Boundary) - air;
    let steam = heat / (2257e3 * 1000.0);
    assert!((gone / steam - 1.0).abs() < 0.01, "{gone} {steam}");
    assert_eq!(balance.residual, 0.0);
    assert!(
        (balance.ledger.net_inflow(Cause::Source) / (power * 1e3 * kettle.time()) - 1.0).abs()
            < 0.01
    );
    assert!(
        balance.ledger.net_inflow(Cause::Evaporation) < 0.0
            && balance.ledger.net_inflow(Cause::Boundary) < 0.0
    );
    assert_eq!(kettle.balance().residual, 0.0);
    kettle.set_heater_power(Id::new(0), 0.0).unwrap();
    advance_by(&mut kettle, 300.0);
    assert_eq!(kettle.awake_pool_count(), 0);
}

#[test]
fn water_at_air_temperature_stays_at_rest() {
    let mut lake = basin(Heat::default());
    lake.edit(&Region::disc([5.0, 2.0], 1.0), Edit::Splash(0.5)).unwrap();
    lake.edit(&Region::disc([15.0, 2.0], 1.0), Edit::Pour(3.0)).unwrap();
    advance_by(&mut lake, 5.0);
    let temperature = lake.layer("temperature").unwrap();
    assert!(temperature.as_slice().iter().all(|&t| t == 15.0 || t == 0.0));
    let balance = lake.heat_balance().unwrap();
    assert!(
        (balance.ledger.net_inflow(Cause::Edit) / (3.0 * 15.0 * 4186e3) - 1.0).abs() < 1e-6,
        "{balance:?}"
    );
    assert_eq!((balance.ledger.net_inflow(Cause::Boundary), balance.residual), (0.0, 0.0));
    lake.set_air_temperature(25.0).unwrap();
    advance_by(&mut lake, 5.0);
    assert!(lake.temperature_at([5.0, 2.0]).unwrap() > 15.0);
    assert!(lake.heat_balance().unwrap().ledger.net_inflow(Cause::Boundary) > 0.0);
}

#[test]
fn currents_advect_heat() {
    // Hot water flows over a sill into a cold basin. A platform separates the two pools.
    let map = "
        #........................#
        #.......####.............#
        #........................#
        #.......#................#
        #~......#................#
        #.......#.......~........#
        #.......#................#
        ##########################";
    let heat = Heat { air: 10.0, pace: 1.0, air_rate: 0.0, ..Heat::default() };
    let params = Params { heat: Some(heat), ..Params::default() };
    let mut world = Columns::from_text(map, 0.5, params).unwrap();
    let start = world.heat_balance().unwrap();
    let hearth = Heater::new(Region::rect([0.5, 0.0], [4.0, 4.0]), 3e7);
    world.add_heater(hearth).unwrap();
    let spring = Source::new(Region::disc([1.0, 1.0], 0.6), 0.2);
    world.add_spring(spring).unwrap();
    advance_by(&mut world, 60.0);
    assert!(world.pool_count() > 2);
    let [west, east] = [1.0, 11.0].map(|x| world.temperature_at([x, 3.3]).unwrap());
    assert!(west > 13.0 && east > 10.05, "{west} {east}");
    let balance = world.heat_balance().unwrap();
    assert_eq!((balance.residual, balance.ledger.net_inflow(Cause::Boundary)), (0.0, 0.0));
    assert!(
        balance.ledger.net_inflow(Cause::Source) > 1.7e9
            && balance.ledger.net_inflow(Cause::Edit) > 5e8,
        "{balance:?}"
    );
    assert!(balance.now > start.now + balance.ledger.net_inflow(Cause::Source));
}

#[test]
fn heat_calls_without_heat_are_rejected() {
    let mut cold = basin_with(Params::default());
    assert_eq!((cold.air_temperature(), cold.temperature_at([5.0, 2.0])), (None, None));
    let error = cold.set_air_temperature(5.0).unwrap_err().to_string();
    assert_eq!(
        error,
        "air: found a world without heat, allowed is one with `heat` in its parameters"
    );
    let mut lake = basin(Heat::default());
    let error = lake.set_air_temperature(300.0).unwrap_err().to_string();
    assert_eq!(error, "air: found 300, allowed is -100 to 200 °C");
    let error = lake.set_heater_power(Id::new(0), 1.0).unwrap_err().to_string();
    assert_eq!(error, "a heater: found the id 0, allowed is no id: there is none");
    let params = Params { heat: Some(Heat { pace: 0.0, ..Heat::default() }), ..Params::default() };
    assert_eq!(
        params.validate().unwrap_err().to_string(),
        "heat.pace: found 0, allowed is above 0 up to 1000000"
    );
}

#[test]
fn water_poured_into_former_walls_freezes_and_is_recorded() {
    for (air, ends) in [(-20.0, -1.0), (120.0, 1.0)] {
        let mut board = basin(Heat { air, pace: 1000.0, ..Heat::default() });
        board.set_walls(&Region::Everywhere, true).unwrap();
        board.set_walls(&Region::rect([2.0, 0.0], [8.0, 5.0]), false).unwrap();
        board.edit(&Region::disc([5.0, 3.0], 1.0), Edit::Pour(4.0)).unwrap();
        assert_eq!(board.heat_balance().unwrap().residual, 0.0);
        advance_by(&mut board, 20.0);
        let balance = board.heat_balance().unwrap();
        assert!(
            balance.residual == 0.0 && balance.ledger.net_inflow(Cause::Boundary) * ends > 0.0,
            "{balance:?}"
        );
    }
}
