//! Worlds that are stepped on a GPU: those of runs from one stop to the next, live ones as long as nobody touches them. In
//! between, the world on the host is as it was read back last, and only the device knows how far its copy is.

use super::elsewhere::Elsewhere;
use super::model_world::{ActionOf, ModelWorld};
use super::on_device::OnDevice;
use super::outcome::ModelError;
use headwater::Field;
use headwater_gpu::wgpu::{SubmissionIndex, TextureView};
use headwater_gpu::{Gpu, GpuError};
use std::collections::VecDeque;

/// Steps that are submitted at once where nobody wants fewer.
pub(crate) const BATCH: u64 = 64;

/// Batches that may be under way. With one more being put together the device is never idle, and it answers soon.
const UNDER_WAY: usize = 2;

/// The world on a device.
type Device<W> = Box<dyn OnDevice<W, ActionOf<W>>>;

/// A device, and the world on it.
pub(super) struct DeviceCopy<W: ModelWorld> {
    gpu: Gpu,
    device: Option<Device<W>>,
    /// Whether the device's world has gone on since it was last brought back.
    ahead: bool,
    /// Up to where the last batches reach.
    under_way: VecDeque<SubmissionIndex>,
}

impl<W: ModelWorld> DeviceCopy<W> {
    /// Hands a world over, so that what cannot be stepped there is refused at once.
    pub(super) fn new(gpu: &Gpu, world: &W) -> Result<Self, GpuError> {
        let device = Some(world.upload(gpu)?);
        Ok(Self { gpu: gpu.clone(), device, ahead: false, under_way: VecDeque::new() })
    }

    fn try_to_step(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, GpuError> {
        let steps = self.device(world)?.step_toward(stop, most)?;
        self.ahead |= steps;
        if steps {
            self.keep_pace()?;
        } else {
            self.bring_back(world)?;
        }
        Ok(steps)
    }

    /// The world on the device; if the one there is out of date, it is handed over again.
    fn device(&mut self, world: &W) -> Result<&mut Device<W>, GpuError> {
        let device = match self.device.take() {
            Some(device) => device,
            None => world.upload(&self.gpu)?,
        };
        Ok(self.device.insert(device))
    }

    /// Waits until no more batches are under way than may be.
    fn keep_pace(&mut self) -> Result<(), GpuError> {
        self.under_way.push_back(self.gpu.queue().submit([]));
        while self.under_way.len() > UNDER_WAY {
            if let Some(moment) = self.under_way.pop_front() {
                self.gpu.wait_for(moment)?;
            }
        }
        Ok(())
    }
}

impl<W: ModelWorld> Elsewhere<W> for DeviceCopy<W> {
    fn step_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, ModelError> {
        let stepped = self.try_to_step(world, stop, most);
        if stepped.is_err() {
            self.invalidate();
        }
        Ok(stepped?)
    }

    fn invalidate(&mut self) {
        (self.device, self.ahead) = (None, false);
        self.under_way.clear();
    }

    fn is_there(&self) -> bool {
        self.device.is_some()
    }

    fn act(&mut self, world: &W, action: &ActionOf<W>) -> Option<Result<(), ModelError>> {
        let done = self.device.as_mut()?.act(world, action);
        match done {
            Ok(()) => self.ahead = true,
            Err(_) => self.invalidate(),
        }
        Some(done.map_err(ModelError::from))
    }

    fn progress(&self) -> Option<(f64, u64)> {
        self.device.as_ref().filter(|_| self.ahead).map(|device| device.progress())
    }

    fn together(&self) -> u64 {
        BATCH
    }

    fn read_back(&mut self, world: &mut W) -> Result<(), ModelError> {
        Ok(self.bring_back(world)?)
    }

    fn draw_into(
        &mut self,
        world: &W,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<bool, ModelError> {
        self.device(world)?.draw(view, ground)?;
        Ok(true)
    }
}

impl<W: ModelWorld> DeviceCopy<W> {
    /// Brings the world back as it is now.
    fn bring_back(&mut self, world: &mut W) -> Result<(), GpuError> {
        if let (Some(device), true) = (&mut self.device, self.ahead) {
            device.read_back(world)?;
            self.ahead = false;
        }
        Ok(())
    }
}
