//! Where a run's world is stepped: here, or elsewhere from one stop to the next. In between, the world here is as it was
//! brought back last, and only what steps it knows how far its copy is.

use super::backend::Backend;
#[cfg(feature = "gpu")]
use super::device_copy::DeviceCopy;
use super::elsewhere::Elsewhere;
use super::model_world::{ActionOf, ModelWorld};
use super::types::{DeviceEventResult, ModelError, STEPS_PER_CALL};

/// What is said of a world that is needed here and is on its way back.
pub(crate) const READBACK_PENDING: &str = "the world is on its way back from the GPU";

/// Where a run's world is stepped.
pub(crate) struct Stepping<W: ModelWorld>(Option<Box<dyn Elsewhere<W>>>);

impl<W: ModelWorld> Stepping<W> {
    pub(crate) fn on_host() -> Self {
        Self(None)
    }

    /// Goes on toward the time `stop` (s), as [`Elsewhere::step_toward`]; `None` if it is stepped here.
    pub(crate) fn step_toward(
        &mut self,
        world: &mut W,
        stop: f64,
        most: u64,
    ) -> Option<Result<bool, ModelError>> {
        self.0.as_mut().map(|copy| copy.step_toward(world, stop, most))
    }

    /// The world here was changed, or is about to be: the copy is out of date.
    pub(crate) fn invalidate(&mut self) {
        self.0.iter_mut().for_each(|copy| copy.invalidate());
    }

    /// Returns whether the world is stepped on a device.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.0.is_some()
    }

    /// True if the world is elsewhere as it is now.
    pub(crate) fn is_on_device(&self) -> bool {
        self.0.as_ref().is_some_and(|copy| copy.is_current())
    }

    /// Does to the world elsewhere, if it is there, what an event says.
    pub(crate) fn apply_action(&mut self, world: &W, action: &ActionOf<W>) -> DeviceEventResult {
        match self.0.as_mut().and_then(|copy| copy.apply_action(world, action)) {
            None => DeviceEventResult::NotOnDevice,
            Some(Ok(())) => DeviceEventResult::Done,
            Some(Err(error)) => DeviceEventResult::Lost(error),
        }
    }

    /// Time (s) and steps, if the copy has gone on.
    pub(crate) fn progress(&self) -> Option<(f64, u64)> {
        self.0.as_ref().and_then(|copy| copy.progress())
    }

    /// Has the world stepped by a backend from now on, from the state that it has.
    pub(crate) fn move_to(&mut self, world: &mut W, backend: &Backend) -> Result<(), ModelError> {
        if !self.read_back(world)? {
            return Err(READBACK_PENDING.into());
        }
        self.0 = match backend {
            Backend::Cpu => None,
            #[cfg(feature = "gpu")]
            Backend::Gpu(gpu) => Some(Box::new(DeviceCopy::new(gpu, world)?)),
            Backend::Memory(_) | Backend::Distributed(_) => {
                return Err("a world is in bands from its beginning, or never".into());
            }
        };
        Ok(())
    }

    /// Gives the copy up; the world goes on here, as it was brought back last.
    pub(crate) fn discard_device_copy(&mut self) {
        self.0 = None;
    }

    /// How many steps go best together.
    pub(crate) fn steps_per_call(&self) -> u64 {
        self.0.as_ref().map_or(STEPS_PER_CALL, |copy| copy.steps_per_call())
    }

    /// Whether the world can be stepped and worked on now.
    pub(crate) fn is_ready(&self) -> bool {
        self.0.as_ref().is_none_or(|copy| copy.is_ready())
    }

    /// Brings the world back as it is now; false if it is on its way.
    pub(crate) fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError> {
        self.0.as_mut().map_or(Ok(true), |copy| copy.read_back(world))
    }

    /// Draws the world over another ground than its own if one is given; false if it is not on a GPU.
    #[cfg(feature = "gpu")]
    pub(crate) fn draw_into(
        &mut self,
        world: &W,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> Result<bool, ModelError> {
        self.0.as_mut().map_or(Ok(false), |copy| copy.draw_into(world, view, ground))
    }

    /// Writes its tracers into a buffer; false if it is not on a GPU, or has none.
    #[cfg(feature = "gpu")]
    pub(crate) fn draw_tracers(
        &mut self,
        target: &headwater_gpu::wgpu::Buffer,
    ) -> Result<bool, ModelError> {
        self.0.as_mut().map_or(Ok(false), |copy| copy.draw_tracers(target))
    }

    /// Asks the world about places, if it is where it can be asked.
    #[cfg(feature = "gpu")]
    pub(crate) fn query(
        &mut self,
        places: &super::device_world::DeviceQuery,
    ) -> Result<Option<Box<dyn super::device_world::PendingQuery>>, ModelError> {
        self.0.as_mut().map_or(Ok(None), |copy| copy.query(places))
    }
}
