//! A world on the device whose half on the CPU lies with its owner.

use super::gpu_flow::GpuFlow;
use super::options::Options;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::{Flow, Params};
use headwater::{Field, Square};

/// A [`GpuFlow`] for owners who keep the [`Flow`] themselves, where others see it. It is the world as it was when it was
/// last brought back, with the ground as it is now.
#[derive(Debug)]
pub struct LentFlow {
    /// Its own world is a stand-in whenever nothing is done.
    on_device: GpuFlow,
}

impl LentFlow {
    /// Hands a world over, as [`GpuFlow::new`].
    ///
    /// # Errors
    /// As [`GpuFlow::new`].
    pub fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let [bed, depth] = [0.0, 0.0].map(|value| Field::new(1, 1, value));
        let stand_in = Flow::new(Square::new(1, 1, 1.0, 1.0)?, Params::default(), bed, depth)?;
        Ok(Self { on_device: GpuFlow::handed(gpu, flow, options)?(stand_in) })
    }

    /// Does something with it and the owner's half.
    pub fn with<R>(&mut self, flow: &mut Flow, work: impl FnOnce(&mut GpuFlow) -> R) -> R {
        std::mem::swap(flow, &mut self.on_device.flow);
        let result = work(&mut self.on_device);
        std::mem::swap(flow, &mut self.on_device.flow);
        result
    }

    /// The same world, to be asked what needs no owner: [`GpuFlow::time`], [`GpuFlow::is_ready`].
    pub fn on_device(&self) -> &GpuFlow {
        &self.on_device
    }
}
