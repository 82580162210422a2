//! [`Scene`] is a checked scene of any model. [`ModelScene`] is the interface that a model
//! implements for its scenes.

use super::action::AnyAction;
use super::clock::Clock;
use super::gauge_edit::GaugeTask;
use super::layer::HasLayers;
use super::parameter::{self, Parameter};
use super::problem::{Problems, SceneError};
use super::read;
use super::read::origin::Origin;
use super::setting::{SceneInterface, SceneTables};
use super::tool::Tool;
use crate::run::{Executor, Input, ModelSimulation, ModelWorld, RankWorld, Ranks, Simulation};
use headwater::Lattice;
use headwater::parameter::{Mutability, Setting as ModelSetting};
use headwater_io::Files;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use toml::Table;

/// Type of the scenes of one model. It describes the model, creates its worlds, and lists its
/// parameters and its tools for interactive edits.
pub trait ModelScene:
    SceneTables + HasLayers + JsonSchema + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static
{
    /// Type of the worlds that are built from scenes of this type.
    type World: ModelWorld<Scene = Self>;

    /// Name of the model, which is the value of the key `model` in its scenes.
    const MODEL: &'static str;

    /// Title of the model in user interfaces.
    const TITLE: &'static str;

    /// Short description of the model for the user.
    const ABOUT: &'static str;

    /// Tools with which users edit the model's worlds interactively.
    const TOOLS: &'static [Tool];

    /// Returns the parameters of the model with their values in this scene and their keys.
    fn settings(&self) -> Vec<ModelSetting> {
        Vec::new()
    }

    /// Returns those values of the scene that can be changed while the world runs.
    fn parameters(&self) -> Vec<Parameter> {
        parameter::parameters_from_settings(self.settings())
    }

    /// Creates the world of the scene with a limit on memory use. At most `memory` bytes of the
    /// world are in memory at a time. The rest is stored in the folder `scratch`, which is created
    /// with the world and removed with it.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the scene uses a feature that is not supported with a memory
    /// limit, or if a file cannot be used.
    fn build_with_memory_limit(
        &self,
        memory: usize,
        scratch: &Path,
    ) -> Result<Box<dyn Executor>, SceneError> {
        let _ = (memory, scratch);
        Err(self.not_distributed_error())
    }

    /// Creates the world of the scene, distributed over several processes. This is called only in
    /// the first process. All processes must read the same input files, whose hashes are in
    /// `inputs`.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the scene uses a feature that distributed worlds do not support,
    /// or if a file cannot be used.
    fn build_distributed(
        &self,
        ranks: &Ranks,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        let _ = (ranks, inputs);
        Err(self.not_distributed_error())
    }

    /// Creates those rows of a distributed world that this process owns. This is called in all
    /// processes except the first. Returns `None` if there are too few rows for this process to own
    /// any.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the scene uses a feature that distributed worlds do not support,
    /// or if a file cannot be used.
    fn build_rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        let _ = ranks;
        Err(self.not_distributed_error())
    }

    /// Checks that GPUs support all features that the scene uses.
    ///
    /// # Errors
    /// Returns [`SceneError`] with the keys of features that GPUs do not support.
    #[cfg(feature = "gpu")]
    fn check_gpu(&self) -> Result<(), SceneError> {
        Ok(())
    }

    /// Creates an error that says that worlds of this model can be neither distributed nor limited
    /// in memory use.
    fn not_distributed_error(&self) -> SceneError {
        let message = "does not support --memory or MPI ranks; only the model `flow` does";
        self.error("model", format!("the model `{}` {message}", Self::MODEL))
    }

    /// Returns two lists of key prefixes. A value can be changed while the world runs if its key
    /// starts with a prefix in the first list, but with none in the second list. In addition, the
    /// parameters among [`settings`](Self::settings) that are marked as changeable can be changed.
    fn live_keys() -> (&'static [&'static str], &'static [&'static str]) {
        (&[], &[])
    }
}

/// Key path of an action in error messages if the action is not part of a scene.
const EVENT: &str = "event[0]";

/// Object-safe part of [`ModelScene`]. [`Scene`] contains a trait object of this trait.
pub(crate) trait AnyScene: SceneInterface + Any + Send + Sync {
    fn model(&self) -> &'static str;
    fn seed(&self) -> u32;
    fn tools(&self) -> &'static [Tool];
    fn named_files(&self) -> Vec<(Cow<'static, str>, PathBuf)>;
    fn build_world(&self) -> Result<Box<dyn Simulation>, SceneError>;
    fn build_with_memory_limit(
        &self,
        memory: usize,
        scratch: &Path,
    ) -> Result<Box<dyn Executor>, SceneError>;
    fn build_distributed(
        &self,
        ranks: &Ranks,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError>;
    fn build_rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError>;
    #[cfg(feature = "gpu")]
    fn check_gpu(&self) -> Result<(), SceneError>;
    fn settings(&self) -> Vec<ModelSetting>;
    fn parameters(&self) -> Vec<Parameter>;
    fn live_keys(&self) -> (&'static [&'static str], &'static [&'static str]);
    fn check_against(&self, lattice: &Lattice) -> Result<(), SceneError>;
    fn read_action(&self, table: Table, origin: &Origin) -> Result<AnyAction, SceneError>;
    fn action_problems(&self, action: &AnyAction, lattice: &Lattice) -> Option<Problems>;
    fn equals(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<S: ModelScene> AnyScene for S {
    fn model(&self) -> &'static str {
        S::MODEL
    }

    fn seed(&self) -> u32 {
        self.common_tables().seed
    }

    fn tools(&self) -> &'static [Tool] {
        S::TOOLS
    }

    fn named_files(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        let mut copy = self.clone();
        let own = copy.files_mut().into_iter().map(|(key, path)| (key, path.clone()));
        let inlined_files = self.origin().inlined_files.iter();
        own.chain(inlined_files.map(|(key, path)| (key.clone().into(), path.clone()))).collect()
    }

    fn build_world(&self) -> Result<Box<dyn Simulation>, SceneError> {
        Ok(Box::new(ModelSimulation::<S::World>::new(self)?))
    }

    fn build_with_memory_limit(
        &self,
        memory: usize,
        scratch: &Path,
    ) -> Result<Box<dyn Executor>, SceneError> {
        ModelScene::build_with_memory_limit(self, memory, scratch)
    }

    fn build_distributed(
        &self,
        ranks: &Ranks,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        ModelScene::build_distributed(self, ranks, inputs)
    }

    fn build_rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        ModelScene::build_rank_world(self, ranks)
    }

    #[cfg(feature = "gpu")]
    fn check_gpu(&self) -> Result<(), SceneError> {
        ModelScene::check_gpu(self)
    }

    fn settings(&self) -> Vec<ModelSetting> {
        ModelScene::settings(self)
    }

    fn parameters(&self) -> Vec<Parameter> {
        ModelScene::parameters(self)
    }

    fn live_keys(&self) -> (&'static [&'static str], &'static [&'static str]) {
        S::live_keys()
    }

    fn check_against(&self, lattice: &Lattice) -> Result<(), SceneError> {
        self.check_fits_lattice(lattice)
    }

    fn read_action(&self, table: Table, origin: &Origin) -> Result<AnyAction, SceneError> {
        read::read_action(self, table, origin).map(AnyAction::new)
    }

    fn action_problems(&self, action: &AnyAction, lattice: &Lattice) -> Option<Problems> {
        Some(SceneTables::action_problems(self, EVENT, action.get()?, lattice))
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<S>().is_some_and(|other| self == other)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Checked scene of any model. Cheap to clone.
#[derive(Clone)]
pub struct Scene(Arc<dyn AnyScene>);

impl fmt::Debug for Scene {
    /// Prints only the model and the title. Code that prints all values of every model would
    /// enlarge the web build.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene").field("model", &self.model()).field("title", &self.title()).finish()
    }
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.0.as_any())
    }
}

impl Scene {
    /// Creates a scene from a scene of a particular model, which must have been checked.
    pub(crate) fn new(scene: impl ModelScene) -> Self {
        Self(Arc::new(scene))
    }

    /// Returns the scene as the type `S`, as in `scene.get::<FlowScene>()`. Returns `None` if the
    /// scene belongs to another model and thus has another type.
    pub fn get<S: ModelScene>(&self) -> Option<&S> {
        self.0.as_any().downcast_ref()
    }

    /// Returns the scene as `Any`, from which it can be downcast to the scene type of its model.
    pub fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }

    /// Returns the name of the scene's model.
    pub fn model(&self) -> &'static str {
        self.0.model()
    }

    /// Returns the seed of the scene's random numbers.
    pub fn seed(&self) -> u32 {
        self.0.seed()
    }

    /// Returns the title of the scene, which may be empty.
    pub fn title(&self) -> &str {
        self.0.title()
    }

    /// Returns the description of the scene, which may be empty.
    pub fn description(&self) -> &str {
        self.0.description()
    }

    /// Returns the unit of time of the scene's model.
    pub fn clock(&self) -> &'static Clock {
        self.0.clock()
    }

    /// Returns the end time of the scene (s; in the model `hydrology`, drops per cell).
    pub fn until(&self) -> f64 {
        self.0.time().until
    }

    /// Returns the number of the scene's events.
    pub fn event_count(&self) -> usize {
        self.0.events().len()
    }

    /// Returns the number of gauges that exist at the start of the run.
    pub fn gauge_count(&self) -> usize {
        self.0.gauges().len()
    }

    /// Returns the names of all gauges, including those that events add or change.
    pub(crate) fn all_gauge_names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.0.gauges().iter().map(|one| one.name.to_owned()).collect();
        names.extend(self.0.gauge_tasks().into_iter().filter_map(|(_, task)| match task {
            GaugeTask::Add(form) | GaugeTask::Change(form) => Some(form.name),
            GaugeTask::Remove(_) => None,
        }));
        names
    }

    /// Returns a hash of the scene's values, including overrides. The hash does not depend on
    /// comments, on the order of keys, on `title`, `description` and `output.checkpoint_every`, or
    /// on the contents of files.
    pub fn fingerprint(&self) -> u64 {
        self.0.origin().fingerprint()
    }

    /// Creates an error about the value at a key path such as `source[0].rate`. It is used for
    /// problems that are found after the scene was read. The error contains the line of the value
    /// in the scene file, or the override that has set the value.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.0.origin().locate_problems(vec![(key.to_owned(), message.into())])
    }

    /// Returns the source from which the scene's files are read.
    pub fn file_source(&self) -> &Files {
        &self.0.origin().files
    }

    /// Returns the paths of all files that the scene refers to, each with its key.
    pub(crate) fn named_files(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        self.0.named_files()
    }

    /// Returns the paths of those files that are read from disk when the world is built, each with
    /// its key.
    pub fn files(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        let mut files = self.named_files();
        files.retain(|(_, path)| !self.file_source().is_in_memory(path));
        files
    }

    /// Returns those values of the scene that can be changed while the world runs.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.0.parameters()
    }

    /// Returns the tools for interactive edits that the scene's model supports.
    pub fn tools(&self) -> &'static [Tool] {
        self.0.tools()
    }

    /// Checks that all positions and areas of the scene are on the lattice. This is needed if the
    /// size of the grid comes from a terrain file.
    ///
    /// # Errors
    /// Returns [`SceneError`] with all positions and areas that are outside the grid.
    pub(crate) fn check_fits_lattice(&self, lattice: &Lattice) -> Result<(), SceneError> {
        self.0.check_against(lattice)
    }

    /// Deserializes an action from an entry of the scene's list `event`. `table` contains a list
    /// `event` with this entry only.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the entry has unknown or missing keys, values of wrong types or
    /// invalid times.
    pub(crate) fn read_action(
        &self,
        table: Table,
        origin: &Origin,
    ) -> Result<AnyAction, SceneError> {
        self.0.read_action(table, origin)
    }

    /// Returns all problems with the values and the location of an action.
    pub(crate) fn action_problems(&self, action: &AnyAction, lattice: &Lattice) -> Problems {
        let other_model = || vec![(EVENT.to_owned(), "belongs to another model".to_owned())];
        self.0.action_problems(action, lattice).unwrap_or_else(other_model)
    }

    /// Returns whether the value of this key can be changed while the world runs.
    pub(crate) fn is_live_key(&self, key: &str) -> bool {
        let (tables, fixed) = self.0.live_keys();
        let starts = |whole: &&str| {
            key.strip_prefix(*whole)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let always_live = ["title", "description", "picture"];
        let is_table = |of: &str| of.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let settings = self.0.settings();
        let mut live = settings.iter().filter(|setting| setting.mutability == Mutability::Live);
        live.any(|setting| setting.key == key || is_table(&setting.key))
            || always_live.iter().any(starts)
            || tables.iter().any(starts) && !fixed.iter().any(starts)
    }

    pub(crate) fn setting(&self) -> &dyn SceneInterface {
        &*self.0
    }

    pub(crate) fn build_world(&self) -> Result<Box<dyn Simulation>, SceneError> {
        self.0.build_world()
    }

    pub(crate) fn build_with_memory_limit(
        &self,
        memory: usize,
        scratch: &Path,
    ) -> Result<Box<dyn Executor>, SceneError> {
        self.0.build_with_memory_limit(memory, scratch)
    }

    pub(crate) fn build_distributed(
        &self,
        ranks: &Ranks,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        self.0.build_distributed(ranks, inputs)
    }

    pub(crate) fn build_rank_world(
        &self,
        ranks: &Ranks,
    ) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        self.0.build_rank_world(ranks)
    }

    /// Checks that GPUs support all features that the scene uses.
    ///
    /// # Errors
    /// Returns [`SceneError`] with the keys of features that GPUs do not support.
    #[cfg(feature = "gpu")]
    pub(crate) fn check_gpu(&self) -> Result<(), SceneError> {
        self.0.check_gpu()
    }
}
