//! Worlds of waves that a run steps on a GPU.

use super::Disturbance;
use crate::run::fixed_steps::steps_to;
use crate::run::{BATCH, OnDevice};
use headwater::Field;
use headwater::waves::Waves;
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::wgpu::TextureView;
use headwater_gpu::{Gpu, GpuError};

impl OnDevice for Waves {
    type Device = GpuWaves;
    type Edit = Disturbance;

    fn upload(&self, gpu: &Gpu) -> Result<GpuWaves, GpuError> {
        GpuWaves::new(gpu, self.clone())
    }

    fn step_toward(device: &mut GpuWaves, stop: f64, most: u64) -> Result<bool, GpuError> {
        let step = device.waves().params().step;
        let count = steps_to(device.steps(), step, stop, most.min(BATCH));
        device.step_many(count)?;
        Ok(count > 0)
    }

    fn read_back(device: &mut GpuWaves) -> Result<Self, GpuError> {
        device.sync().cloned()
    }

    fn progress(device: &GpuWaves) -> (f64, u64) {
        (device.time(), device.steps())
    }

    fn edit(device: &mut GpuWaves, disturbance: &Disturbance) -> Result<(), GpuError> {
        device.disturb(&disturbance.brush, disturbance.height)
    }

    fn draw(
        device: &mut GpuWaves,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<(), GpuError> {
        device.draw_over(view, ground)
    }
}
