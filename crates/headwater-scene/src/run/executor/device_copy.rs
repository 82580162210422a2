//! [`DeviceCopy`]: a GPU with its copy of a world. The GPU computes the steps of the world.
//!
//! The GPU steps the world until the host needs its state: at a scheduled stop of a run, or for an
//! edit of an interactive world. Until then, only the GPU has the current state; the host has the
//! state that was last copied from the GPU.

use super::device_world::{DeviceQuery, PendingQuery, ReadBackFuture, poll_or_block};
use super::model_world::{BoxedDeviceWorld, ModelWorld};
use crate::run::types::ModelError;
use headwater::Field;
#[cfg(not(target_arch = "wasm32"))]
use headwater_gpu::wgpu::SubmissionIndex;
use headwater_gpu::wgpu::{Buffer, TextureView};
use headwater_gpu::{Gpu, GpuError};
#[cfg(not(target_arch = "wasm32"))]
use std::collections::VecDeque;
#[cfg(target_arch = "wasm32")]
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use std::sync::{Mutex, PoisonError};

/// Largest number of steps in one batch of GPU commands.
pub(crate) const STEPS_PER_BATCH: u64 = 64;

/// Largest number of submitted batches that the GPU may not have completed yet. Two batches keep
/// the GPU busy while the next one is encoded, and keep the latency low.
#[cfg(not(target_arch = "wasm32"))]
const MAX_PENDING_BATCHES: usize = 2;

/// World on a GPU whose state is being copied to the host.
struct PendingReadBack<W: ModelWorld> {
    device: Mutex<ReadBackFuture<W, W::Action>>,
    /// Simulated time (s) and number of completed steps of the world on the GPU when the copy
    /// started.
    progress: (f64, u64),
}

/// GPU with its copy of a world. Native programs block until the state is copied back to the host.
/// Browsers cannot block, so until the copy is complete, a web page cannot step, edit or draw the
/// world.
pub(in crate::run) struct DeviceCopy<W: ModelWorld> {
    gpu: Gpu,
    device: Option<BoxedDeviceWorld<W>>,
    returning: Option<PendingReadBack<W>>,
    /// Whether the GPU has executed steps since its state was last copied to the host.
    is_ahead_of_host: bool,
    pending: PendingBatches,
}

impl<W: ModelWorld> DeviceCopy<W> {
    /// Uploads `world` to a GPU.
    ///
    /// # Errors
    /// Returns [`GpuError`] if the GPU does not support the world.
    pub(in crate::run) fn new(gpu: &Gpu, world: &W) -> Result<Self, GpuError> {
        let device = Some(upload(gpu, world)?);
        let (gpu, pending) = (gpu.clone(), PendingBatches::default());
        Ok(Self { gpu, device, returning: None, is_ahead_of_host: false, pending })
    }

    fn try_step(&mut self, world: &W, stop: f64, max_steps: u64) -> Result<bool, GpuError> {
        let device = self.ensure_device_world(world)?;
        let (_, before) = device.progress();
        let steps = device.step_toward(stop, max_steps)?;
        let (_, now) = device.progress();
        self.is_ahead_of_host |= steps;
        if steps {
            self.pending.add(&self.gpu, now.saturating_sub(before).max(1))?;
        }
        Ok(steps)
    }

    /// Returns the copy of the world on the GPU. Uploads `world` first if there is no copy or if it
    /// is outdated.
    fn ensure_device_world(&mut self, world: &W) -> Result<&mut BoxedDeviceWorld<W>, GpuError> {
        let device = match self.device.take() {
            Some(device) => device,
            None => upload(&self.gpu, world)?,
        };
        Ok(self.device.insert(device))
    }

    /// Copies the GPU's current state into `world`. Returns false if the copy is still in progress.
    /// This happens only in browsers.
    fn try_read_back(&mut self, world: &mut W) -> Result<bool, GpuError> {
        if self.returning.is_none() {
            match self.device.take_if(|_| self.is_ahead_of_host) {
                None => return Ok(true),
                Some(device) => {
                    let progress = device.progress();
                    let device = Mutex::new(device.into_read_back());
                    self.returning = Some(PendingReadBack { device, progress });
                }
            }
        }
        let Some(returning) = &mut self.returning else { return Ok(true) };
        let returning = returning.device.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some((device, done)) = poll_or_block(&self.gpu, returning) else { return Ok(false) };
        self.returning = None;
        let device = self.device.insert(device);
        done?;
        device.copy_into(world);
        self.is_ahead_of_host = false;
        Ok(true)
    }

    /// Returns whether the copy can be stepped and edited now. Returns false only in browsers,
    /// while data is being copied.
    pub(in crate::run) fn is_ready(&self) -> bool {
        let ready = self.device.as_ref().is_none_or(|device| device.is_ready());
        !IN_BROWSER || self.returning.is_none() && ready && self.pending.has_room()
    }

    /// Takes at most `max_steps` steps toward the time `stop` (s). Returns false, without taking a
    /// step, if the copy had already reached `stop`. If a step fails, the world on the host still
    /// has the state that was last copied from the device.
    ///
    /// # Errors
    /// Returns an error if the device cannot step the world.
    pub(in crate::run) fn step_toward(
        &mut self,
        world: &W,
        stop: f64,
        max_steps: u64,
    ) -> Result<bool, ModelError> {
        let stepped = self.try_step(world, stop, max_steps);
        if stepped.is_err() {
            self.invalidate();
        }
        Ok(stepped?)
    }

    /// Marks the copy as outdated. The caller must call this whenever it edits the world on the
    /// host.
    pub(in crate::run) fn invalidate(&mut self) {
        (self.device, self.returning, self.is_ahead_of_host) = (None, None, false);
        self.pending.clear();
    }

    /// Returns whether the copy includes all edits of the world on the host.
    pub(in crate::run) fn is_current(&self) -> bool {
        self.device.is_some()
    }

    /// Applies an action to the copy. Returns `None` if the copy is outdated.
    pub(in crate::run) fn apply_action(
        &mut self,
        world: &W,
        action: &W::Action,
    ) -> Option<Result<(), ModelError>> {
        let done = self.device.as_mut()?.apply_action(world, action);
        match done {
            Ok(()) => self.is_ahead_of_host = true,
            Err(_) => self.invalidate(),
        }
        Some(done.map_err(ModelError::from))
    }

    /// Returns the simulated time (s) and the number of completed steps of the copy if the copy is
    /// ahead of the world on the host; otherwise `None`.
    pub(in crate::run) fn progress(&self) -> Option<(f64, u64)> {
        let returning = self.returning.as_ref().map(|returning| returning.progress);
        let device = || self.device.as_ref().filter(|_| self.is_ahead_of_host);
        returning.or_else(|| device().map(|device| device.progress()))
    }

    /// Copies the current state from the device into `world`. Returns false if the copy is still in
    /// progress; the caller must then call this again later. This happens only in browsers.
    ///
    /// # Errors
    /// Returns an error if the state cannot be copied.
    pub(in crate::run) fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError> {
        Ok(self.try_read_back(world)?)
    }

    /// Draws the copy into a texture. For the model `waves`, `ground` may contain ground elevations
    /// relative to the surface at rest (m), which replace the bed in the picture. Returns false
    /// while the state is being copied to the host.
    ///
    /// # Errors
    /// Returns an error if the copy cannot be drawn.
    pub(in crate::run) fn draw_into(
        &mut self,
        world: &W,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<bool, ModelError> {
        if self.returning.is_some() {
            return Ok(false);
        }
        self.ensure_device_world(world)?.draw(view, ground)?;
        Ok(true)
    }

    /// Writes the tracer particles of the copy into a buffer. Returns false if the world has no
    /// tracers.
    ///
    /// # Errors
    /// Returns an error if the tracers cannot be written.
    pub(in crate::run) fn write_tracers(&mut self, target: &Buffer) -> Result<bool, ModelError> {
        let drawn = self.device.as_mut().map_or(Ok(false), |device| device.write_tracers(target));
        Ok(drawn?)
    }

    /// Starts a query of the copy. Returns `None` if the copy is outdated or does not support the
    /// query.
    ///
    /// # Errors
    /// Returns an error if the query cannot be started.
    pub(in crate::run) fn query(
        &mut self,
        places: &DeviceQuery,
    ) -> Result<Option<Box<dyn PendingQuery>>, ModelError> {
        let device = self.device.as_mut().filter(|device| !IN_BROWSER || device.is_ready());
        Ok(device.map_or(Ok(None), |device| device.query(places))?)
    }
}

/// Creates a copy of a world on a GPU.
fn upload<W: ModelWorld>(gpu: &Gpu, world: &W) -> Result<BoxedDeviceWorld<W>, GpuError> {
    let support = W::DEVICE.ok_or(GpuError::Unsupported("worlds of this model are"))?;
    (support.upload)(world, gpu)
}

/// Whether the program runs in a browser, where blocking is impossible.
const IN_BROWSER: bool = cfg!(target_arch = "wasm32");

/// Batches of steps that the GPU has not completed.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Default)]
struct PendingBatches(VecDeque<SubmissionIndex>);

#[cfg(not(target_arch = "wasm32"))]
impl PendingBatches {
    /// Adds a batch, and then waits until at most [`MAX_PENDING_BATCHES`] are pending.
    fn add(&mut self, gpu: &Gpu, _: u64) -> Result<(), GpuError> {
        self.0.push_back(gpu.queue().submit([]));
        while self.0.len() > MAX_PENDING_BATCHES {
            if let Some(moment) = self.0.pop_front() {
                gpu.wait_for(moment)?;
            }
        }
        Ok(())
    }

    fn has_room(&self) -> bool {
        true
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// Number of submitted steps that the GPU has not completed.
#[cfg(target_arch = "wasm32")]
#[derive(Default)]
struct PendingBatches(Arc<AtomicU64>);

/// Largest number of submitted steps that the GPU may not have completed yet. In browsers, steps
/// are counted instead of batches, because batches may be short.
#[cfg(target_arch = "wasm32")]
const MAX_PENDING_STEPS: u64 = 16;

#[cfg(target_arch = "wasm32")]
impl PendingBatches {
    /// Adds `steps` to the pending steps. These steps are subtracted when the GPU reports their
    /// completion.
    fn add(&mut self, gpu: &Gpu, steps: u64) -> Result<(), GpuError> {
        let count = Arc::clone(&self.0);
        count.fetch_add(steps, Relaxed);
        gpu.queue().on_submitted_work_done(move || {
            count.fetch_sub(steps, Relaxed);
        });
        Ok(())
    }

    fn has_room(&self) -> bool {
        self.0.load(Relaxed) < MAX_PENDING_STEPS
    }

    fn clear(&mut self) {
        self.0 = Arc::default();
    }
}
