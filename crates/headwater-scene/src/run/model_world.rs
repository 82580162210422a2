//! [`ModelWorld`]: interface that a model implements so that its scenes can be run, edited and
//! drawn. Everything else is the same for every model and implemented by
//! [`WorldRun`](super::world_run::WorldRun).

#[cfg(feature = "gpu")]
use super::device_world::{DeviceQuery, DeviceQueryResult, OnDevice};
use super::parts::CheckpointParts;
use super::probe::{ProbeValue, number};
use super::summary::LedgerSummary;
use super::types::{GaugeValues, ModelError, WrittenFiles};
use crate::mesh::Part;
use crate::picture::Picture;
use crate::raster::Georeference;
use crate::scene::{SceneError, Tables};
use headwater::flow::RelaxationStatus;
use headwater::{Field, InputError, Lattice, Model, Point};
#[cfg(feature = "gpu")]
use headwater_gpu::{Gpu, GpuError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::path::Path;

/// Action of an `[[event]]` entry in the scenes of a world.
pub type ActionOf<W> = <<W as ModelWorld>::Scene as Tables>::Action;

/// Gauge of a `[[gauge]]` entry in the scenes of a world.
pub type GaugeOf<W> = <<W as ModelWorld>::Scene as Tables>::Gauge;

/// Subject of a query of a world on a GPU.
#[cfg(feature = "gpu")]
#[derive(Clone, Debug)]
pub enum QueryTarget<G> {
    /// Values of a gauge.
    Gauge(G),
    /// Samples at a point (m from the top-left corner).
    Place(Point),
}

/// World of a model's scenes. Methods that depend on the scene take its current version.
pub trait ModelWorld: Sized + Send + Sync + 'static {
    /// Type of its scenes.
    type Scene: Tables + Clone + Send + Sync + 'static;

    /// Data shared by the pictures of a run, such as colour scales; `()` for none.
    type Painter: Send + Sync;

    /// Serialized state of a checkpoint.
    type State: DeserializeOwned;

    /// True if the model supports GPUs. [`cpu_only_reason`](Self::cpu_only_reason) may restrict a
    /// particular world.
    const ON_DEVICES: bool = false;

    /// Boolean layers, which are not interpolated between cells.
    const BOOLEAN_LAYERS: &'static [&'static str] = &[];

    /// Builds the world of a scene at its start.
    ///
    /// # Errors
    /// [`SceneError`] if a file cannot be used, or the scene does not fit the grid of the file.
    fn build(scene: &Self::Scene) -> Result<Self, SceneError>;

    /// Returns the model; of several worlds, the one that is shown and written.
    fn model(&self) -> &dyn Model;

    /// Returns the model for editing.
    fn model_mut(&mut self) -> &mut dyn Model;

    /// Returns the lattice of the grid. Cells of `blocks` have width 1.
    fn lattice(&self) -> Lattice;

    /// Returns the length of the next step (s).
    fn step_length(&self) -> f64;

    /// Returns whether a world at `time` after `steps` steps, on the CPU or a device, needs no
    /// further step to reach the time `stop` (s).
    fn is_at(&self, stop: f64, time: f64, steps: u64) -> bool {
        let _ = steps;
        time >= stop
    }

    /// Does one step toward the time `stop` (s), or up to `most` if several at once are faster. The
    /// world has not yet reached `stop`.
    ///
    /// # Errors
    /// The reason of the model.
    fn step(&mut self, scene: &Self::Scene, stop: f64, most: u64) -> Result<(), InputError>;

    /// Does a step of the relaxation before the clock starts. Returns false when it is complete.
    ///
    /// # Errors
    /// The reason of the model.
    fn prepare_step(&mut self, scene: &Self::Scene) -> Result<bool, InputError> {
        let _ = scene;
        Ok(false)
    }

    /// Returns the reason why this world cannot run on a device, if any.
    fn cpu_only_reason(&self) -> Option<&'static str> {
        None
    }

    /// Creates a copy on a GPU. Only called if [`ON_DEVICES`](Self::ON_DEVICES).
    ///
    /// # Errors
    /// The reason why the GPU cannot step it.
    #[cfg(feature = "gpu")]
    fn upload(&self, gpu: &Gpu) -> Result<Box<dyn OnDevice<Self, ActionOf<Self>>>, GpuError> {
        let _ = gpu;
        Err(GpuError::Unsupported("worlds of this model are"))
    }

    /// Returns the points and lines that a GPU must sample for a query; `None` if the query needs a
    /// copy of the world.
    #[cfg(feature = "gpu")]
    fn device_query(
        &self,
        scene: &Self::Scene,
        target: &QueryTarget<GaugeOf<Self>>,
    ) -> Option<DeviceQuery> {
        let _ = (scene, target);
        None
    }

    /// Returns the values of a query, given its `places` and the GPU's `answers`.
    #[cfg(feature = "gpu")]
    fn query_values(
        &self,
        scene: &Self::Scene,
        target: &QueryTarget<GaugeOf<Self>>,
        places: &DeviceQuery,
        answers: &DeviceQueryResult,
    ) -> Vec<ProbeValue> {
        let _ = (scene, target, places, answers);
        Vec::new()
    }

    /// Returns whether the copy on a device supports an action.
    fn applies_on_device(&self, action: &ActionOf<Self>) -> bool {
        let _ = action;
        false
    }

    /// Applies the action of an event.
    ///
    /// # Errors
    /// The reason of the model. Actions of checked scenes cause none.
    fn apply_action(&mut self, action: &ActionOf<Self>) -> Result<(), InputError>;

    /// Applies the changed values of another version of the scene to the model.
    /// [`set_scene`](Self::set_scene) is called next.
    ///
    /// # Errors
    /// The reason of the model.
    fn apply_settings(&mut self, old: &Self::Scene, new: &Self::Scene) -> Result<(), ModelError>;

    /// Replaces the scene by another version, except for the values that
    /// [`apply_settings`](Self::apply_settings) has applied to the model.
    ///
    /// # Errors
    /// The reason of the model.
    fn set_scene(&mut self, old: &Self::Scene, new: &Self::Scene) -> Result<(), InputError> {
        let _ = (old, new);
        Ok(())
    }

    /// Returns whether all values of the state are finite.
    fn is_sound(&self) -> bool {
        true
    }

    /// Returns the current values of a gauge.
    fn measure_gauge(&self, scene: &Self::Scene, gauge: &GaugeOf<Self>) -> GaugeValues;

    /// Samples the world at a point (m from the top-left corner; cells in `blocks`); empty outside
    /// the grid.
    fn probe(&self, at: Point) -> Vec<ProbeValue> {
        let samples = self.model().at(at).into_iter();
        samples.map(|found| number(found.name, found.value, found.unit)).collect()
    }

    /// Creates the painter of all pictures from the current state.
    ///
    /// # Errors
    /// [`InputError`] if the world does not support the scene's style.
    fn painter(&self, scene: &Self::Scene) -> Result<Self::Painter, InputError>;

    /// Draws the world.
    fn paint(&self, scene: &Self::Scene, painter: &mut Self::Painter) -> Picture;

    /// Returns a layer by name as it is written to a file.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.model().layer(name)
    }

    /// Returns the mask of cells outside the world, if there may be any.
    fn no_data(&self) -> Option<&Field<bool>> {
        None
    }

    /// Returns the position of the world on a map, if known.
    fn georeference(&self) -> Option<&Georeference> {
        None
    }

    /// Returns triangle meshes of ground and water; empty for worlds in side view.
    fn mesh_parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// Returns the elevation of height 0 of the [meshes](Self::mesh_parts) (m).
    fn datum(&self) -> f64 {
        0.0
    }

    /// Writes output files that only this model has.
    ///
    /// # Errors
    /// A message with the file that cannot be written and the reason.
    fn write_extra_files(
        &self,
        scene: &Self::Scene,
        folder: &Path,
        written: &mut WrittenFiles,
    ) -> Result<(), String> {
        let _ = (scene, folder, written);
        Ok(())
    }

    /// Returns the state of world and painter, which is read back as a [`State`](Self::State).
    /// Large data is borrowed, so that a checkpoint needs no copy of the world.
    fn state(&self, painter: Option<&Self::Painter>) -> impl Serialize;

    /// Restores a [state](Self::State).
    ///
    /// # Errors
    /// A message on the state. Nothing is changed then.
    fn restore(
        &mut self,
        scene: &Self::Scene,
        state: Self::State,
        painter: Option<&mut Self::Painter>,
    ) -> Result<(), ModelError>;

    /// Restores a state that a distributed world of the same scene has
    /// [written](super::Executor::write_parts) into a folder.
    ///
    /// # Errors
    /// The file and its problem, or that this model has no distributed worlds.
    fn restore_parts(
        &mut self,
        folder: &Path,
        contents: &CheckpointParts,
    ) -> Result<(), ModelError> {
        let _ = (folder, contents);
        Err("is of a distributed world, which this model does not support".into())
    }

    /// Returns a hash of the state, the same on every machine.
    fn state_hash(&self) -> u64 {
        self.model().state_hash()
    }

    /// Returns the volumes added, removed and present, in the model's unit of volume.
    fn ledger(&self) -> LedgerSummary {
        LedgerSummary::from_accounts(&self.model().accounts())
    }

    /// Returns the result of the relaxation so far; `None` if the scene has none.
    fn relaxation(&self) -> Option<RelaxationStatus> {
        None
    }

    /// Returns notices for the user: assumptions that were made, and what was left out.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns named statistics of the current state, such as `lowest_ground_metres`.
    fn figures(&self, scene: &Self::Scene) -> Vec<(&'static str, Value)>;
}
