//! [`SteppingBackend`]: the CPU or device that steps a world.
//!
//! A world on a device is ahead of the world on the host, except at stops (scheduled times at which
//! the host needs the state). The host has the state that was last copied from the device.

use super::backend::Backend;
#[cfg(feature = "gpu")]
use super::device_copy::{DeviceCopy, STEPS_PER_BATCH};
use super::model_world::ModelWorld;
#[cfg(feature = "gpu")]
use crate::run::types::DeviceEventResult;
use crate::run::types::{ModelError, STEPS_PER_CALL};

/// Error message for operations on a world that is still being copied from the GPU to the host.
pub(crate) const READBACK_PENDING: &str = "the world is still being copied back from the GPU";

/// Uninhabited type that replaces the copy of a world on a device in builds without the feature
/// `gpu`.
#[cfg(not(feature = "gpu"))]
struct DeviceCopy<W>(std::convert::Infallible, std::marker::PhantomData<W>);

#[cfg(not(feature = "gpu"))]
impl<W> DeviceCopy<W> {
    fn is_ready(&self) -> bool {
        match self.0 {}
    }

    fn step_toward(&mut self, _: &W, _: f64, _: u64) -> Result<bool, ModelError> {
        match self.0 {}
    }

    fn invalidate(&mut self) {
        match self.0 {}
    }

    fn progress(&self) -> Option<(f64, u64)> {
        match self.0 {}
    }

    fn read_back(&mut self, _: &mut W) -> Result<bool, ModelError> {
        match self.0 {}
    }
}

/// Number of steps per call on a device. Never used, because builds without the feature `gpu`
/// support no devices.
#[cfg(not(feature = "gpu"))]
const STEPS_PER_BATCH: u64 = STEPS_PER_CALL;

/// CPU or device that steps a world. `None` means the CPU; otherwise, the device steps its copy of
/// the world.
pub(crate) struct SteppingBackend<W: ModelWorld>(Option<DeviceCopy<W>>);

impl<W: ModelWorld> SteppingBackend<W> {
    pub(crate) fn on_host() -> Self {
        Self(None)
    }

    /// Takes at most `max_steps` steps toward the time `stop` (s) on the device. Returns false,
    /// without taking a step, if the device had already reached `stop`. Returns `None` if the CPU
    /// steps the world.
    pub(crate) fn step_toward(
        &mut self,
        world: &W,
        stop: f64,
        max_steps: u64,
    ) -> Option<Result<bool, ModelError>> {
        self.0.as_mut().map(|copy| copy.step_toward(world, stop, max_steps))
    }

    /// Marks the copy on the device as outdated. The caller must call this whenever it edits the
    /// world on the host.
    pub(crate) fn invalidate(&mut self) {
        self.0.iter_mut().for_each(DeviceCopy::invalidate);
    }

    /// Returns whether a device, rather than the CPU, steps the world.
    pub(crate) fn uses_device(&self) -> bool {
        self.0.is_some()
    }

    /// Returns whether the device has an up-to-date copy of the world.
    #[cfg(feature = "gpu")]
    pub(crate) fn has_current_copy(&self) -> bool {
        self.0.as_ref().is_some_and(DeviceCopy::is_current)
    }

    /// Applies the action of an event to the copy on the device, if this copy is up to date.
    #[cfg(feature = "gpu")]
    pub(crate) fn apply_action(&mut self, world: &W, action: &W::Action) -> DeviceEventResult {
        match self.0.as_mut().and_then(|copy| copy.apply_action(world, action)) {
            None => DeviceEventResult::NotOnDevice,
            Some(Ok(())) => DeviceEventResult::Done,
            Some(Err(error)) => DeviceEventResult::Lost(error),
        }
    }

    /// Returns the simulated time (s) and the number of completed steps of the device's copy, if it
    /// is ahead of the world on the host; otherwise `None`.
    pub(crate) fn progress(&self) -> Option<(f64, u64)> {
        self.0.as_ref().and_then(DeviceCopy::progress)
    }

    /// Moves the world to a backend, where it continues from its current state.
    ///
    /// # Errors
    /// Returns an error if the backend cannot step the world, or if the world cannot be copied from
    /// its current backend.
    pub(crate) fn move_to(&mut self, world: &mut W, backend: &Backend) -> Result<(), ModelError> {
        if !self.read_back(world)? {
            return Err(READBACK_PENDING.into());
        }
        self.0 = match backend {
            Backend::Cpu => None,
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => Some(DeviceCopy::new(gpu, world)?),
            Backend::Memory(_) | Backend::Distributed(_) => {
                return Err("a running world cannot move to or from the memory-limited or distributed backend; choose it at the start".into());
            }
        };
        Ok(())
    }

    /// Discards the copy on the device. The CPU continues from the state that was last copied to
    /// the host.
    pub(crate) fn discard_device_copy(&mut self) {
        self.0 = None;
    }

    /// Returns the number of steps to request per call of [`step_toward`](Self::step_toward) for
    /// the best performance.
    pub(crate) fn steps_per_call(&self) -> u64 {
        if self.uses_device() { STEPS_PER_BATCH } else { STEPS_PER_CALL }
    }

    /// Returns whether the world can be stepped and edited now. Returns false only in browsers,
    /// while data is being copied.
    pub(crate) fn is_ready(&self) -> bool {
        self.0.as_ref().is_none_or(DeviceCopy::is_ready)
    }

    /// Copies the state from the device into `world`. Returns false if the copy is still in
    /// progress. This happens only in browsers.
    pub(crate) fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError> {
        self.0.as_mut().map_or(Ok(true), |copy| copy.read_back(world))
    }

    /// Draws the copy on the GPU into a texture. For the model `waves`, `ground` may contain ground
    /// elevations relative to the surface at rest (m), which replace the bed in the picture.
    /// Returns false if there is no copy on a GPU.
    #[cfg(feature = "gpu")]
    pub(crate) fn draw_into(
        &mut self,
        world: &W,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> Result<bool, ModelError> {
        self.0.as_mut().map_or(Ok(false), |copy| copy.draw_into(world, view, ground))
    }

    /// Writes the tracer particles of the copy on the GPU into a buffer. Returns false if there is
    /// no copy on a GPU or if the world has no tracers.
    #[cfg(feature = "gpu")]
    pub(crate) fn write_tracers(
        &mut self,
        target: &headwater_gpu::wgpu::Buffer,
    ) -> Result<bool, ModelError> {
        self.0.as_mut().map_or(Ok(false), |copy| copy.write_tracers(target))
    }

    /// Starts a query of the copy on the GPU. Returns `None` if there is no up-to-date copy on a
    /// GPU, or if the world does not support the query.
    #[cfg(feature = "gpu")]
    pub(crate) fn query(
        &mut self,
        places: &super::device_world::DeviceQuery,
    ) -> Result<Option<Box<dyn super::device_world::PendingQuery>>, ModelError> {
        self.0.as_mut().map_or(Ok(None), |copy| copy.query(places))
    }
}
