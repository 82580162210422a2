//! [`ModelWorld`]: the interface that a model implements so that its scenes can be run, edited and
//! drawn. [`ModelSimulation`](super::world_run::ModelSimulation) contains the code that is
//! independent of the model.

#[cfg(feature = "gpu")]
use super::device_world::{DeviceQuery, DeviceQueryResult, DeviceWorld};
use super::probe::{ProbeValue, numeric_value};
use crate::mesh::MeshPart;
use crate::picture::Picture;
use crate::raster::Georeference;
use crate::run::output::summary::LedgerSummary;
use crate::run::parts::CheckpointParts;
use crate::run::types::{GaugeValues, ModelError, WrittenFiles};
use crate::scene::SceneError;
use headwater::changes::Tile;
use headwater::flow::RelaxationStatus;
use headwater::{Field, InputError, Lattice, Model, Point};
#[cfg(feature = "gpu")]
use headwater_gpu::{Gpu, GpuError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::path::Path;

/// Values that a query samples from a world on a GPU.
#[cfg(feature = "gpu")]
#[derive(Clone, Debug)]
pub enum QueryTarget<G> {
    /// Current values of this gauge.
    Gauge(G),
    /// Values at a point (m from the top-left corner).
    Point(Point),
}

/// Position of a world on the map, and the cells of its grid that have data.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Placement<'a> {
    /// Mask that is true in cells outside the world, such as cells without terrain data; `None` if
    /// all cells are inside.
    pub no_data: Option<&'a Field<bool>>,
    /// Position of the world on the map; `None` if it is unknown.
    pub georeference: Option<&'a Georeference>,
    /// Elevation (m) of height 0 in the [meshes](ModelWorld::mesh_parts).
    pub datum: f64,
}

/// GPU support of a model: functions that step and query worlds of type `W` on a GPU.
#[cfg(feature = "gpu")]
pub struct DeviceSupport<W: ModelWorld> {
    /// Returns the reason why a device cannot step this world. Returns `None` if a device can.
    pub cpu_only_reason: fn(&W) -> Option<&'static str>,
    /// Creates a copy of a world on a GPU. Returns an error if the GPU does not support the world.
    pub upload: fn(&W, &Gpu) -> Result<BoxedDeviceWorld<W>, GpuError>,
    /// Returns whether an action can be applied on the device without copying the world to the
    /// host.
    pub supports_action: fn(&W, &W::Action) -> bool,
    /// Builds the device query for a gauge or a point. Returns `None` if the device cannot measure
    /// the gauge, or if the location is outside the grid.
    pub query: QueryFunction<W>,
    /// Converts the results of a query to the values of a gauge or a probe.
    pub query_values: QueryValuesFunction<W>,
}

/// Function that builds the device query for a gauge or a point.
#[cfg(feature = "gpu")]
pub type QueryFunction<W> = fn(
    &W,
    &<W as ModelWorld>::Scene,
    &QueryTarget<<W as ModelWorld>::Gauge>,
) -> Option<DeviceQuery>;

/// Function that converts the results of a query to the values of a gauge or a probe.
#[cfg(feature = "gpu")]
pub type QueryValuesFunction<W> = fn(
    &W,
    &<W as ModelWorld>::Scene,
    &QueryTarget<<W as ModelWorld>::Gauge>,
    &DeviceQuery,
    &DeviceQueryResult,
) -> Vec<ProbeValue>;

/// Copy of a world on a GPU.
#[cfg(feature = "gpu")]
pub type BoxedDeviceWorld<W> = Box<dyn DeviceWorld<W, <W as ModelWorld>::Action>>;

/// World that is built from the scenes of one model. Methods whose result depends on the scene take
/// the scene as an argument, because the values in a scene may change while the world runs.
pub trait ModelWorld: Sized + Send + Sync + 'static {
    /// Type of the model's scenes.
    type Scene: Send + Sync + 'static;

    /// Type of the actions that events apply to the world.
    type Action: Send + Sync + 'static;

    /// Type of the gauges that measure the world.
    type Gauge: Clone + Send + Sync + 'static;

    /// Type of the data that all pictures of a run share, such as colour scales; `()` if there is
    /// none.
    type Painter: Send + Sync;

    /// Type to which the state of a world in a checkpoint is deserialized.
    type State: DeserializeOwned;

    /// GPU support of the model; `None` if its worlds cannot be stepped on a GPU.
    #[cfg(feature = "gpu")]
    const DEVICE: Option<DeviceSupport<Self>> = None;

    /// Names of the boolean layers, which must not be interpolated between cells.
    const BOOLEAN_LAYERS: &'static [&'static str] = &[];

    /// Builds the initial world of a scene.
    ///
    /// # Errors
    /// Returns [`SceneError`] if a file cannot be used, or if the scene does not fit the grid
    /// that a file defines.
    fn build(scene: &Self::Scene) -> Result<Self, SceneError>;

    /// Returns the model. If the world couples several models, returns the one that is drawn and
    /// written to files.
    fn model(&self) -> &dyn Model;

    /// Returns a mutable reference to the model that [`model`](Self::model) returns.
    fn model_mut(&mut self) -> &mut dyn Model;

    /// Returns the lattice of the grid. In the model `blocks`, cells have a width of 1.
    fn lattice(&self) -> Lattice;

    /// Returns the length of the next step (s).
    fn step_length(&self) -> f64;

    /// Returns whether a world needs no further step to reach the time `stop` (s). `time` (s) and
    /// `steps` are the current time and step count of the world on the CPU or on a device.
    fn has_reached(&self, stop: f64, time: f64, steps: u64) -> bool {
        let _ = steps;
        time >= stop
    }

    /// Takes one step toward the time `stop` (s), or up to `max_steps` steps if a batch is faster.
    /// The caller must not call this if the world has already reached `stop`.
    ///
    /// # Errors
    /// Returns an error if the model fails.
    fn step(&mut self, scene: &Self::Scene, stop: f64, max_steps: u64) -> Result<(), InputError>;

    /// Takes one step of the relaxation to a steady state, which takes place before simulated time
    /// starts. Returns false when the relaxation is complete.
    ///
    /// # Errors
    /// Returns an error if the model fails.
    fn relaxation_step(&mut self, scene: &Self::Scene) -> Result<bool, InputError> {
        let _ = scene;
        Ok(false)
    }

    /// Applies the action of an event to the world.
    ///
    /// # Errors
    /// Returns an error if the model rejects the action.
    fn apply_action(&mut self, action: &Self::Action) -> Result<(), InputError>;

    /// Applies the values of the scene that differ between `old` and `new` to the model. The caller
    /// must then call [`set_scene`](Self::set_scene).
    ///
    /// # Errors
    /// Returns an error if the model rejects a value.
    fn apply_settings(&mut self, old: &Self::Scene, new: &Self::Scene) -> Result<(), ModelError>;

    /// Updates the data that the world derives from the scene when the scene changes from `old` to
    /// `new`. The model's parameters are not updated here: [`apply_settings`](Self::apply_settings)
    /// does this.
    ///
    /// # Errors
    /// Returns an error if the model rejects a value.
    fn set_scene(&mut self, old: &Self::Scene, new: &Self::Scene) -> Result<(), InputError> {
        let _ = (old, new);
        Ok(())
    }

    /// Returns whether all values of the state are finite.
    fn has_finite_state(&self) -> bool {
        true
    }

    /// Returns the current values of a gauge.
    fn measure_gauge(&self, scene: &Self::Scene, gauge: &Self::Gauge) -> GaugeValues;

    /// Returns the quantities at a point (m from the top-left corner; in the model `blocks`,
    /// cells). Returns an empty list if the point is outside the grid.
    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let samples = self.model().sample_at(at).into_iter();
        samples.map(|found| numeric_value(found.name, found.value, found.unit)).collect()
    }

    /// Creates the painter that draws all pictures of a run. The current state of the world
    /// determines the colour scales.
    ///
    /// # Errors
    /// Returns [`InputError`] if the world does not support the picture style of the scene.
    fn create_painter(&self, scene: &Self::Scene) -> Result<Self::Painter, InputError>;

    /// Draws the world in its current state.
    fn draw_picture(&self, scene: &Self::Scene, painter: &mut Self::Painter) -> Picture;

    /// Returns the values of a layer in the form in which files contain them; `None` if there is no
    /// layer with the given name.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.model().layer(name)
    }

    /// Writes the values of [`layer`](Self::layer) in the cells of `tiles` to `into`, a row-major
    /// array of all cells.
    ///
    /// # Errors
    /// Returns [`InputError`] if the layer is unknown, or if the array has another length.
    fn read_layer(&self, name: &str, tiles: &[Tile], into: &mut [f32]) -> Result<(), InputError> {
        self.model().read_layer(name, tiles, into)
    }

    /// Writes the values of a layer at many points to `into`. Heights have the same datum as in the
    /// scene.
    ///
    /// # Errors
    /// Returns [`InputError`] if the layer is unknown or not supported, or if `points` and `into`
    /// differ in length.
    fn sample_many(
        &self,
        name: &str,
        points: &[Point],
        into: &mut [f32],
    ) -> Result<(), InputError> {
        self.model().sample_many(name, points, into)
    }

    /// Returns the position of the world on the map and the mask of cells without data.
    fn placement(&self) -> Placement<'_> {
        Placement::default()
    }

    /// Returns triangle meshes of the ground and the water. Returns an empty list for worlds that
    /// are drawn as a vertical section.
    fn mesh_parts(&self) -> Vec<MeshPart> {
        Vec::new()
    }

    /// Writes output files that are specific to this model, and adds their paths to `written`.
    ///
    /// # Errors
    /// Returns a message with the file that cannot be written and the reason.
    fn write_extra_files(
        &self,
        scene: &Self::Scene,
        folder: &Path,
        written: &mut WrittenFiles,
    ) -> Result<(), String> {
        let _ = (scene, folder, written);
        Ok(())
    }

    /// Returns the serializable state of the world and of `painter`. When deserialized, it has the
    /// type [`State`](Self::State). Large data is borrowed, so that a checkpoint needs no copy of
    /// the world.
    fn state(&self, painter: Option<&Self::Painter>) -> impl Serialize;

    /// Restores a state that [`state`](Self::state) returned.
    ///
    /// # Errors
    /// Returns a message if the state does not fit the scene. The world is unchanged in this case.
    fn restore(
        &mut self,
        scene: &Self::Scene,
        state: Self::State,
        painter: Option<&mut Self::Painter>,
    ) -> Result<(), ModelError>;

    /// Restores the state of a distributed world of the same scene from the files in `folder` that
    /// [`write_parts`](super::Executor::write_parts) wrote.
    ///
    /// # Errors
    /// Returns a message if a file cannot be used, or if this model has no distributed worlds.
    fn restore_parts(
        &mut self,
        folder: &Path,
        contents: &CheckpointParts,
    ) -> Result<(), ModelError> {
        let _ = (folder, contents);
        Err("is of a distributed world, which this model does not support".into())
    }

    /// Returns a hash of the state. Equal states have equal hashes on every machine.
    fn state_hash(&self) -> u64 {
        self.model().state_hash()
    }

    /// Returns the volumes of water added, removed and present (m³, or cells in the model
    /// `blocks`).
    fn ledger(&self, scene: &Self::Scene) -> LedgerSummary {
        let _ = scene;
        LedgerSummary::from_substance_balances(&self.model().substance_balances())
    }

    /// Returns the status of the relaxation to a steady state, in progress or complete; `None` if
    /// the scene requests no relaxation.
    fn relaxation(&self) -> Option<RelaxationStatus> {
        None
    }

    /// Returns messages for the user about assumptions of the model and about scene content that
    /// the model omits.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns statistics of the current state. Each has a name, such as `lowest_ground_metres`.
    fn statistics(&self, scene: &Self::Scene) -> Vec<(&'static str, Value)>;
}
