//! Systems that move worlds between the CPU and the GPU, and a system that submits point queries of
//! worlds on the GPU.

use super::WaterBackend;
use super::device::{DeviceWorld, GpuWorldSlot, HostComponent};
use crate::messages::WaterRefused;
use crate::water::{Pond, Water};
use bevy::ecs::change_detection::Tick;
use bevy::ecs::prelude::*;
use bevy::ecs::system::SystemParam;
use bevy::render::renderer::{RenderAdapter, RenderDevice, RenderQueue};
use headwater_gpu::{Gpu, GpuError};

/// Access to the GPU device of Bevy's renderer.
#[derive(SystemParam)]
pub(crate) struct Renderer<'w> {
    device: Option<Res<'w, RenderDevice>>,
    queue: Option<Res<'w, RenderQueue>>,
    adapter: Option<Res<'w, RenderAdapter>>,
}

impl Renderer<'_> {
    /// Returns whether the renderer's device was added or replaced since the last call.
    fn has_device_changed(&self) -> bool {
        self.device.as_ref().is_some_and(DetectChanges::is_changed)
    }

    /// Returns the renderer's device, which the water then shares with Bevy. Bevy's error handler
    /// remains installed.
    fn gpu(&self) -> Result<Gpu, String> {
        let (Some(device), Some(queue), Some(adapter)) = (&self.device, &self.queue, &self.adapter)
        else {
            return Err("no GPU: this app draws nothing".into());
        };
        let (device, queue) = (device.wgpu_device().clone(), queue.0.as_ref().clone());
        Gpu::from_shared_device(adapter, device, (*queue).clone())
            .map_err(|error| error.to_string())
    }
}

type MoveQueryData<'a> = (
    Entity,
    &'a mut GpuWorldSlot,
    Option<Ref<'a, WaterBackend>>,
    Option<&'a mut Water>,
    Option<&'a mut Pond>,
);

/// Returns the tick of the last change of the entity's `Water` or `Pond`; `None` if it has neither
/// component.
fn component_change_tick(
    water: Option<&Mut<'_, Water>>,
    pond: Option<&Mut<'_, Pond>>,
) -> Option<Tick> {
    water.map(DetectChanges::last_changed).or_else(|| pond.map(DetectChanges::last_changed))
}

/// Moves every water entity to the backend that its [`WaterBackend`] requests.
pub(crate) fn move_waters_to_requested_backends(
    mut waters: Query<MoveQueryData<'static>>,
    renderer: Renderer,
    mut gpu: Local<Option<Result<Gpu, String>>>,
    mut refused: MessageWriter<WaterRefused>,
) {
    let is_new = renderer.has_device_changed();
    if is_new {
        *gpu = None;
    }
    for (entity, mut half, backend, mut water, mut pond) in &mut waters {
        // Worlds of a lost device continue from their last read-back.
        if is_new && half.is_stepped_on_gpu() {
            half.device_world = None;
        }
        let wants = backend.as_deref().copied().unwrap_or(WaterBackend::Cpu);
        let Some(now) = component_change_tick(water.as_ref(), pond.as_ref()) else {
            half.device_world = None;
            continue;
        };
        if backend.as_ref().is_some_and(DetectChanges::is_changed) {
            half.refused = false;
        }
        // The app has replaced the component.
        if half.device_world.as_ref().is_some_and(|on| on.uploaded_tick != now) {
            half.device_world = None;
        }
        if wants == WaterBackend::Cpu {
            if half.is_stepped_on_gpu()
                && let Some(component) =
                    HostComponent::from_components(water.as_mut(), pond.as_mut())
                && let Err(error) = half.return_to_cpu(component)
            {
                refused.write(WaterRefused { water: entity, error: error.to_string() });
            }
            continue;
        }
        if half.is_stepped_on_gpu() || half.refused {
            continue;
        }
        let gpu = gpu.get_or_insert_with(|| renderer.gpu());
        if wants == WaterBackend::Auto {
            let is_real = gpu.as_ref().is_ok_and(|gpu| !gpu.adapter().software);
            let cells = water.as_ref().map_or(0, |water| {
                let lattice = water.lattice();
                lattice.nx() * lattice.ny()
            });
            if !is_real || cells < WaterBackend::AUTO_GPU_MIN_CELLS {
                continue;
            }
        }
        let Some(component) = HostComponent::from_components(water.as_mut(), pond.as_mut()) else {
            continue;
        };
        let handed = gpu.as_ref().map_err(Clone::clone).and_then(|gpu| {
            DeviceWorld::new(gpu, &component, now).map_err(|error: GpuError| error.to_string())
        });
        match handed {
            Ok(on) => half.device_world = Some(on),
            Err(error) => {
                half.refused = true;
                if wants == WaterBackend::Gpu {
                    refused.write(WaterRefused { water: entity, error });
                }
            }
        }
    }
}

/// Collects point-query results that have arrived from the GPU, and submits the queries that
/// [`WaterQuery`](crate::WaterQuery) has queued.
pub(crate) fn update_point_queries(
    mut waters: Query<(&mut GpuWorldSlot, Option<&mut Water>, Option<&mut Pond>)>,
) {
    for (mut half, mut water, mut pond) in &mut waters {
        if half.is_stepped_on_gpu()
            && let Some(component) = HostComponent::from_components(water.as_mut(), pond.as_mut())
        {
            // The next step reports any device error.
            let _ =
                half.bypass_change_detection().with_device_world(|on| on.update_queries(component));
        }
    }
}
