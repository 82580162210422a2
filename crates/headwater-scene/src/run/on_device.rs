//! [`OnDevice`]: a copy of a world on a GPU, whichever model moves it.

use headwater::Field;
use headwater_gpu::GpuError;
use headwater_gpu::wgpu::TextureView;

/// A copy on a GPU of a world `W`, whose events do `A`.
pub trait OnDevice<W, A>: Send + Sync {
    /// Submits some steps on the way to the time `stop` (s), at most `most`; false if there was nothing left to do.
    ///
    /// # Errors
    /// Why it cannot be stepped.
    fn step_toward(&mut self, stop: f64, most: u64) -> Result<bool, GpuError>;

    /// Brings the world back as it is on the device.
    ///
    /// # Errors
    /// Why it cannot be brought back; then the world here stays as it is.
    fn read_back(&mut self, world: &mut W) -> Result<(), GpuError>;

    /// Time (s) and steps of the world on the device.
    fn progress(&self) -> (f64, u64);

    /// Does to it what an event says, without waiting. The world here, which is as it was brought back last, says what that
    /// means.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn act(&mut self, world: &W, action: &A) -> Result<(), GpuError>;

    /// Draws it into a texture, over another ground than its own if one is given.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    fn draw(&mut self, view: &TextureView, ground: Option<&Field<f32>>) -> Result<(), GpuError>;
}
