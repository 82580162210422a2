//! A wave world on the device whose CPU copy is owned by the caller.

use super::gpu_waves::GpuWaves;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::Square;
use headwater::waves::{Params, Waves};

/// A [`GpuWaves`] for callers that own the CPU copy, a [`Waves`], themselves. The caller's world
/// has the state of the last read-back.
#[derive(Debug)]
pub struct DetachedWaves {
    /// GPU world. Its CPU copy is a placeholder except during [`with`](Self::with).
    on_device: GpuWaves,
}

impl DetachedWaves {
    /// Uploads a world to the device, as [`GpuWaves::new`].
    ///
    /// # Errors
    /// Returns the same errors as [`GpuWaves::new`].
    pub fn new(gpu: &Gpu, waves: &Waves) -> Result<Self, GpuError> {
        let placeholder = Waves::new(Square::new(2, 2, 1.0, 1.0)?, Params::default())?;
        Ok(Self { on_device: GpuWaves::upload(gpu, waves)?(placeholder) })
    }

    /// Runs `work` on the GPU world, with `waves` as its CPU copy.
    pub fn with<R>(&mut self, waves: &mut Waves, work: impl FnOnce(&mut GpuWaves) -> R) -> R {
        std::mem::swap(waves, &mut self.on_device.waves);
        let result = work(&mut self.on_device);
        std::mem::swap(waves, &mut self.on_device.waves);
        result
    }

    /// Returns the GPU world, for functions that do not use the CPU copy, such as
    /// [`GpuWaves::steps`].
    pub fn on_device(&self) -> &GpuWaves {
        &self.on_device
    }
}
