//! Worlds of flow that a run steps on a GPU.

use super::{Action, FlowWorld};
use crate::run::OnDevice;
use headwater::Field;
use headwater_gpu::GpuError;
use headwater_gpu::flow::GpuFlow;
use headwater_gpu::wgpu::TextureView;

impl OnDevice<FlowWorld, Action> for GpuFlow {
    fn step_toward(&mut self, stop: f64, most: u64) -> Result<bool, GpuError> {
        let gpu = self.gpu().clone();
        Ok(gpu.block_on(self.steps_toward(stop, most as usize))? > 0)
    }

    fn read_back(&mut self, world: &mut FlowWorld) -> Result<(), GpuError> {
        world.flow = self.sync()?.clone();
        Ok(())
    }

    fn progress(&self) -> (f64, u64) {
        (self.time(), self.steps_done())
    }

    fn act(&mut self, world: &FlowWorld, action: &Action) -> Result<(), GpuError> {
        let stroke = world.only_stroke(action);
        stroke.map_or(Ok(()), |stroke| self.edit(&stroke.brush, stroke.edit, stroke.keep))
    }

    fn draw(&mut self, view: &TextureView, _: Option<&Field<f32>>) -> Result<(), GpuError> {
        self.draw_into(view)
    }
}
