//! [`OnDevice`]: a copy of a world on a GPU, whichever model moves it.

use headwater::{Field, Point};
use headwater_gpu::wgpu::{Buffer, TextureView};
use headwater_gpu::{Gpu, GpuError};
use std::pin::Pin;
#[cfg(target_arch = "wasm32")]
use std::task::{Context, Poll, Waker};

/// A copy of a world that is brought back: it, and what became of that. Whoever drives a page's frames asks it in each of them.
pub type Return<W, A> =
    Pin<Box<dyn Future<Output = (Box<dyn OnDevice<W, A>>, Result<(), GpuError>)> + Send>>;

/// A copy on a GPU of a world `W`, whose events do `A`.
pub trait OnDevice<W, A>: Send + Sync {
    /// Whether it can be stepped and worked on without waiting for the device.
    fn is_ready(&self) -> bool;

    /// Submits some steps on the way to the time `stop` (s), at most `most`; false if there was nothing left to do. In
    /// browsers it must be [ready](Self::is_ready).
    ///
    /// # Errors
    /// Why it cannot be stepped.
    fn step_toward(&mut self, stop: f64, most: u64) -> Result<bool, GpuError>;

    /// Brings back what it is on the device, for [`copy_into`](Self::copy_into). If that fails, it is as it was brought back last.
    fn into_read_back(self: Box<Self>) -> Return<W, A>;

    /// Makes the world here what was brought back last.
    fn copy_into(&self, world: &mut W);

    /// Time (s) and steps of the world on the device.
    fn progress(&self) -> (f64, u64);

    /// Does to it what an event says, without waiting if it is [ready](Self::is_ready), as it must be in browsers. The world
    /// here, which is as it was brought back last, says what that means.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn apply_action(&mut self, world: &W, action: &A) -> Result<(), GpuError>;

    /// Draws it into a texture, over another ground than its own if one is given.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    fn draw(&mut self, view: &TextureView, ground: Option<&Field<f32>>) -> Result<(), GpuError>;

    /// Writes its tracers into a buffer, as [`GpuFlow::draw_tracers`](headwater_gpu::flow::GpuFlow::draw_tracers) does; false if it has
    /// none.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn draw_tracers(&mut self, target: &Buffer) -> Result<bool, GpuError> {
        let _ = target;
        Ok(false)
    }

    /// Asks for the water at places without bringing the world back; none if it cannot be asked.
    ///
    /// # Errors
    /// Why it cannot be asked.
    fn query(&mut self, places: &DeviceQuery) -> Result<Option<Box<dyn PendingQuery>>, GpuError> {
        let _ = places;
        Ok(None)
    }
}

/// What a world on a GPU is asked: what is at points, and what flows through lines (m).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeviceQuery {
    /// Where the water is asked for.
    pub points: Vec<Point>,
    /// What flows through them is asked for.
    pub lines: Vec<[Point; 2]>,
    /// Height of the ground (m) at the first point when it was asked: it may be dug before the answer is there.
    pub bed: Option<f32>,
}

/// What has been asked of a world on a GPU, on its way.
pub trait PendingQuery: Send + Sync {
    /// What it has answered, once that has arrived; `None` if not yet, or if it has been taken.
    fn try_take(&mut self) -> Option<Result<DeviceQueryResult, GpuError>>;
}

/// What a world on a GPU has answered.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceQueryResult {
    /// When that was, by the world's clock (s).
    pub time: f64,
    /// What is at each point, in numbers that the model's own [`query_values`](super::ModelWorld::query_values) reads; `None` where there is no water to
    /// tell of.
    pub points: Vec<Option<Vec<f32>>>,
    /// What flows through each line (m³/s).
    pub lines: Vec<f64>,
}

impl DeviceQueryResult {
    /// DeviceQueryResult of that time (s).
    pub fn new(time: f64, points: Vec<Option<Vec<f32>>>, lines: Vec<f64>) -> Self {
        Self { time, points, lines }
    }
}

/// What a future comes to: outside browsers it is waited for; there it is asked once, and there is nothing if it is not done.
pub(crate) fn now<F: Future + Unpin>(gpu: &Gpu, future: &mut F) -> Option<F::Output> {
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
