//! Worlds of flow that a run steps on a GPU.

use super::Stroke;
use crate::run::OnDevice;
use headwater::Field;
use headwater::flow::Flow;
use headwater_gpu::flow::{GpuFlow, Options};
use headwater_gpu::wgpu::TextureView;
use headwater_gpu::{Gpu, GpuError};

impl OnDevice for Flow {
    type Device = GpuFlow;
    type Edit = Stroke;

    fn upload(&self, gpu: &Gpu) -> Result<GpuFlow, GpuError> {
        GpuFlow::new(gpu, self.clone(), Options::default())
    }

    fn step_toward(device: &mut GpuFlow, stop: f64, most: u64) -> Result<bool, GpuError> {
        let gpu = device.gpu().clone();
        Ok(gpu.block_on(device.steps_toward(stop, most as usize))? > 0)
    }

    fn read_back(device: &mut GpuFlow) -> Result<Self, GpuError> {
        device.sync().cloned()
    }

    fn progress(device: &GpuFlow) -> (f64, u64) {
        (device.time(), device.steps_done())
    }

    fn edit(device: &mut GpuFlow, stroke: &Stroke) -> Result<(), GpuError> {
        device.edit(&stroke.brush, stroke.edit, stroke.keep)
    }

    fn draw(
        device: &mut GpuFlow,
        view: &TextureView,
        _: Option<&Field<f32>>,
    ) -> Result<(), GpuError> {
        device.draw_into(view)
    }
}
