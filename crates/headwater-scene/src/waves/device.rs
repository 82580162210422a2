//! Worlds of waves that a run steps on a GPU.

use super::{WavesAction, WavesWorld};
use crate::run::fixed_steps::steps_to;
use crate::run::{BATCH, OnDevice};
use headwater::Field;
use headwater_gpu::GpuError;
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::wgpu::TextureView;

impl OnDevice<WavesWorld, WavesAction> for GpuWaves {
    fn step_toward(&mut self, stop: f64, most: u64) -> Result<bool, GpuError> {
        let count = steps_to(self.steps(), self.waves().params().step, stop, most.min(BATCH));
        self.step_many(count)?;
        Ok(count > 0)
    }

    fn read_back(&mut self, world: &mut WavesWorld) -> Result<(), GpuError> {
        world.waves = self.sync()?.clone();
        Ok(())
    }

    fn progress(&self) -> (f64, u64) {
        (self.time(), self.steps())
    }

    fn act(&mut self, world: &WavesWorld, action: &WavesAction) -> Result<(), GpuError> {
        let disturbance = world.disturbance(action);
        disturbance.map_or(Ok(()), |one| self.disturb(&one.brush, one.height))
    }

    fn draw(&mut self, view: &TextureView, ground: Option<&Field<f32>>) -> Result<(), GpuError> {
        self.draw_over(view, ground)
    }
}
