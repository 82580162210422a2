//! Benchmarks of `waves`. The references are a textbook scheme, memory copies, and the model itself
//! with other settings.

use super::article::Ripples;
use super::timing::{Case, Speed, compare, in_thread_pool, repeat, serial_fraction};
use anyhow::Result;
use headwater::waves::{Params, Waves};
use headwater::{Field, Square};
use std::hint::black_box;

/// All benchmark cases of waves. Each case times consecutive steps of the model's optimised loops,
/// on one thread unless the name of the case says otherwise.
pub(super) const CASES: [Case; 11] = [
    ("waves/step-1024", || compare_with_article(N)),
    ("waves/step-1024", || compare_with_plain_loops(N)),
    ("waves/step-1024", || compare_with_copy(N)),
    ("waves/step-4096", || compare_with_article(LARGE)),
    ("waves/step-4096", || compare_with_plain_loops(LARGE)),
    ("waves/step-4096", || compare_with_copy(LARGE)),
    ("waves/single-1024", compare_single_steps_with_step_many),
    ("waves/serial", || {
        let mut waves = create_world(N, false)?;
        serial_fraction(move || perform_steps(&mut waves))
    }),
    ("waves/threads-2", || {
        compare_with(2, create_world(N, false)?, "1 thread", create_world(N, false)?)
    }),
    ("waves/threads-2-4096", || {
        compare_with(2, create_world(LARGE, false)?, "1 thread", create_world(LARGE, false)?)
    }),
    // Cost of dispersion at a depth of two cells.
    ("waves/dispersion", || {
        compare_with(1, create_world(N, true)?, "no dispersion", create_world(N, false)?)
    }),
];

const N: usize = 1024;
const LARGE: usize = 4096;
/// Number of steps per timed run.
const STEPS_PER_RUN: usize = 24;

/// Compares a step of waves on `threads` threads with a step of `reference_world` on one
/// thread.
fn compare_with(
    threads: usize,
    mut ours: Waves,
    reference: &'static str,
    mut reference_world: Waves,
) -> Result<Speed> {
    let cell_steps = STEPS_PER_RUN * ours.lattice().cell_count();
    let comparison = compare(
        reference,
        in_thread_pool(threads, || perform_steps(&mut ours))?,
        in_thread_pool(1, || perform_steps(&mut reference_world))?,
    )?;
    Ok(comparison.to_cell_steps_per_second(cell_steps))
}

/// Compares waves on `n × n` cells with a simple textbook scheme for ripples, on one thread.
fn compare_with_article(n: usize) -> Result<Speed> {
    let mut fast = create_world(n, false)?;
    let Params { speed, step, damping, .. } = *fast.params();
    let mut article = Ripples::new(&fast.state().height, (speed * step).powi(2), damping * step);
    let article = || repeat(STEPS_PER_RUN, || article.step());
    Ok(compare("article", in_thread_pool(1, || perform_steps(&mut fast))?, article)?
        .to_cell_steps_per_second(STEPS_PER_RUN * n * n))
}

/// Compares the model's optimised loops on `n × n` cells with its plain loops, on one thread.
fn compare_with_plain_loops(n: usize) -> Result<Speed> {
    let (mut fast, mut plain) = (create_world(n, false)?, create_world(n, false)?);
    let theirs = || repeat(STEPS_PER_RUN, || plain.step_plain());
    let speed = compare("plain", in_thread_pool(1, || perform_steps(&mut fast))?, theirs)?
        .to_cell_steps_per_second(STEPS_PER_RUN * n * n);
    Ok(speed.with_state_hashes([fast.state_hash(), plain.state_hash()]))
}

/// Compares the time of a step on `n × n` cells with the time of copying the three buffers that a
/// step changes, on one thread.
fn compare_with_copy(n: usize) -> Result<Speed> {
    let mut waves = create_world(n, false)?;
    let state = waves.state();
    let both = |field: &Field<f32>| (field.as_slice().to_vec(), field.as_slice().to_vec());
    let mut pairs = [&state.height, &state.flux_x, &state.flux_y].map(both);
    let mut copy = || {
        for (from, to) in &mut pairs {
            to.copy_from_slice(black_box(from));
            black_box(to);
        }
    };
    let comparison = compare("copy", in_thread_pool(1, || perform_steps(&mut waves))?, || {
        repeat(STEPS_PER_RUN, &mut copy)
    })?;
    Ok(comparison.to_cell_steps_per_second(STEPS_PER_RUN * n * n))
}

/// Compares single steps with [`Waves::step_many`], which performs the same number of steps in a
/// few passes over the grid. A world that is disturbed in every step needs single steps.
fn compare_single_steps_with_step_many() -> Result<Speed> {
    let (mut single, mut many) = (create_world(N, false)?, create_world(N, false)?);
    let single = in_thread_pool(1, || repeat(STEPS_PER_RUN, || single.step()))?;
    Ok(compare("many steps", single, in_thread_pool(1, || perform_steps(&mut many))?)?
        .to_cell_steps_per_second(STEPS_PER_RUN * N * N))
}

fn perform_steps(waves: &mut Waves) -> Result<()> {
    waves.step_many(STEPS_PER_RUN as u64);
    Ok(())
}

/// Creates a wave world of `n × n` cells of 1 m, with an initial surface that is wavy everywhere.
/// `dispersion` is the model parameter of the same name.
pub(super) fn create_world(n: usize, dispersion: bool) -> Result<Waves> {
    // This step is well below the stability limit.
    let (speed, step) = (4.43, 0.1);
    let params =
        Params { speed, step, damping: 0.001, depth: 2.0, dispersion, ..Params::default() };
    let mut waves = Waves::new(Square::new(n, n, 1.0, 1.0)?, params)?;
    let surface = |x: usize, y: usize| 0.1 * (0.11 * x as f32).sin() * (0.07 * y as f32).cos();
    waves.set_surface(&Field::from_fn(n, n, surface))?;
    Ok(waves)
}
