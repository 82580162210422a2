//! Implementation of [`DeviceWorld`] for flow worlds on a GPU.

use super::{Action, FlowWorld};
use crate::run::{
    DeviceQuery, DeviceQueryResult, DeviceWorld, PendingQuery, ReadBackFuture, poll_or_block,
};
use headwater::Field;
use headwater_gpu::GpuError;
use headwater_gpu::flow::{self, GpuFlow};
use headwater_gpu::wgpu::{Buffer, TextureView};
use std::pin::pin;

/// Returns the error for an operation that is not complete although the device has reported it as
/// ready.
fn incomplete_error() -> GpuError {
    GpuError::Refused("the device reported an operation as ready that is not complete".into())
}

impl DeviceWorld<FlowWorld, Action> for GpuFlow {
    fn is_ready(&self) -> bool {
        self.is_ready()
    }

    fn step_toward(&mut self, stop: f64, most: u64) -> Result<bool, GpuError> {
        let (gpu, most) = (self.gpu().clone(), most as usize);
        // Native programs wait for the number of completed steps.
        #[cfg(not(target_arch = "wasm32"))]
        let stepped = async { Ok(self.steps_toward(stop, most).await? > 0) };
        #[cfg(target_arch = "wasm32")]
        let stepped = self.step_batch_toward(stop, most);
        poll_or_block(&gpu, &mut pin!(stepped)).unwrap_or_else(|| Err(incomplete_error()))
    }

    fn into_read_back(mut self: Box<Self>) -> ReadBackFuture<FlowWorld, Action> {
        Box::pin(async move {
            let done = self.read_back().await.map(|_| ());
            (self as Box<dyn DeviceWorld<_, _>>, done)
        })
    }

    fn copy_into(&self, world: &mut FlowWorld) {
        world.flow = self.flow().clone();
    }

    fn progress(&self) -> (f64, u64) {
        (self.time(), self.steps_done())
    }

    fn apply_action(&mut self, world: &FlowWorld, action: &Action) -> Result<(), GpuError> {
        let Some(stroke) = world.equivalent_stroke(action) else { return Ok(()) };
        let gpu = self.gpu().clone();
        let done = self.edit_async(&stroke.brush, stroke.edit, stroke.keep);
        poll_or_block(&gpu, &mut pin!(done)).unwrap_or_else(|| Err(incomplete_error()))
    }

    fn draw(&mut self, view: &TextureView, _: Option<&Field<f32>>) -> Result<(), GpuError> {
        self.draw_into(view)
    }

    fn draw_tracers(&mut self, target: &Buffer) -> Result<bool, GpuError> {
        self.draw_tracers(target)?;
        Ok(self.max_tracers() > 0)
    }

    fn query(&mut self, places: &DeviceQuery) -> Result<Option<Box<dyn PendingQuery>>, GpuError> {
        let gpu = self.gpu().clone();
        let asked = self.query(&places.points, &places.lines);
        let asked =
            poll_or_block(&gpu, &mut pin!(asked)).unwrap_or_else(|| Err(incomplete_error()))?;
        Ok(Some(Box::new(asked)))
    }
}

impl PendingQuery for flow::PendingQuery {
    /// Returns the depth and velocity at each queried point, and the discharge through each queried
    /// line. Returns `None` until the results have arrived.
    fn try_take(&mut self) -> Option<Result<DeviceQueryResult, GpuError>> {
        let found = self.try_take()?;
        Some(found.map(|found| {
            let values = |at: flow::WaterSample| vec![at.depth, at.velocity[0], at.velocity[1]];
            let points = found.points.into_iter().map(|at| at.map(values)).collect();
            DeviceQueryResult::new(found.time, points, found.lines)
        }))
    }
}
