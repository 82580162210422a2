//! The cases of what runs on a GPU: against a copy on the same device, of as many bytes as a step has to move.

use super::flow::{hexagons, squares, world};
use super::timing::{Case, Speed, race_of_seconds, time};
use super::waves;
use anyhow::Result;
use headwater::Lattice;
use headwater::flow::Physics;
use headwater_gpu::flow::{GpuFlow, Options};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{DeviceCopy, Gpu};

const CASES: [Case; 7] = [
    ("gpu/flow-4096", || against_copy(squares(4096)?, Physics::Pipes)),
    ("gpu/flow-8192", || against_copy(squares(8192)?, Physics::Pipes)),
    ("gpu/inertial-4096", || against_copy(squares(4096)?, Physics::Inertial)),
    ("gpu/shallow-water-4096", || against_copy(squares(4096)?, Physics::ShallowWater)),
    ("gpu/hex-4096", || against_copy(hexagons(4096)?, Physics::Pipes)),
    ("gpu/flow-cpu-1024", || against_cpu(squares(1024)?)),
    ("gpu/waves-4096", || waves_against_copy(4096)),
];

/// Cell-steps of one timed stretch on a device that takes a millisecond for a thousandth of it.
const WORK: usize = 1 << 30;

/// The most steps of a stretch.
const MOST: usize = 512;

/// How many steps of so many cells are timed together.
fn stretch(gpu: &Gpu, cells: usize) -> usize {
    // A program that stands in for a GPU is a hundred times slower.
    let work = if gpu.adapter().software { WORK / 256 } else { WORK };
    (work / cells).clamp(2, MOST)
}

/// All cases; none where there is no GPU that is more than one by name, if nobody has asked for them.
pub(super) fn cases(unasked: bool) -> &'static [Case] {
    if unasked && !Gpu::new().is_ok_and(|gpu| !gpu.adapter().software) {
        eprintln!(
            "note: without a GPU its cases are left out; `headwater bench 'gpu/*'` runs them where it can"
        );
        return &[];
    }
    &CASES
}

/// Seconds of one copy of so many.
fn copied(copy: &DeviceCopy, times: usize) -> Result<f64> {
    Ok(copy.time(times)?.as_secs_f64() / times as f64)
}

/// Steps of a flow, against copies of the bytes that they have to move: the ratio is the part of the copy's bandwidth
/// that they reach.
fn against_copy(lattice: Lattice, physics: Physics) -> Result<Speed> {
    let gpu = Gpu::new()?;
    let cells = lattice.cells();
    let mut ours = Timed::new(&gpu, lattice, physics)?;
    // Squares move 7 numbers for a cell, hexagons and momentum 9.
    let numbers = if lattice.is_hex() || physics == Physics::ShallowWater { 9 } else { 7 };
    let copy = DeviceCopy::new(&gpu, &vec![1.0; numbers * cells / 2])?;
    let steps = ours.steps;
    let race = race_of_seconds("device copy", || ours.time(), || copied(&copy, steps))?;
    Ok(race.cell_steps(cells))
}

/// A step on the device, against the fast path on all threads of the processor.
fn against_cpu(lattice: Lattice) -> Result<Speed> {
    let gpu = Gpu::new()?;
    let mut ours = Timed::new(&gpu, lattice, Physics::Pipes)?;
    let mut theirs = world(lattice, Physics::Pipes)?;
    let seconds = 16.0 * theirs.stable_dt();
    let mut advance = || Ok(theirs.advance(seconds).map(drop)?);
    let on_cpu = || Ok(time(&mut advance)? / 16.0);
    Ok(race_of_seconds("CPU, all threads", || ours.time(), on_cpu)?.cell_steps(lattice.cells()))
}

/// A step of waves, against a copy of what it has to move: a height and two fluxes, read and written.
fn waves_against_copy(n: usize) -> Result<Speed> {
    let gpu = Gpu::new()?;
    let mut waves = GpuWaves::new(&gpu, waves::world(n, false)?)?;
    let copy = DeviceCopy::new(&gpu, &vec![1.0; 3 * n * n])?;
    let steps = stretch(&gpu, n * n);
    let ours = || {
        gpu.wait()?;
        let seconds = time(|| Ok(waves.step_many(steps as u64).and_then(|()| gpu.wait())?))?;
        Ok(seconds / steps as f64)
    };
    Ok(race_of_seconds("device copy", ours, || copied(&copy, steps))?.cell_steps(n * n))
}

/// A flow on the device, stepped in stretches of one length.
struct Timed {
    flow: GpuFlow,
    steps: usize,
    dt: f64,
}

impl Timed {
    fn new(gpu: &Gpu, lattice: Lattice, physics: Physics) -> Result<Self> {
        let flow = world(lattice, physics)?;
        // Water that begins to move allows shorter steps than at rest.
        let dt = flow.stable_dt() * if physics == Physics::Pipes { 1.0 } else { 0.1 };
        let flow = GpuFlow::new(gpu, flow, Options::default())?;
        Ok(Self { steps: stretch(gpu, lattice.cells()), flow, dt })
    }

    /// Seconds of a step.
    fn time(&mut self) -> Result<f64> {
        Ok(self.flow.time_steps(self.steps, self.dt)?.as_secs_f64() / self.steps as f64)
    }
}
