//! What is asked of waves that are on the GPU: height, rise and normal of the surface at points, without bringing whole fields
//! back. Only the few cells and faces around a point come, and are looked at by the CPU's own code.

use super::gpu_waves::GpuWaves;
use crate::buffer::{Pending, read_raw};
use crate::error::GpuError;
use headwater::Point;
use headwater::waves::{PointStencil, SurfaceSample};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What was asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answers {
    /// When (s).
    pub time: f64,
    /// The surface at each point; `None` on land and off the grid.
    pub points: Vec<Option<SurfaceSample>>,
}

/// Answers on their way: a future, to be awaited or asked now and then ([`try_take`](Self::try_take)). Steps that are
/// submitted in the meantime do not change them.
#[derive(Debug)]
pub struct Asked {
    /// Heights (quanta) and fluxes, as they lie in memory.
    words: Pending<u32>,
    points: Vec<Option<PointStencil>>,
    /// A quantum (m).
    quantum: f32,
    time: f64,
}

impl GpuWaves {
    /// Asks for the surface at points, as it is after all steps so far; it does not wait.
    ///
    /// # Errors
    /// [`GpuError`] if the device is lost or full.
    pub fn ask(&self, points: &[Point]) -> Result<Asked, GpuError> {
        let fields = &self.on_device.fields;
        let side = &fields.sides[self.on_device.side];
        let view = self.waves.device_view();
        let points: Vec<_> = points.iter().map(|&point| view.stencil_at(point)).collect();
        let mut parts = Vec::new();
        for stencil in points.iter().flatten() {
            let place = |at: (usize, usize)| fields.layout.place(at);
            parts.extend(stencil.cells().iter().map(|&at| (&side.height.raw, place(at), 1)));
            let [west, east, north, south] = stencil.faces();
            parts.extend([west, east].map(|at| (&side.x.raw, place(at), 1)));
            parts.extend([north, south].map(|at| (&side.y.raw, place(at), 1)));
        }
        let words = read_raw(self.gpu(), &parts)?;
        Ok(Asked { words, points, quantum: self.waves.state().quantum, time: self.time() })
    }

    /// As [`ask`](Self::ask), and waits for the answers; the same errors.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn measure(&self, points: &[Point]) -> Result<Answers, GpuError> {
        self.gpu().block_on(self.ask(points)?)
    }
}

impl Asked {
    /// The answers, if they have arrived; `None` if not yet, or if they have been taken.
    pub fn try_take(&mut self) -> Option<Result<Answers, GpuError>> {
        let words = self.words.try_take()?;
        Some(words.map(|words| self.answers(&words)))
    }

    fn answers(&mut self, mut words: &[u32]) -> Answers {
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
        Answers { time: self.time, points }
    }
}

impl Future for Asked {
    type Output = Result<Answers, GpuError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match Pin::new(&mut self.words).poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(words) => Poll::Ready(words.map(|words| self.answers(&words))),
        }
    }
}
