//! The cases of what runs on a GPU: against a copy on the same device, of as many bytes as a step has to move, and
//! against the usual three passes with the same arithmetic.

use super::flow::world;
use super::{Row, pairs_of_seconds};
use anyhow::Result;
use headwater::flow::{Amount, Edit, Keep, Physics};
use headwater::waves::{Params, Waves};
use headwater::{Brush, Field, Hex, Lattice, Square};
use headwater_gpu::flow::{GpuFlow, Options, Sweep};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{DeviceCopy, Gpu};
use std::time::Instant;

type Measure = fn(&'static str) -> Result<Row>;

pub(super) const CASES: [(&str, Measure); 13] = [
    ("gpu/copy", copy_against_cpu),
    ("gpu/flow-1024", |name| against_copy(name, squares(1024)?, Physics::Pipes)),
    ("gpu/flow-4096", |name| against_copy(name, squares(4096)?, Physics::Pipes)),
    ("gpu/flow-4096", |name| against_three_passes(name, 4096)),
    ("gpu/flow-8192", |name| against_copy(name, squares(8192)?, Physics::Pipes)),
    ("gpu/flow-8192", |name| against_three_passes(name, 8192)),
    ("gpu/three-pass-4096", |name| three_passes_against_copy(name, 4096)),
    ("gpu/inertial-4096", |name| against_copy(name, squares(4096)?, Physics::Inertial)),
    ("gpu/shallow-water-4096", |name| against_copy(name, squares(4096)?, Physics::ShallowWater)),
    ("gpu/hex-4096", |name| against_copy(name, hexagons(4096)?, Physics::Pipes)),
    ("gpu/flow-cpu-1024", |name| against_cpu(name, 1024)),
    ("gpu/waves-4096", |name| waves_against_copy(name, 4096)),
    ("gpu/edit-1024", |name| edits_against_handing_over(name, 1024)),
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

/// True if there is a GPU that is none by name only.
pub(super) fn is_there() -> bool {
    Gpu::new().is_ok_and(|gpu| !gpu.adapter().software)
}

/// The device's copy of 256 MiB, or of as much as a buffer can hold, against the processor's.
fn copy_against_cpu(name: &'static str) -> Result<Row> {
    let gpu = Gpu::new()?;
    let limits = gpu.limits();
    let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
    let from = vec![1.0_f32; (most / size_of::<f32>() as u64).min(1 << 26) as usize];
    let copy = DeviceCopy::new(&gpu, &from)?;
    let mut to = vec![0.0_f32; from.len()];
    let times = if gpu.adapter().software { 1 } else { 32 };
    let (seconds, ratio) = pairs_of_seconds(
        || Ok(copy.time(times)?.as_secs_f64() / times as f64),
        || {
            let start = Instant::now();
            to.copy_from_slice(std::hint::black_box(&from));
            std::hint::black_box(&mut to);
            Ok(start.elapsed().as_secs_f64())
        },
    )?;
    let value = copy.bytes() as f64 / seconds / 1e9;
    Ok(Row { name, value, unit: "GB/s", reference: "copy on the CPU", ratio })
}

/// A step in one dispatch, against a copy of the bytes that it has to move: the ratio is the part of the copy's
/// bandwidth that it reaches.
fn against_copy(name: &'static str, lattice: Lattice, physics: Physics) -> Result<Row> {
    flow_against_copy(name, lattice, physics, Sweep::Tile)
}

fn three_passes_against_copy(name: &'static str, n: usize) -> Result<Row> {
    flow_against_copy(name, squares(n)?, Physics::Pipes, Sweep::ThreePass)
}

fn flow_against_copy(
    name: &'static str,
    lattice: Lattice,
    physics: Physics,
    sweep: Sweep,
) -> Result<Row> {
    let gpu = Gpu::new()?;
    let cells = lattice.cells();
    let mut ours = Timed::new(&gpu, lattice, physics, sweep)?;
    // Squares move 7 numbers for a cell, hexagons and momentum 9.
    let numbers = if lattice.is_hex() || physics == Physics::ShallowWater { 9 } else { 7 };
    let copy = DeviceCopy::new(&gpu, &vec![1.0; numbers * cells / 2])?;
    let steps = ours.steps;
    let (seconds, ratio) =
        pairs_of_seconds(|| ours.time(), || Ok(copy.time(steps)?.as_secs_f64() / steps as f64))?;
    Ok(row(name, cells, seconds, "device copy", ratio))
}

/// A step in one dispatch, against the same in three.
fn against_three_passes(name: &'static str, n: usize) -> Result<Row> {
    let gpu = Gpu::new()?;
    let mut ours = Timed::new(&gpu, squares(n)?, Physics::Pipes, Sweep::Tile)?;
    let mut three = Timed::new(&gpu, squares(n)?, Physics::Pipes, Sweep::ThreePass)?;
    let (seconds, ratio) = pairs_of_seconds(|| ours.time(), || three.time())?;
    Ok(row(name, n * n, seconds, "three passes", ratio))
}

/// A step on the device, against the fast path on all threads of the processor.
fn against_cpu(name: &'static str, n: usize) -> Result<Row> {
    let gpu = Gpu::new()?;
    let mut ours = Timed::new(&gpu, squares(n)?, Physics::Pipes, Sweep::Tile)?;
    let mut theirs = world(squares(n)?, Physics::Pipes)?;
    let seconds = 16.0 * theirs.stable_dt();
    let (seconds, ratio) = pairs_of_seconds(
        || ours.time(),
        || {
            let start = Instant::now();
            theirs.advance(seconds)?;
            Ok(start.elapsed().as_secs_f64() / 16.0)
        },
    )?;
    Ok(row(name, n * n, seconds, "CPU, all threads", ratio))
}

/// A step of waves, against a copy of what it has to move: a height and two fluxes, read and written.
fn waves_against_copy(name: &'static str, n: usize) -> Result<Row> {
    let gpu = Gpu::new()?;
    let params = Params { speed: 4.43, step: 0.1, damping: 0.001, ..Params::default() };
    let mut pond = Waves::new(Square::new(n, n, 1.0, 1.0)?, params)?;
    let surface = |x: usize, y: usize| 0.1 * (0.11 * x as f32).sin() * (0.07 * y as f32).cos();
    pond.set_surface(&Field::from_fn(n, n, surface))?;
    let mut waves = GpuWaves::new(&gpu, pond)?;
    let copy = DeviceCopy::new(&gpu, &vec![1.0; 3 * n * n])?;
    let steps = stretch(&gpu, n * n);
    let (seconds, ratio) = pairs_of_seconds(
        || {
            gpu.wait()?;
            let start = Instant::now();
            waves.step_many(steps as u64)?;
            gpu.wait()?;
            Ok(start.elapsed().as_secs_f64() / steps as f64)
        },
        || Ok(copy.time(steps)?.as_secs_f64() / steps as f64),
    )?;
    Ok(row(name, n * n, seconds, "device copy", ratio))
}

/// A dab of a brush and a step, against the same with the world brought back for the dab and handed over again.
fn edits_against_handing_over(name: &'static str, n: usize) -> Result<Row> {
    let gpu = Gpu::new()?;
    let dabs = if gpu.adapter().software { 1 } else { 8 };
    let flow = world(squares(n)?, Physics::Pipes)?;
    let (dt, side) = (0.5 * flow.stable_dt(), n as f64);
    let brush = Brush::soft([0.5 * side; 2], side / 16.0);
    let dab = Edit::Pour(Amount::Depth(0.01));
    let mut ours = GpuFlow::new(&gpu, flow.clone(), Options::default())?;
    let mut theirs = GpuFlow::new(&gpu, flow, Options::default())?;
    let time = |flow: &mut GpuFlow, edit: &dyn Fn(&mut GpuFlow) -> Result<()>| {
        gpu.wait()?;
        let start = Instant::now();
        for _ in 0..dabs {
            edit(flow)?;
            flow.step(dt)?;
        }
        gpu.wait()?;
        Ok(start.elapsed().as_secs_f64() / f64::from(dabs))
    };
    let (seconds, ratio) = pairs_of_seconds(
        || time(&mut ours, &|flow| Ok(flow.edit(&brush, dab, Keep::Depth)?)),
        || time(&mut theirs, &|flow| Ok(flow.change(|flow| flow.edit(&brush, dab))?)),
    )?;
    let reference = "brought back, handed over";
    Ok(Row { name, value: 1.0 / seconds, unit: "dabs and steps/s", reference, ratio })
}

/// A flow on the device, stepped in stretches of one length.
struct Timed {
    flow: GpuFlow,
    steps: usize,
    dt: f64,
}

impl Timed {
    fn new(gpu: &Gpu, lattice: Lattice, physics: Physics, sweep: Sweep) -> Result<Self> {
        let flow = world(lattice, physics)?;
        // Water that begins to move allows shorter steps than at rest.
        let dt = flow.stable_dt() * if physics == Physics::Pipes { 1.0 } else { 0.1 };
        let flow = GpuFlow::new(gpu, flow, Options { sweep, ..Options::default() })?;
        Ok(Self { steps: stretch(gpu, lattice.cells()), flow, dt })
    }

    /// Seconds of a step.
    fn time(&mut self) -> Result<f64> {
        Ok(self.flow.time_steps(self.steps, self.dt)?.as_secs_f64() / self.steps as f64)
    }
}

fn squares(n: usize) -> Result<Lattice> {
    Ok(Square::new(n, n, 1.0, 1.0)?.into())
}

fn hexagons(n: usize) -> Result<Lattice> {
    Ok(Hex::new(n, n, Hex::spacing_of_area(1.0))?.into())
}

fn row(name: &'static str, cells: usize, seconds: f64, reference: &'static str, ratio: f64) -> Row {
    let value = cells as f64 / seconds / 1e6;
    Row { name, value, unit: "million cell-steps/s", reference, ratio }
}
