//! [`DetachedFlow`]: a flow world on the device without a CPU copy of its own.

use super::gpu_flow::GpuFlow;
use super::options::Options;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::{Flow, Params};
use headwater::{Field, Square};

/// Variant of [`GpuFlow`] that has no CPU copy of its own. Instead, the caller owns a CPU copy of
/// the world, a [`Flow`]. Its water is that of the last read-back; its ground is always current.
#[derive(Debug)]
pub struct DetachedFlow {
    /// World on the device. Its CPU copy is a placeholder, except during a call of
    /// [`with_flow`](Self::with_flow).
    on_device: GpuFlow,
}

impl DetachedFlow {
    /// Uploads a world to the device, as [`GpuFlow::new`] does.
    ///
    /// # Errors
    /// Returns the same errors as [`GpuFlow::new`].
    pub fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let [bed, depth] = [0.0, 0.0].map(|value| Field::new(1, 1, value));
        let placeholder = Flow::new(Square::new(1, 1, 1.0, 1.0)?, Params::default(), bed, depth)?;
        Ok(Self { on_device: GpuFlow::upload(gpu, flow, options)?(placeholder) })
    }

    /// Calls `work` with the world on the device. During the call, `flow` is the CPU copy of this
    /// world.
    pub fn with_flow<R>(&mut self, flow: &mut Flow, work: impl FnOnce(&mut GpuFlow) -> R) -> R {
        std::mem::swap(flow, &mut self.on_device.flow);
        let result = work(&mut self.on_device);
        std::mem::swap(flow, &mut self.on_device.flow);
        result
    }

    /// Returns the world on the device, for functions that do not use the CPU copy, such as
    /// [`GpuFlow::time`] and [`GpuFlow::is_ready`].
    pub fn gpu_flow(&self) -> &GpuFlow {
        &self.on_device
    }
}
