//! Steps and queries of waves worlds on a GPU.

use super::{WavesAction, WavesWorld};
use crate::run::fixed_steps::fixed_steps_until;
use crate::run::{
    DeviceQuery, DeviceQueryResult, DeviceWorld, PendingQuery, ReadBackFuture, STEPS_PER_BATCH,
};
use headwater::Field;
use headwater::waves::SurfaceSample;
use headwater_gpu::GpuError;
use headwater_gpu::waves::{self, GpuWaves};
use headwater_gpu::wgpu::TextureView;

impl DeviceWorld<WavesWorld, WavesAction> for GpuWaves {
    fn is_ready(&self) -> bool {
        true
    }

    fn step_toward(&mut self, stop: f64, most: u64) -> Result<bool, GpuError> {
        let count = fixed_steps_until(
            self.steps(),
            self.waves().params().step,
            stop,
            most.min(STEPS_PER_BATCH),
        );
        self.step_many(count)?;
        Ok(count > 0)
    }

    fn into_read_back(mut self: Box<Self>) -> ReadBackFuture<WavesWorld, WavesAction> {
        Box::pin(async move {
            let done = self.read_back().await.map(|_| ());
            (self as Box<dyn DeviceWorld<_, _>>, done)
        })
    }

    fn copy_into(&self, world: &mut WavesWorld) {
        world.waves = self.waves().clone();
    }

    fn progress(&self) -> (f64, u64) {
        (self.time(), self.steps())
    }

    fn apply_action(&mut self, world: &WavesWorld, action: &WavesAction) -> Result<(), GpuError> {
        let disturbance = world.disturbance(action);
        disturbance.map_or(Ok(()), |one| self.disturb(&one.brush, one.height))
    }

    fn draw(&mut self, view: &TextureView, ground: Option<&Field<f32>>) -> Result<(), GpuError> {
        self.draw_over(view, ground)
    }

    fn query(&mut self, places: &DeviceQuery) -> Result<Option<Box<dyn PendingQuery>>, GpuError> {
        Ok(Some(Box::new(GpuWaves::query(self, &places.points)?)))
    }
}

impl PendingQuery for waves::PendingQuery {
    /// Returns the height, vertical velocity and normal of the surface at each queried point.
    /// Returns `None` until the results have arrived.
    fn try_take(&mut self) -> Option<Result<DeviceQueryResult, GpuError>> {
        let found = self.try_take()?;
        Some(found.map(|found| {
            let values = |at: SurfaceSample| [&[at.height, at.velocity], &at.normal[..]].concat();
            let points = found.points.into_iter().map(|at| at.map(values)).collect();
            DeviceQueryResult::new(found.time, points, Vec::new())
        }))
    }
}
