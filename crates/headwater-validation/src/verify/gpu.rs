//! Stepping of test worlds on a GPU. Cases that the GPU does not support are skipped with a note.

use super::{Stepper, Task};
use anyhow::Result;
use headwater::waves::Waves;
use headwater_gpu::flow::{GpuFlow, Options};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{Gpu, GpuError};
use std::sync::{Mutex, PoisonError};

/// Stepper that uploads each world to a GPU, steps it there and downloads the result.
pub(super) struct GpuStepper {
    gpu: Gpu,
    /// Recently stepped wave worlds that are still in GPU memory. A case that steps the same world
    /// repeatedly reuses its copy.
    cached_waves: Mutex<Vec<GpuWaves>>,
}

/// Maximum number of cached wave worlds. There must be at least one per concurrently running case.
const MAX_CACHED_WAVES: usize = 8;

impl GpuStepper {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { gpu: Gpu::new()?, cached_waves: Mutex::default() })
    }
}

/// Divisor for the number of steps of long runs on a software adapter, where a step takes about a
/// hundred times as long.
const SOFTWARE_DIVISOR: u64 = 50;

impl Stepper for GpuStepper {
    fn feasible_steps(&self, steps: u64) -> u64 {
        if self.gpu.adapter().software { steps / SOFTWARE_DIVISOR } else { steps }
    }

    fn is_exact(&self) -> bool {
        self.gpu.adapter().software
    }

    fn is_unsupported(&self, error: &anyhow::Error) -> bool {
        matches!(error.downcast_ref(), Some(GpuError::Unsupported(_)))
    }

    fn run(&self, task: Task) -> Result<()> {
        let unsupported = |what| Err(GpuError::Unsupported(what).into());
        match task {
            Task::Flow(flow, steps, dt) => {
                let mut on_device = GpuFlow::new(&self.gpu, flow.clone(), Options::default())?;
                on_device.steps(steps as usize, dt)?;
                flow.clone_from(on_device.sync()?);
                Ok(())
            }
            Task::FlowUntil(flow, time) => {
                let mut on_device = GpuFlow::new(&self.gpu, flow.clone(), Options::default())?;
                while self.gpu.block_on(on_device.step_toward(time))? {}
                flow.clone_from(on_device.sync()?);
                Ok(())
            }
            Task::Waves(waves, steps) => self.step_waves(waves, steps),
            Task::WavesFrame(..) => unsupported("frames of waves are"),
            Task::Blocks(..) => unsupported("worlds of blocks are"),
            Task::Columns(..) | Task::ColumnsFrame(..) => unsupported("pools in side view are"),
            Task::Rain(..) => unsupported("drops that carve land are"),
            Task::AddWater(..) => unsupported("lakes of carved land are"),
        }
    }
}

impl GpuStepper {
    fn step_waves(&self, waves: &mut Waves, steps: u64) -> Result<()> {
        let now = waves.state_hash();
        let is_current = |on_device: &GpuWaves| {
            let known = on_device.waves();
            waves.steps() > 0
                && (known.steps(), known.params()) == (waves.steps(), waves.params())
                && known.state_hash() == now
        };
        let mut cached_waves = self.cached_waves.lock().unwrap_or_else(PoisonError::into_inner);
        let known = cached_waves.iter().position(is_current).map(|i| cached_waves.remove(i));
        drop(cached_waves);
        let handed_over = || GpuWaves::new(&self.gpu, waves.clone());
        let mut on_device = known.map_or_else(handed_over, Ok)?;
        on_device.step_many(steps)?;
        waves.clone_from(on_device.sync()?);
        let mut cached_waves = self.cached_waves.lock().unwrap_or_else(PoisonError::into_inner);
        cached_waves.truncate(MAX_CACHED_WAVES - 1);
        cached_waves.insert(0, on_device);
        Ok(())
    }
}
