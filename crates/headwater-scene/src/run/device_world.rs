//! [`OnDevice`]: interface of a model's copy of a world on a GPU.

use headwater::{Field, Point};
use headwater_gpu::wgpu::{Buffer, TextureView};
use headwater_gpu::{Gpu, GpuError};
use std::pin::Pin;
#[cfg(target_arch = "wasm32")]
use std::task::{Context, Poll, Waker};

/// Future of a copy back from a GPU: the device world and the result. In browsers it is polled once
/// per frame.
pub type Return<W, A> =
    Pin<Box<dyn Future<Output = (Box<dyn OnDevice<W, A>>, Result<(), GpuError>)> + Send>>;

/// Copy on a GPU of a world `W` with actions of type `A`.
pub trait OnDevice<W, A>: Send + Sync {
    /// Returns whether it can be stepped and edited without waiting for the device.
    fn is_ready(&self) -> bool;

    /// Submits at most `most` steps toward the time `stop` (s). Returns false if there is nothing
    /// to do. In browsers it must be [ready](Self::is_ready).
    ///
    /// # Errors
    /// The reason why it cannot be stepped.
    fn step_toward(&mut self, stop: f64, most: u64) -> Result<bool, GpuError>;

    /// Copies the state from the device to a buffer for [`copy_into`](Self::copy_into). If that
    /// fails, the buffer keeps the last copy.
    fn into_read_back(self: Box<Self>) -> Return<W, A>;

    /// Copies the buffer of the last read-back into `world`.
    fn copy_into(&self, world: &mut W);

    /// Returns time (s) and steps on the device.
    fn progress(&self) -> (f64, u64);

    /// Applies an action of an event. It does not wait if it is [ready](Self::is_ready), as is
    /// required in browsers. `world` is in the state of the last copy.
    ///
    /// # Errors
    /// The reason why this fails.
    fn apply_action(&mut self, world: &W, action: &A) -> Result<(), GpuError>;

    /// Draws the world into a texture, over `ground` if given.
    ///
    /// # Errors
    /// The reason why it cannot be drawn.
    fn draw(&mut self, view: &TextureView, ground: Option<&Field<f32>>) -> Result<(), GpuError>;

    /// Writes the tracers into a buffer, see
    /// [`GpuFlow::draw_tracers`](headwater_gpu::flow::GpuFlow::draw_tracers). Returns false if
    /// there are none.
    ///
    /// # Errors
    /// The reason why this fails.
    fn draw_tracers(&mut self, target: &Buffer) -> Result<bool, GpuError> {
        let _ = target;
        Ok(false)
    }

    /// Starts a query of points and lines without copying the world back; `None` if it is not
    /// supported.
    ///
    /// # Errors
    /// The reason why the query fails.
    fn query(&mut self, places: &DeviceQuery) -> Result<Option<Box<dyn PendingQuery>>, GpuError> {
        let _ = places;
        Ok(None)
    }
}

/// Points to sample and lines whose discharge to measure on a GPU (m from the top-left corner).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeviceQuery {
    /// Sampled points.
    pub points: Vec<Point>,
    /// Lines whose discharge is measured.
    pub lines: Vec<[Point; 2]>,
    /// Ground elevation at the first point when the query started (m), because the ground may
    /// change before the result arrives.
    pub bed: Option<f32>,
}

/// Running query of a world on a GPU.
pub trait PendingQuery: Send + Sync {
    /// Returns the result once it has arrived; `None` before that and after it was taken.
    fn try_take(&mut self) -> Option<Result<DeviceQueryResult, GpuError>>;
}

/// Result of a [`DeviceQuery`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceQueryResult {
    /// Simulated time of the values (s).
    pub time: f64,
    /// Values at each point, to be decoded by the model's
    /// [`query_values`](super::ModelWorld::query_values); `None` at points without water.
    pub points: Vec<Option<Vec<f32>>>,
    /// Discharge through each line (m³/s).
    pub lines: Vec<f64>,
}

impl DeviceQueryResult {
    /// Creates a result for a time (s).
    pub fn new(time: f64, points: Vec<Option<Vec<f32>>>, lines: Vec<f64>) -> Self {
        Self { time, points, lines }
    }
}

/// Returns the output of a future. Native programs block until it is ready; browsers poll once and
/// return `None` if it is pending.
pub(crate) fn poll_or_block<F: Future + Unpin>(gpu: &Gpu, future: &mut F) -> Option<F::Output> {
    #[cfg(not(target_arch = "wasm32"))]
    return Some(gpu.block_on(future));
    #[cfg(target_arch = "wasm32")]
    {
        let _ = gpu;
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(future).poll(&mut context) {
            Poll::Ready(output) => Some(output),
            Poll::Pending => None,
        }
    }
}
