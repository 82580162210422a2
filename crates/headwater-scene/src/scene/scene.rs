//! [`Scene`]: a checked scene of any model.

use super::clock::Clock;
use super::event::AnyAction;
use super::event::gauge_edit::GaugeTask;
use super::event::tool::Tool;
use super::output::{GaugeInfo, RecordingSettings, Time, Times};
use super::parameter::Parameter;
use super::problem::{Problems, SceneError};
use super::read;
use super::read::origin::Origin;
use super::scene_model::{self, SceneModel};
use crate::run::{Executor, Input, MemoryLimit, ModelSimulation, RankWorld, Ranks, Simulation};
use headwater::Lattice;
use headwater::parameter::{Mutability, Setting};
use headwater_io::Files;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use toml::Table;

/// Key path of an action in error messages if the action is not part of a scene.
const ACTION_KEY_PATH: &str = "event[0]";

/// Tables and keys of a scene that do not depend on its model.
struct ModelIndependentTables<'a> {
    title: &'a str,
    description: &'a str,
    seed: u32,
    time: Time,
    origin: &'a Origin,
}

/// Object-safe part of [`SceneModel`]. [`Scene`] contains a trait object of this trait. For the
/// meaning of the methods, see [`SceneModel`] and [`Scene`].
trait AnyScene: Any + Send + Sync {
    fn model(&self) -> &'static str;
    fn clock(&self) -> &'static Clock;
    fn tools(&self) -> &'static [Tool];
    fn runtime_settable_keys(&self) -> [&'static [&'static str]; 2];
    fn tables(&self) -> ModelIndependentTables<'_>;
    fn recording_settings(&self) -> RecordingSettings;
    fn events(&self) -> Vec<Times>;
    fn gauges(&self) -> Vec<GaugeInfo<'_>>;
    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)>;
    fn named_files(&self) -> Vec<(Cow<'static, str>, PathBuf)>;
    fn settings(&self) -> Vec<Setting>;
    fn parameters(&self) -> Vec<Parameter>;
    fn lattice_problems(&self, lattice: &Lattice) -> Problems;
    fn read_action(&self, table: Table, origin: &Origin) -> Result<AnyAction, SceneError>;
    fn action_problems(&self, action: &AnyAction, lattice: &Lattice) -> Option<Problems>;
    #[cfg(feature = "gpu")]
    fn check_gpu_support(&self) -> Result<(), SceneError>;
    fn build_world(&self) -> Result<Box<dyn Simulation>, SceneError>;
    fn build_partitioned_world(
        &self,
        ranks: &Ranks,
        limit: Option<&MemoryLimit>,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError>;
    fn build_rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError>;
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<S: SceneModel> AnyScene for S {
    fn model(&self) -> &'static str {
        S::MODEL
    }

    fn clock(&self) -> &'static Clock {
        S::CLOCK
    }

    fn tools(&self) -> &'static [Tool] {
        S::TOOLS
    }

    fn runtime_settable_keys(&self) -> [&'static [&'static str]; 2] {
        [S::LIVE_KEYS, S::FIXED_KEYS]
    }

    fn tables(&self) -> ModelIndependentTables<'_> {
        let common = self.common_tables();
        let (title, description, seed) = (common.title, common.description, common.seed);
        ModelIndependentTables {
            title,
            description,
            seed,
            time: common.time,
            origin: common.origin,
        }
    }

    fn recording_settings(&self) -> RecordingSettings {
        let common = self.common_tables();
        common.output.recording_settings(&common.time)
    }

    fn events(&self) -> Vec<Times> {
        self.common_tables().events.iter().map(|event| event.times).collect()
    }

    fn gauges(&self) -> Vec<GaugeInfo<'_>> {
        let common = self.common_tables();
        let gauges = common.gauges.iter();
        gauges.map(|gauge| scene_model::gauge_info(gauge, common.time)).collect()
    }

    fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)> {
        scene_model::gauge_tasks(self)
    }

    fn named_files(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        let mut copy = self.clone();
        let own = copy.files_mut().into_iter().map(|(key, path)| (key, path.clone()));
        let inlined_files = self.common_tables().origin.inlined_files.iter();
        own.chain(inlined_files.map(|(key, path)| (key.clone().into(), path.clone()))).collect()
    }

    fn settings(&self) -> Vec<Setting> {
        SceneModel::settings(self)
    }

    fn parameters(&self) -> Vec<Parameter> {
        SceneModel::parameters(self)
    }

    fn lattice_problems(&self, lattice: &Lattice) -> Problems {
        scene_model::lattice_problems(self, lattice)
    }

    fn read_action(&self, table: Table, origin: &Origin) -> Result<AnyAction, SceneError> {
        read::read_action(self, table, origin).map(AnyAction::new)
    }

    fn action_problems(&self, action: &AnyAction, lattice: &Lattice) -> Option<Problems> {
        Some(scene_model::action_problems(self, ACTION_KEY_PATH, action.get()?, lattice))
    }

    #[cfg(feature = "gpu")]
    fn check_gpu_support(&self) -> Result<(), SceneError> {
        SceneModel::check_gpu_support(self)
    }

    fn build_world(&self) -> Result<Box<dyn Simulation>, SceneError> {
        Ok(Box::new(ModelSimulation::<S>::new(self)?))
    }

    fn build_partitioned_world(
        &self,
        ranks: &Ranks,
        limit: Option<&MemoryLimit>,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        SceneModel::build_partitioned_world(self, ranks, limit, inputs)
    }

    fn build_rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        SceneModel::build_rank_world(self, ranks)
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<S>().is_some_and(|other| self == other)
    }
}

/// Checked scene of any model. Cheap to clone.
#[derive(Clone)]
pub struct Scene(Arc<dyn AnyScene>);

impl fmt::Debug for Scene {
    /// Formats only the model and the title. Code that prints all values of every model would
    /// enlarge the web build.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene").field("model", &self.model()).field("title", &self.title()).finish()
    }
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other.as_any())
    }
}

/// Replaces the indices of list entries in a key path by `[]`, as in `source[].rate`.
fn without_indices(key: &str) -> String {
    let mut parts = key.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, part| match part.split_once(']') {
        Some((_, rest)) => path + "[]" + rest,
        None => path + "[" + part,
    })
}

impl Scene {
    /// Creates a scene from the checked scene of a particular model.
    pub(crate) fn new(scene: impl SceneModel) -> Self {
        Self(Arc::new(scene))
    }

    /// Returns the scene as the type `S`, as in `scene.get::<FlowScene>()`. Returns `None` if the
    /// scene belongs to another model and thus has another type.
    pub fn get<S: SceneModel>(&self) -> Option<&S> {
        self.as_any().downcast_ref()
    }

    /// Returns the scene as a [`dyn Any`](Any), which can be downcast to the scene type of its
    /// model.
    pub fn as_any(&self) -> &dyn Any {
        &*self.0
    }

    /// Returns the name of the scene's model.
    pub fn model(&self) -> &'static str {
        self.0.model()
    }

    /// Returns the seed of the scene's random number generators.
    pub fn seed(&self) -> u32 {
        self.0.tables().seed
    }

    /// Returns the title of the scene, which may be empty.
    pub fn title(&self) -> &str {
        self.0.tables().title
    }

    /// Returns the description of the scene, which may be empty.
    pub fn description(&self) -> &str {
        self.0.tables().description
    }

    /// Returns the unit of time of the scene's model.
    pub fn clock(&self) -> &'static Clock {
        self.0.clock()
    }

    /// Returns the end time of the scene (s; in the model `hydrology`, drops per cell).
    pub fn until(&self) -> f64 {
        self.0.tables().time.until
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
        self.0.tables().origin.fingerprint()
    }

    /// Creates an error about the value at a key path such as `source[0].rate`. Use this function
    /// for problems that are found after the scene was read. The error contains the line of the
    /// value in the scene file, or the override that has set the value.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.0.tables().origin.locate_problems(vec![(key.to_owned(), message.into())])
    }

    /// Returns the source from which the scene's files are read.
    pub fn file_source(&self) -> &Files {
        &self.0.tables().origin.files
    }

    /// Returns the paths of all files that the scene refers to, each with its key.
    pub(crate) fn named_files(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        self.0.named_files()
    }

    /// Returns the paths of the files that are read from disk when the world is built, each with
    /// its key.
    pub fn files(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        let mut files = self.named_files();
        files.retain(|(_, path)| !self.file_source().is_in_memory(path));
        files
    }

    /// Returns the values of the scene that can be changed while the world runs.
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
        let problems = self.0.lattice_problems(lattice);
        if problems.is_empty() { Ok(()) } else { Err(self.origin().locate_problems(problems)) }
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

    /// Returns all problems with an action: invalid values, and positions or areas off the lattice.
    pub(crate) fn action_problems(&self, action: &AnyAction, lattice: &Lattice) -> Problems {
        let other_model =
            || vec![(ACTION_KEY_PATH.to_owned(), "belongs to another model".to_owned())];
        self.0.action_problems(action, lattice).unwrap_or_else(other_model)
    }

    /// Returns whether the value of this key can be changed while the world runs.
    pub(crate) fn is_live_key(&self, key: &str) -> bool {
        let [tables, fixed] = self.0.runtime_settable_keys();
        let key = &without_indices(key);
        let starts = |whole: &&str| {
            key.strip_prefix(*whole)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let always_live = ["title", "description", "picture"];
        let is_table = |of: &str| of.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let settings = self.0.settings();
        let mut live = settings.iter().filter(|setting| setting.mutability == Mutability::Live);
        live.any(|setting| setting.key == *key || is_table(&setting.key))
            || always_live.iter().any(starts)
            || tables.iter().any(starts) && !fixed.iter().any(starts)
    }

    /// Returns the TOML source and the overrides from which the scene was read.
    pub(crate) fn origin(&self) -> &Origin {
        self.0.tables().origin
    }

    /// Returns the times of all events, in the order in which the scene lists them.
    pub(crate) fn events(&self) -> Vec<Times> {
        self.0.events()
    }

    /// Returns the index and the time of each event that lies after the scene's end time. If the
    /// end time was overridden, the list is empty, because the run may omit these events
    /// intentionally.
    pub(crate) fn events_after_end(&self) -> Vec<(usize, f64)> {
        if self.origin().is_overridden("time.until") {
            return Vec::new();
        }
        let events = self.events().into_iter().enumerate();
        let late = events.filter(|(_, times)| times.time > self.until());
        late.map(|(i, times)| (i, times.time)).collect()
    }

    /// Returns the names and reading intervals of the gauges in the scene's list `[[gauge]]`, in
    /// the order in which the scene lists them.
    pub(crate) fn gauges(&self) -> Vec<GaugeInfo<'_>> {
        self.0.gauges()
    }

    /// Returns the gauge edits of the scene, each with the index of its event. Gauges that events
    /// add or change are numbered after the scene's [`gauges`](Self::gauges).
    pub(crate) fn gauge_tasks(&self) -> Vec<(usize, GaugeTask)> {
        self.0.gauge_tasks()
    }

    /// Returns the settings of a run for pictures, layers and checkpoints.
    pub(crate) fn recording_settings(&self) -> RecordingSettings {
        self.0.recording_settings()
    }

    pub(crate) fn build_world(&self) -> Result<Box<dyn Simulation>, SceneError> {
        self.0.build_world()
    }

    pub(crate) fn build_partitioned_world(
        &self,
        ranks: &Ranks,
        limit: Option<&MemoryLimit>,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        self.0.build_partitioned_world(ranks, limit, inputs)
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
    pub(crate) fn check_gpu_support(&self) -> Result<(), SceneError> {
        self.0.check_gpu_support()
    }
}
