//! Implementation of [`DeviceWorld`] for flow worlds on a GPU.

use super::{Action, FlowScene, FlowWorld, Gauge, Target, gauges};
use crate::run::{
    BoxedDeviceWorld, DeviceQuery, DeviceQueryResult, DeviceSupport, DeviceWorld, PendingQuery,
    ProbeValue, QueryTarget, ReadBackFuture, numeric_value, poll_or_block,
};
use headwater::Field;
use headwater_gpu::flow::{self, GpuFlow, Options};
use headwater_gpu::wgpu::{Buffer, TextureView};
use headwater_gpu::{Gpu, GpuError};
use std::pin::pin;

/// Returns the error for a device operation that is not complete although the device has reported
/// it as ready.
fn incomplete_error() -> GpuError {
    GpuError::Refused("the device reported an operation as ready that is not complete".into())
}

impl DeviceWorld<FlowWorld, Action> for GpuFlow {
    fn is_ready(&self) -> bool {
        self.is_ready()
    }

    fn step_toward(&mut self, stop: f64, max_steps: u64) -> Result<bool, GpuError> {
        let (gpu, max_steps) = (self.gpu().clone(), max_steps as usize);
        // On native targets, this future waits until the number of completed steps is known.
        #[cfg(not(target_arch = "wasm32"))]
        let stepped = async { Ok(self.steps_toward(stop, max_steps).await? > 0) };
        #[cfg(target_arch = "wasm32")]
        let stepped = self.step_batch_toward(stop, max_steps);
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

    fn write_tracers(&mut self, target: &Buffer) -> Result<bool, GpuError> {
        self.write_tracers(target)?;
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

/// GPU support of the model `flow`: functions that step and query its worlds on a GPU.
pub(super) const SUPPORT: DeviceSupport<FlowWorld> = DeviceSupport {
    cpu_only_reason,
    upload,
    supports_action: applies_on_device,
    query: device_query,
    query_values,
};

fn cpu_only_reason(world: &FlowWorld) -> Option<&'static str> {
    world.has_rain_rasters().then_some("rain by rasters (`rain.raster`) runs on the CPU only")
}

fn upload(world: &FlowWorld, gpu: &Gpu) -> Result<BoxedDeviceWorld<FlowWorld>, GpuError> {
    Ok(Box::new(GpuFlow::new(gpu, world.flow.clone(), Options::default())?))
}

fn device_query(
    world: &FlowWorld,
    scene: &FlowScene,
    target: &QueryTarget<Gauge>,
) -> Option<DeviceQuery> {
    let mut places = DeviceQuery::default();
    match target {
        QueryTarget::Point(at) => {
            let (x, y) = world.flow.lattice().cell_at(*at)?;
            places.points.push(world.flow.lattice().center(x, y));
        }
        QueryTarget::Gauge(gauge) => match gauge.target(world.flow.lattice(), &scene.bodies)? {
            Target::Point(point) => {
                places.points.push(point);
                places.bed = world.flow.bed_at(point);
            }
            Target::Line(points) => {
                places.lines.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
            }
            _ => return None,
        },
    }
    Some(places)
}

fn query_values(
    world: &FlowWorld,
    scene: &FlowScene,
    target: &QueryTarget<Gauge>,
    places: &DeviceQuery,
    result: &DeviceQueryResult,
) -> Vec<ProbeValue> {
    let first = match result.points.first() {
        Some(Some(values)) => values.first_chunk().map(|&[depth, u, v]| (depth, [u, v])),
        _ => None,
    };
    match target {
        QueryTarget::Point(at) => {
            let cell = world.flow.lattice().cell_at(*at);
            let Some((cell, (depth, velocity))) = cell.zip(first) else { return Vec::new() };
            world.probe_values(cell, depth, velocity, None)
        }
        QueryTarget::Gauge(gauge) => match gauge.target(world.flow.lattice(), &scene.bodies) {
            Some(Target::Point(_)) => {
                let (depth, velocity) = first.unwrap_or((f32::NAN, [f32::NAN; 2]));
                let surface = places.bed.map_or(f32::NAN, |bed| bed + depth);
                gauges::point_values(world.terrain.datum, depth, surface, velocity)
            }
            _ => vec![("discharge_m3_per_s", result.lines.iter().sum())],
        }
        .into_iter()
        .map(|(head, value)| numeric_value(head, value, ""))
        .collect(),
    }
}

fn applies_on_device(world: &FlowWorld, action: &Action) -> bool {
    world.equivalent_stroke(action).is_some()
}
