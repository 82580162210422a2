//! [`AnyWater`]: query data that gives access to the world of an entity, for every model and
//! backend.

use crate::any_edit::AnyEdit;
#[cfg(feature = "gpu")]
use crate::backend::{DeviceData, device::HostComponent};
use crate::models::{PointState, WaterModel};
use crate::scene_data::SceneData;
use crate::water::{BlockWorld, CarvedLand, Pond, Pools, Water};
use bevy::ecs::prelude::*;
use bevy::ecs::query::QueryData;
use headwater::{AdvanceSummary, Brush, Point};

/// Query data that gives access to the world of an entity, for every model. [`AnyWaterReadOnly`] is
/// the read-only version.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_headwater::prelude::*;
///
/// fn names(waters: Query<AnyWaterReadOnly, With<WaterClock>>) {
///     for water in &waters {
///         println!("{:?}", water.model().map(|model| model.name()));
///     }
/// }
/// ```
#[derive(QueryData)]
#[query_data(mutable)]
pub struct AnyWater {
    flow: Option<&'static mut Water>,
    waves: Option<&'static mut Pond>,
    blocks: Option<&'static mut BlockWorld>,
    columns: Option<&'static mut Pools>,
    hydrology: Option<&'static mut CarvedLand>,
    scene: SceneData,
    #[cfg(feature = "gpu")]
    device: DeviceData,
}

impl AnyWaterReadOnlyItem<'_, '_> {
    /// Returns the world, or `None` if the entity has no world. If the GPU steps the world, the
    /// result is the state of the last read-back.
    pub fn model(&self) -> Option<&dyn WaterModel> {
        let Self { flow, waves, blocks, columns, hydrology, scene, .. } = self;
        flow.map(|water| &water.0 as &dyn WaterModel)
            .or_else(|| waves.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| blocks.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| columns.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| hydrology.map(|water| &water.0 as &dyn WaterModel))
            .or_else(|| crate::scene_data::model(scene))
    }

    /// Returns whether the GPU steps the world.
    #[cfg(feature = "gpu")]
    pub fn is_on_gpu(&self) -> bool {
        self.device.is_some_and(crate::backend::device::GpuWorldSlot::is_stepped_on_gpu)
    }

    /// Returns whether closed cells (cells that water cannot enter) may have changed since the last
    /// call. Returns `None` if the world is not on the GPU, or if the GPU does not write the drawn
    /// texture.
    #[cfg(feature = "render")]
    pub(crate) fn closed_cells_changed_on_gpu(&self) -> Option<bool> {
        #[cfg(feature = "gpu")]
        return self.device?.closed_cells_changed();
        #[cfg(not(feature = "gpu"))]
        None
    }

    /// Returns the state of the water at a point, whether the CPU or the GPU steps the world;
    /// `None` outside of the grid.
    pub(crate) fn state_at(&self, at: Point) -> Option<PointState> {
        let model = self.model()?;
        let host = model.state_at(at)?;
        #[cfg(feature = "gpu")]
        if let Some(device) = self.device {
            let cell = model.extent()[0] / model.grid_size()[0] as f64;
            return Some(device.state_at(at, host, cell));
        }
        Some(host)
    }
}

impl AnyWaterItem<'_, '_> {
    /// Returns the world for changes, or `None` if the entity has no world. If the GPU steps the
    /// world, this call blocks until the world is read back; the world is uploaded again before the
    /// next step.
    pub fn model_mut(&mut self) -> Option<&mut dyn WaterModel> {
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device
            && device.is_stepped_on_gpu()
            && let Some(host) =
                HostComponent::from_components(self.flow.as_mut(), self.waves.as_mut())
        {
            // If the device is lost, the world continues from its last read-back.
            let _ = device.return_to_cpu(host);
        }
        let Self { flow, waves, blocks, columns, hydrology, scene, .. } = self;
        if let Some(water) = flow {
            return Some(&mut water.0);
        }
        if let Some(water) = waves {
            return Some(&mut water.0);
        }
        if let Some(water) = blocks {
            return Some(&mut water.0);
        }
        if let Some(water) = columns {
            return Some(&mut water.0);
        }
        if let Some(water) = hydrology {
            return Some(&mut water.0);
        }
        crate::scene_data::model_mut(scene)
    }

    /// Returns two values: whether the world is at rest, and the volume that has left the world
    /// through its edges (m³; in block worlds, cells). Returns `None` if the entity has no world or
    /// if the GPU steps it, because the values are then unknown.
    pub(crate) fn rest_and_spilled_volume(&mut self) -> Option<(bool, f64)> {
        #[cfg(feature = "gpu")]
        if self.device.as_ref().is_some_and(|device| device.is_stepped_on_gpu()) {
            return None;
        }
        let model = self.model_mut()?;
        Some((model.is_resting(), model.spilled_volume()))
    }

    /// Advances the world by `time` (model time, s) in at most `max_steps` steps. Returns a summary
    /// of the steps or an error message; `None` if the entity has no world.
    pub(crate) fn advance(
        &mut self,
        time: f64,
        max_steps: u32,
    ) -> Option<Result<AdvanceSummary, String>> {
        if let Some(done) = crate::scene_data::advance(&mut self.scene, time, max_steps) {
            return Some(done);
        }
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device
            && let Some(host) =
                HostComponent::from_components(self.flow.as_mut(), self.waves.as_mut())
            && let Some(done) = device.bypass_change_detection().advance(host, time, max_steps)
        {
            return Some(done);
        }
        let done = self.model_mut()?.advance_at_most(time, max_steps);
        Some(done.map_err(|error| error.to_string()))
    }

    /// Applies an edit to the world. Returns an error message if the edit is refused; `None` if the
    /// entity has no world.
    pub(crate) fn edit(&mut self, brush: &Brush, edit: &AnyEdit) -> Option<Result<(), String>> {
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device
            && let Some(host) =
                HostComponent::from_components(self.flow.as_mut(), self.waves.as_mut())
            && let Some(done) = device.bypass_change_detection().edit(host, brush, edit)
        {
            return Some(done);
        }
        Some(self.model_mut()?.apply(brush, edit).map_err(|error| error.to_string()))
    }
}
