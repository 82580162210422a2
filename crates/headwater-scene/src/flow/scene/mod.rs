//! Scene tables and keys of the model `flow`.

mod body;
mod carve;
mod cover;
mod run;
mod structure;
mod water;

use super::{Action, Boundary};
pub use crate::picture::BodyKind;
pub use body::{Body, InitialHeight};
pub use carve::Carve;
pub use cover::{Cover, CoverClass};
pub(crate) use run::pipe_area;
pub use run::{Emitters, Gauge, PhysicsFiles, Target};
pub use structure::{CulvertMouths, Mouths, StructureKeys};
pub use water::{Lake, RainFiles, RainRaster, SourcePlace, Water};

use crate::picture::Style;
use crate::scene::output::{Output, Time};
use crate::scene::place::Area;
use crate::scene::read::origin::Origin;
use crate::scene::site::TerrainScene;
use crate::scene::{Event, ExtendedKeys, Keys, LayerName, default_seed};
use crate::terrain::{Grid, Ground};
use headwater::coupling::CarvedToFlowOptions;
use headwater::{Lattice, flow};
use serde::Deserialize;

/// Scene of the model `flow`: terrain, water, structures, events and output.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FlowScene {
    /// Short title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// Description, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// Seed of all random numbers. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// Table `[grid]`: number, size and shape of the cells.
    #[serde(default)]
    pub grid: Grid,
    /// Table `[time]`: end time and time steps of the run.
    pub time: Time,
    /// `[settle]`: relaxation to a steady state before the run, so that rivers fill their beds and
    /// ponds fill their hollows. The inflows and outflows are those at the time 0 s, and the clock
    /// stays at 0 s. Default: no relaxation.
    pub settle: Option<Keys<flow::RelaxationParams>>,
    /// `[physics]`: the equations of motion, selected by the key `level`, and their parameters.
    /// Parameters of equations that are not selected are ignored, so a change of `level` alone
    /// switches a scene to other equations.
    #[serde(default)]
    pub physics: ExtendedKeys<flow::Params, PhysicsFiles>,
    /// Table `[terrain]`: the ground.
    pub terrain: Ground,
    /// `[carve]`: erosion of the ground by rain before the run. Default: no erosion.
    pub carve: Option<ExtendedKeys<CarvedToFlowOptions, Carve>>,
    /// `[water]`: initial water. Default: a dry world.
    #[serde(default)]
    pub water: Water,
    /// `[[source]]`: locations at which water enters.
    #[serde(default, rename = "source")]
    pub sources: Vec<ExtendedKeys<flow::Source, SourcePlace>>,
    /// `[[drain]]`: locations at which water leaves.
    #[serde(default, rename = "drain")]
    pub drains: Vec<ExtendedKeys<flow::Source, SourcePlace>>,
    /// Table `[rain]`: rain over the world. Default: no rain.
    pub rain: Option<ExtendedKeys<flow::Rain, RainFiles>>,
    /// Table `[evaporation]`: evaporation of open water.
    pub evaporation: Option<Keys<flow::Evaporation>>,
    /// `[[cover]]`: maps of classes, such as land cover, that determine roughness and soil. At most
    /// 10.
    #[serde(default, rename = "cover")]
    pub covers: Vec<Cover>,
    /// Table `[infiltration]`: infiltration of water into the soil.
    pub infiltration: Option<Keys<flow::Soil>>,
    /// `[[boundary]]`: boundary conditions at the edges of the world. At most 1000.
    #[serde(default, rename = "boundary")]
    pub boundaries: Vec<Boundary>,
    /// `[[culvert]]`: pipes under roads and dikes.
    #[serde(default, rename = "culvert")]
    pub culverts: Vec<ExtendedKeys<flow::Culvert, CulvertMouths>>,
    /// `[[gate]]`: gates with an adjustable opening.
    #[serde(default, rename = "gate")]
    pub gates: Vec<ExtendedKeys<flow::Gate, Mouths>>,
    /// `[[weir]]`: weirs with a given crest elevation.
    #[serde(default, rename = "weir")]
    pub weirs: Vec<ExtendedKeys<flow::Weir, Mouths>>,
    /// `[[obstacle]]`: buildings and walls that are closed to water. At most 1000.
    #[serde(default, rename = "obstacle")]
    pub obstacles: Vec<Area>,
    /// `[[body]]`: floating bodies, such as boats.
    #[serde(default, rename = "body")]
    pub bodies: Vec<Body>,
    /// `[[event]]`: changes to the world during the run.
    #[serde(default, rename = "event")]
    pub events: Vec<Event<Action, Gauge>>,
    /// `[[gauge]]`: time series that are measured during the run.
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<Gauge>,
    /// Table `[particles]`: massless tracers that drift with the water, for pictures.
    pub particles: Option<ExtendedKeys<flow::Tracers, Emitters>>,
    /// `[flood]`: recording of flood maps. They are available as the layers `max_depth`,
    /// `max_level`, `max_speed`, `max_unit_discharge`, `max_hazard`, `arrival` and `duration`. Also
    /// draws `flood.png`, a picture of the ground and the maximum water depth over the run.
    /// Default: nothing is recorded.
    pub flood: Option<Keys<flow::Flood>>,
    /// Table `[output]`: files that the run writes.
    #[serde(default)]
    pub output: Output<LayerName<FlowScene>>,
    /// `[picture]`: style of the pictures.
    #[serde(default)]
    pub picture: Style,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl FlowScene {
    /// Returns the lattice of the scene. Returns `None` if its size is read from the terrain file.
    /// Also returns `None` if the size is invalid; validation rejects such scenes.
    pub fn lattice(&self) -> Option<Lattice> {
        TerrainScene::lattice(self)
    }

    /// Returns the keys that culverts, gates and weirs have in common: first those of all culverts,
    /// then those of all gates, then those of all weirs. The world numbers its structures in this
    /// order.
    pub fn structures(&self) -> Vec<StructureKeys<'_>> {
        macro_rules! ends {
            ($list:expr, $key:literal) => {
                $list.iter().enumerate().map(|(i, structure)| StructureKeys {
                    key: format!(concat!($key, "[{}]"), i),
                    name: structure.name.as_deref(),
                    at: [structure.from, structure.to],
                    radius: structure.radius,
                    one_way: structure.one_way,
                })
            };
        }
        let culverts = ends!(self.culverts, "culvert");
        culverts.chain(ends!(self.gates, "gate")).chain(ends!(self.weirs, "weir")).collect()
    }
}
