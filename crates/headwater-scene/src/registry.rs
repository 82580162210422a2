//! The models: the one place that knows them all by name. A new model is a folder beside theirs, a static here and an entry of [`MODELS`].

use crate::blocks::BlocksScene;
use crate::columns::ColumnsScene;
use crate::flow::{FlowScene, FlowWorld};
use crate::hydrology::{HydrologyScene, HydrologyWorld};
use crate::run::World;
use crate::scene::origin::Origin;
use crate::scene::{ModelScene, Scene, SceneError, read};
use crate::waves::WavesScene;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
#[cfg(feature = "schema")]
use schemars::{Schema, SchemaGenerator};
use std::path::Path;
use toml::Table;

// Statics: of constants, or of `Model::of` itself, each crate that names one would compile its own readers of scenes.

/// The model `flow`.
pub static FLOW: Model = Model::of::<FlowScene>();
/// The model `waves`.
pub static WAVES: Model = Model::of::<WavesScene>();
/// The model `blocks`.
pub static BLOCKS: Model = Model::of::<BlocksScene>();
/// The model `columns`.
pub static COLUMNS: Model = Model::of::<ColumnsScene>();
/// The model `hydrology`.
pub static HYDROLOGY: Model = Model::of::<HydrologyScene>();

/// The models that scenes can name.
pub static MODELS: &[Model] = &[FLOW, WAVES, BLOCKS, COLUMNS, HYDROLOGY];

/// A model, as the reader of scenes knows it.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Its name, as scenes write it.
    pub name: &'static str,
    /// A word for people.
    pub title: &'static str,
    /// What there is to see, in a few words.
    pub about: &'static str,
    pub(crate) layers: &'static [headwater::Layer],
    #[cfg(feature = "schema")]
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) read: fn(Table, Origin, Option<&Path>) -> Result<Scene, SceneError>,
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Model {}

impl Model {
    /// The model of a kind of scenes.
    pub const fn of<S: ModelScene>() -> Self {
        let read = |table, origin, directory: Option<&Path>| {
            read::build::<S>(table, origin, directory).map(Scene::new)
        };
        Self {
            name: S::MODEL,
            title: S::TITLE,
            about: S::ABOUT,
            layers: S::LAYERS,
            #[cfg(feature = "schema")]
            schema: S::json_schema,
            read,
        }
    }
}

impl Scene {
    /// The scene, if the model is `flow`.
    pub fn flow(&self) -> Option<&FlowScene> {
        self.get()
    }

    /// The scene, if the model is `waves`.
    pub fn waves(&self) -> Option<&WavesScene> {
        self.get()
    }

    /// The scene, if the model is `blocks`.
    pub fn blocks(&self) -> Option<&BlocksScene> {
        self.get()
    }

    /// The scene, if the model is `columns`.
    pub fn columns(&self) -> Option<&ColumnsScene> {
        self.get()
    }

    /// The scene, if the model is `hydrology`.
    pub fn hydrology(&self) -> Option<&HydrologyScene> {
        self.get()
    }
}

impl<'a> World<'a> {
    /// The model, if it is `flow`.
    pub fn flow(self) -> Option<&'a Flow> {
        self.get::<FlowWorld>().map(|world| &world.flow)
    }

    /// The land, if the model is `hydrology`; of several ways, the last.
    pub fn hydrology(self) -> Option<&'a Hydrology> {
        self.get::<HydrologyWorld>().map(HydrologyWorld::land)
    }
}
