//! The cases of `waves`: stability, books and bits here; speeds and edges beside.

mod edges;
mod speed;
mod worlds;

use super::fields::{apart, greatest, wrong_on};
use super::{Case, FROZEN, Motion, Outcome, Row, Work, agree, entries};
use crate::noise::noise;
use anyhow::Result;
use headwater::waves::{Body, Edit, Params, Rain, Shape, Waves, Wind};
use headwater::{Brush, Field, Region};
use worlds::{params, world};

pub(super) fn cases() -> Vec<Case> {
    entries([
        ("waves/energy", energy),
        ("waves/mean", mean),
        ("waves/standing", speed::standing),
        ("waves/dispersion", speed::dispersion),
        ("waves/damping", speed::damping),
        ("waves/absorb-0", edges::straight),
        ("waves/absorb-45", edges::slantwise),
        ("waves/stable-below", stable_below),
        ("waves/refused-above", refused_above),
        ("waves/frame-rate", frame_rate),
        ("waves/threads", threads),
    ])
}

/// `μt` of the cases on stability: undamped; damped so that the bound in print is wrong; damped
/// critically.
const DAMPINGS: [f64; 3] = [0.0, 0.5, 2.0];

/// Noise at a q just below ½ does not grow.
fn stable_below(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut growth = 0.0_f64;
    for mu_t in DAMPINGS {
        let mut waves = world(60, 44, params(0.499, mu_t))?;
        let start = Field::from_fn(60, 44, |x, y| 0.02 * (noise(x, y) - 0.5));
        waves.set_surface(&start)?;
        for _ in 0..100 {
            motion.ripple(&mut waves, 200)?;
            growth = growth.max(greatest(&waves.state().height) / greatest(&start));
        }
        if apart(&start, &waves.state().height) < 1e-6 {
            growth = FROZEN;
        }
    }
    let metric = "greatest height over the start's, q = 0.499";
    Ok(Row::at_most(name, metric, growth, 10.0).into())
}

/// At q = 0.51 the scheme as it stands in the book grows without bound whatever the damping, so such a
/// world must be refused; at 0.49 it must not be, and move.
fn refused_above(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut wrong = 0;
    for mu_t in DAMPINGS {
        for (q, stable) in [(0.49, true), (0.51, false)] {
            wrong += u32::from((book_grows_to(q, mu_t) < 100.0) != stable);
            match world(12, 9, params(q, mu_t)) {
                Ok(mut waves) => {
                    waves.drop([4.0, 5.0], 2.0, 0.1)?;
                    let before = waves.state().height.clone();
                    motion.ripple(&mut waves, 10)?;
                    wrong += u32::from(!stable || waves.state().height == before);
                }
                Err(_) => wrong += u32::from(stable),
            }
        }
    }
    let metric = "worlds wrongly taken, refused or frozen";
    Ok(Row::at_most(name, metric, wrong.into(), 0.0).into())
}

/// The greatest height after 2000 steps of Lengyel's formula from a start with waves of all lengths, by
/// `k1·z + k2·z⁻ + k3·Σ` in f64 on a torus, relative to the start.
fn book_grows_to(q: f64, mu_t: f64) -> f64 {
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

/// Steps for which energy is to be kept.
const LONG: u64 = 1_000_000;

/// Undamped waves among land for a long run: energy neither rises nor gets lost.
fn energy(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut waves = world(24, 17, params(0.3, 0.0))?;
    waves.edit(&Brush::flat(Region::disc([15.0, 9.0], 3.0)), Edit::Land)?;
    waves.drop([6.0, 6.0], 4.0, 0.3)?;
    let still = waves.state().height.clone();
    motion.ripple(&mut waves, 1)?;
    let start = waves.energy().total();
    let (mut least, mut rise) = (start, 0.0_f64);
    let steps = motion.long(LONG);
    for _ in 0..steps / 500 {
        motion.ripple(&mut waves, 500)?;
        let now = waves.energy().total();
        least = least.min(now);
        rise = rise.max((now - least) / start);
    }
    let mut lost = (start - least) / start;
    if waves.state().height == still {
        (rise, lost) = (FROZEN, FROZEN);
    }
    let metric = |measured| format!("{measured} in {:e} steps, over start", steps as f64);
    Ok(Outcome::of([
        Row::at_most(name, metric("rise over its least"), rise, 1e-4),
        Row::at_most(format!("{name}-kept"), metric("loss without damping"), lost, 1e-2),
    ]))
}

/// All that stirs, at once, for 20 000 steps: not a quantum comes or goes.
fn mean(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let mut waves = busy(90, 70)?;
    let mut off = 0.0_f64;
    let mut last = waves.state().height.clone();
    for i in 0..40 {
        let at = [90.0 * f64::from(noise(i, 1)), 70.0 * f64::from(noise(i, 2))];
        waves.drop(at, 5.0, 0.1)?;
        let stirred = waves.state().height.clone();
        motion.ripple(&mut waves, 500)?;
        off = off.max(waves.mean_level().abs());
        if waves.state().height == stirred || waves.state().height == last {
            off = FROZEN;
        }
        last = waves.state().height.clone();
    }
    Ok(Row::at_most(name, "mean level off its own (m), 2e4 steps", off, 0.0).into())
}

/// The state after 10 s at 30, 60 and 144 frames per second.
fn frame_rate(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let run = |fps: u32| -> Result<(Field<f32>, u64)> {
        let step = 1.0 / 60.0;
        let mut waves = world(48, 31, Params { speed: 20.0, step, ..Params::default() })?;
        waves.drop([20.0, 12.0], 4.0, 0.2)?;
        let start = waves.state().height.clone();
        for _ in 0..10 * fps {
            motion.run(Work::Frame(&mut waves, 1.0 / f64::from(fps)))?;
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
    let metric = "frame rates that end elsewhere after 10 s";
    Ok(Row::at_most(name, metric, differ.into(), 0.0).into())
}

/// 1, 2, 3 and 8 threads, and the plain loops, give the same bits.
fn threads(name: &'static str, motion: &dyn Motion) -> Result<Outcome> {
    let world = busy(300, 200)?;
    let mut plain = world.clone();
    (0..200).for_each(|_| plain.step_plain());
    let differ = wrong_on([1, 2, 3, 8], || {
        let mut waves = world.clone();
        motion.ripple(&mut waves, 200)?;
        let hashes = [waves.state_hash(), plain.state_hash()];
        Ok(agree(motion, hashes, [&waves.state().height, &plain.state().height]))
    })?;
    let metric = "thread counts that differ from the plain loops";
    Ok(Row::at_most(name, metric, differ, 0.0).into())
}

/// A pond with an island and a slope, rain, wind and a boat.
fn busy(nx: usize, ny: usize) -> Result<Waves> {
    let mut waves = world(nx, ny, params(0.36, 0.02))?;
    let (width, height) = (nx as f64, ny as f64);
    waves.set_speed(Some(Field::from_fn(nx, ny, |x, _| 3.0 + 3.0 * x as f32 / nx as f32)))?;
    let island = Region::disc([0.6 * width, 0.5 * height], 0.1 * width);
    waves.edit(&Brush::flat(island), Edit::Land)?;
    waves.set_rain(Some(Rain { rate: 0.01, radius: 2.0, depth: 0.02, seed: 1 }))?;
    let (velocity, lifetime) = ([4.0, 1.5], 5.0);
    let wind = Wind { velocity, gusts: 4, radius: 8.0, head: 0.01, lifetime, seed: 2 };
    waves.set_wind(Some(wind))?;
    let shape = Shape::Rect { half: [4.0, 2.0] };
    let position = [0.1 * width, 0.2 * height];
    waves.add_body(Body { shape, position, velocity: [0.05, 0.02], draft: 0.2 })?;
    Ok(waves)
}
