//! Drawing of worlds that the GPU steps: a compute kernel writes the texture that the materials
//! sample, so that the water data stay on the GPU.

use super::device::{DetachedWorld, DeviceWorld, GpuWorldSlot, HostComponent};
use crate::render::surface::SurfaceEntities;
use crate::water::{Pond, Water};
use bevy::app::App;
use bevy::ecs::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::texture::GpuImage;
use bevy::render::{ExtractSchedule, MainWorld, RenderApp};
use headwater::Field;
use headwater::waves::Waves;
use headwater_gpu::wgpu::TextureView;

type DrawQueryData = (
    &'static mut GpuWorldSlot,
    Option<&'static mut Water>,
    Option<&'static mut Pond>,
    &'static SurfaceEntities,
);

pub(crate) fn build(app: &mut App) {
    if let Some(render) = app.get_sub_app_mut(RenderApp) {
        render.add_systems(ExtractSchedule, draw_waters);
    }
}

/// Updates the drawn textures of worlds that have been stepped. Submits the GPU work before the
/// frame is rendered and does not block.
fn draw_waters(
    mut main: ResMut<MainWorld>,
    images: Res<RenderAssets<GpuImage>>,
    mut query: Local<Option<QueryState<DrawQueryData>>>,
) {
    let waters = query.get_or_insert_with(|| main.query());
    for (mut half, mut water, mut pond, entities) in waters.iter_mut(&mut main) {
        let half = half.bypass_change_detection();
        if !half.device_world.as_ref().is_some_and(|on| on.is_outdated) {
            continue;
        }
        let Some(image) = images.get(&entities.state) else { continue };
        let Some(component) = HostComponent::from_components(water.as_mut(), pond.as_mut()) else {
            continue;
        };
        // The next step reports any device error.
        let _ = half.with_device_world(|on| on.draw(component, &image.texture_view));
    }
}

/// Returns the elevation (m) of the ground that is drawn under the cell `(x, y)` of a pond.
pub(crate) fn pond_floor_elevation(waves: &Waves, x: usize, y: usize) -> f32 {
    let depth = waves.params().depth as f32;
    if waves.is_land(x, y) { 0.2 * depth } else { -depth }
}

impl DeviceWorld {
    fn draw(
        &mut self,
        host: HostComponent<'_>,
        view: &TextureView,
    ) -> Result<(), headwater_gpu::GpuError> {
        match (&mut self.world, host) {
            (DetachedWorld::Flow(lent), HostComponent::Flow(flow)) => {
                lent.with_flow(flow, |world| world.draw_into(view))
            }
            (DetachedWorld::Waves(lent), HostComponent::Waves(waves)) => {
                let lattice = *waves.lattice();
                let ground = Field::from_fn(lattice.nx(), lattice.ny(), |x, y| {
                    pond_floor_elevation(waves, x, y)
                });
                lent.with_waves(waves, |world| world.draw_over(view, Some(&ground)))
            }
            _ => Ok(()),
        }?;
        self.is_outdated = false;
        Ok(())
    }
}
