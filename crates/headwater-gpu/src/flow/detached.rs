//! A flow world on the device whose CPU copy is owned by the caller.

use super::gpu_flow::GpuFlow;
use super::options::Options;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::{Flow, Params};
use headwater::{Field, Square};

/// A [`GpuFlow`] for callers that own the CPU copy, a [`Flow`], themselves. The caller's world has
/// the state of the last read-back, with the current ground.
#[derive(Debug)]
pub struct DetachedFlow {
    /// GPU world. Its CPU copy is a placeholder except during [`with`](Self::with).
    on_device: GpuFlow,
}

impl DetachedFlow {
    /// Uploads a world to the device, as [`GpuFlow::new`].
    ///
    /// # Errors
    /// Returns the same errors as [`GpuFlow::new`].
    pub fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let [bed, depth] = [0.0, 0.0].map(|value| Field::new(1, 1, value));
        let placeholder = Flow::new(Square::new(1, 1, 1.0, 1.0)?, Params::default(), bed, depth)?;
        Ok(Self { on_device: GpuFlow::upload(gpu, flow, options)?(placeholder) })
    }

    /// Runs `work` on the GPU world, with `flow` as its CPU copy.
    pub fn with<R>(&mut self, flow: &mut Flow, work: impl FnOnce(&mut GpuFlow) -> R) -> R {
        std::mem::swap(flow, &mut self.on_device.flow);
        let result = work(&mut self.on_device);
        std::mem::swap(flow, &mut self.on_device.flow);
        result
    }

    /// Returns the GPU world, for functions that do not use the CPU copy, such as [`GpuFlow::time`]
    /// and [`GpuFlow::is_ready`].
    pub fn on_device(&self) -> &GpuFlow {
        &self.on_device
    }
}
