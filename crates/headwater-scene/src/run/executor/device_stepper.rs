//! [`DeviceStepper`]: the interface to a world's copy on a device such as a GPU, which computes the
//! steps.

use super::model_world::ModelWorld;
use crate::run::types::ModelError;

/// Copy of a world on a device such as a GPU, which computes the steps.
pub(crate) trait DeviceStepper<W: ModelWorld>: Send + Sync {
    /// Returns whether the copy can be stepped and edited now. Returns false only in browsers,
    /// while data is being copied.
    fn is_ready(&self) -> bool {
        true
    }

    /// Does at most `most` steps toward the time `stop` (s). Returns false if the copy has reached
    /// `stop`. If a step fails, the world on the host still has the state that was last copied from
    /// the device.
    ///
    /// # Errors
    /// Returns an error if the device cannot step the world.
    fn step_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, ModelError>;

    /// Marks the copy as outdated. The caller must call this whenever it edits the world on the
    /// host.
    fn invalidate(&mut self);

    /// Returns whether the copy includes all edits of the world on the host.
    #[cfg(feature = "gpu")]
    fn is_current(&self) -> bool;

    /// Applies the action of an event to the copy. Returns `None` if the copy is outdated or does
    /// not support the action.
    #[cfg(feature = "gpu")]
    fn apply_action(&mut self, world: &W, action: &W::Action) -> Option<Result<(), ModelError>> {
        let _ = (world, action);
        None
    }

    /// Returns the simulated time (s) and the number of completed steps of the copy if the copy is
    /// ahead of the world on the host; otherwise `None`.
    fn progress(&self) -> Option<(f64, u64)>;

    /// Returns the number of steps to request per call of [`step_toward`](Self::step_toward) for
    /// the best performance.
    fn steps_per_call(&self) -> u64;

    /// Copies the current state from the device into `world`. Returns false while the copy is in
    /// progress, which happens only in browsers. The caller then calls this again later.
    ///
    /// # Errors
    /// Returns an error if the state cannot be copied.
    fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError>;

    /// Draws the copy into a texture. If `ground` is given, it replaces the ground elevation (m)
    /// over which the water is drawn. Returns false if the copy is not on a GPU.
    ///
    /// # Errors
    /// Returns an error if the copy cannot be drawn.
    #[cfg(feature = "gpu")]
    fn draw_into(
        &mut self,
        world: &W,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> Result<bool, ModelError> {
        let _ = (world, view, ground);
        Ok(false)
    }

    /// Writes the tracer particles of the copy into a buffer. Returns false if the copy is not on a
    /// GPU or has no tracers.
    ///
    /// # Errors
    /// Returns an error if the tracers cannot be written.
    #[cfg(feature = "gpu")]
    fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError> {
        let _ = target;
        Ok(false)
    }

    /// Starts a query of the copy. Returns `None` if the copy is outdated or does not support the
    /// query.
    ///
    /// # Errors
    /// Returns an error if the query cannot be started.
    #[cfg(feature = "gpu")]
    fn query(
        &mut self,
        places: &super::device_world::DeviceQuery,
    ) -> Result<Option<Box<dyn super::device_world::PendingQuery>>, ModelError> {
        let _ = places;
        Ok(None)
    }
}
