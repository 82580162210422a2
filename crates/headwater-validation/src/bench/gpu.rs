//! Benchmarks on a GPU. In most cases the reference is a copy between two buffers on the same GPU.
//! It moves as many bytes as a step must move.

use super::flow::{create_world, hexagonal_lattice, square_lattice};
use super::timing::{Case, Speed, compare_seconds, time};
use super::waves;
use anyhow::Result;
use headwater::Lattice;
use headwater::flow::Physics;
use headwater_gpu::flow::{GpuFlow, Options};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{DeviceCopy, Gpu};

const CASES: [Case; 7] = [
    ("gpu/flow-4096", || compare_with_copy(square_lattice(4096)?, Physics::Pipes)),
    ("gpu/flow-8192", || compare_with_copy(square_lattice(8192)?, Physics::Pipes)),
    ("gpu/inertial-4096", || compare_with_copy(square_lattice(4096)?, Physics::Inertial)),
    ("gpu/shallow-water-4096", || compare_with_copy(square_lattice(4096)?, Physics::ShallowWater)),
    ("gpu/hex-4096", || compare_with_copy(hexagonal_lattice(4096)?, Physics::Pipes)),
    ("gpu/flow-cpu-1024", || compare_with_cpu(square_lattice(1024)?)),
    ("gpu/waves-4096", || compare_waves_with_copy(4096)),
];

/// Number of cell-steps (cells times steps) in a timed run on a hardware GPU.
const CELL_STEPS_PER_RUN: usize = 1 << 30;

/// Maximum number of steps per timed run.
const MAX_STEPS: usize = 512;

/// Returns the number of steps per timed run for a grid of `cells` cells.
fn steps_per_run(gpu: &Gpu, cells: usize) -> usize {
    // A software adapter is about a hundred times slower than a hardware GPU.
    let work = if gpu.adapter().software { CELL_STEPS_PER_RUN / 256 } else { CELL_STEPS_PER_RUN };
    (work / cells).clamp(2, MAX_STEPS)
}

/// Returns the benchmark cases on a GPU. `by_default` is true if the user has not selected them by
/// name. In this case, the list is empty unless there is a hardware GPU.
pub(super) fn cases(by_default: bool) -> &'static [Case] {
    if by_default && !Gpu::new().is_ok_and(|gpu| !gpu.adapter().software) {
        eprintln!(
            "note: GPU cases are skipped because no hardware GPU was found; `headwater-validation bench 'gpu/*'` runs them anyway"
        );
        return &[];
    }
    &CASES
}

/// Returns the time of one copy on the device (s), averaged over `times` copies.
fn copy_seconds(copy: &DeviceCopy, times: usize) -> Result<f64> {
    Ok(copy.benchmark(times)?.as_secs_f64() / times as f64)
}

/// Compares a step of a flow with a copy that moves as many bytes as the step must move. The ratio
/// is the bandwidth of the step as a fraction of the bandwidth of the copy.
fn compare_with_copy(lattice: Lattice, physics: Physics) -> Result<Speed> {
    let gpu = Gpu::new()?;
    let cells = lattice.cell_count();
    let mut ours = TimedFlow::new(&gpu, lattice, physics)?;
    // Pipes on square cells move 7 numbers per cell; hexagons and schemes with momentum move 9.
    let numbers = if lattice.is_hex() || physics == Physics::ShallowWater { 9 } else { 7 };
    let copy = DeviceCopy::new(&gpu, &vec![1.0; numbers * cells / 2])?;
    let steps = ours.steps;
    let comparison = compare_seconds("device copy", || ours.time(), || copy_seconds(&copy, steps))?;
    Ok(comparison.to_cell_steps_per_second(cells))
}

/// Compares a step of a flow on the device with a step of the same flow on all CPU threads.
fn compare_with_cpu(lattice: Lattice) -> Result<Speed> {
    let gpu = Gpu::new()?;
    let mut ours = TimedFlow::new(&gpu, lattice, Physics::Pipes)?;
    let mut theirs = create_world(lattice, Physics::Pipes)?;
    let seconds = 16.0 * theirs.stable_dt();
    let mut advance = || Ok(theirs.advance(seconds).map(drop)?);
    let on_cpu = || Ok(time(&mut advance)? / 16.0);
    Ok(compare_seconds("CPU, all threads", || ours.time(), on_cpu)?
        .to_cell_steps_per_second(lattice.cell_count()))
}

/// Compares a step of waves with a copy that moves as many bytes as the step must move: a height
/// and two fluxes per cell, read and written.
fn compare_waves_with_copy(n: usize) -> Result<Speed> {
    let gpu = Gpu::new()?;
    let mut waves = GpuWaves::new(&gpu, waves::create_world(n, false)?)?;
    let copy = DeviceCopy::new(&gpu, &vec![1.0; 3 * n * n])?;
    let steps = steps_per_run(&gpu, n * n);
    let ours = || {
        gpu.wait()?;
        let seconds = time(|| Ok(waves.step_many(steps as u64).and_then(|()| gpu.wait())?))?;
        Ok(seconds / steps as f64)
    };
    Ok(compare_seconds("device copy", ours, || copy_seconds(&copy, steps))?
        .to_cell_steps_per_second(n * n))
}

/// Flow world on the GPU. Each timed run performs `steps` steps.
struct TimedFlow {
    flow: GpuFlow,
    steps: usize,
    dt: f64,
}

impl TimedFlow {
    fn new(gpu: &Gpu, lattice: Lattice, physics: Physics) -> Result<Self> {
        let flow = create_world(lattice, physics)?;
        // The factor is a margin, because moving water needs shorter steps than water at rest.
        let dt = flow.stable_dt() * if physics == Physics::Pipes { 1.0 } else { 0.1 };
        let flow = GpuFlow::new(gpu, flow, Options::default())?;
        Ok(Self { steps: steps_per_run(gpu, lattice.cell_count()), flow, dt })
    }

    /// Performs one timed run and returns the time per step (s).
    fn time(&mut self) -> Result<f64> {
        Ok(self.flow.benchmark_steps(self.steps, self.dt)?.as_secs_f64() / self.steps as f64)
    }
}
