//! [`DetachedWaves`]: a wave world on the device without a CPU copy of its own.

use super::gpu_waves::GpuWaves;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::Square;
use headwater::waves::{Params, Waves};

/// Variant of [`GpuWaves`] that has no CPU copy of its own. Instead, the caller owns a CPU copy of
/// the world, a [`Waves`] whose state is that of the last read-back.
#[derive(Debug)]
pub struct DetachedWaves {
    /// World on the device. Its CPU copy is a placeholder, except during a call of
    /// [`with_waves`](Self::with_waves).
    on_device: GpuWaves,
}

impl DetachedWaves {
    /// Uploads a world to the device, as [`GpuWaves::new`] does.
    ///
    /// # Errors
    /// Returns the same errors as [`GpuWaves::new`].
    pub fn new(gpu: &Gpu, waves: &Waves) -> Result<Self, GpuError> {
        let placeholder = Waves::new(Square::new(2, 2, 1.0, 1.0)?, Params::default())?;
        Ok(Self { on_device: GpuWaves::upload(gpu, waves)?(placeholder) })
    }

    /// Calls `work` with the world on the device. During the call, `waves` is the CPU copy of this
    /// world.
    pub fn with_waves<R>(&mut self, waves: &mut Waves, work: impl FnOnce(&mut GpuWaves) -> R) -> R {
        std::mem::swap(waves, &mut self.on_device.waves);
        let result = work(&mut self.on_device);
        std::mem::swap(waves, &mut self.on_device.waves);
        result
    }

    /// Returns the world on the device, for functions that do not use the CPU copy, such as
    /// [`GpuWaves::steps`].
    pub fn gpu_waves(&self) -> &GpuWaves {
        &self.on_device
    }
}
