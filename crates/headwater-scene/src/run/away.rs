//! Worlds that are stepped on a GPU: those of runs from one stop to the next, live ones as long as nobody touches them. In
//! between, the world here is as it was brought back last, and only the device knows how far its own is.

use super::backend::Backend;
use super::fixed_steps::steps_to;
use super::outcome::{Acted, ModelError, TOGETHER};
use crate::flow::Stroke;
use crate::waves::Disturbance;
use headwater::Field;
use headwater::flow::Flow;
use headwater::waves::Waves;
use headwater_gpu::flow::{GpuFlow, Options};
use headwater_gpu::waves::GpuWaves;
use headwater_gpu::wgpu::{SubmissionIndex, TextureView};
use headwater_gpu::{Gpu, GpuError};
use std::collections::VecDeque;

/// Steps that are submitted at once where nobody wants fewer.
const BATCH: u64 = 64;

/// Batches that may be under way. With one more being put together the device is never idle, and it answers soon.
const UNDER_WAY: usize = 2;

/// A model that can be stepped on a GPU.
pub(crate) trait Abroad: Clone {
    /// The world on the device.
    type Device;

    /// What can be done to it there.
    type Edit;

    /// Hands a world over.
    fn hand_over(&self, gpu: &Gpu) -> Result<Self::Device, GpuError>;

    /// Submits some steps on the way to the time `stop` (s), at most `most`; false if there was nothing left to do.
    fn walk_toward(device: &mut Self::Device, stop: f64, most: u64) -> Result<bool, GpuError>;

    /// The world as it is on the device.
    fn bring_back(device: &mut Self::Device) -> Result<Self, GpuError>;

    /// Time (s) and steps of the world on the device.
    fn progress(device: &Self::Device) -> (f64, u64);

    /// Edits the world on the device, without waiting.
    fn edit(device: &mut Self::Device, edit: &Self::Edit) -> Result<(), GpuError>;

    /// Draws the world into a texture, over another ground than its own if one is given.
    fn draw(
        device: &mut Self::Device,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<(), GpuError>;
}

/// Where a run's world is stepped: here, or on a GPU.
pub(crate) struct Place<W: Abroad>(Option<Away<W>>);

impl<W: Abroad> Place<W> {
    pub(crate) fn here() -> Self {
        Self(None)
    }

    /// Goes on toward the time `stop` (s), as [`Away::walk_toward`]; `None` if it is for whoever is here to do so.
    pub(crate) fn walk_toward(
        &mut self,
        world: &mut W,
        stop: f64,
        most: u64,
    ) -> Option<Result<bool, ModelError>> {
        let away = self.0.as_mut()?;
        Some(away.walk_toward(world, stop, most).map_err(ModelError::from))
    }

    /// The world here was changed, or is about to be.
    pub(crate) fn forget(&mut self) {
        self.0.iter_mut().for_each(Away::forget);
    }

    /// True if the world as it is now is elsewhere.
    pub(crate) fn is_away(&self) -> bool {
        self.0.as_ref().is_some_and(|away| away.device.is_some())
    }

    /// Edits the world where it is, if that is elsewhere.
    pub(crate) fn edit(&mut self, edit: &W::Edit) -> Acted {
        match self.0.as_mut().and_then(|away| away.edit(edit)) {
            None => Acted::NotThere,
            Some(Ok(())) => Acted::Done,
            Some(Err(error)) => Acted::Lost(error.into()),
        }
    }

    /// Time (s) and steps, if the world has gone on elsewhere.
    pub(crate) fn progress(&self) -> Option<(f64, u64)> {
        self.0.as_ref().and_then(Away::progress)
    }

    /// The place with its world, to be moved.
    pub(crate) fn with<'a>(&'a mut self, world: &'a mut W) -> Box<dyn Placed + 'a> {
        Box::new(Both { place: self, world })
    }
}

/// A world together with the place where it is stepped.
pub trait Placed {
    /// Has it stepped by a backend from now on, from the state that it has.
    ///
    /// # Errors
    /// Why the backend cannot step it, or why it cannot be brought back from where it was; then it stays there.
    fn move_to(&mut self, backend: &Backend) -> Result<(), ModelError>;

    /// Takes it away from where it is stepped, as it was brought back last.
    fn abandon(&mut self);

    /// How many steps go best together.
    fn together(&self) -> u64;

    /// Brings it back as it is now.
    ///
    /// # Errors
    /// Why it cannot be brought back.
    fn gather(&mut self) -> Result<(), ModelError>;

    /// Draws it over another ground than its own if one is given; false if it is stepped here.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    fn draw_into(
        &mut self,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<bool, ModelError>;
}

struct Both<'a, W: Abroad> {
    place: &'a mut Place<W>,
    world: &'a mut W,
}

impl<W: Abroad> Placed for Both<'_, W> {
    fn move_to(&mut self, backend: &Backend) -> Result<(), ModelError> {
        self.gather()?;
        self.place.0 = match backend {
            Backend::Cpu => None,
            Backend::Gpu(gpu) => Some(Away::new(gpu, self.world)?),
        };
        Ok(())
    }

    fn abandon(&mut self) {
        self.place.0 = None;
    }

    fn together(&self) -> u64 {
        if self.place.0.is_some() { BATCH } else { TOGETHER }
    }

    fn gather(&mut self) -> Result<(), ModelError> {
        Ok(self.place.0.as_mut().map_or(Ok(()), |away| away.gather(self.world))?)
    }

    fn draw_into(
        &mut self,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<bool, ModelError> {
        let Some(away) = &mut self.place.0 else { return Ok(false) };
        away.draw(self.world, view, ground)?;
        Ok(true)
    }
}

/// A device, and the world on it.
struct Away<W: Abroad> {
    gpu: Gpu,
    device: Option<W::Device>,
    /// Whether the device's world has gone on since it was last brought back.
    ahead: bool,
    /// Up to where the last batches reach.
    under_way: VecDeque<SubmissionIndex>,
}

impl<W: Abroad> Away<W> {
    /// Hands a world over, so that what cannot be stepped there is refused at once.
    fn new(gpu: &Gpu, world: &W) -> Result<Self, GpuError> {
        let device = Some(world.hand_over(gpu)?);
        Ok(Self { gpu: gpu.clone(), device, ahead: false, under_way: VecDeque::new() })
    }

    /// Goes on toward the time `stop` (s) by at most `most` steps; there, the `world` is brought back, and this is false. If
    /// it fails, the world is as it was brought back last.
    fn walk_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, GpuError> {
        let walked = self.try_to_walk(world, stop, most);
        if walked.is_err() {
            self.forget();
        }
        walked
    }

    fn try_to_walk(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, GpuError> {
        let walks = W::walk_toward(self.device(world)?, stop, most)?;
        self.ahead |= walks;
        if walks {
            self.keep_pace()?;
        } else {
            self.gather(world)?;
        }
        Ok(walks)
    }

    /// The world on the device; if the one there is out of date, it is handed over again.
    fn device(&mut self, world: &W) -> Result<&mut W::Device, GpuError> {
        let device = match self.device.take() {
            Some(device) => device,
            None => world.hand_over(&self.gpu)?,
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

    /// Draws the world as it is on the device into a texture, without waiting.
    fn draw(
        &mut self,
        world: &W,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<(), GpuError> {
        W::draw(self.device(world)?, view, ground)
    }

    /// Edits the world on the device, if it is there.
    fn edit(&mut self, edit: &W::Edit) -> Option<Result<(), GpuError>> {
        let edited = W::edit(self.device.as_mut()?, edit);
        match edited {
            Ok(()) => self.ahead = true,
            Err(_) => self.forget(),
        }
        Some(edited)
    }

    /// Brings the world back as it is now.
    fn gather(&mut self, world: &mut W) -> Result<(), GpuError> {
        if let (Some(device), true) = (&mut self.device, self.ahead) {
            *world = W::bring_back(device)?;
            self.ahead = false;
        }
        Ok(())
    }

    /// The run's world was changed: the device's is no longer it.
    fn forget(&mut self) {
        (self.device, self.ahead) = (None, false);
        self.under_way.clear();
    }

    /// Time (s) and steps, if the device's world has gone on.
    fn progress(&self) -> Option<(f64, u64)> {
        self.device.as_ref().filter(|_| self.ahead).map(W::progress)
    }
}

impl Abroad for Flow {
    type Device = GpuFlow;
    type Edit = Stroke;

    fn hand_over(&self, gpu: &Gpu) -> Result<GpuFlow, GpuError> {
        GpuFlow::new(gpu, self.clone(), Options::default())
    }

    fn walk_toward(device: &mut GpuFlow, stop: f64, most: u64) -> Result<bool, GpuError> {
        let gpu = device.gpu().clone();
        Ok(gpu.block_on(device.steps_toward(stop, most as usize))? > 0)
    }

    fn bring_back(device: &mut GpuFlow) -> Result<Self, GpuError> {
        device.sync().cloned()
    }

    fn progress(device: &GpuFlow) -> (f64, u64) {
        (device.time(), device.steps_done())
    }

    fn edit(device: &mut GpuFlow, stroke: &Stroke) -> Result<(), GpuError> {
        device.edit(&stroke.brush, stroke.edit, stroke.keep)
    }

    fn draw(
        device: &mut GpuFlow,
        view: &TextureView,
        _: Option<&Field<f32>>,
    ) -> Result<(), GpuError> {
        device.draw_into(view)
    }
}

impl Abroad for Waves {
    type Device = GpuWaves;
    type Edit = Disturbance;

    fn hand_over(&self, gpu: &Gpu) -> Result<GpuWaves, GpuError> {
        GpuWaves::new(gpu, self.clone())
    }

    fn walk_toward(device: &mut GpuWaves, stop: f64, most: u64) -> Result<bool, GpuError> {
        let step = device.waves().params().step;
        let count = steps_to(device.steps(), step, stop, most.min(BATCH));
        device.step_many(count)?;
        Ok(count > 0)
    }

    fn bring_back(device: &mut GpuWaves) -> Result<Self, GpuError> {
        device.sync().cloned()
    }

    fn progress(device: &GpuWaves) -> (f64, u64) {
        (device.time(), device.steps())
    }

    fn edit(device: &mut GpuWaves, disturbance: &Disturbance) -> Result<(), GpuError> {
        device.disturb(&disturbance.brush, disturbance.height)
    }

    fn draw(
        device: &mut GpuWaves,
        view: &TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<(), GpuError> {
        device.draw_over(view, ground)
    }
}
