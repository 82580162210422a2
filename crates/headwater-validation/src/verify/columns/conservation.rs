//! Test cases for the conservation of volume and energy in column worlds. They also check that
//! results do not depend on the frame rate or on the number of threads.

use super::vessels::undamped_params;
use crate::noise::noise;
use crate::verify::{FROZEN, Outcome, Row, Stepper, Task, norms};
use anyhow::Result;
use headwater::columns::{Anchor, Columns, Edit, Heat, Heater, Params, Source, Weather, Wind};
use headwater::{Field, Region};

/// Creates random caves with springs, drains, rain, wind and a bubble.
fn caves(nx: usize, ny: usize, per_cell: u32, heat: Option<&Heat>) -> Result<Columns> {
    let walls = Field::from_fn(nx, ny, |x, y| noise(x / 3, y / 2) < 0.3 && y > 3);
    let cell = 0.5;
    let (width, height) = (nx as f64 * cell, ny as f64 * cell);
    let anchors = [[0.2 * width, 0.4 * height], [0.8 * width, 0.5 * height]].map(Anchor::new_level);
    let wave_depth = 0.5 / f64::from(per_cell * per_cell);
    let heat = heat.cloned();
    let params = Params { columns_per_cell: per_cell, wave_depth, heat, ..Params::default() };
    let mut world = Columns::new(&walls, cell, &anchors, params)?;
    let at = |x: f64, rate| Source::new(Region::disc([x * width, 1.0], 1.0), rate);
    world.add_spring(at(0.1, 0.2))?;
    world.add_drain(at(0.5, 0.25))?;
    world.add_spring(at(0.9, 0.1))?;
    let (rain, evaporation) = (360.0.into(), 7200.0.into());
    world.set_weather(Weather { rain, evaporation, air: None })?;
    world.set_wind(Some(Wind { acceleration: 0.1.into(), ..Wind::default() }))?;
    Ok(world)
}

const STEPS: u64 = 1_000_000;

pub(super) fn check_volume_conservation(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let mut world = caves(40, 13, 1, None)?;
    let (mut drift, mut moved) = (0.0_f64, false);
    for _ in 0..100 {
        let before = world.state_hash();
        world.edit(&Region::disc([8.0, 1.0], 1.0), Edit::Splash(0.1))?;
        stepper.step_columns(&mut world, STEPS / 100)?;
        drift = drift.max(world.balance().residual_relative.abs());
        moved |= world.steps() > 0 && world.state_hash() != before;
    }
    let drift = if moved { drift } else { FROZEN };
    Ok(Row::at_most(name, "relative drift of volume after 1e6 steps", drift, 1e-9).into())
}

/// Creates a pool with an uneven floor and initial waves.
fn pool_with_waves(params: Params) -> Result<Columns> {
    let (nx, ny) = (60, 20);
    let walls = Field::from_fn(nx, ny, |x, y| {
        let floor = ny - 2 - (4.0 * noise(x / 2, 0)) as usize;
        y > floor || x == 0 || x == nx - 1 || (y > 6 && (30..33).contains(&x))
    });
    let mut world = Columns::new(&walls, 0.25, &[Anchor::new_level([2.0, 1.0])], params)?;
    world.edit(&Region::rect([2.0, 0.0], [3.0, 5.0]), Edit::Splash(0.15))?;
    world.edit(&Region::rect([10.0, 0.0], [11.0, 5.0]), Edit::Splash(0.15))?;
    Ok(world)
}

/// Measures the largest rise of the total energy above its previous minimum, relative to the energy
/// of the waves, for waves over an uneven floor. One run of 10⁶ steps has no damping; a second,
/// shorter run has the default damping.
pub(super) fn measure_energy_rise(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut rows = Vec::new();
    for (case, params, steps, limit) in [
        (name.to_owned(), undamped_params(), STEPS, 1e-3),
        (format!("{name}-damped"), Params::default(), STEPS / 100, 1e-6),
    ] {
        let mut world = pool_with_waves(params)?;
        let mut calm = Columns::new(
            &world.walls(),
            0.25,
            &[Anchor::new_level([2.0, 1.0])],
            undamped_params(),
        )?;
        stepper.step_columns(&mut calm, 1)?;
        let rest = calm.energy().total();
        stepper.step_columns(&mut world, 2)?;
        let waves = world.energy().total() - rest;
        let (mut min_energy, mut rise) = (f64::INFINITY, 0.0_f64);
        let mut moving = 0.0_f64;
        for _ in 0..1000 {
            stepper.step_columns(&mut world, steps / 1000)?;
            let now = world.energy();
            moving = moving.max(now.kinetic / waves);
            min_energy = min_energy.min(now.total());
            rise = rise.max((now.total() - min_energy) / waves);
        }
        let rise = if moving < 0.1 { FROZEN } else { rise };
        let metric = "maximum rise of energy, relative to wave energy";
        rows.push(Row::at_most(case, metric, rise, limit));
    }
    Ok(Outcome::from_rows(rows))
}

/// Simulates the same 10 s at 30, 60 and 144 frames per second. Measures the differences between
/// the final surfaces, relative to the highest wave.
pub(super) fn measure_frame_rate_dependence(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let run = |frames: u32| -> Result<Field<f32>> {
        let mut world = pool_with_waves(Params::default())?;
        for _ in 0..10 * frames {
            stepper.run(Task::ColumnsFrame(&mut world, 1.0 / f64::from(frames)))?;
        }
        world.layer("head").ok_or_else(|| anyhow::anyhow!("no heads"))
    };
    let still = pool_with_waves(Params::default())?.layer("head");
    let at_60 = run(60)?;
    let moved = still.map_or(0.0, |still| norms::max_difference(&still, &at_60));
    let worst =
        norms::max_difference(&run(30)?, &at_60).max(norms::max_difference(&run(144)?, &at_60));
    let worst = if moved > 1e-3 { worst / moved } else { FROZEN };
    let metric = "difference of surfaces at 30, 60 and 144 frames/s, relative to the wave";
    Ok(Row::at_most(name, metric, worst, 0.01).into())
}

pub(super) fn check_thread_independence(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let freezing = Heat { air: -40.0, water: Some(1.0), pace: 1e4, ..Heat::default() };
    let mut rows = Vec::new();
    for (case, heat) in [(name.to_owned(), None), (format!("{name}-heat"), Some(freezing))] {
        let differing = norms::count_runs_unlike_one_thread(|| {
            let mut world = caves(600, 12, 4, heat.as_ref())?;
            if heat.is_some() {
                world.add_heater(Heater::new(Region::Everywhere, 1e6))?;
            }
            let start = world.state_hash();
            stepper.step_columns(&mut world, 60)?;
            Ok(Some(world.state_hash()).filter(|&end| end != start))
        })?;
        let metric = "runs on 2 and 8 threads that differ from one thread";
        rows.push(Row::at_most(case, metric, differing, 0.0));
    }
    Ok(Outcome::from_rows(rows))
}

/// Checks the sleeping of two pools, one of which has waves. The still pool must fall asleep first,
/// nothing may change during sleep, and a drop must wake only the pool that it hits.
pub(super) fn check_sleep(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let walls = Field::from_fn(80, 20, |x, y| y > 17 || (36..44).contains(&x));
    let anchors = [Anchor::new_level([2.0, 2.0]), Anchor::new_level([18.0, 2.0])];
    let mut world = Columns::new(&walls, 0.25, &anchors, Params::default())?;
    let drop = Region::disc([3.0, 2.5], 0.8);
    world.edit(&drop, Edit::Splash(0.2))?;
    let mut wrong = 0_u32;
    stepper.step_columns(&mut world, 200)?;
    wrong += u32::from(world.awake_pool_count() != 1);
    stepper.step_columns(&mut world, 60 * 600)?;
    wrong += u32::from(world.awake_pool_count() != 0);
    let volume = world.volume();
    let asleep = world.layer("head");
    stepper.step_columns(&mut world, 1000)?;
    wrong += u32::from(world.layer("head") != asleep || world.volume() != volume);
    world.edit(&drop, Edit::Splash(0.2))?;
    wrong += u32::from(world.awake_pool_count() != 1);
    let moved = world.layer("head");
    stepper.step_columns(&mut world, 10)?;
    wrong += u32::from(world.layer("head") == moved);
    Ok(Row::at_most(name, "failed checks of sleeping", wrong.into(), 0.0).into())
}
