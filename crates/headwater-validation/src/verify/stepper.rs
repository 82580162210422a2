//! [`Stepper`]: interface through which test cases step their worlds, on the CPU or another
//! backend.

use anyhow::Result;
use headwater::Field;
use headwater::blocks::Blocks;
use headwater::columns::Columns;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::waves::Waves;

/// World to be stepped, and the number of steps or the duration.
pub(super) enum Task<'a> {
    /// Flow world, number of steps, and length of a step (s).
    Flow(&'a mut Flow, u64, f64),
    /// Flow world, and the end time (s). The world is stepped to this time with the largest stable
    /// steps.
    FlowUntil(&'a mut Flow, f64),
    /// Wave world, and the number of steps.
    Waves(&'a mut Waves, u64),
    /// Wave world, and the duration of a frame (s).
    WavesFrame(&'a mut Waves, f64),
    /// Block world, and the number of ticks.
    Blocks(&'a mut Blocks, u64),
    /// Column world, and the number of steps.
    Columns(&'a mut Columns, u64),
    /// Column world, and the duration of a frame (s).
    ColumnsFrame(&'a mut Columns, f64),
    /// Hydrology world, and the number of raindrops to simulate.
    Rain(&'a mut Hydrology, u64),
    /// Hydrology world, and the position (m) and volume (m³) of water to add.
    AddWater(&'a mut Hydrology, [f64; 2], f64),
}

/// Interface to a backend that steps the worlds of test cases. Unit tests use a stepper that does
/// nothing; with it, every case must fail.
pub(super) trait Stepper: Sync {
    /// Returns the number of steps for a run whose exact length does not matter: `steps` if they
    /// take only minutes on this backend, otherwise fewer.
    fn feasible_steps(&self, steps: u64) -> u64 {
        steps
    }

    /// Returns true if the backend's steps match the reference loops bit for bit. GPUs may divide
    /// less accurately and lose the sign of zero.
    fn is_exact(&self) -> bool {
        true
    }

    /// Returns true if a case failed with `error` only because this backend does not support the
    /// case.
    fn is_unsupported(&self, _error: &anyhow::Error) -> bool {
        false
    }

    /// Steps a world as `task` describes.
    fn run(&self, task: Task) -> Result<()>;
}

impl dyn Stepper + '_ {
    pub(super) fn step_flow(&self, flow: &mut Flow, steps: u64, dt: f64) -> Result<()> {
        self.run(Task::Flow(flow, steps, dt))
    }

    pub(super) fn run_until(&self, flow: &mut Flow, time: f64) -> Result<()> {
        self.run(Task::FlowUntil(flow, time))
    }

    pub(super) fn step_waves(&self, waves: &mut Waves, steps: u64) -> Result<()> {
        self.run(Task::Waves(waves, steps))
    }

    pub(super) fn step_blocks(&self, blocks: &mut Blocks, ticks: u64) -> Result<()> {
        self.run(Task::Blocks(blocks, ticks))
    }

    pub(super) fn step_columns(&self, columns: &mut Columns, steps: u64) -> Result<()> {
        self.run(Task::Columns(columns, steps))
    }

    pub(super) fn rain(&self, land: &mut Hydrology, drops: u64) -> Result<()> {
        self.run(Task::Rain(land, drops))
    }

    pub(super) fn add_water(
        &self,
        land: &mut Hydrology,
        position: [f64; 2],
        volume: f64,
    ) -> Result<()> {
        self.run(Task::AddWater(land, position, volume))
    }
}

/// Stepper that steps worlds on the CPU.
pub(super) struct CpuStepper;

impl Stepper for CpuStepper {
    fn run(&self, task: Task) -> Result<()> {
        match task {
            Task::Flow(flow, steps, dt) => (0..steps).try_for_each(|_| flow.step(dt))?,
            Task::FlowUntil(flow, time) => while flow.step_toward(time)? {},
            Task::Waves(waves, steps) => (0..steps).for_each(|_| waves.step()),
            Task::WavesFrame(waves, seconds) => drop(waves.advance(seconds)?),
            Task::Blocks(blocks, ticks) => (0..ticks).for_each(|_| blocks.step()),
            Task::Columns(columns, steps) => (0..steps).for_each(|_| columns.step()),
            Task::ColumnsFrame(columns, seconds) => drop(columns.advance(seconds)?),
            Task::Rain(land, drops) => land.rain(drops),
            Task::AddWater(land, place, volume) => land.pour(place, volume)?,
        }
        Ok(())
    }
}

/// Relative tolerance (dimensionless) for results of a GPU compared with the reference loops.
pub(super) const TOLERANCE: f32 = 1e-4;

/// Returns true if the stepper reproduces the reference loops within its accuracy. For an exact
/// stepper, the two state `hashes` must be equal. For other steppers, the fields `computed` and
/// `reference` must agree within [`TOLERANCE`], relative to the largest absolute value of
/// `reference`.
pub(super) fn matches_reference(
    stepper: &dyn Stepper,
    hashes: [u64; 2],
    [computed, reference]: [&Field<f32>; 2],
) -> bool {
    if stepper.is_exact() {
        return hashes[0] == hashes[1];
    }
    let pairs = || computed.as_slice().iter().zip(reference.as_slice());
    let max_abs = pairs().fold(0.0, |max: f32, (_, reference)| max.max(reference.abs()));
    pairs().all(|(computed, reference)| (computed - reference).abs() <= TOLERANCE * max_abs)
}
