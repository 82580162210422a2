//! [`Scene`]: a scene that was read and checked, of whichever model; and what a model's scene has to give for that.

use super::clock::Clock;
use super::files::Files;
use super::gauge_edit::GaugeTask;
use super::layer::Layers;
use super::problem::SceneError;
use super::setting::{Setting, Tables};
use crate::live::{Parameter, Tool, parameter};
use crate::run::{Executor, Input, ModelWorld, RankWorld, Ranks, Simulation, WorldRun};
use headwater::Lattice;
use headwater::parameter::{Mutability, Setting as ModelSetting};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scene of one model: all that the kit around the models needs of one.
pub trait ModelScene:
    Tables + Layers + JsonSchema + DeserializeOwned + Clone + PartialEq + Send + Sync + 'static
{
    /// Its world.
    type World: ModelWorld<Scene = Self>;

    /// The model's name, as scenes write it.
    const MODEL: &'static str;

    /// A word for people.
    const TITLE: &'static str;

    /// What there is to see, in a few words.
    const ABOUT: &'static str;

    /// What the mouse can do.
    const TOOLS: &'static [Tool];

    /// The parameters of its model, by their keys in the scene.
    fn settings(&self) -> Vec<ModelSetting> {
        Vec::new()
    }

    /// The values that can be changed while its world runs.
    fn parameters(&self) -> Vec<Parameter> {
        parameter::of_settings(self.settings())
    }

    /// Creates its world with at most so many bytes of it in memory. The rest is in the folder
    /// `scratch`, which is created and removed with the world.
    ///
    /// # Errors
    /// [`SceneError`] if the model or a part of the scene is not supported in a distributed world,
    /// or a file cannot be used.
    fn in_memory(&self, memory: usize, scratch: &Path) -> Result<Box<dyn Executor>, SceneError> {
        let _ = (memory, scratch);
        Err(self.not_distributed())
    }

    /// Creates its world, distributed over ranks that read the same `inputs`. This is the first
    /// rank.
    ///
    /// # Errors
    /// Those of [`in_memory`](Self::in_memory).
    fn distributed(
        &self,
        ranks: &Ranks,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        let _ = (ranks, inputs);
        Err(self.not_distributed())
    }

    /// Creates the rows of its world on another rank; `None` if there are too few.
    ///
    /// # Errors
    /// Those of [`in_memory`](Self::in_memory).
    fn rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        let _ = ranks;
        Err(self.not_distributed())
    }

    /// Checks that a GPU supports everything that the scene asks for.
    ///
    /// # Errors
    /// [`SceneError`] with the keys that it does not support.
    #[cfg(feature = "gpu")]
    fn check_gpu(&self) -> Result<(), SceneError> {
        Ok(())
    }

    /// The error for models that cannot be distributed.
    fn not_distributed(&self) -> SceneError {
        let message = "cannot run with --memory or on ranks: only the model `flow` can";
        self.error("model", format!("the model `{}` {message}", Self::MODEL))
    }

    /// Tables beside those of its [`settings`](Self::settings) whose values can be changed while its world runs, by the
    /// beginnings of their keys, and the keys of them that cannot.
    fn live_keys() -> (&'static [&'static str], &'static [&'static str]) {
        (&[], &[])
    }
}

/// What of a [`ModelScene`] can be asked without knowing which it is.
pub(crate) trait AnyScene: Setting + Any + Send + Sync {
    fn model(&self) -> &'static str;
    fn seed(&self) -> u32;
    fn tools(&self) -> &'static [Tool];
    fn files_named(&self) -> Vec<(Cow<'static, str>, PathBuf)>;
    fn world(&self) -> Result<Box<dyn Simulation>, SceneError>;
    fn in_memory(&self, memory: usize, scratch: &Path) -> Result<Box<dyn Executor>, SceneError>;
    fn distributed(&self, ranks: &Ranks, inputs: &[Input])
    -> Result<Box<dyn Executor>, SceneError>;
    fn rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError>;
    #[cfg(feature = "gpu")]
    fn check_gpu(&self) -> Result<(), SceneError>;
    fn settings(&self) -> Vec<ModelSetting>;
    fn parameters(&self) -> Vec<Parameter>;
    fn live_keys(&self) -> (&'static [&'static str], &'static [&'static str]);
    fn check_against(&self, lattice: &Lattice) -> Result<(), SceneError>;
    fn is_same(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<S: ModelScene> AnyScene for S {
    fn model(&self) -> &'static str {
        S::MODEL
    }

    fn seed(&self) -> u32 {
        self.common().seed
    }

    fn tools(&self) -> &'static [Tool] {
        S::TOOLS
    }

    fn files_named(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        let mut copy = self.clone();
        let own = copy.files_mut().into_iter().map(|(key, path)| (key, path.clone()));
        let put_in = self.origin().put_in.iter();
        own.chain(put_in.map(|(key, path)| (key.clone().into(), path.clone()))).collect()
    }

    fn world(&self) -> Result<Box<dyn Simulation>, SceneError> {
        Ok(Box::new(WorldRun::<S::World>::new(self)?))
    }

    fn in_memory(&self, memory: usize, scratch: &Path) -> Result<Box<dyn Executor>, SceneError> {
        ModelScene::in_memory(self, memory, scratch)
    }

    fn distributed(
        &self,
        ranks: &Ranks,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        ModelScene::distributed(self, ranks, inputs)
    }

    fn rank_world(&self, ranks: &Ranks) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        ModelScene::rank_world(self, ranks)
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
        self.check_on(lattice)
    }

    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<S>().is_some_and(|other| self == other)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A scene that was read and checked, for the model that runs it. Cheap to clone.
#[derive(Clone)]
pub struct Scene(Arc<dyn AnyScene>);

impl fmt::Debug for Scene {
    /// Which it is. All of it is what [`get`](Self::get) gives: to write that out for every model would weigh on the page.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scene").field("model", &self.model()).field("title", &self.title()).finish()
    }
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(other.0.as_any())
    }
}

impl Scene {
    /// A scene that has been checked.
    pub(crate) fn new(scene: impl ModelScene) -> Self {
        Self(Arc::new(scene))
    }

    /// The scene of a model, if it is of that model: `scene.get::<FlowScene>()`.
    pub fn get<S: ModelScene>(&self) -> Option<&S> {
        self.0.as_any().downcast_ref()
    }

    /// The scene of its model, for a world of that model.
    pub fn as_any(&self) -> &dyn Any {
        self.0.as_any()
    }

    /// The name of the model that runs it.
    pub fn model(&self) -> &'static str {
        self.0.model()
    }

    /// The seed of its random numbers.
    pub fn seed(&self) -> u32 {
        self.0.seed()
    }

    /// A short title, or nothing.
    pub fn title(&self) -> &str {
        self.0.title()
    }

    /// What there is to see, or nothing.
    pub fn description(&self) -> &str {
        self.0.description()
    }

    /// What its times are counted in.
    pub fn clock(&self) -> &'static Clock {
        self.0.clock()
    }

    /// When its run ends (s; of hydrology, drops per cell).
    pub fn until(&self) -> f64 {
        self.0.time().until
    }

    /// How many events it has.
    pub fn events(&self) -> usize {
        self.0.events().len()
    }

    /// How many gauges it has at its start.
    pub fn gauges(&self) -> usize {
        self.0.gauges().len()
    }

    /// The names of all gauges that it has at some time.
    pub(crate) fn all_gauge_names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.0.gauges().iter().map(|one| one.name.to_owned()).collect();
        names.extend(self.0.gauge_tasks().into_iter().filter_map(|(_, task)| match task {
            GaugeTask::Add(form) | GaugeTask::Change(form) => Some(form.name),
            GaugeTask::Remove(_) => None,
        }));
        names
    }

    /// A number that tells this scene, overrides included, from any other; not by comments, the order of keys, `title`, `description` and
    /// `output.checkpoint_every`, nor by what is in the files that it names.
    pub fn fingerprint(&self) -> u64 {
        self.0.origin().fingerprint()
    }

    /// An error about the value at a key path such as `source[0].rate`, found again in the text
    /// or the overrides, for what comes to light only after the scene was read.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.0.origin().locate(vec![(key.to_owned(), message.into())])
    }

    /// Where its files come from.
    pub fn source_of_files(&self) -> &Files {
        &self.0.origin().files
    }

    /// The files it reads, and the keys that name them.
    pub(crate) fn files_named(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        self.0.files_named()
    }

    /// The files that it reads from the disk while its world is made, and the keys that name them.
    pub fn files(&self) -> Vec<(Cow<'static, str>, PathBuf)> {
        let mut files = self.files_named();
        files.retain(|(_, path)| !self.source_of_files().holds(path));
        files
    }

    /// The values that can be changed while its world runs.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.0.parameters()
    }

    /// What the mouse can do to its world.
    pub fn tools(&self) -> &'static [Tool] {
        self.0.tools()
    }

    /// Checks that all of it stands on the grid, whose size the scene may not know.
    pub(crate) fn check_on(&self, lattice: &Lattice) -> Result<(), SceneError> {
        self.0.check_against(lattice)
    }

    /// Whether a value can be changed while its world runs, by the value's key.
    pub(crate) fn is_live(&self, key: &str) -> bool {
        let (tables, fixed) = self.0.live_keys();
        let begins = |whole: &&str| {
            key.strip_prefix(*whole)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let words = ["title", "description", "picture"];
        let is_table = |of: &str| of.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let settings = self.0.settings();
        let mut live = settings.iter().filter(|setting| setting.mutability == Mutability::Live);
        live.any(|setting| setting.key == key || is_table(&setting.key))
            || words.iter().any(begins)
            || tables.iter().any(begins) && !fixed.iter().any(begins)
    }

    pub(crate) fn setting(&self) -> &dyn Setting {
        &*self.0
    }

    pub(crate) fn world(&self) -> Result<Box<dyn Simulation>, SceneError> {
        self.0.world()
    }

    pub(crate) fn in_memory(
        &self,
        memory: usize,
        scratch: &Path,
    ) -> Result<Box<dyn Executor>, SceneError> {
        self.0.in_memory(memory, scratch)
    }

    pub(crate) fn distributed(
        &self,
        ranks: &Ranks,
        inputs: &[Input],
    ) -> Result<Box<dyn Executor>, SceneError> {
        self.0.distributed(ranks, inputs)
    }

    pub(crate) fn rank_world(
        &self,
        ranks: &Ranks,
    ) -> Result<Option<Box<dyn RankWorld>>, SceneError> {
        self.0.rank_world(ranks)
    }

    /// Checks that a GPU supports everything that it asks for.
    #[cfg(feature = "gpu")]
    pub(crate) fn check_gpu(&self) -> Result<(), SceneError> {
        self.0.check_gpu()
    }
}
