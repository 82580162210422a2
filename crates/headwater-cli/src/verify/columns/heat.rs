//! Heat: whether a closed box keeps it, whether ice grows as Stefan found, and whether sleep changes any of it.

use crate::noise::noise;
use crate::verify::{FROZEN, Motion, Outcome, Row};
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Edit, Heat, Heater, Params, Weather};
use headwater::{Field, Region};

const CELL: f64 = 0.25;
const NX: usize = 60;

/// Heat of a cubic metre of water for a kelvin, and of melting it (J).
const CAPACITY: f64 = 4186e3;
const FUSION: f64 = 334e6;

/// A box with a ragged floor and a ceiling.
fn shut(heat: Heat) -> Result<Columns> {
    let walls = Field::from_fn(NX, 20, |x, y| {
        x == 0 || x == NX - 1 || y == 0 || y > 17 - (4.0 * noise(x / 3, 1)) as usize
    });
    let params = Params { heat: Some(heat), ..Params::default() };
    Ok(Columns::new(&walls, CELL, &[Anchor::level([2.0, 1.5])], params)?)
}

/// The heat in the box (J) above water of 0 °C, from what can be asked: temperatures at the bottom and at the top of each
/// column, its depth and its ice.
fn heat_in(world: &Columns) -> f64 {
    let walls = world.walls();
    let mut heat = 0.0;
    for x in 1..NX - 1 {
        let east = (x as f64 + 0.5) * CELL;
        let floor = (0..20).rev().find(|&y| !walls[(x, y)]).unwrap_or(0) as f64 + 1.0;
        let Some(down) = world.surface_at([east, floor * CELL - 0.01]) else { continue };
        let ice = world.ice_at([east, floor * CELL - 0.01]).unwrap_or(0.0) * 0.917;
        let water = floor * CELL - down - ice;
        let at = |y: f64| world.temperature_at([east, y]).unwrap_or(0.0);
        let (bottom, top) = (at(floor * CELL - 1e-12), at(down + ice + 1e-12));
        heat += CELL * (CAPACITY * water * 0.5 * (bottom + top) - FUSION * ice);
    }
    heat
}

/// A box in which a hearth heats a corner while waves go to and fro, and one in which it melts ice: the heat that is
/// there is that at the start and that of the hearth.
pub(super) fn heat_box(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let warm = Heat { air: 20.0, pace: 100.0, air_rate: 0.0, ..Heat::default() };
    let mut stirred = shut(warm)?;
    stirred.edit(&Region::disc([8.0, 3.0], 1.0), Edit::Splash(0.3))?;
    // Freezes over, until the air is as cold as the ice and no heat goes into it.
    let cold = Heat { air: -20.0, water: Some(2.0), pace: 1e4, ..Heat::default() };
    let mut frozen = shut(cold)?;
    motion.swing(&mut frozen, 16 * 60)?;
    frozen.set_air(0.0)?;
    let mut rows = Vec::new();
    for (case, mut world, pace, power, steps) in [
        (name.to_owned(), stirred, 100.0, 2e5, 16 * 100),
        (format!("{name}-ice"), frozen, 1e4, 1e3, 16 * 40),
    ] {
        let (before, ice) = (heat_in(&world), world.ice_volume());
        let region = Region::rect([0.0, 0.0], [4.0, 5.0]);
        world.add_heater(Heater::new(region, power))?;
        motion.swing(&mut world, steps)?;
        let given = power * pace * steps as f64 * world.params().step;
        let error = (heat_in(&world) - before - given).abs() / given;
        let melted = case == name || world.ice_volume() < 0.999 * ice;
        let error = if melted { error } else { FROZEN };
        let metric = "heat of a closed box that is lost, of that of its hearth";
        rows.push(Row::at_most(case, metric, error, 1e-5));
    }
    Ok(Outcome::of(rows))
}

/// Ice on still water of 0 °C, in a strong wind and in a light one: `h = √((k/α)² + 2·k·ΔT·t/(ρ·L)) − k/α`, which is
/// Stefan's `√(2·k·ΔT·t/(ρ·L))` where α is large.
pub(super) fn stefan(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let pace = 1e4;
    let mut rows = Vec::new();
    for (case, air_rate) in [(name.to_owned(), 1e5), (format!("{name}-light-wind"), 25.0)] {
        let mut error = 0.0_f64;
        for air in [-2.0, -10.0, -40.0] {
            let heat = Heat { air, water: Some(0.0), pace, air_rate, ..Heat::default() };
            let walls = Field::from_fn(40, 24, |_, y| y > 22);
            let params = Params { heat: Some(heat), ..Params::default() };
            let mut lake = Columns::new(&walls, CELL, &[Anchor::level([1.0, 0.5])], params)?;
            for seconds in 1..=30 {
                motion.swing(&mut lake, 60)?;
                let film = if air_rate > 1e4 { 0.0 } else { 2.2 / air_rate };
                let gain = 2.0 * 2.2 * -air * f64::from(seconds) * pace / (917.0 * 334e3);
                let exact = (film * film + gain).sqrt() - film;
                let ice = lake.ice_at([5.0, 3.0]).unwrap_or(0.0);
                error = error.max((ice / exact - 1.0).abs());
            }
        }
        let metric = "greatest relative error of the thickness of ice";
        rows.push(Row::at_most(case, metric, error, 0.03));
    }
    Ok(Outcome::of(rows))
}

/// Rain of 0 °C lies on the ice of a lake, and freezes from above: Stefan's `√(2·k·ΔT·t/(ρ·L))` again, for the ice on the water on
/// the ice on the water. The lake freezes no further under it.
pub(super) fn stefan_pond(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let pace = 1e4;
    let (mut error, mut below) = (0.0_f64, 0.0_f64);
    for air in [-2.0, -10.0, -40.0] {
        let heat = Heat { air: -10.0, water: Some(0.0), pace, air_rate: 1e5, ..Heat::default() };
        let walls = Field::from_fn(40, 24, |_, y| y > 22);
        let params = Params { heat: Some(heat), ..Params::default() };
        let mut lake = Columns::new(&walls, CELL, &[Anchor::level([1.0, 2.0])], params)?;
        motion.swing(&mut lake, 60 * 10)?;
        lake.set_air(0.0)?;
        lake.set_weather(Weather { rain: 1e5.into(), ..lake.weather().clone() })?;
        motion.swing(&mut lake, 60 * 30)?;
        lake.set_weather(Weather { rain: 0.0.into(), ..lake.weather().clone() })?;
        let tiers = |lake: &Columns| -> Vec<f64> {
            let tiers = lake.strata_at([5.0, 5.0]);
            tiers.iter().map(|tier| tier.bottom - tier.top).collect()
        };
        let before = tiers(&lake);
        lake.set_air(air)?;
        for seconds in 1..=30 {
            motion.swing(&mut lake, 60)?;
            let exact = (2.0 * 2.2 * -air * f64::from(seconds) * pace / (917.0 * 334e3)).sqrt();
            let &[_, ice, _, crust] = &tiers(&lake)[..] else {
                return Ok(Row::at_most(name, "tiers of a frozen lake", FROZEN, 0.0).into());
            };
            error = error.max((crust / exact - 1.0).abs());
            below = below.max((ice - before[1]).abs());
        }
    }
    let metric = "greatest relative error of the thickness of ice on water on ice";
    Ok(Outcome::of(vec![
        Row::at_most(name, metric, error, 0.03),
        Row::at_most(name, "growth of the ice under water (m)", below, 1e-6),
    ]))
}

/// A lake that freezes asleep, and the same kept awake: how far temperatures and ice are apart in the end, on the mean of
/// its columns, of the most that either has changed. Not the greatest: which column closes last when a lake freezes
/// over hangs on a hair, since what is open draws on the warmth of all that is not.
pub(super) fn sleep(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let run = |sleep_speed: f64| -> Result<(Columns, usize)> {
        let heat = Heat { air: -15.0, water: Some(4.0), pace: 5e3, ..Heat::default() };
        let walls = Field::from_fn(NX, 20, |x, y| y > 17 - (9.0 * noise(x / 6, 3)) as usize);
        let params = Params { sleep_speed, heat: Some(heat), ..Params::default() };
        let mut lake = Columns::new(&walls, CELL, &[Anchor::level([2.0, 1.0])], params)?;
        motion.swing(&mut lake, 60 * 10)?;
        let awake = lake.awake();
        motion.swing(&mut lake, 60 * 110)?;
        Ok((lake, awake))
    };
    let ((slept, none), (awake, all)) = (run(Params::default().sleep_speed)?, run(0.0)?);
    let (mut ice, mut all_ice, mut warm) = (0.0, 0.0, 0.0);
    for x in 0..NX {
        for y in [4, 8] {
            let at = [(x as f64 + 0.5) * CELL, (f64::from(y) + 0.5) * CELL];
            let [a, b] = [&slept, &awake].map(|lake| lake.ice_at(at).unwrap_or(0.0));
            (ice, all_ice) = (ice + (a - b).abs(), all_ice + a);
            let [a, b] = [&slept, &awake].map(|lake| lake.temperature_at(at).unwrap_or(0.0));
            warm += (a - b).abs() / (2 * NX) as f64;
        }
    }
    let metric = "ice and warmth apart of a lake asleep and awake, of their change";
    let fair = none == 0 && all > 0 && all_ice > 0.1 * (2 * NX) as f64;
    let apart = if fair { (ice / all_ice).max(warm / 19.0) } else { FROZEN };
    Ok(Row::at_most(name, metric, apart, 0.01).into())
}
