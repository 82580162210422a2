//! A wave world on the device whose half on the CPU lies with its owner.

use super::gpu_waves::GpuWaves;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::Square;
use headwater::waves::{Params, Waves};

/// A [`GpuWaves`] for owners who keep the [`Waves`] themselves, where others see them. They are the world as it was when it was
/// last brought back.
#[derive(Debug)]
pub struct LentWaves {
    /// Its own world is a stand-in whenever nothing is done.
    on_device: GpuWaves,
}

impl LentWaves {
    /// Hands a world over, as [`GpuWaves::new`].
    ///
    /// # Errors
    /// As [`GpuWaves::new`].
    pub fn new(gpu: &Gpu, waves: &Waves) -> Result<Self, GpuError> {
        let stand_in = Waves::new(Square::new(2, 2, 1.0, 1.0)?, Params::default())?;
        Ok(Self { on_device: GpuWaves::handed(gpu, waves)?(stand_in) })
    }

    /// Does something with it and the owner's half.
    pub fn with<R>(&mut self, waves: &mut Waves, work: impl FnOnce(&mut GpuWaves) -> R) -> R {
        std::mem::swap(waves, &mut self.on_device.waves);
        let result = work(&mut self.on_device);
        std::mem::swap(waves, &mut self.on_device.waves);
        result
    }

    /// The same world, to be asked what needs no owner: [`GpuWaves::steps`].
    pub fn on_device(&self) -> &GpuWaves {
        &self.on_device
    }
}
