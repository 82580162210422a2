//! [`DeviceWorld`]: the interface of a model's copy of a world on a GPU.

use headwater::{Field, Point};
use headwater_gpu::wgpu::{Buffer, TextureView};
use headwater_gpu::{Gpu, GpuError};
use std::pin::Pin;
#[cfg(target_arch = "wasm32")]
use std::task::{Context, Poll, Waker};

/// Future that copies a world's state from a GPU to the host. Its output consists of the world on
/// the GPU and the result of the copy. In browsers, it is polled once per frame.
pub type ReadBackFuture<W, A> =
    Pin<Box<dyn Future<Output = (Box<dyn DeviceWorld<W, A>>, Result<(), GpuError>)> + Send>>;

/// Copy of a world on a GPU. `W` is the type of the world on the host, and `A` is the type of the
/// actions that the scene's events apply.
pub trait DeviceWorld<W, A>: Send + Sync {
    /// Returns whether the world can be stepped and edited without waiting for the GPU.
    fn is_ready(&self) -> bool;

    /// Submits at most `max_steps` steps toward the time `stop` (s) to the GPU. Returns false if
    /// the world has already reached `stop`. In browsers, call this only if the world is
    /// [ready](Self::is_ready).
    ///
    /// # Errors
    /// Returns an error if the GPU cannot step the world.
    fn step_toward(&mut self, stop: f64, max_steps: u64) -> Result<bool, GpuError>;

    /// Copies the state from the GPU to a buffer on the host, from which
    /// [`copy_into`](Self::copy_into) reads. If the copy fails, the buffer keeps its previous
    /// contents.
    fn into_read_back(self: Box<Self>) -> ReadBackFuture<W, A>;

    /// Replaces the state of `world` with the contents of the buffer that
    /// [`into_read_back`](Self::into_read_back) last filled.
    fn copy_into(&self, world: &mut W);

    /// Returns the simulated time (s) and the number of completed steps of the world on the GPU.
    fn progress(&self) -> (f64, u64);

    /// Applies the action of an event to the world on the GPU. Does not block if the world is
    /// [ready](Self::is_ready); in browsers, call this only if it is. `world` is the world on the
    /// host, in the state that was last copied from the GPU.
    ///
    /// # Errors
    /// Returns an error if the action cannot be applied on the GPU.
    fn apply_action(&mut self, world: &W, action: &A) -> Result<(), GpuError>;

    /// Draws the world into a texture. For the model `waves`, `ground` may contain ground
    /// elevations relative to the surface at rest (m), which replace the bed in the picture.
    ///
    /// # Errors
    /// Returns an error if the world cannot be drawn.
    fn draw(&mut self, view: &TextureView, ground: Option<&Field<f32>>) -> Result<(), GpuError>;

    /// Writes the tracer particles of the world into a buffer. See
    /// [`GpuFlow::write_tracers`](headwater_gpu::flow::GpuFlow::write_tracers) for the format.
    /// Returns false if the world has no tracers.
    ///
    /// # Errors
    /// Returns an error if the tracers cannot be written.
    fn write_tracers(&mut self, target: &Buffer) -> Result<bool, GpuError> {
        let _ = target;
        Ok(false)
    }

    /// Starts a query. A query samples points and measures discharges without copying the world to
    /// the host. Returns `None` if the model does not support such queries.
    ///
    /// # Errors
    /// Returns an error if the query cannot be started.
    fn query(&mut self, query: &DeviceQuery) -> Result<Option<Box<dyn PendingQuery>>, GpuError> {
        let _ = query;
        Ok(None)
    }
}

/// Points at which to sample a world on a GPU, and lines through which to measure its discharge.
/// Coordinates are in metres from the top-left corner.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeviceQuery {
    /// Points at which values are sampled (m from the top-left corner).
    pub points: Vec<Point>,
    /// Lines through which the discharge is measured. Each is given by its two end points (m from
    /// the top-left corner).
    pub lines: Vec<[Point; 2]>,
    /// Ground elevation at the first point when the query was started (m). This elevation is stored
    /// because the ground may change before the result arrives.
    pub bed: Option<f32>,
}

/// Query of a world on a GPU that has been started and whose result may not have arrived yet.
pub trait PendingQuery: Send + Sync {
    /// Takes the result of the query if the result has arrived. Returns `None` if it has not
    /// arrived or was taken earlier.
    fn try_take(&mut self) -> Option<Result<DeviceQueryResult, GpuError>>;
}

/// Values that were sampled on a GPU for a [`DeviceQuery`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceQueryResult {
    /// Simulated time at which the values were sampled (s).
    pub time: f64,
    /// Raw values at each point; `None` for points without water. The function `query_values` of
    /// [`DeviceSupport`](crate::run::DeviceSupport) converts them to quantities.
    pub points: Vec<Option<Vec<f32>>>,
    /// Discharge through each line (m³/s).
    pub lines: Vec<f64>,
}

impl DeviceQueryResult {
    /// Creates a result from values that were sampled at the simulated time `time` (s).
    pub fn new(time: f64, points: Vec<Option<Vec<f32>>>, lines: Vec<f64>) -> Self {
        Self { time, points, lines }
    }
}

/// Returns the output of a future. Native programs block until the output is ready. In browsers,
/// polls the future once and returns `None` if the output is not ready.
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
