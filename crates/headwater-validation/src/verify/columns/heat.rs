//! Test cases for heat in column worlds: conservation in a closed box, growth of ice by Stefan's
//! law, and the same results with and without sleeping pools.

use crate::noise::noise;
use crate::verify::{FROZEN, Outcome, Row, Stepper};
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Edit, Heat, Heater, Params, Weather};
use headwater::{Field, Region};

const CELL: f64 = 0.25;
const NX: usize = 60;

/// Volumetric heat capacity of water (J/(m³·K)).
const CAPACITY: f64 = 4186e3;
/// Latent heat of fusion of water (J/m³).
const FUSION: f64 = 334e6;

/// Creates a closed box of water with an uneven floor.
fn closed_box(heat: Heat) -> Result<Columns> {
    let walls = Field::from_fn(NX, 20, |x, y| {
        x == 0 || x == NX - 1 || y == 0 || y > 17 - (4.0 * noise(x / 3, 1)) as usize
    });
    let params = Params { heat: Some(heat), ..Params::default() };
    Ok(Columns::new(&walls, CELL, &[Anchor::new_level([2.0, 1.5])], params)?)
}

/// Returns the heat in the box (J), relative to water at 0 °C. It is computed from public queries:
/// the temperatures at the bottom and top of each column, its depth and its ice.
fn total_heat(world: &Columns) -> f64 {
    let walls = world.walls();
    let mut heat = 0.0;
    for x in 1..NX - 1 {
        let east = (x as f64 + 0.5) * CELL;
        let floor = (0..20).rev().find(|&y| !walls[(x, y)]).unwrap_or(0) as f64 + 1.0;
        let Some(down) = world.surface_at([east, floor * CELL - 0.01]) else { continue };
        let ice = world.ice_thickness_at([east, floor * CELL - 0.01]).unwrap_or(0.0) * 0.917;
        let water = floor * CELL - down - ice;
        let at = |y: f64| world.temperature_at([east, y]).unwrap_or(0.0);
        let (bottom, top) = (at(floor * CELL - 1e-12), at(down + ice + 1e-12));
        heat += CELL * (CAPACITY * water * 0.5 * (bottom + top) - FUSION * ice);
    }
    heat
}

/// Measures the heat balance of a box with waves and a heater in a corner, and of a box in which
/// the heater melts ice. The final heat must equal the initial heat plus the heat from the heater.
pub(super) fn measure_heat_balance(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let warm = Heat { air: 20.0, pace: 100.0, air_rate: 0.0, ..Heat::default() };
    let mut stirred = closed_box(warm)?;
    stirred.edit(&Region::disc([8.0, 3.0], 1.0), Edit::Splash(0.3))?;
    // The box freezes until the ice is as cold as the air and no more heat is exchanged.
    let cold = Heat { air: -20.0, water: Some(2.0), pace: 1e4, ..Heat::default() };
    let mut frozen = closed_box(cold)?;
    stepper.step_columns(&mut frozen, 16 * 60)?;
    frozen.set_air_temperature(0.0)?;
    let mut rows = Vec::new();
    for (case, mut world, pace, power, steps) in [
        (name.to_owned(), stirred, 100.0, 2e5, 16 * 100),
        (format!("{name}-ice"), frozen, 1e4, 1e3, 16 * 40),
    ] {
        let (before, ice) = (total_heat(&world), world.ice_volume());
        let region = Region::rect([0.0, 0.0], [4.0, 5.0]);
        world.add_heater(Heater::new(region, power))?;
        stepper.step_columns(&mut world, steps)?;
        let supplied = power * pace * steps as f64 * world.params().step;
        let error = (total_heat(&world) - before - supplied).abs() / supplied;
        let melted = case == name || world.ice_volume() < 0.999 * ice;
        let error = if melted { error } else { FROZEN };
        let metric = "heat lost from a closed box, relative to heater input";
        rows.push(Row::at_most(case, metric, error, 1e-5));
    }
    Ok(Outcome::from_rows(rows))
}

/// Compares the thickness of ice on still water at 0 °C with Stefan's law, in strong and in light
/// wind: `h = √((k/α)² + 2·k·ΔT·t/(ρ·L)) − k/α`, which approaches `√(2·k·ΔT·t/(ρ·L))` for large α.
pub(super) fn measure_ice_growth(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let pace = 1e4;
    let mut rows = Vec::new();
    for (case, air_rate) in [(name.to_owned(), 1e5), (format!("{name}-light-wind"), 25.0)] {
        let mut error = 0.0_f64;
        for air in [-2.0, -10.0, -40.0] {
            let heat = Heat { air, water: Some(0.0), pace, air_rate, ..Heat::default() };
            let walls = Field::from_fn(40, 24, |_, y| y > 22);
            let params = Params { heat: Some(heat), ..Params::default() };
            let mut lake = Columns::new(&walls, CELL, &[Anchor::new_level([1.0, 0.5])], params)?;
            for seconds in 1..=30 {
                stepper.step_columns(&mut lake, 60)?;
                let film = if air_rate > 1e4 { 0.0 } else { 2.2 / air_rate };
                let gain = 2.0 * 2.2 * -air * f64::from(seconds) * pace / (917.0 * 334e3);
                let exact = (film * film + gain).sqrt() - film;
                let ice = lake.ice_thickness_at([5.0, 3.0]).unwrap_or(0.0);
                error = error.max((ice / exact - 1.0).abs());
            }
        }
        let metric = "maximum relative error of ice thickness";
        rows.push(Row::at_most(case, metric, error, 0.03));
    }
    Ok(Outcome::from_rows(rows))
}

/// Measures how rainwater at 0 °C freezes from above on the ice of a lake. The thickness of the
/// upper ice must follow Stefan's law `√(2·k·ΔT·t/(ρ·L))`, and the ice below must not grow.
pub(super) fn measure_rain_ice_growth(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let pace = 1e4;
    let (mut error, mut below) = (0.0_f64, 0.0_f64);
    for air in [-2.0, -10.0, -40.0] {
        let heat = Heat { air: -10.0, water: Some(0.0), pace, air_rate: 1e5, ..Heat::default() };
        let walls = Field::from_fn(40, 24, |_, y| y > 22);
        let params = Params { heat: Some(heat), ..Params::default() };
        let mut lake = Columns::new(&walls, CELL, &[Anchor::new_level([1.0, 2.0])], params)?;
        stepper.step_columns(&mut lake, 60 * 10)?;
        lake.set_air_temperature(0.0)?;
        lake.set_weather(Weather { rain: 1e5.into(), ..lake.weather().clone() })?;
        stepper.step_columns(&mut lake, 60 * 30)?;
        lake.set_weather(Weather { rain: 0.0.into(), ..lake.weather().clone() })?;
        let tiers = |lake: &Columns| -> Vec<f64> {
            let tiers = lake.strata_at([5.0, 5.0]);
            tiers.iter().map(|tier| tier.bottom - tier.top).collect()
        };
        let before = tiers(&lake);
        lake.set_air_temperature(air)?;
        for seconds in 1..=30 {
            stepper.step_columns(&mut lake, 60)?;
            let exact = (2.0 * 2.2 * -air * f64::from(seconds) * pace / (917.0 * 334e3)).sqrt();
            let &[_, ice, _, crust] = &tiers(&lake)[..] else {
                return Ok(Row::at_most(name, "tiers of a frozen lake", FROZEN, 0.0).into());
            };
            error = error.max((crust / exact - 1.0).abs());
            below = below.max((ice - before[1]).abs());
        }
    }
    let metric = "maximum relative error of thickness, ice on water on ice";
    Ok(Outcome::from_rows(vec![
        Row::at_most(name, metric, error, 0.03),
        Row::at_most(name, "growth of the ice under water (m)", below, 1e-6),
    ]))
}

/// Compares a lake that freezes while it is asleep with the same lake kept awake. Measures the mean
/// differences of temperature and ice, relative to the largest change. The maximum difference is
/// unsuitable, because the column that freezes over last is sensitive to tiny differences.
pub(super) fn measure_sleep_dependence(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let run = |sleep_speed: f64| -> Result<(Columns, usize)> {
        let heat = Heat { air: -15.0, water: Some(4.0), pace: 5e3, ..Heat::default() };
        let walls = Field::from_fn(NX, 20, |x, y| y > 17 - (9.0 * noise(x / 6, 3)) as usize);
        let params = Params { sleep_speed, heat: Some(heat), ..Params::default() };
        let mut lake = Columns::new(&walls, CELL, &[Anchor::new_level([2.0, 1.0])], params)?;
        stepper.step_columns(&mut lake, 60 * 10)?;
        let awake = lake.awake_pool_count();
        stepper.step_columns(&mut lake, 60 * 110)?;
        Ok((lake, awake))
    };
    let ((slept, none), (awake, all)) = (run(Params::default().sleep_speed)?, run(0.0)?);
    let (mut ice, mut all_ice, mut warm) = (0.0, 0.0, 0.0);
    for x in 0..NX {
        for y in [4, 8] {
            let at = [(x as f64 + 0.5) * CELL, (f64::from(y) + 0.5) * CELL];
            let [a, b] = [&slept, &awake].map(|lake| lake.ice_thickness_at(at).unwrap_or(0.0));
            (ice, all_ice) = (ice + (a - b).abs(), all_ice + a);
            let [a, b] = [&slept, &awake].map(|lake| lake.temperature_at(at).unwrap_or(0.0));
            warm += (a - b).abs() / (2 * NX) as f64;
        }
    }
    let metric =
        "difference of ice and temperature between sleeping and awake lake, relative to the change";
    let is_valid = none == 0 && all > 0 && all_ice > 0.1 * (2 * NX) as f64;
    let difference = if is_valid { (ice / all_ice).max(warm / 19.0) } else { FROZEN };
    Ok(Row::at_most(name, metric, difference, 0.01).into())
}
