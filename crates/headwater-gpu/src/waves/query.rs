//! Asynchronous queries of wave worlds on the GPU: height, vertical velocity and normal of the
//! surface at points. Only the cells and faces around each point are read back. The CPU
//! interpolates between them.

use super::gpu_waves::GpuWaves;
use crate::buffer::{Pending, read_raw};
use crate::error::GpuError;
use headwater::Point;
use headwater::waves::{PointStencil, SurfaceSample};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Result of a query of the surface at points.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryResult {
    /// Simulated time (s) of the queried state.
    pub time: f64,
    /// State of the surface at each queried point, in the order of the query. `None` for points on
    /// land or outside the grid.
    pub points: Vec<Option<SurfaceSample>>,
}

/// Query of a [`GpuWaves`] whose result has not arrived yet, created by [`GpuWaves::query`]. It is
/// a future that can also be polled with [`try_take`](Self::try_take). Steps that are submitted
/// later do not affect the result.
#[derive(Debug)]
pub struct PendingQuery {
    /// Bit patterns of the heights and fluxes of the cells and faces around each queried point.
    /// Heights are multiples of the model's fixed height unit.
    words: Pending<u32>,
    points: Vec<Option<PointStencil>>,
    /// Height unit of the model (m). All heights are integer multiples of this unit.
    quantum: f32,
    time: f64,
}

impl GpuWaves {
    /// Starts a query of the surface at `points` (m). Does not wait. The result describes the state
    /// after all submitted steps.
    ///
    /// # Errors
    /// Returns a [`GpuError`] if the device is lost or out of memory.
    pub fn query(&self, points: &[Point]) -> Result<PendingQuery, GpuError> {
        let fields = &self.on_device.fields;
        let set = &fields.sets[self.on_device.current_set];
        let view = self.waves.device_view();
        let points: Vec<_> = points.iter().map(|&point| view.stencil_at(point)).collect();
        let mut parts = Vec::new();
        for stencil in points.iter().flatten() {
            let place = |at: (usize, usize)| fields.layout.index(at);
            parts.extend(stencil.cells().iter().map(|&at| (&set.height.raw, place(at), 1)));
            let [west, east, north, south] = stencil.faces();
            parts.extend([west, east].map(|at| (&set.x.raw, place(at), 1)));
            parts.extend([north, south].map(|at| (&set.y.raw, place(at), 1)));
        }
        let words = read_raw(self.gpu(), &parts)?;
        Ok(PendingQuery { words, points, quantum: self.waves.state().quantum, time: self.time() })
    }

    /// Queries points, as [`query`](Self::query) does, and blocks until the result has arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`query`](Self::query).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn query_blocking(&self, points: &[Point]) -> Result<QueryResult, GpuError> {
        self.gpu().block_on(self.query(points)?)
    }
}

impl PendingQuery {
    /// Returns the result if it has arrived. Returns `None` if the query is pending or if the
    /// result has already been taken.
    pub fn try_take(&mut self) -> Option<Result<QueryResult, GpuError>> {
        let words = self.words.try_take()?;
        Some(words.map(|words| self.decode(&words)))
    }

    fn decode(&mut self, mut words: &[u32]) -> QueryResult {
        let mut take = |count: usize| -> &[u32] {
            let (taken, rest) = words.split_at(count.min(words.len()));
            words = rest;
            taken
        };
        let mut sample = |stencil: PointStencil| {
            let quanta = take(stencil.cells().len());
            let heights: Vec<_> =
                quanta.iter().map(|&z| z.cast_signed() as f32 * self.quantum).collect();
            let fluxes: Vec<_> =
                take(stencil.faces().len()).iter().map(|&q| f32::from_bits(q)).collect();
            stencil.sample(&heights, &fluxes)
        };
        let points = std::mem::take(&mut self.points);
        let points = points.into_iter().map(|stencil| stencil.and_then(&mut sample)).collect();
        QueryResult { time: self.time, points }
    }
}

impl Future for PendingQuery {
    type Output = Result<QueryResult, GpuError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match Pin::new(&mut self.words).poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(words) => Poll::Ready(words.map(|words| self.decode(&words))),
        }
    }
}
