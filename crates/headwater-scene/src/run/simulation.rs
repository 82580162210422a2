//! [`Simulation`]: world of any model in a single process.

use super::backend::Backend;
use super::executor::Executor;
use super::probe::ProbeValue;
use super::query::{Query, QueryResult};
use super::summary::LedgerSummary;
use super::types::{DeviceEventResult, GaugeValues, ModelError};
use super::world::{World, WorldMut};
use crate::mesh::Part;
use headwater::{Field, Lattice, Model, Point};
use std::any::Any;
use std::borrow::Cow;

/// World of a scene in a single process, with access to its model. All models implement it through
/// [`ModelWorld`](super::ModelWorld).
pub trait Simulation: Executor + Sync {
    /// Returns the length of the next step (s).
    fn step_length(&self) -> f64;

    /// Returns whether the model supports GPUs. A particular world may still be restricted to the
    /// CPU.
    fn supports_devices(&self) -> bool;

    /// Moves the world to a backend, which steps it from its current state.
    ///
    /// # Errors
    /// The reason why the backend cannot step the world, or why it cannot be copied back from the
    /// previous backend. The world then stays there.
    fn set_backend(&mut self, backend: &Backend) -> Result<(), ModelError>;

    /// Draws a world on a GPU into a texture on that GPU, after all steps so far, without copying
    /// it back. See [`GpuFlow::draw_into`](headwater_gpu::flow::GpuFlow::draw_into) and
    /// [`GpuWaves::draw_over`](headwater_gpu::waves::GpuWaves::draw_over). Returns false if the
    /// world is on the CPU.
    ///
    /// # Errors
    /// The reason why it cannot be drawn.
    #[cfg(feature = "gpu")]
    fn draw_into(
        &mut self,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> Result<bool, ModelError>;

    /// Returns whether the world can be stepped and edited now. Always true except in browsers,
    /// where a copy from the GPU may take a few frames.
    fn is_ready(&self) -> bool {
        true
    }

    /// Writes the tracers of a world on a GPU into a buffer there, see
    /// [`GpuFlow::draw_tracers`](headwater_gpu::flow::GpuFlow::draw_tracers). Returns false if the
    /// world is on the CPU or has no tracers.
    ///
    /// # Errors
    /// The reason why this fails.
    #[cfg(feature = "gpu")]
    fn draw_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError>;

    /// Queries a gauge or a point of a world on a GPU without copying the world back. The
    /// [result](Self::query_results) arrives later. Returns false if the world is on the CPU or
    /// does not support the query.
    ///
    /// # Errors
    /// The reason why the query fails.
    fn query(&mut self, what: Query) -> Result<bool, ModelError> {
        let _ = what;
        Ok(false)
    }

    /// Returns the results that have arrived since the last call, in the order of the queries.
    fn query_results(&mut self) -> Vec<QueryResult> {
        Vec::new()
    }

    /// Applies the only event of a scene to a world on a device without copying it back. The world
    /// on the host, which is in the state of the last copy, is changed as well.
    ///
    /// # Errors
    /// The reason why the model refuses the event. Nothing is changed then.
    fn apply_event_on_device(&mut self, alone: &dyn Any) -> Result<DeviceEventResult, ModelError>;

    /// Returns whether all values of the state are finite.
    fn is_sound(&self) -> bool;

    /// Returns the current values of gauge number `gauge` with their names and units, such as
    /// `depth_m`; empty if there is no such gauge. Gauges of the scene come first, then gauges of
    /// its events, then gauges added by [`add_gauge`](Self::add_gauge).
    fn gauge_values(&self, gauge: usize) -> GaugeValues;

    /// Returns the current values of a gauge without names.
    fn gauge_reading(&self, gauge: usize) -> Vec<f64> {
        self.gauge_values(gauge).into_iter().map(|(_, value)| value).collect()
    }

    /// Returns the names of a gauge's values.
    fn gauge_columns(&self, gauge: usize) -> Vec<&'static str> {
        self.gauge_values(gauge).into_iter().map(|(head, _)| head).collect()
    }

    /// Adds the gauge that the last event of a scene of the same model adds or changes. Its number
    /// is the previous [`gauge_count`](Executor::gauge_count).
    ///
    /// # Errors
    /// An error if the scene is of another model, or its last event has no gauge.
    fn add_gauge(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Returns the state as bytes for [`restore`](Self::restore).
    ///
    /// # Errors
    /// The reason why it cannot be serialized.
    fn snapshot(&self) -> Result<Vec<u8>, String>;

    /// Restores a state of the same scene.
    ///
    /// # Errors
    /// A message on what is wrong with the bytes.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;

    /// Returns a hash of the state, the same on every machine.
    fn state_hash(&self) -> u64;

    /// Returns the volumes added, removed and present, in the model's unit of volume.
    fn ledger(&self) -> LedgerSummary;

    /// Returns named statistics of the current state, such as `lowest_ground_metres`.
    fn figures(&self) -> Vec<(&'static str, serde_json::Value)>;

    /// Returns the lattice of the grid. Cells of `blocks` have width 1.
    fn lattice(&self) -> Lattice;

    /// Samples the world at a point (m from the top-left corner; cells in `blocks`); empty outside
    /// the grid.
    fn probe(&self, at: Point) -> Vec<ProbeValue>;

    /// Returns the model; of several worlds, the last. Its heights may have another datum than the
    /// scene. [`layer`](Self::layer) and [`probe`](Self::probe) use the scene's datum.
    fn model(&self) -> &dyn Model;

    /// Returns the model for editing.
    fn model_mut(&mut self) -> &mut dyn Model;

    /// Returns a layer by name as a run writes it; `None` if there is no such layer.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>>;

    /// Returns a layer with NaN in cells outside the world, such as those without data in a terrain
    /// file.
    fn masked_layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.layer(name)
    }

    /// Returns triangle meshes of ground and water, to be raised by [`datum`](Self::datum); empty
    /// for worlds in side view.
    fn meshes(&self) -> Vec<Part>;

    /// Returns the elevation of the model's height 0 (m).
    fn datum(&self) -> f64;

    /// Returns the world. A world on a device is in the state of the last copy.
    fn world(&self) -> World<'_>;

    /// Returns the world for editing.
    fn world_mut(&mut self) -> WorldMut<'_>;

    /// Applies the only event of a scene of the same model.
    ///
    /// # Errors
    /// The reason why the model refuses, or an error if the scene is of another model.
    fn apply_single_event(&mut self, alone: &dyn Any) -> Result<(), ModelError>;

    /// Applies the changed values of another version of the scene to the model. Call
    /// [`set_scene`](Self::set_scene) next.
    ///
    /// # Errors
    /// The reason why the model refuses, or an error if the scene is of another model.
    fn apply_settings(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Replaces the scene (see [`Scene::as_any`](crate::scene::Scene::as_any)) by a version that
    /// differs only in values that can be changed while the world runs. The model's own values are
    /// not touched.
    ///
    /// # Errors
    /// An error if the scene is of another model.
    fn set_scene(&mut self, scene: &dyn Any) -> Result<(), ModelError>;
}
