//! The five models: the one place that knows them all by name.

use crate::blocks::run::BlocksRun;
use crate::blocks::{self, BlocksScene};
use crate::columns::run::ColumnsRun;
use crate::columns::{self, ColumnsScene, ColumnsWorld};
use crate::flow::run::FlowRun;
use crate::flow::{self, FlowScene, FlowWorld};
use crate::hydrology::run::HydrologyRun;
use crate::hydrology::{self, HydrologyScene, HydrologyWorld};
use crate::live::{LiveError, Parameter, Tool, Value, parameter};
use crate::run::{Backend, RunError, Simulation};
use crate::scene::origin::Origin;
use crate::scene::read::build;
use crate::scene::setting::{Setting, Tables};
use crate::scene::{Clock, Files, SceneError};
use crate::waves::run::WavesRun;
use crate::waves::{self, WavesScene, WavesWorld};
use headwater::blocks::Blocks;
use headwater::flow::Flow;
use headwater::hydrology::Hydrology;
use headwater::{Lattice, Point};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use toml::Table;

/// The model that runs a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Water over terrain.
    Flow,
    /// A rippling surface.
    Waves,
    /// Liquids in side view, cell by cell.
    Blocks,
    /// Pools in side view.
    Columns,
    /// Land that rivers, lakes and plants shape.
    Hydrology,
}

/// A scene that was read and checked, for the model that runs it.
#[derive(Clone, Debug, PartialEq)]
pub enum Scene {
    /// Water over terrain.
    Flow(Box<FlowScene>),
    /// A rippling surface.
    Waves(Box<WavesScene>),
    /// Liquids in side view, cell by cell.
    Blocks(Box<BlocksScene>),
    /// Pools in side view.
    Columns(Box<ColumnsScene>),
    /// Land that rivers, lakes and plants shape.
    Hydrology(Box<HydrologyScene>),
}

impl Scene {
    /// The scene, if the model is `flow`.
    pub fn flow(&self) -> Option<&FlowScene> {
        if let Scene::Flow(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `flow`.
    pub fn into_flow(self) -> Option<FlowScene> {
        if let Scene::Flow(scene) = self { Some(*scene) } else { None }
    }

    /// The scene, if the model is `waves`.
    pub fn waves(&self) -> Option<&WavesScene> {
        if let Scene::Waves(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `blocks`.
    pub fn blocks(&self) -> Option<&BlocksScene> {
        if let Scene::Blocks(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `columns`.
    pub fn columns(&self) -> Option<&ColumnsScene> {
        if let Scene::Columns(scene) = self { Some(scene) } else { None }
    }

    /// The scene, if the model is `hydrology`.
    pub fn hydrology(&self) -> Option<&HydrologyScene> {
        if let Scene::Hydrology(scene) = self { Some(scene) } else { None }
    }

    /// The model that runs it.
    pub fn kind(&self) -> Model {
        match self {
            Scene::Flow(_) => Model::Flow,
            Scene::Waves(_) => Model::Waves,
            Scene::Blocks(_) => Model::Blocks,
            Scene::Columns(_) => Model::Columns,
            Scene::Hydrology(_) => Model::Hydrology,
        }
    }

    /// The seed of its random numbers.
    pub fn seed(&self) -> u32 {
        match self {
            Scene::Flow(scene) => scene.seed,
            Scene::Waves(scene) => scene.seed,
            Scene::Blocks(scene) => scene.seed,
            Scene::Columns(scene) => scene.seed,
            Scene::Hydrology(scene) => scene.seed,
        }
    }

    /// The name of the model that runs it.
    pub fn model(&self) -> &'static str {
        match self {
            Scene::Flow(_) => "flow",
            Scene::Waves(_) => "waves",
            Scene::Blocks(_) => "blocks",
            Scene::Columns(_) => "columns",
            Scene::Hydrology(_) => "hydrology",
        }
    }

    /// A short title, or nothing.
    pub fn title(&self) -> &str {
        self.setting().title()
    }

    /// What there is to see, or nothing.
    pub fn description(&self) -> &str {
        self.setting().description()
    }

    /// What its times are counted in.
    pub fn clock(&self) -> &'static Clock {
        self.setting().clock()
    }

    /// When its run ends (s; of hydrology, drops per cell).
    pub fn until(&self) -> f64 {
        self.setting().time().until
    }

    /// How many events it has.
    pub fn events(&self) -> usize {
        self.setting().events().len()
    }

    /// How many gauges it has.
    pub fn gauges(&self) -> usize {
        self.setting().gauges().len()
    }

    /// The names of its gauges.
    pub(crate) fn gauge_names(&self) -> Vec<String> {
        self.setting().gauges().iter().map(|gauge| gauge.name.to_owned()).collect()
    }

    /// A number that tells this scene, overrides included, from any other.
    pub fn fingerprint(&self) -> u64 {
        self.setting().origin().fingerprint()
    }

    /// An error about the value at a key path such as `source[0].rate`, found again in the text
    /// or the overrides, for what comes to light only after the scene was read.
    pub fn error(&self, key: &str, message: impl Into<String>) -> SceneError {
        self.setting().origin().locate(vec![(key.to_owned(), message.into())])
    }

    /// Where its files come from.
    pub fn source_of_files(&self) -> &Files {
        self.setting().origin().files()
    }

    /// The files it reads from the disk, and the keys that name them.
    pub(crate) fn files(&self) -> Vec<(&'static str, PathBuf)> {
        let mut copy = self.clone();
        let files = match &mut copy {
            Scene::Flow(scene) => scene.files_mut(),
            Scene::Waves(scene) => scene.files_mut(),
            Scene::Blocks(scene) => scene.files_mut(),
            Scene::Columns(scene) => scene.files_mut(),
            Scene::Hydrology(scene) => scene.files_mut(),
        };
        let on_disk = |path: &PathBuf| !self.source_of_files().holds(path);
        let files = files.into_iter().filter(|(_, path)| on_disk(path));
        files.map(|(key, path)| (key, path.clone())).collect()
    }

    pub(crate) fn setting(&self) -> &dyn Setting {
        match self {
            Scene::Flow(scene) => &**scene,
            Scene::Waves(scene) => &**scene,
            Scene::Blocks(scene) => &**scene,
            Scene::Columns(scene) => &**scene,
            Scene::Hydrology(scene) => &**scene,
        }
    }
}

/// Reads and checks the scene of a model.
pub(crate) fn scene_of(
    model: Model,
    table: Table,
    origin: Origin,
    directory: Option<&Path>,
) -> Result<Scene, SceneError> {
    match model {
        Model::Flow => Ok(Scene::Flow(Box::new(build(table, origin, directory)?))),
        Model::Waves => Ok(Scene::Waves(Box::new(build(table, origin, directory)?))),
        Model::Blocks => Ok(Scene::Blocks(Box::new(build(table, origin, directory)?))),
        Model::Columns => Ok(Scene::Columns(Box::new(build(table, origin, directory)?))),
        Model::Hydrology => Ok(Scene::Hydrology(Box::new(build(table, origin, directory)?))),
    }
}

/// The world of a scene.
#[derive(Clone, Copy, Debug)]
pub enum World<'a> {
    /// Water over terrain.
    Flow(&'a FlowWorld),
    /// A rippling surface.
    Waves(&'a WavesWorld),
    /// Liquids in side view, cell by cell.
    Blocks(&'a Blocks),
    /// Pools in side view.
    Columns(&'a ColumnsWorld),
    /// Land that rivers, lakes and plants shape, in one way or several.
    Hydrology(&'a HydrologyWorld),
}

/// The world of a scene, to be changed.
#[derive(Debug)]
pub enum WorldMut<'a> {
    /// Water over terrain.
    Flow(&'a mut FlowWorld),
    /// A rippling surface.
    Waves(&'a mut WavesWorld),
    /// Liquids in side view, cell by cell.
    Blocks(&'a mut Blocks),
    /// Pools in side view.
    Columns(&'a mut ColumnsWorld),
    /// Land that rivers, lakes and plants shape, in one way or several.
    Hydrology(&'a mut HydrologyWorld),
}

impl<'a> World<'a> {
    /// The model, if it is `flow`.
    pub fn flow(self) -> Option<&'a Flow> {
        if let World::Flow(world) = self { Some(&world.flow) } else { None }
    }

    /// The land, if the model is `hydrology`; of several ways, the last.
    pub fn hydrology(self) -> Option<&'a Hydrology> {
        if let World::Hydrology(world) = self { Some(world.land()) } else { None }
    }
}

/// The world of a scene as it is at its start.
///
/// # Errors
/// [`SceneError`] if a file cannot be used, or something does not fit the grid that came from it.
pub fn simulation(scene: &Scene) -> Result<Box<dyn Simulation>, SceneError> {
    Ok(match scene {
        Scene::Flow(scene) => Box::new(FlowRun::new(scene)?),
        Scene::Waves(scene) => Box::new(WavesRun::new(scene)?),
        Scene::Blocks(scene) => Box::new(BlocksRun::new(scene)?),
        Scene::Columns(scene) => Box::new(ColumnsRun::new(scene)?),
        Scene::Hydrology(scene) => Box::new(HydrologyRun::new(scene)?),
    })
}

/// The same, stepped by a backend.
///
/// # Errors
/// As [`simulation`], and [`RunError::Backend`] if the backend cannot step the scene's world.
pub fn simulation_on(scene: &Scene, backend: &Backend) -> Result<Box<dyn Simulation>, RunError> {
    let mut simulation = simulation(scene)?;
    move_to(&mut *simulation, scene, backend)?;
    Ok(simulation)
}

/// Has the world of a scene stepped by a backend from now on.
///
/// # Errors
/// [`RunError::Backend`] if the backend cannot step it, or it cannot be brought back from where it was; then it stays there.
pub(crate) fn move_to(
    simulation: &mut dyn Simulation,
    scene: &Scene,
    backend: &Backend,
) -> Result<(), RunError> {
    if backend.is_elsewhere() && !matches!(scene, Scene::Flow(_) | Scene::Waves(_)) {
        let model = scene.model();
        return Err(RunError::Backend(format!("the model `{model}` runs on the CPU alone")));
    }
    simulation.set_backend(backend).map_err(|error| RunError::Backend(error.to_string()))
}

/// What the mouse can do to the model of a scene.
pub(crate) fn tools(scene: &Scene) -> &'static [Tool] {
    match scene {
        Scene::Flow(_) => flow::tools::TOOLS,
        Scene::Waves(_) => waves::tools::TOOLS,
        Scene::Blocks(_) => blocks::tools::TOOLS,
        Scene::Columns(_) => columns::tools::TOOLS,
        Scene::Hydrology(_) => hydrology::tools::TOOLS,
    }
}

/// Where a world's cells are; those of blocks are 1 wide.
pub(crate) fn lattice(world: World<'_>) -> Lattice {
    match world {
        World::Flow(world) => *world.flow.lattice(),
        World::Waves(world) => Lattice::from(*world.waves.lattice()),
        World::Blocks(world) => blocks::tools::lattice(world),
        World::Columns(world) => world.lattice,
        World::Hydrology(world) => Lattice::from(*world.land().lattice()),
    }
}

/// The values of a scene that can be changed while its world runs.
pub(crate) fn parameters(scene: &Scene) -> Vec<Parameter> {
    match scene {
        Scene::Flow(scene) => parameter::read(&**scene, flow::tools::PARAMETERS),
        Scene::Waves(scene) => parameter::read(&**scene, waves::tools::PARAMETERS),
        Scene::Blocks(scene) => parameter::read(&**scene, blocks::tools::PARAMETERS),
        Scene::Columns(scene) => parameter::read(&**scene, columns::tools::PARAMETERS),
        Scene::Hydrology(scene) => parameter::read(&**scene, hydrology::tools::PARAMETERS),
    }
}

/// The keys of the values that can be changed while the world runs, by their beginnings, and those of them that cannot.
pub(crate) fn keys(scene: &Scene) -> (&'static [&'static str], &'static [&'static str]) {
    match scene {
        Scene::Flow(_) => (flow::tools::TABLES, flow::tools::FIXED),
        Scene::Waves(_) => (waves::tools::TABLES, waves::tools::FIXED),
        Scene::Blocks(_) => (blocks::tools::TABLES, blocks::tools::FIXED),
        Scene::Columns(_) => (columns::tools::TABLES, columns::tools::FIXED),
        Scene::Hydrology(_) => (hydrology::tools::TABLES, hydrology::tools::FIXED),
    }
}

/// What is at a place (m from the top-left corner; of blocks, cells).
pub(crate) fn probe(world: World<'_>, at: Point) -> Vec<Value> {
    match world {
        World::Flow(world) => flow::probe::probe(world, at),
        World::Waves(world) => waves::probe::probe(&world.waves, at),
        World::Blocks(world) => blocks::probe::probe(world, at),
        World::Columns(world) => columns::probe::probe(&world.columns, &world.lattice, at),
        World::Hydrology(world) => hydrology::probe::probe(world.land(), at),
    }
}

/// Checks that all of a scene stands on the grid, whose size the scene may not know.
pub(crate) fn fits(scene: &Scene, lattice: &Lattice) -> Result<(), SceneError> {
    match scene {
        Scene::Flow(scene) => Tables::check_on(&**scene, lattice),
        Scene::Waves(scene) => Tables::check_on(&**scene, lattice),
        Scene::Blocks(scene) => Tables::check_on(&**scene, lattice),
        Scene::Columns(scene) => Tables::check_on(&**scene, lattice),
        Scene::Hydrology(scene) => Tables::check_on(&**scene, lattice),
    }
}

/// Does the only event of a scene.
pub(crate) fn act(world: WorldMut<'_>, alone: &Scene) -> Result<(), LiveError> {
    match (world, alone) {
        (WorldMut::Flow(world), Scene::Flow(scene)) => {
            scene.events.iter().try_for_each(|event| world.act(event).map_err(LiveError::model))
        }
        (WorldMut::Waves(world), Scene::Waves(scene)) => {
            scene.events.iter().try_for_each(|event| world.act(event).map_err(LiveError::model))
        }
        (WorldMut::Blocks(world), Scene::Blocks(scene)) => {
            let act = |event| blocks::act(world, event).map_err(LiveError::model);
            scene.events.iter().try_for_each(act)
        }
        (WorldMut::Columns(world), Scene::Columns(scene)) => {
            scene.events.iter().try_for_each(|event| world.act(event).map_err(LiveError::model))
        }
        (WorldMut::Hydrology(world), Scene::Hydrology(scene)) => {
            scene.events.iter().try_for_each(|event| world.act(event).map_err(LiveError::model))
        }
        _ => Err(LiveError::Model("the scene is of another model".into())),
    }
}

/// Has a world take on the values of another version of its scene.
pub(crate) fn tune(world: WorldMut<'_>, old: &Scene, new: &Scene) -> Result<(), LiveError> {
    match (world, old, new) {
        (WorldMut::Flow(world), Scene::Flow(old), Scene::Flow(new)) => {
            flow::tools::tune(world, old, new)
        }
        (WorldMut::Waves(world), Scene::Waves(old), Scene::Waves(new)) => {
            waves::tools::tune(world, old, new)
        }
        (WorldMut::Blocks(world), Scene::Blocks(old), Scene::Blocks(new)) => {
            blocks::tools::tune(world, old, new)
        }
        (WorldMut::Columns(world), Scene::Columns(old), Scene::Columns(new)) => {
            columns::tools::tune(world, old, new)
        }
        (WorldMut::Hydrology(world), Scene::Hydrology(old), Scene::Hydrology(new)) => {
            hydrology::tools::tune(world, old, new)
        }
        _ => Err(LiveError::Model("the scene is of another model".into())),
    }
}
