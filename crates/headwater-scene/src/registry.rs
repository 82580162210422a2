//! Registry of the models. A new model is a folder next to theirs, a static here and an entry of
//! [`MODELS`].

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

// Statics, because each crate that uses a constant would compile its own readers of scenes.

/// Model `flow`.
pub static FLOW: Model = Model::of::<FlowScene>();
/// Model `waves`.
pub static WAVES: Model = Model::of::<WavesScene>();
/// Model `blocks`.
pub static BLOCKS: Model = Model::of::<BlocksScene>();
/// Model `columns`.
pub static COLUMNS: Model = Model::of::<ColumnsScene>();
/// Model `hydrology`.
pub static HYDROLOGY: Model = Model::of::<HydrologyScene>();

/// All models of this crate.
pub static MODELS: &[Model] = &[FLOW, WAVES, BLOCKS, COLUMNS, HYDROLOGY];

/// Model with its reader of scenes.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Name in scenes.
    pub name: &'static str,
    /// Title for user interfaces.
    pub title: &'static str,
    /// Short description.
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
    /// Creates the entry of a model from its scene type.
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
    /// Returns the scene if the model is `flow`.
    pub fn flow(&self) -> Option<&FlowScene> {
        self.get()
    }

    /// Returns the scene if the model is `waves`.
    pub fn waves(&self) -> Option<&WavesScene> {
        self.get()
    }

    /// Returns the scene if the model is `blocks`.
    pub fn blocks(&self) -> Option<&BlocksScene> {
        self.get()
    }

    /// Returns the scene if the model is `columns`.
    pub fn columns(&self) -> Option<&ColumnsScene> {
        self.get()
    }

    /// Returns the scene if the model is `hydrology`.
    pub fn hydrology(&self) -> Option<&HydrologyScene> {
        self.get()
    }
}

impl<'a> World<'a> {
    /// Returns the model if it is `flow`.
    pub fn flow(self) -> Option<&'a Flow> {
        self.get::<FlowWorld>().map(|world| &world.flow)
    }

    /// Returns the land if the model is `hydrology`; of several variants, the last.
    pub fn hydrology(self) -> Option<&'a Hydrology> {
        self.get::<HydrologyWorld>().map(HydrologyWorld::land)
    }
}
