//! Scenes of the model `flow`.

mod body;
mod carve;
mod cover;
mod ground;
mod run;
mod structure;
mod water;

use super::Action;
pub use body::{Above, Body, BodyKind};
pub use carve::Carve;
pub use cover::{Cover, CoverClass};
pub use ground::{
    Cell, Grid, Ground, Island, LatticeKind, Level, Noise, NoiseKind, Plane, Shape, ShapeOp,
};
pub(crate) use run::pipe_area;
pub use run::{Emitters, Gauge, PhysicsFiles, Target};
pub use structure::{CulvertMouths, Ends, Mouths};
pub use water::{
    Boundary, BoundaryKind, Discharge, Inflow, Lake, RainFiles, RainRaster, Solitary, SourcePlace,
    Stage, Stretch, Water, Wave,
};

use crate::picture::Style;
use crate::scene::origin::Origin;
use crate::scene::output::{Output, Time};
use crate::scene::place::Area;
use crate::scene::site::Site;
use crate::scene::{Beside, Event, Keys, LayerName, default_seed};
use headwater::coupling::CarvedToFlowOptions;
use headwater::{Lattice, flow};
use schemars::JsonSchema;
use serde::Deserialize;

/// A scene of the model `flow`: a world, its water, what happens to it, and what is written of it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowScene {
    /// A short title, one line of at most 100 characters. Default: empty.
    #[serde(default)]
    pub title: String,
    /// What there is to see, one line of at most 200 characters. Default: empty.
    #[serde(default)]
    pub description: String,
    /// All that is random follows from it. Default 1.
    #[serde(default = "default_seed")]
    pub seed: u32,
    /// `[grid]`
    #[serde(default)]
    pub grid: Grid,
    /// `[time]`
    pub time: Time,
    /// `[settle]`: before the run begins, and with the clock held at 0 s, the world comes to a steady state under what flows in
    /// and out at that moment: rivers fill their beds, pools their hollows. Default: it does not.
    pub settle: Option<Keys<flow::RelaxationParams>>,
    /// `[physics]`: how water moves. Each level leaves the keys of the others unused, so a scene switches with this one key.
    #[serde(default)]
    pub physics: Beside<flow::Params, PhysicsFiles>,
    /// `[terrain]`
    pub terrain: Ground,
    /// `[carve]`: rain carves the ground before the run. Default: it stays as it is.
    pub carve: Option<Beside<CarvedToFlowOptions, Carve>>,
    /// `[water]`. Default: a dry world.
    #[serde(default)]
    pub water: Water,
    /// `[[source]]`
    #[serde(default, rename = "source")]
    pub sources: Vec<Beside<flow::Source, SourcePlace>>,
    /// `[[drain]]`
    #[serde(default, rename = "drain")]
    pub drains: Vec<Beside<flow::Source, SourcePlace>>,
    /// `[rain]`
    pub rain: Option<Beside<flow::Rain, RainFiles>>,
    /// `[evaporation]`
    pub evaporation: Option<Keys<flow::Evaporation>>,
    /// `[[cover]]`: roughness and soil by classes of land cover, of soils and the like; at most 10.
    #[serde(default, rename = "cover")]
    pub covers: Vec<Cover>,
    /// `[infiltration]`
    pub infiltration: Option<Keys<flow::Soil>>,
    /// `[[boundary]]`: at most 1000.
    #[serde(default, rename = "boundary")]
    pub boundaries: Vec<Boundary>,
    /// `[[culvert]]`
    #[serde(default, rename = "culvert")]
    pub culverts: Vec<Beside<flow::Culvert, CulvertMouths>>,
    /// `[[gate]]`
    #[serde(default, rename = "gate")]
    pub gates: Vec<Beside<flow::Gate, Mouths>>,
    /// `[[weir]]`
    #[serde(default, rename = "weir")]
    pub weirs: Vec<Beside<flow::Weir, Mouths>>,
    /// `[[obstacle]]`: buildings and walls, closed to water; at most 1000.
    #[serde(default, rename = "obstacle")]
    pub obstacles: Vec<Area>,
    /// `[[body]]`: what floats on the water.
    #[serde(default, rename = "body")]
    pub bodies: Vec<Body>,
    /// `[[event]]`
    #[serde(default, rename = "event")]
    pub events: Vec<Event<Action, Gauge>>,
    /// `[[gauge]]`
    #[serde(default, rename = "gauge")]
    pub gauges: Vec<Gauge>,
    /// `[particles]`
    pub particles: Option<Beside<flow::Tracers, Emitters>>,
    /// `[flood]`: keeps what maps of a flood show, as the layers `max_depth`, `max_level`, `max_speed`, `max_unit_discharge`,
    /// `max_hazard`, `arrival` and `duration`, and draws `flood.png`, the land under the greatest depth that each place had.
    /// Default: nothing is kept, and nothing paid for it.
    pub flood: Option<Keys<flow::Flood>>,
    /// `[output]`
    #[serde(default)]
    pub output: Output<LayerName<FlowScene>>,
    /// `[picture]`: the pictures' style.
    #[serde(default)]
    pub picture: Style,
    #[serde(skip)]
    pub(crate) origin: Origin,
}

impl FlowScene {
    /// The lattice, where it is known without reading the terrain's file.
    ///
    /// `None` too for sizes no lattice can have, which no checked scene has.
    pub fn lattice(&self) -> Option<Lattice> {
        Site::lattice(self)
    }

    /// The ends of all culverts, gates and weirs, in this order: a world numbers its structures so.
    pub fn structures(&self) -> Vec<Ends<'_>> {
        macro_rules! ends {
            ($list:expr, $key:literal) => {
                $list.iter().enumerate().map(|(i, structure)| Ends {
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
