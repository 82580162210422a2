//! [`Simulation`]: the interface to a world of any model in a single process.

use super::Executor;
use super::backend::Backend;
use super::probe::ProbeValue;
use super::query::{Query, QueryResult};
use super::world::{World, WorldMut};
use crate::mesh::MeshPart;
use crate::run::output::summary::LedgerSummary;
use crate::run::types::{DeviceEventResult, GaugeValues, ModelError};
use crate::scene::AnyAction;
use headwater::changes::Tile;
use headwater::{Field, InputError, Lattice, Model, Point};
use std::any::Any;
use std::borrow::Cow;

/// Read access to the world of a scene, for any model. If a device steps the world, the state is
/// the last one that was copied from the device.
pub trait SceneWorld: Send + Sync {
    /// Returns the model. If the world couples several models, returns the one that is drawn and
    /// written to files. Heights in the model may have another datum than heights in the scene; see
    /// [`datum`](Self::datum). In contrast, [`layer`](Self::layer) and [`probe`](Self::probe)
    /// return heights with the datum of the scene.
    fn model(&self) -> &dyn Model;

    /// Returns the world. If a device steps the world, the state is the last one that was copied
    /// from the device.
    fn world(&self) -> World<'_>;

    /// Returns the lattice of the grid. In the model `blocks`, cells have a width of 1.
    fn lattice(&self) -> Lattice;

    /// Returns the length of the next step (s).
    fn step_length(&self) -> f64;

    /// Returns the quantities at a point (m from the top-left corner; in the model `blocks`,
    /// cells). Returns an empty list if the point is outside the grid.
    fn probe(&self, at: Point) -> Vec<ProbeValue>;

    /// Returns the values of a layer in the form in which files contain them; `None` if there is no
    /// layer with the given name.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>>;

    /// Writes the values of the layer `name` in the cells of `tiles` to `into`, a row-major array
    /// of all cells. The values are those that [`layer`](Self::layer) returns.
    ///
    /// # Errors
    /// Returns [`InputError`] if the layer is unknown, or if the array has another length.
    fn read_layer(&self, name: &str, tiles: &[Tile], into: &mut [f32]) -> Result<(), InputError>;

    /// Writes the values of a layer at many points to `into`, like [`Model::sample_many`]. Heights
    /// have the same datum as in the scene.
    ///
    /// # Errors
    /// Returns [`InputError`] if the layer is unknown or not supported, or if `points` and `into`
    /// differ in length.
    fn sample_many(&self, name: &str, points: &[Point], into: &mut [f32])
    -> Result<(), InputError>;

    /// Returns the values of a layer, with NaN in cells outside the world, for example where a
    /// terrain file has no data. Returns `None` if there is no layer with this name.
    fn masked_layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>>;

    /// Returns triangle meshes of the ground and the water. Their height 0 corresponds to the
    /// elevation that [`datum`](Self::datum) returns. Returns an empty list for worlds that are
    /// drawn as a vertical section.
    fn meshes(&self) -> Vec<MeshPart>;

    /// Returns the elevation in the scene (m) that corresponds to height 0 of the model.
    fn datum(&self) -> f64;

    /// Returns the number of gauges, including those that events add or change.
    fn gauge_count(&self) -> usize;

    /// Returns the current values of gauge number `gauge`, each with a name that includes the unit,
    /// such as `depth_m`. Returns an empty list if there is no such gauge. The gauges of the scene
    /// are numbered first, then the gauges that its events define, then the gauges added by
    /// [`add_gauge`](Simulation::add_gauge).
    fn gauge_values(&self, gauge: usize) -> GaugeValues;

    /// Returns the current values of gauge number `gauge` without their names.
    fn gauge_reading(&self, gauge: usize) -> Vec<f64> {
        self.gauge_values(gauge).into_iter().map(|(_, value)| value).collect()
    }

    /// Returns the column names of the values of gauge number `gauge`. Each name includes the unit,
    /// such as `depth_m`.
    fn gauge_columns(&self, gauge: usize) -> Vec<&'static str> {
        self.gauge_values(gauge).into_iter().map(|(head, _)| head).collect()
    }

    /// Returns whether all values of the state are finite.
    fn has_finite_state(&self) -> bool;

    /// Returns a hash of the state. Equal states have equal hashes on every machine.
    fn state_hash(&self) -> u64;

    /// Returns the volumes of water added, removed and present (m³, or cells in the model
    /// `blocks`).
    fn ledger(&self) -> LedgerSummary;

    /// Returns statistics of the current state. Each has a name, such as `lowest_ground_metres`.
    fn statistics(&self) -> Vec<(&'static str, serde_json::Value)>;
}

/// World of a scene in a single process, with access to the model. Implemented for every
/// [`ModelWorld`](crate::run::ModelWorld).
pub trait Simulation: Executor + SceneWorld {
    /// Returns whether the model supports GPUs. Even if it does, [`set_backend`](Self::set_backend)
    /// may reject a particular world.
    fn supports_devices(&self) -> bool;

    /// Moves the world to a backend, where it continues from its current state.
    ///
    /// # Errors
    /// Returns an error if the backend cannot step the world, or if the world cannot be copied from
    /// its current backend. The world then stays on its current backend.
    fn set_backend(&mut self, backend: &Backend) -> Result<(), ModelError>;

    /// Draws a world that is on a GPU into a texture of the same GPU, without copying the world to
    /// the host. The picture shows the state after all steps submitted so far. See
    /// [`GpuFlow::draw_into`](headwater_gpu::flow::GpuFlow::draw_into) and
    /// [`GpuWaves::draw_over`](headwater_gpu::waves::GpuWaves::draw_over). Returns false if the
    /// world is on the CPU.
    ///
    /// # Errors
    /// Returns an error if the world cannot be drawn.
    #[cfg(feature = "gpu")]
    fn draw_into(
        &mut self,
        view: &headwater_gpu::wgpu::TextureView,
        ground: Option<&headwater::Field<f32>>,
    ) -> Result<bool, ModelError>;

    /// Returns whether the world can be stepped and edited now. Returns false only in browsers,
    /// where copying the world from the GPU may take a few frames.
    fn is_ready(&self) -> bool;

    /// Writes the tracer particles of a world on a GPU into a buffer of the same GPU. See
    /// [`GpuFlow::write_tracers`](headwater_gpu::flow::GpuFlow::write_tracers) for the format.
    /// Returns false if the world is on the CPU or has no tracers.
    ///
    /// # Errors
    /// Returns an error if the tracers cannot be written.
    #[cfg(feature = "gpu")]
    fn write_tracers(&mut self, target: &headwater_gpu::wgpu::Buffer) -> Result<bool, ModelError>;

    /// Starts to sample a gauge or a point of a world on a GPU, without copying the world to the
    /// host. [`query_results`](Self::query_results) returns the result later. Returns false if the
    /// world is on the CPU or does not support the query.
    ///
    /// # Errors
    /// Returns an error if the query cannot be started.
    fn query(&mut self, request: Query) -> Result<bool, ModelError> {
        let _ = request;
        Ok(false)
    }

    /// Returns the query results that have arrived since the last call, in the order in which the
    /// queries were started.
    fn query_results(&mut self) -> Vec<QueryResult> {
        Vec::new()
    }

    /// Applies an action to a world on a device, without copying the world to the host. Also
    /// applies the action to the world on the host, which has the state last copied from the
    /// device.
    ///
    /// # Errors
    /// Returns an error if the model rejects the action. Nothing is changed in this case.
    fn apply_on_device(&mut self, action: &AnyAction) -> Result<DeviceEventResult, ModelError>;

    /// Adds the gauge that the last event of `scene` defines. The number of the new gauge is the
    /// previous [`gauge_count`](SceneWorld::gauge_count).
    ///
    /// # Errors
    /// Returns an error if the scene is for another model, or if its last event defines no gauge.
    fn add_gauge(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Serializes the state of the world. [`restore`](Self::restore) reads the returned bytes.
    ///
    /// # Errors
    /// Returns a message if the state cannot be serialized.
    fn snapshot(&self) -> Result<Vec<u8>, String>;

    /// Restores the state that [`snapshot`](Self::snapshot) has returned for a world of the same
    /// scene.
    ///
    /// # Errors
    /// Returns a message if `state` is not a valid state of this scene.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;

    /// Returns a mutable reference to the model that [`model`](SceneWorld::model) returns.
    fn model_mut(&mut self) -> &mut dyn Model;

    /// Returns a mutable reference to the world.
    fn world_mut(&mut self) -> WorldMut<'_>;

    /// Applies an action to the world.
    ///
    /// # Errors
    /// Returns an error if the model rejects the action, or if the action belongs to another model.
    fn apply_action(&mut self, action: &AnyAction) -> Result<(), ModelError>;

    /// Applies the values of `scene`, a changed version of the current scene, to the model. The
    /// caller must then call [`set_scene`](Self::set_scene) with the same scene.
    ///
    /// # Errors
    /// Returns an error if the model rejects a value, or if the scene is for another model.
    fn apply_settings(&mut self, scene: &dyn Any) -> Result<(), ModelError>;

    /// Replaces the scene, and updates the data that the world derives from it. The new scene may
    /// differ only in values that can be changed while the world runs. `scene` is the result of
    /// [`Scene::as_any`](crate::scene::Scene::as_any).
    ///
    /// # Errors
    /// Returns an error if the scene is for another model.
    fn set_scene(&mut self, scene: &dyn Any) -> Result<(), ModelError>;
}
