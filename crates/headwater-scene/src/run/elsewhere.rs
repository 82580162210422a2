//! [`Elsewhere`]: a world that is stepped elsewhere, whoever steps it.

use super::model_world::{ActionOf, ModelWorld};
use super::types::ModelError;

/// A world that is stepped elsewhere, as whoever has it here sees it.
pub(crate) trait Elsewhere<W: ModelWorld>: Send + Sync {
    /// Whether it can be stepped and worked on now. Only where nobody can wait, as in browsers, it may not be.
    fn is_ready(&self) -> bool {
        true
    }

    /// Goes on toward the time `stop` (s) by at most `most` steps; false if it is there. If
    /// it fails, the world is as it was brought back last.
    ///
    /// # Errors
    /// Why it cannot be stepped.
    fn step_toward(&mut self, world: &mut W, stop: f64, most: u64) -> Result<bool, ModelError>;

    /// The world here was changed, or is about to be: the copy is out of date.
    fn invalidate(&mut self);

    /// True if the copy is the world as it is now.
    fn is_current(&self) -> bool;

    /// Does to the copy, if it is there, what an event says; nothing if it cannot.
    fn apply_action(&mut self, world: &W, action: &ActionOf<W>) -> Option<Result<(), ModelError>> {
        let _ = (world, action);
        None
    }

    /// Time (s) and steps, if the copy has gone on.
    fn progress(&self) -> Option<(f64, u64)>;

    /// How many steps go best together.
    fn steps_per_call(&self) -> u64;

    /// Brings the world back as it is now. False where nobody can wait, as in browsers, and it is on its way: then it is asked for
    /// again.
    ///
    /// # Errors
    /// Why it cannot be brought back.
    fn read_back(&mut self, world: &mut W) -> Result<bool, ModelError>;

    /// Draws the copy into a texture over another ground than its own if one is given; false if it is on no GPU.
    ///
    /// # Errors
    /// Why it cannot be drawn.
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

    /// Writes the copy's tracers into a buffer; false if it is on no GPU, or has none.
    ///
    /// # Errors
    /// Why it cannot be done.
    #[cfg(feature = "gpu")]
    fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError> {
        let _ = target;
        Ok(false)
    }

    /// Asks the copy, if it is there and can be asked.
    ///
    /// # Errors
    /// Why it cannot be asked.
    #[cfg(feature = "gpu")]
    fn query(
        &mut self,
        places: &super::device_world::DeviceQuery,
    ) -> Result<Option<Box<dyn super::device_world::PendingQuery>>, ModelError> {
        let _ = places;
        Ok(None)
    }
}
