//! Steps and queries of waves worlds on a GPU.

use super::values::{HEIGHT_COLUMN, surface_values};
use super::{WavesAction, WavesGauge, WavesScene, WavesWorld};
use crate::run::fixed_steps::fixed_steps_until;
use crate::run::{
    BoxedDeviceWorld, DeviceQuery, DeviceQueryResult, DeviceSupport, DeviceWorld, ModelWorld,
    PendingQuery, ProbeValue, QueryTarget, ReadBackFuture, STEPS_PER_BATCH, numeric_value,
};
use crate::scene::resolve_position;
use headwater::Field;
use headwater::waves::SurfaceSample;
use headwater_gpu::waves::{self, GpuWaves};
use headwater_gpu::wgpu::TextureView;
use headwater_gpu::{Gpu, GpuError};

impl DeviceWorld<WavesWorld, WavesAction> for GpuWaves {
    fn is_ready(&self) -> bool {
        true
    }

    fn step_toward(&mut self, stop: f64, max_steps: u64) -> Result<bool, GpuError> {
        let count = fixed_steps_until(
            self.steps(),
            self.waves().params().step,
            stop,
            max_steps.min(STEPS_PER_BATCH),
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

/// GPU support of the model `waves`: functions that step and query its worlds on a GPU.
pub(super) const SUPPORT: DeviceSupport<WavesWorld> = DeviceSupport {
    cpu_only_reason,
    upload,
    supports_action: applies_on_device,
    query: device_query,
    query_values,
};

fn cpu_only_reason(world: &WavesWorld) -> Option<&'static str> {
    world.has_bodies().then_some("waves with bodies on paths run on the CPU only")
}

fn upload(world: &WavesWorld, gpu: &Gpu) -> Result<BoxedDeviceWorld<WavesWorld>, GpuError> {
    Ok(Box::new(GpuWaves::new(gpu, world.waves.clone())?))
}

fn device_query(
    world: &WavesWorld,
    _: &WavesScene,
    target: &QueryTarget<WavesGauge>,
) -> Option<DeviceQuery> {
    let mut places = DeviceQuery::default();
    places.points.push(match target {
        QueryTarget::Point(at) => {
            let (x, y) = world.lattice().cell_at(*at)?;
            world.lattice().center(x, y)
        }
        // Energy and level are sums over the whole surface, which a query at single points
        // cannot measure.
        QueryTarget::Gauge(gauge) => resolve_position(gauge.at?, &world.lattice()),
    });
    Some(places)
}

fn query_values(
    world: &WavesWorld,
    _: &WavesScene,
    target: &QueryTarget<WavesGauge>,
    query: &DeviceQuery,
    result: &DeviceQueryResult,
) -> Vec<ProbeValue> {
    let first = match result.points.first() {
        Some(Some(values)) => values.first_chunk(),
        _ => None,
    };
    match (target, first) {
        (QueryTarget::Gauge(_), first) => {
            let height = first.map_or(f64::NAN, |&[height, ..]: &[f32; 5]| height.into());
            vec![numeric_value(HEIGHT_COLUMN, height, "")]
        }
        (QueryTarget::Point(_), Some(&[height, rises, east, south, up])) => {
            surface_values(height, rises, [east, south, up])
        }
        (QueryTarget::Point(_), None) => {
            query.points.first().map_or(Vec::new(), |&at| world.probe(at))
        }
    }
}

fn applies_on_device(world: &WavesWorld, action: &WavesAction) -> bool {
    world.disturbance(action).is_some()
}
