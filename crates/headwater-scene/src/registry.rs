//! Registry of the models. To add a model, add its folder next to the others, and add a static and
//! an element of [`MODELS`] to this module.

use super::scene::read::origin::Origin;
use crate::blocks::BlocksScene;
use crate::columns::ColumnsScene;
use crate::flow::{FlowScene, FlowWorld};
use crate::hydrology::{HydrologyScene, HydrologyWorld};
use crate::run::World;
use crate::scene::{Scene, SceneError, SceneModel, read};
use crate::waves::WavesScene;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
#[cfg(feature = "schema")]
use schemars::{Schema, SchemaGenerator};
use std::path::Path;
use toml::Table;

// These are statics and not constants, because each crate that uses a constant would compile the
// model's scene reader again.

/// Registry entry of the flow model (name `flow`).
pub static FLOW: Model = Model::from_scene_type::<FlowScene>();
/// Registry entry of the wave model (name `waves`).
pub static WAVES: Model = Model::from_scene_type::<WavesScene>();
/// Registry entry of the model `blocks`, which simulates worlds of blocks in side view.
pub static BLOCKS: Model = Model::from_scene_type::<BlocksScene>();
/// Registry entry of the model `columns`, which simulates pools in side view as columns of water.
pub static COLUMNS: Model = Model::from_scene_type::<ColumnsScene>();
/// Registry entry of the hydrology model (name `hydrology`).
pub static HYDROLOGY: Model = Model::from_scene_type::<HydrologyScene>();

/// Registry entries of all models in this crate.
pub static MODELS: &[Model] = &[FLOW, WAVES, BLOCKS, COLUMNS, HYDROLOGY];

/// Registry entry of a model: a description of the model, and a function that reads its scenes.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Name of the model: the value of the key `model` in its scenes.
    pub name: &'static str,
    /// Title of the model, shown in user interfaces.
    pub title: &'static str,
    /// Short description of the model, shown in user interfaces.
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
    /// Creates the registry entry of the model whose scenes are of the type `S`.
    pub const fn from_scene_type<S: SceneModel>() -> Self {
        let read = |table, origin, directory: Option<&Path>| {
            read::build_scene::<S>(table, origin, directory).map(Scene::new)
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
    /// Returns the scene as a scene of the model `flow`, or `None` if it belongs to another model.
    pub fn flow(&self) -> Option<&FlowScene> {
        self.get()
    }

    /// Returns the scene as a scene of the model `waves`, or `None` if it belongs to another model.
    pub fn waves(&self) -> Option<&WavesScene> {
        self.get()
    }

    /// Returns the scene as a scene of the model `blocks`, or `None` if it belongs to another
    /// model.
    pub fn blocks(&self) -> Option<&BlocksScene> {
        self.get()
    }

    /// Returns the scene as a scene of the model `columns`, or `None` if it belongs to another
    /// model.
    pub fn columns(&self) -> Option<&ColumnsScene> {
        self.get()
    }

    /// Returns the scene as a scene of the model `hydrology`, or `None` if it belongs to another
    /// model.
    pub fn hydrology(&self) -> Option<&HydrologyScene> {
        self.get()
    }
}

impl<'a> World<'a> {
    /// Returns the flow simulation of the world, or `None` if the world belongs to another model.
    pub fn flow(self) -> Option<&'a Flow> {
        self.get::<FlowWorld>().map(|world| &world.flow)
    }

    /// Returns the hydrology simulation of the world, or `None` if the world belongs to another
    /// model. If the world contains several variants of the land, the last one is returned.
    pub fn hydrology(self) -> Option<&'a Hydrology> {
        self.get::<HydrologyWorld>().map(HydrologyWorld::land)
    }
}
