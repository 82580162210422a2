//! Worlds that are stepped on a GPU: those of runs from one stop to the next, live ones as long as nobody touches them. In
//! between, the world on the host is as it was read back last, and only the device knows how far its copy is.

use super::device_world::{DeviceQuery, OnDevice, PendingQuery, Return, now};
use super::elsewhere::Elsewhere;
use super::model_world::{ActionOf, ModelWorld};
use super::types::ModelError;
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

/// Steps that are submitted at once where nobody wants fewer.
pub(crate) const STEPS_PER_BATCH: u64 = 64;

/// Batches that may be under way. With one more being put together the device is never idle, and it answers soon.
#[cfg(not(target_arch = "wasm32"))]
const MAX_PENDING_BATCHES: usize = 2;

/// The world on a device.
type Device<W> = Box<dyn OnDevice<W, ActionOf<W>>>;

/// The device's world on its way back.
struct Returning<W: ModelWorld> {
    device: Mutex<Return<W, ActionOf<W>>>,
    /// How far it is: time (s) and steps.
    reached: (f64, u64),
}

/// A device, and the world on it. Outside browsers what comes from the device is waited for. There nothing can be: a world on
/// its way back is away, and neither stepped nor worked on nor drawn until it has come.
pub(super) struct DeviceCopy<W: ModelWorld> {
    gpu: Gpu,
    device: Option<Device<W>>,
    returning: Option<Returning<W>>,
    /// Whether the device's world has gone on since it was last brought back.
    ahead: bool,
    under_way: PendingBatches,
}

impl<W: ModelWorld> DeviceCopy<W> {
    /// Hands a world over, so that what cannot be stepped there is refused at once.
    pub(super) fn new(gpu: &Gpu, world: &W) -> Result<Self, GpuError> {
        let device = Some(world.upload(gpu)?);
        let (gpu, under_way) = (gpu.clone(), PendingBatches::default());
        Ok(Self { gpu, device, returning: None, ahead: false, under_way })
    }

    fn try_to_step(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, GpuError> {
        let device = self.device(world)?;
        let (_, before) = device.progress();
        let steps = device.step_toward(stop, most)?;
        let (_, now) = device.progress();
        self.ahead |= steps;
        if steps {
            self.under_way.begin(&self.gpu, now.saturating_sub(before).max(1))?;
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

    /// Brings the world back as it is now; false if it is on its way.
    fn bring_back(&mut self, world: &mut W) -> Result<bool, GpuError> {
        if self.returning.is_none() {
            match self.device.take_if(|_| self.ahead) {
                None => return Ok(true),
                Some(device) => {
                    let reached = device.progress();
                    let device = Mutex::new(device.into_read_back());
                    self.returning = Some(Returning { device, reached });
                }
            }
        }
        let Some(returning) = &mut self.returning else { return Ok(true) };
        let returning = returning.device.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some((device, done)) = now(&self.gpu, returning) else { return Ok(false) };
        self.returning = None;
        let device = self.device.insert(device);
        done?;
        device.copy_into(world);
        self.ahead = false;
        Ok(true)
    }
}

impl<W: ModelWorld> Elsewhere<W> for DeviceCopy<W> {
    fn is_ready(&self) -> bool {
        let ready = self.device.as_ref().is_none_or(|device| device.is_ready());
        !IN_BROWSER || self.returning.is_none() && ready && self.under_way.has_room()
    }

    fn step_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, ModelError> {
        let stepped = self.try_to_step(world, stop, most);
        if stepped.is_err() {
            self.invalidate();
        }
        Ok(stepped?)
    }

    fn invalidate(&mut self) {
        (self.device, self.returning, self.ahead) = (None, None, false);
        self.under_way.clear();
    }

    fn is_current(&self) -> bool {
        self.device.is_some()
    }

    fn apply_action(&mut self, world: &W, action: &ActionOf<W>) -> Option<Result<(), ModelError>> {
        let done = self.device.as_mut()?.apply_action(world, action);
        match done {
            Ok(()) => self.ahead = true,
            Err(_) => self.invalidate(),
        }
        Some(done.map_err(ModelError::from))
    }

    fn progress(&self) -> Option<(f64, u64)> {
        let returning = self.returning.as_ref().map(|returning| returning.reached);
        let device = || self.device.as_ref().filter(|_| self.ahead);
        returning.or_else(|| device().map(|device| device.progress()))
    }

    fn steps_per_call(&self) -> u64 {
        STEPS_PER_BATCH
    }

    fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError> {
        Ok(self.bring_back(world)?)
    }

    fn draw_into(
        &mut self,
        world: &W,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<bool, ModelError> {
        if self.returning.is_some() {
            return Ok(false);
        }
        self.device(world)?.draw(view, ground)?;
        Ok(true)
    }

    fn draw_tracers(&mut self, target: &Buffer) -> Result<bool, ModelError> {
        let drawn = self.device.as_mut().map_or(Ok(false), |device| device.draw_tracers(target));
        Ok(drawn?)
    }

    fn query(&mut self, places: &DeviceQuery) -> Result<Option<Box<dyn PendingQuery>>, ModelError> {
        let device = self.device.as_mut().filter(|device| !IN_BROWSER || device.is_ready());
        Ok(device.map_or(Ok(None), |device| device.query(places))?)
    }
}

/// Whether nothing can be waited for.
const IN_BROWSER: bool = cfg!(target_arch = "wasm32");

/// The batches of steps that are under way.
#[cfg(not(target_arch = "wasm32"))]
#[derive(Default)]
struct PendingBatches(VecDeque<SubmissionIndex>);

#[cfg(not(target_arch = "wasm32"))]
impl PendingBatches {
    /// One more is, up to what was submitted so far. Waits until no more are than may be.
    fn begin(&mut self, gpu: &Gpu, _: u64) -> Result<(), GpuError> {
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

/// How many steps are under way.
#[cfg(target_arch = "wasm32")]
#[derive(Default)]
struct PendingBatches(Arc<AtomicU64>);

/// Steps under way from which on no more are submitted: batches may be short there, for they end where something is due.
#[cfg(target_arch = "wasm32")]
const STEPS_UNDER_WAY: u64 = 16;

#[cfg(target_arch = "wasm32")]
impl PendingBatches {
    /// So many more are, up to what was submitted so far; the device says when they are done.
    fn begin(&mut self, gpu: &Gpu, steps: u64) -> Result<(), GpuError> {
        let count = Arc::clone(&self.0);
        count.fetch_add(steps, Relaxed);
        gpu.queue().on_submitted_work_done(move || {
            count.fetch_sub(steps, Relaxed);
        });
        Ok(())
    }

    fn has_room(&self) -> bool {
        self.0.load(Relaxed) < STEPS_UNDER_WAY
    }

    fn clear(&mut self) {
        self.0 = Arc::default();
    }
}
