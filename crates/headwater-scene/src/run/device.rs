//! Worlds that are stepped on a GPU: those of runs from one stop to the next, live ones as long as nobody touches them. In
//! between, the world on the host is as it was read back last, and only the device knows how far its copy is.

use super::backend::Backend;
use super::model_world::{ActionOf, ModelWorld};
use super::on_device::OnDevice;
use super::outcome::{Acted, ModelError, TOGETHER};
use headwater::Field;
use headwater_gpu::wgpu::{SubmissionIndex, TextureView};
use headwater_gpu::{Gpu, GpuError};
use std::collections::VecDeque;

/// Steps that are submitted at once where nobody wants fewer.
pub(crate) const BATCH: u64 = 64;

/// Batches that may be under way. With one more being put together the device is never idle, and it answers soon.
const UNDER_WAY: usize = 2;

/// Where a run's world is stepped: on the host, or on a GPU.
pub(crate) struct Stepping<W: ModelWorld>(Option<DeviceCopy<W>>);

impl<W: ModelWorld> Stepping<W> {
    pub(crate) fn on_host() -> Self {
        Self(None)
    }

    /// Goes on toward the time `stop` (s), as [`DeviceCopy::step_toward`]; `None` if it is stepped on the host.
    pub(crate) fn step_toward(
        &mut self,
        world: &mut W,
        stop: f64,
        most: u64,
    ) -> Option<Result<bool, ModelError>> {
        let copy = self.0.as_mut()?;
        Some(copy.step_toward(world, stop, most).map_err(ModelError::from))
    }

    /// The host's world was changed, or is about to be: the device's copy is out of date.
    pub(crate) fn invalidate(&mut self) {
        self.0.iter_mut().for_each(DeviceCopy::invalidate);
    }

    /// True if the device has the world as it is now.
    pub(crate) fn is_on_device(&self) -> bool {
        self.0.as_ref().is_some_and(|copy| copy.device.is_some())
    }

    /// Does to the world on the device, if it is there, what an event says.
    pub(crate) fn act(&mut self, world: &W, action: &ActionOf<W>) -> Acted {
        match self.0.as_mut().and_then(|copy| copy.act(world, action)) {
            None => Acted::NotOnDevice,
            Some(Ok(())) => Acted::Done,
            Some(Err(error)) => Acted::Lost(error.into()),
        }
    }

    /// Time (s) and steps, if the device's copy has gone on.
    pub(crate) fn progress(&self) -> Option<(f64, u64)> {
        self.0.as_ref().and_then(DeviceCopy::progress)
    }

    /// Has the world stepped by a backend from now on, from the state that it has.
    pub(crate) fn move_to(&mut self, world: &mut W, backend: &Backend) -> Result<(), ModelError> {
        self.read_back(world)?;
        self.0 = match backend {
            Backend::Cpu => None,
            Backend::Gpu(gpu) => Some(DeviceCopy::new(gpu, world)?),
        };
        Ok(())
    }

    /// Gives the device's copy up; the world goes on on the host, as it was read back last.
    pub(crate) fn abandon(&mut self) {
        self.0 = None;
    }

    /// How many steps go best together.
    pub(crate) fn together(&self) -> u64 {
        if self.0.is_some() { BATCH } else { TOGETHER }
    }

    /// Copies the world to the host as it is now.
    pub(crate) fn read_back(&mut self, world: &mut W) -> Result<(), ModelError> {
        Ok(self.0.as_mut().map_or(Ok(()), |copy| copy.read_back(world))?)
    }

    /// Draws the world over another ground than its own if one is given; false if it is stepped on the host.
    pub(crate) fn draw_into(
        &mut self,
        world: &W,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<bool, ModelError> {
        let Some(copy) = &mut self.0 else { return Ok(false) };
        copy.device(world)?.draw(view, ground)?;
        Ok(true)
    }
}

/// The world on a device.
type Device<W> = Box<dyn OnDevice<W, ActionOf<W>>>;

/// A device, and the world on it.
struct DeviceCopy<W: ModelWorld> {
    gpu: Gpu,
    device: Option<Device<W>>,
    /// Whether the device's world has gone on since it was last brought back.
    ahead: bool,
    /// Up to where the last batches reach.
    under_way: VecDeque<SubmissionIndex>,
}

impl<W: ModelWorld> DeviceCopy<W> {
    /// Hands a world over, so that what cannot be stepped there is refused at once.
    fn new(gpu: &Gpu, world: &W) -> Result<Self, GpuError> {
        let device = Some(world.upload(gpu)?);
        Ok(Self { gpu: gpu.clone(), device, ahead: false, under_way: VecDeque::new() })
    }

    /// Goes on toward the time `stop` (s) by at most `most` steps; there, the `world` is brought back, and this is false. If
    /// it fails, the world is as it was brought back last.
    fn step_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, GpuError> {
        let stepped = self.try_to_step(world, stop, most);
        if stepped.is_err() {
            self.invalidate();
        }
        stepped
    }

    fn try_to_step(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, GpuError> {
        let steps = self.device(world)?.step_toward(stop, most)?;
        self.ahead |= steps;
        if steps {
            self.keep_pace()?;
        } else {
            self.read_back(world)?;
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

    /// Does to the world on the device, if it is there, what an event says.
    fn act(&mut self, world: &W, action: &ActionOf<W>) -> Option<Result<(), GpuError>> {
        let done = self.device.as_mut()?.act(world, action);
        match done {
            Ok(()) => self.ahead = true,
            Err(_) => self.invalidate(),
        }
        Some(done)
    }

    /// Brings the world back as it is now.
    fn read_back(&mut self, world: &mut W) -> Result<(), GpuError> {
        if let (Some(device), true) = (&mut self.device, self.ahead) {
            device.read_back(world)?;
            self.ahead = false;
        }
        Ok(())
    }

    /// The run's world was changed: the device's is no longer it.
    fn invalidate(&mut self) {
        (self.device, self.ahead) = (None, false);
        self.under_way.clear();
    }

    /// Time (s) and steps, if the device's world has gone on.
    fn progress(&self) -> Option<(f64, u64)> {
        self.device.as_ref().filter(|_| self.ahead).map(|device| device.progress())
    }
}
