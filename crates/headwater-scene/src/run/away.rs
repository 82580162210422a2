//! Worlds that are stepped on a GPU from one stop of a run to the next. In between, the run's own world is as it was
//! at the last stop, and only the device knows how far its own is.

use super::fixed_steps::steps_to;
use headwater::flow::Flow;
use headwater::waves::Waves;
use headwater_gpu::flow::{GpuFlow, Options};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::{Gpu, GpuError};

/// A model that can be stepped on a GPU.
pub(super) trait Abroad: Clone {
    /// The world on the device.
    type Device;

    /// Hands a world over.
    fn hand_over(&self, gpu: &Gpu) -> Result<Self::Device, GpuError>;

    /// Submits some steps on the way to the time `stop` (s); false if there was nothing left to do.
    fn walk_toward(device: &mut Self::Device, stop: f64) -> Result<bool, GpuError>;

    /// The world as it is on the device.
    fn bring_back(device: &mut Self::Device) -> Result<Self, GpuError>;

    /// Time (s) and steps of the world on the device.
    fn progress(device: &Self::Device) -> (f64, u64);
}

/// A device, and the world on it.
pub(super) struct Away<W: Abroad> {
    gpu: Gpu,
    device: Option<W::Device>,
    /// Whether the device's world has gone on since it was last brought back.
    ahead: bool,
}

impl<W: Abroad> Away<W> {
    /// Hands a world over, so that what cannot be stepped there is refused at once.
    pub(super) fn new(gpu: &Gpu, world: &W) -> Result<Self, GpuError> {
        Ok(Self { gpu: gpu.clone(), device: Some(world.hand_over(gpu)?), ahead: false })
    }

    /// Goes on toward the time `stop` (s), where the `world` is brought back; false if it is there. If that fails,
    /// the world is as it was brought back last.
    pub(super) fn walk_toward(&mut self, world: &mut W, stop: f64) -> Result<bool, GpuError> {
        let walked = self.try_to_walk(world, stop);
        if walked.is_err() {
            self.forget();
        }
        walked
    }

    fn try_to_walk(&mut self, world: &mut W, stop: f64) -> Result<bool, GpuError> {
        let device = match &mut self.device {
            Some(device) => device,
            None => self.device.insert(world.hand_over(&self.gpu)?),
        };
        let walks = W::walk_toward(device, stop)?;
        self.ahead |= walks;
        if !walks {
            self.gather(world)?;
        }
        Ok(walks)
    }

    /// Brings the world back as it is now.
    pub(super) fn gather(&mut self, world: &mut W) -> Result<(), GpuError> {
        if let (Some(device), true) = (&mut self.device, self.ahead) {
            *world = W::bring_back(device)?;
            self.ahead = false;
        }
        Ok(())
    }

    /// The run's world was changed: the device's is no longer it.
    pub(super) fn forget(&mut self) {
        (self.device, self.ahead) = (None, false);
    }

    /// Time (s) and steps, if the device's world has gone on.
    pub(super) fn progress(&self) -> Option<(f64, u64)> {
        self.device.as_ref().filter(|_| self.ahead).map(W::progress)
    }
}

impl Abroad for Flow {
    type Device = GpuFlow;

    fn hand_over(&self, gpu: &Gpu) -> Result<GpuFlow, GpuError> {
        GpuFlow::new(gpu, self.clone(), Options::default())
    }

    fn walk_toward(device: &mut GpuFlow, stop: f64) -> Result<bool, GpuError> {
        let gpu = device.gpu().clone();
        gpu.block_on(device.walk_toward(stop))
    }

    fn bring_back(device: &mut GpuFlow) -> Result<Self, GpuError> {
        device.sync().cloned()
    }

    fn progress(device: &GpuFlow) -> (f64, u64) {
        (device.time(), device.steps_done())
    }
}

/// Steps of waves that are submitted at once.
const BATCH: u64 = 64;

impl Abroad for Waves {
    type Device = GpuWaves;

    fn hand_over(&self, gpu: &Gpu) -> Result<GpuWaves, GpuError> {
        GpuWaves::new(gpu, self.clone())
    }

    fn walk_toward(device: &mut GpuWaves, stop: f64) -> Result<bool, GpuError> {
        let count = steps_to(device.steps(), device.waves().params().step, stop, BATCH);
        device.step_many(count)?;
        Ok(count > 0)
    }

    fn bring_back(device: &mut GpuWaves) -> Result<Self, GpuError> {
        device.sync().cloned()
    }

    fn progress(device: &GpuWaves) -> (f64, u64) {
        (device.time(), device.steps())
    }
}
