//! Verification cases for `waves`: stability, conservation and reproducibility. Cases for wave
//! speeds and for edges are in submodules.

mod edges;
mod speed;
mod worlds;

use super::norms::{failing_thread_counts, max_abs, max_difference};
use super::{Case, FROZEN, Outcome, Row, Stepper, Task, matches_reference, named_cases};
use crate::noise::noise;
use anyhow::Result;
use headwater::waves::{Body, Edit, Params, Rain, Shape, Waves, Wind};
use headwater::{Brush, Field, Region};
use worlds::{create_params, create_world};

pub(super) fn cases() -> Vec<Case> {
    named_cases([
        ("waves/energy", measure_energy_change),
        ("waves/mean", measure_volume_change),
        ("waves/standing", speed::measure_standing_wave),
        ("waves/dispersion", speed::measure_dispersion),
        ("waves/damping", speed::measure_damping),
        ("waves/absorb-0", edges::measure_normal_incidence),
        ("waves/absorb-45", edges::measure_oblique_incidence),
        ("waves/stable-below", measure_noise_growth),
        ("waves/refused-above", check_unstable_refused),
        ("waves/frame-rate", measure_frame_rate_dependence),
        ("waves/threads", check_thread_independence),
    ])
}

/// Values of `μt` (damping rate times time step) in the stability cases: no damping, a value for
/// which the published stability bound is wrong, and critical damping.
const DAMPINGS: [f64; 3] = [0.0, 0.5, 2.0];

/// Measures whether noise grows if the squared Courant number `q = c²t²/d²` (wave speed c, time
/// step t, cell size d) is just below the stability limit ½.
fn measure_noise_growth(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut growth = 0.0_f64;
    for mu_t in DAMPINGS {
        let mut waves = create_world(60, 44, create_params(0.499, mu_t))?;
        let start = Field::from_fn(60, 44, |x, y| 0.02 * (noise(x, y) - 0.5));
        waves.set_surface(&start)?;
        for _ in 0..100 {
            stepper.step_waves(&mut waves, 200)?;
            growth = growth.max(max_abs(&waves.state().height) / max_abs(&start));
        }
        if max_difference(&start, &waves.state().height) < 1e-6 {
            growth = FROZEN;
        }
    }
    let metric = "maximum height relative to the start, q = 0.499";
    Ok(Row::at_most(name, metric, growth, 10.0).into())
}

/// Checks that worlds with a squared Courant number q of 0.51 are rejected, because the published
/// scheme is unstable there with any damping. Worlds with q = 0.49 must be accepted and must move.
fn check_unstable_refused(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut wrong = 0;
    for mu_t in DAMPINGS {
        for (q, stable) in [(0.49, true), (0.51, false)] {
            wrong += u32::from((published_scheme_growth(q, mu_t) < 100.0) != stable);
            match create_world(12, 9, create_params(q, mu_t)) {
                Ok(mut waves) => {
                    waves.add_drop([4.0, 5.0], 2.0, 0.1)?;
                    let before = waves.state().height.clone();
                    stepper.step_waves(&mut waves, 10)?;
                    wrong += u32::from(!stable || waves.state().height == before);
                }
                Err(_) => wrong += u32::from(stable),
            }
        }
    }
    let metric = "worlds wrongly accepted, rejected or frozen";
    Ok(Row::at_most(name, metric, wrong.into(), 0.0).into())
}

/// Returns the growth of the maximum height in 2000 steps of Lengyel's formula `k1·z + k2·z⁻ +
/// k3·Σ`, starting from noise. Here z is the current and z⁻ the previous height of a cell, and Σ is
/// the sum of the heights of its four neighbours. The grid is periodic in both directions, and the
/// computation uses `f64`.
fn published_scheme_growth(q: f64, mu_t: f64) -> f64 {
    let n = 8;
    let k1 = (4.0 - 8.0 * q) / (mu_t + 2.0);
    let k2 = (mu_t - 2.0) / (mu_t + 2.0);
    let k3 = 2.0 * q / (mu_t + 2.0);
    let mut now = Field::from_fn(n, n, |x, y| f64::from(noise(x, y)) - 0.5);
    let (mut older, start) = (now.clone(), now.clone());
    let largest = |z: &Field<f64>| z.as_slice().iter().fold(0.0_f64, |m, z| m.max(z.abs()));
    for _ in 0..2000 {
        let new = Field::from_fn(n, n, |x, y| {
            let across = now[((x + 1) % n, y)] + now[((x + n - 1) % n, y)];
            let along = now[(x, (y + 1) % n)] + now[(x, (y + n - 1) % n)];
            k1 * now[(x, y)] + k2 * older[(x, y)] + k3 * (across + along)
        });
        (older, now) = (now, new);
    }
    largest(&now) / largest(&start)
}

/// Number of steps in the long run that measures the change of energy.
const LONG_RUN_STEPS: u64 = 1_000_000;

/// Measures the change of energy of undamped waves around land in a long run. The energy must
/// neither rise nor fall.
fn measure_energy_change(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut waves = create_world(24, 17, create_params(0.3, 0.0))?;
    waves.edit(&Brush::with_flat_falloff(Region::disc([15.0, 9.0], 3.0)), Edit::Land)?;
    waves.add_drop([6.0, 6.0], 4.0, 0.3)?;
    let still = waves.state().height.clone();
    stepper.step_waves(&mut waves, 1)?;
    let start = waves.energy().total();
    let (mut min_energy, mut rise) = (start, 0.0_f64);
    let steps = stepper.feasible_steps(LONG_RUN_STEPS);
    for _ in 0..steps / 500 {
        stepper.step_waves(&mut waves, 500)?;
        let now = waves.energy().total();
        min_energy = min_energy.min(now);
        rise = rise.max((now - min_energy) / start);
    }
    let mut lost = (start - min_energy) / start;
    if waves.state().height == still {
        (rise, lost) = (FROZEN, FROZEN);
    }
    let metric = |measured| format!("{measured} in {:e} steps, relative to start", steps as f64);
    Ok(Outcome::from_rows([
        Row::at_most(name, metric("rise of energy above its minimum"), rise, 1e-4),
        Row::at_most(format!("{name}-kept"), metric("loss of energy without damping"), lost, 1e-2),
    ]))
}

/// Measures the largest drift of the mean water level in 20 000 steps with all kinds of forcing and
/// with repeated drops.
fn measure_volume_change(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut waves = world_with_all_forcings(90, 70)?;
    let mut off = 0.0_f64;
    let mut last = waves.state().height.clone();
    for i in 0..40 {
        let at = [90.0 * f64::from(noise(i, 1)), 70.0 * f64::from(noise(i, 2))];
        waves.add_drop(at, 5.0, 0.1)?;
        let stirred = waves.state().height.clone();
        stepper.step_waves(&mut waves, 500)?;
        off = off.max(waves.mean_level().abs());
        if waves.state().height == stirred || waves.state().height == last {
            off = FROZEN;
        }
        last = waves.state().height.clone();
    }
    Ok(Row::at_most(name, "drift of the mean level (m), 2e4 steps", off, 0.0).into())
}

/// Compares the states after 10 s at 30, 60 and 144 frames per second.
fn measure_frame_rate_dependence(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let run = |fps: u32| -> Result<(Field<f32>, u64)> {
        let step = 1.0 / 60.0;
        let mut waves = create_world(48, 31, Params { speed: 20.0, step, ..Params::default() })?;
        waves.add_drop([20.0, 12.0], 4.0, 0.2)?;
        let start = waves.state().height.clone();
        for _ in 0..10 * fps {
            stepper.run(Task::WavesFrame(&mut waves, 1.0 / f64::from(fps)))?;
        }
        let moved = waves.state().height != start;
        Ok((waves.state().height.clone(), if moved { waves.steps() } else { 0 }))
    };
    let mut differ = 0;
    let sixty = run(60)?;
    for fps in [30, 60, 144] {
        let other = run(fps)?;
        differ += u32::from(other != sixty || other.1 != 600);
    }
    let metric = "frame rates with a different state after 10 s";
    Ok(Row::at_most(name, metric, differ.into(), 0.0).into())
}

/// Checks that runs on 1, 2, 3 and 8 threads give the same bits as the reference loops, a plain
/// serial implementation.
fn check_thread_independence(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let world = world_with_all_forcings(300, 200)?;
    let mut plain = world.clone();
    (0..200).for_each(|_| plain.step_plain());
    let differ = failing_thread_counts([1, 2, 3, 8], || {
        let mut waves = world.clone();
        stepper.step_waves(&mut waves, 200)?;
        let hashes = [waves.state_hash(), plain.state_hash()];
        Ok(matches_reference(stepper, hashes, [&waves.state().height, &plain.state().height]))
    })?;
    let metric = "thread counts whose results differ from the reference loops";
    Ok(Row::at_most(name, metric, differ, 0.0).into())
}

/// Creates a pond with an island and a slope, and with rain, wind and a boat.
fn world_with_all_forcings(nx: usize, ny: usize) -> Result<Waves> {
    let mut waves = create_world(nx, ny, create_params(0.36, 0.02))?;
    let (width, height) = (nx as f64, ny as f64);
    waves.set_speed(Some(Field::from_fn(nx, ny, |x, _| 3.0 + 3.0 * x as f32 / nx as f32)))?;
    let island = Region::disc([0.6 * width, 0.5 * height], 0.1 * width);
    waves.edit(&Brush::with_flat_falloff(island), Edit::Land)?;
    waves.set_rain(Some(Rain { rate: 0.01, radius: 2.0, depth: 0.02, seed: 1 }))?;
    let (velocity, lifetime) = ([4.0, 1.5], 5.0);
    let wind = Wind { velocity, gusts: 4, radius: 8.0, head: 0.01, lifetime, seed: 2 };
    waves.set_wind(Some(wind))?;
    let shape = Shape::Rect { half: [4.0, 2.0] };
    let position = [0.1 * width, 0.2 * height];
    waves.add_body(Body { shape, position, velocity: [0.05, 0.02], draft: 0.2 })?;
    Ok(waves)
}
