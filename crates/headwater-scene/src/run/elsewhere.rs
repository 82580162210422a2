//! [`Elsewhere`]: interface of a copy of a world that is stepped on a device.

use super::model_world::{ActionOf, ModelWorld};
use super::types::ModelError;

/// Copy of a world that is stepped on a device.
pub(crate) trait Elsewhere<W: ModelWorld>: Send + Sync {
    /// Returns whether the copy can be stepped and edited now. Always true except in browsers.
    fn is_ready(&self) -> bool {
        true
    }

    /// Does at most `most` steps toward the time `stop` (s). Returns false if the copy is there. On
    /// failure, the world on the host has the state of the last copy.
    ///
    /// # Errors
    /// The reason why it cannot be stepped.
    fn step_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, ModelError>;

    /// Marks the copy as out of date, because the world on the host has changed or will change.
    fn invalidate(&mut self);

    /// Returns whether the copy is up to date.
    fn is_current(&self) -> bool;

    /// Applies an action to the copy if it is up to date; `None` if that is not supported.
    fn apply_action(&mut self, world: &W, action: &ActionOf<W>) -> Option<Result<(), ModelError>> {
        let _ = (world, action);
        None
    }

    /// Returns time (s) and steps of the copy, if it is ahead of the host.
    fn progress(&self) -> Option<(f64, u64)>;

    /// Returns the most efficient number of steps per call.
    fn steps_per_call(&self) -> u64;

    /// Copies the current state into the world. Returns false while the copy is under way, as in
    /// browsers; then call it again.
    ///
    /// # Errors
    /// The reason why it cannot be copied.
    fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError>;

    /// Draws the copy into a texture, over `ground` if given. Returns false without a GPU.
    ///
    /// # Errors
    /// The reason why it cannot be drawn.
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

    /// Writes the tracers of the copy into a buffer. Returns false without a GPU or tracers.
    ///
    /// # Errors
    /// The reason why this fails.
    #[cfg(feature = "gpu")]
    fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError> {
        let _ = target;
        Ok(false)
    }

    /// Starts a query of the copy, if it is up to date and supports queries.
    ///
    /// # Errors
    /// The reason why the query fails.
    #[cfg(feature = "gpu")]
    fn query(
        &mut self,
        places: &super::device_world::DeviceQuery,
    ) -> Result<Option<Box<dyn super::device_world::PendingQuery>>, ModelError> {
        let _ = places;
        Ok(None)
    }
}
