//! [`ModelWorld`]: what a model's world has to give so that its scenes run, live and are painted. All else of a run is the
//! same for every model, and is done by [`WorldRun`](super::world_run::WorldRun).

#[cfg(feature = "gpu")]
use super::on_device::{Answers, Inquiry, OnDevice};
use super::outcome::{Measured, ModelError, Written};
use super::parts::Kept;
use super::probe::{Probed, number};
use super::summary::LedgerSummary;
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

/// What an entry of `[[event]]` does in the scenes of a world.
pub type ActionOf<W> = <<W as ModelWorld>::Scene as Tables>::Action;

/// An entry of `[[gauge]]` in the scenes of a world.
pub type GaugeOf<W> = <<W as ModelWorld>::Scene as Tables>::Gauge;

/// Who asks a world on a GPU.
#[cfg(feature = "gpu")]
#[derive(Clone, Debug)]
pub enum Asker<G> {
    /// A gauge.
    Gauge(G),
    /// Somebody who wants to know what is at a place.
    Place(Point),
}

/// The world of a model's scenes. What depends on the scene is handed the version that the world follows now.
pub trait ModelWorld: Sized + Send + Sync + 'static {
    /// Its scenes.
    type Scene: Tables + Clone + Send + Sync + 'static;

    /// What the pictures of a run have in common, from the first one on: scales and what does not change. `()` for nothing.
    type Painter: Send + Sync;

    /// What it needs to go on, as it is read from a checkpoint.
    type State: DeserializeOwned;

    /// Whether it can be stepped on devices, if nothing in it is against it.
    const ON_DEVICES: bool = false;

    /// Layers that say yes or no, and so have nothing between two cells.
    const MARKS: &'static [&'static str] = &[];

    /// The world as it is at the start of a scene.
    ///
    /// # Errors
    /// [`SceneError`] if a file cannot be used, or something does not fit the grid that came from it.
    fn build(scene: &Self::Scene) -> Result<Self, SceneError>;

    /// The model; of several, the one that single figures and layers are of.
    fn model(&self) -> &dyn Model;

    /// The same, to be changed.
    fn model_mut(&mut self) -> &mut dyn Model;

    /// Where its cells are; those of blocks are 1 wide.
    fn lattice(&self) -> Lattice;

    /// How long a step is now (s).
    fn step_length(&self) -> f64;

    /// True if no step is left on the way to the time `stop` (s) for a world that has come to `time` in so many `steps`,
    /// here or on a device.
    fn is_at(&self, stop: f64, time: f64, steps: u64) -> bool {
        let _ = steps;
        time >= stop
    }

    /// Does a step on the way to the time `stop` (s), where it is not yet, or a few, at most `most`, if they go faster
    /// together.
    ///
    /// # Errors
    /// The model's reason to refuse.
    fn step(&mut self, scene: &Self::Scene, stop: f64, most: u64) -> Result<(), InputError>;

    /// Does a step of what comes before the clock starts; false if there is nothing left of it.
    ///
    /// # Errors
    /// The model's reason to refuse.
    fn prepare_step(&mut self, scene: &Self::Scene) -> Result<bool, InputError> {
        let _ = scene;
        Ok(false)
    }

    /// Why this world can be stepped here alone, if so.
    fn host_only(&self) -> Option<&'static str> {
        None
    }

    /// A copy of it on a GPU, for models that can be stepped there.
    ///
    /// # Errors
    /// Why it cannot be stepped there.
    #[cfg(feature = "gpu")]
    fn upload(&self, gpu: &Gpu) -> Result<Box<dyn OnDevice<Self, ActionOf<Self>>>, GpuError> {
        let _ = gpu;
        Err(GpuError::NotDone("worlds of this model are"))
    }

    /// What a GPU is asked for in place of bringing this world back from it: by a gauge, or by somebody who wants to know what is at a
    /// place. `None` if that does not do.
    #[cfg(feature = "gpu")]
    fn inquiry(&self, scene: &Self::Scene, who: &Asker<GaugeOf<Self>>) -> Option<Inquiry> {
        let _ = (scene, who);
        None
    }

    /// What a gauge has measured then, or what is at the place.
    #[cfg(feature = "gpu")]
    fn told(
        &self,
        scene: &Self::Scene,
        who: &Asker<GaugeOf<Self>>,
        places: &Inquiry,
        answers: &Answers,
    ) -> Vec<Probed> {
        let _ = (scene, who, places, answers);
        Vec::new()
    }

    /// Whether its copy on a device can have done to it what an event says.
    fn acts_on_device(&self, action: &ActionOf<Self>) -> bool {
        let _ = action;
        false
    }

    /// Does what an event says.
    ///
    /// # Errors
    /// The model's reason to refuse, which no checked scene gives it.
    fn act(&mut self, action: &ActionOf<Self>) -> Result<(), InputError>;

    /// Takes on the values of another version of its scene, before [`follow`](Self::follow).
    ///
    /// # Errors
    /// The model's reason to refuse.
    fn tune(&mut self, old: &Self::Scene, new: &Self::Scene) -> Result<(), ModelError>;

    /// Follows another version of its scene from now on, in what it does not [take on](Self::tune) as the model's own.
    ///
    /// # Errors
    /// The model's reason to refuse.
    fn follow(&mut self, old: &Self::Scene, new: &Self::Scene) -> Result<(), InputError> {
        let _ = (old, new);
        Ok(())
    }

    /// True as long as the state is numbers.
    fn is_sound(&self) -> bool {
        true
    }

    /// What a gauge measures now.
    fn measure(&self, scene: &Self::Scene, gauge: &GaugeOf<Self>) -> Measured;

    /// What is at a place (m from the top-left corner; of blocks, cells). Nothing off the grid.
    fn probe(&self, at: Point) -> Vec<Probed> {
        let samples = self.model().at(at).into_iter();
        samples.map(|found| number(found.name, found.value, found.unit)).collect()
    }

    /// Fixes from the world as it is what all pictures have in common.
    ///
    /// # Errors
    /// [`InputError`] if the scene's style does not suit the world.
    fn painter(&self, scene: &Self::Scene) -> Result<Self::Painter, InputError>;

    /// Draws it.
    fn paint(&self, scene: &Self::Scene, painter: &mut Self::Painter) -> Picture;

    /// A layer as it is written, by name.
    fn layer(&self, name: &str) -> Option<Cow<'_, Field<f32>>> {
        self.model().layer(name)
    }

    /// The cells that are no part of the world, where there can be any.
    fn no_data(&self) -> Option<&Field<bool>> {
        None
    }

    /// Where the world lies on a map, if it is known.
    fn georeference(&self) -> Option<&Georeference> {
        None
    }

    /// Ground and water as triangles; of worlds in side view, nothing.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// How high 0 of the [parts](Self::parts) lies (m).
    fn datum(&self) -> f64 {
        0.0
    }

    /// Writes what scenes of this model alone can ask for.
    ///
    /// # Errors
    /// Says in words which file cannot be written, and why.
    fn write_more(
        &self,
        scene: &Self::Scene,
        folder: &Path,
        written: &mut Written,
    ) -> Result<(), String> {
        let _ = (scene, folder, written);
        Ok(())
    }

    /// What it needs to go on, and its pictures with it: what is written so is read again as a [`State`](Self::State). It borrows
    /// what is large, for a checkpoint is not to take as much memory as the world.
    fn state(&self, painter: Option<&Self::Painter>) -> impl Serialize;

    /// Goes on from a [state](Self::State).
    ///
    /// # Errors
    /// Says what is wrong with the state; then nothing is changed.
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
    fn restore_parts(&mut self, folder: &Path, kept: &Kept) -> Result<(), ModelError> {
        let _ = (folder, kept);
        Err("is of a distributed world, which this model does not support".into())
    }

    /// A hash of the state: the same for the same scene on every machine.
    fn state_hash(&self) -> u64 {
        self.model().state_hash()
    }

    /// What came, went and is there, in the model's unit of volume.
    fn ledger(&self) -> LedgerSummary {
        LedgerSummary::of_accounts(&self.model().accounts())
    }

    /// What came of settling, as far as it has come; `None` if the scene does not ask for it.
    fn settling(&self) -> Option<RelaxationStatus> {
        None
    }

    /// What was decided for lack of better knowledge, or fell short, in words for whoever runs the scene.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Figures of the world as it is, each with its name, such as `lowest_ground_metres`.
    fn figures(&self, scene: &Self::Scene) -> Vec<(&'static str, Value)>;
}
