//! The cases of `waves`.

use super::article::Ripples;
use super::timing::{Case, Speed, on, race, serial, times};
use anyhow::Result;
use headwater::waves::{Params, Waves};
use headwater::{Field, Square};
use std::hint::black_box;

/// The fast path, on one thread unless a name says otherwise, in steps that follow one another.
pub(super) const CASES: [Case; 11] = [
    ("waves/step-1024", || against_article(N)),
    ("waves/step-1024", || against_plain(N)),
    ("waves/step-1024", || against_copy(N)),
    ("waves/step-4096", || against_article(LARGE)),
    ("waves/step-4096", || against_plain(LARGE)),
    ("waves/step-4096", || against_copy(LARGE)),
    ("waves/single-1024", single_against_many),
    ("waves/serial", || {
        let mut waves = world(N, false)?;
        serial(move || walk(&mut waves))
    }),
    ("waves/threads-2", || against(2, world(N, false)?, "1 thread", world(N, false)?)),
    ("waves/threads-2-4096", || against(2, world(LARGE, false)?, "1 thread", world(LARGE, false)?)),
    // What dispersion costs over two cells of depth.
    ("waves/dispersion", || against(1, world(N, true)?, "no dispersion", world(N, false)?)),
];

const N: usize = 1024;
const LARGE: usize = 4096;
/// Steps of one timed stretch.
const STEPS: usize = 24;

/// Waves on so many threads, against others on one.
fn against(
    threads: usize,
    mut ours: Waves,
    reference: &'static str,
    mut theirs: Waves,
) -> Result<Speed> {
    let cell_steps = STEPS * ours.lattice().cells();
    let race = race(reference, on(threads, || walk(&mut ours))?, on(1, || walk(&mut theirs))?)?;
    Ok(race.cell_steps(cell_steps))
}

/// Against the book's three coefficients.
fn against_article(n: usize) -> Result<Speed> {
    let mut fast = world(n, false)?;
    let Params { speed, step, damping, .. } = *fast.params();
    let mut article = Ripples::new(&fast.state().height, (speed * step).powi(2), damping * step);
    let article = || times(STEPS, || article.step());
    Ok(race("article", on(1, || walk(&mut fast))?, article)?.cell_steps(STEPS * n * n))
}

/// Against the plain loops.
fn against_plain(n: usize) -> Result<Speed> {
    let (mut fast, mut plain) = (world(n, false)?, world(n, false)?);
    let theirs = || times(STEPS, || plain.step_plain());
    let speed = race("plain", on(1, || walk(&mut fast))?, theirs)?.cell_steps(STEPS * n * n);
    Ok(speed.of_states([fast.state_hash(), plain.state_hash()]))
}

/// Against a copy of the three buffers that a step changes.
fn against_copy(n: usize) -> Result<Speed> {
    let mut waves = world(n, false)?;
    let state = waves.state();
    let both = |field: &Field<f32>| (field.as_slice().to_vec(), field.as_slice().to_vec());
    let mut pairs = [&state.height, &state.flux_x, &state.flux_y].map(both);
    let mut copy = || {
        for (from, to) in &mut pairs {
            to.copy_from_slice(black_box(from));
            black_box(to);
        }
    };
    let race = race("copy", on(1, || walk(&mut waves))?, || times(STEPS, &mut copy))?;
    Ok(race.cell_steps(STEPS * n * n))
}

/// Steps one by one, as where something stirs the surface in each, against as many in a few passes.
fn single_against_many() -> Result<Speed> {
    let (mut single, mut many) = (world(N, false)?, world(N, false)?);
    let single = on(1, || times(STEPS, || single.step()))?;
    Ok(race("many steps", single, on(1, || walk(&mut many))?)?.cell_steps(STEPS * N * N))
}

fn walk(waves: &mut Waves) -> Result<()> {
    waves.step_many(STEPS as u64);
    Ok(())
}

/// Waves everywhere.
pub(super) fn world(n: usize, dispersion: bool) -> Result<Waves> {
    // Well below the stability limit.
    let (speed, step) = (4.43, 0.1);
    let params =
        Params { speed, step, damping: 0.001, depth: 2.0, dispersion, ..Params::default() };
    let mut waves = Waves::new(Square::new(n, n, 1.0, 1.0)?, params)?;
    let surface = |x: usize, y: usize| 0.1 * (0.11 * x as f32).sin() * (0.07 * y as f32).cos();
    waves.set_surface(&Field::from_fn(n, n, surface))?;
    Ok(waves)
}
