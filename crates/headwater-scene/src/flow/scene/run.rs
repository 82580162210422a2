//! The tables of a run of flow: settling, physics, gauges, particles, layers.

use super::Body;
use crate::scene::place::{Area, Disc, Position, Rect, resolve};
use crate::scene::setting::{Measuring, Named};
use headwater::{Lattice, Point, Region};
use serde::Deserialize;
use std::path::PathBuf;

/// `[settle]`: before the run begins, and with the clock held at 0 s, the water comes to a steady state
/// under what flows in and out at that moment: rivers fill their beds, pools their hollows.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settle {
    /// The mean rate (m/s) at which the surface may still change, above 0 to 1. Default 10⁻⁵.
    pub tolerance: f64,
    /// The time (s) after which the run begins all the same, and says so, above 0 to 10⁹. Default: a day.
    pub longest: f64,
}

impl Default for Settle {
    fn default() -> Self {
        Self { tolerance: 1e-5, longest: 86_400.0 }
    }
}

/// `[physics]`: how water moves. May be left out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Physics {
    /// `"pipes"` (default) or `"inertial"`. Each level leaves the keys of the other unused, so a scene
    /// switches with this one key.
    pub level: Level,
    /// Gravity (m/s²), above 0 to 1000. Default 9.81.
    pub gravity: f64,
    /// Cross-section of the pipes between cells (m²), above 0 to 10¹². Water moves as if it were
    /// everywhere `pipe_area / cell` metres deep, on hexagons `√3 · pipe_area / cell`. Default: as in
    /// water 1 m deep. Only for pipes.
    pub pipe_area: Option<f64>,
    /// The share of its flow that water loses in a second, 0 to 1. Default 0.
    pub friction: f64,
    /// Kinematic viscosity (m²/s), 0 to 10⁶: 0 for water (default), 1 and more for lava.
    pub viscosity: f64,
    /// Manning's roughness of the ground (s/m^⅓), 0 to 10. Default 0.03, as of a natural stream;
    /// smooth concrete has 0.012, a flood plain with brush 0.07. Not for pipes.
    pub manning: f64,
    /// A raster of Manning's roughness (s/m^⅓), from 0 up, in place of `manning`, which counts where it
    /// has no data; resampled to the grid. Relative to the scene file; in `--set`, to the current
    /// directory. Not for pipes.
    pub manning_map: Option<PathBuf>,
    /// How much of its flow a face keeps to itself from step to step, 0.5 to 1; the rest it shares with
    /// its neighbours, which smooths ripples. Default 0.9. Only for inertial.
    pub theta: f64,
}

/// How deep the water seems to the pipes where no `pipe_area` is given (m).
const DEFAULT_DEPTH: f64 = 1.0;

impl Default for Physics {
    fn default() -> Self {
        Self {
            level: Level::Pipes,
            gravity: 9.81,
            pipe_area: None,
            friction: 0.0,
            viscosity: 0.0,
            manning: 0.03,
            manning_map: None,
            theta: 0.9,
        }
    }
}

impl Physics {
    /// Cross-section of the pipes (m²).
    pub fn pipe_area(&self, lattice: &Lattice) -> f64 {
        let width = match lattice {
            Lattice::Square(square) => square.cell_area().sqrt(),
            Lattice::Hex(hex) => hex.face_width(),
        };
        self.pipe_area.unwrap_or(width * DEFAULT_DEPTH)
    }
}

/// Which physics moves the water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Pipes of a fixed cross-section between cells.
    #[default]
    Pipes,
    /// Pipes as deep as the water, over rough ground: waves run faster in deep water, streams as
    /// fast as slope and roughness let them.
    Inertial,
    /// The full shallow-water equations: momentum, jumps, swirls. Several times the work of pipes.
    ShallowWater,
}

/// `[[gauge]]`: writes what it measures to `NAME.csv`; exactly one of `at`, `line`, `disc`, `rect`,
/// `structure`, `body`; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    /// Its name and its file's: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Measures depth, surface and speed at a place.
    pub at: Option<Position>,
    /// Measures the discharge across a line of 2 to 1000 points: above 0 from its left to its right,
    /// looking from its first point along it.
    pub line: Option<Vec<Position>>,
    /// Measures the volume in a round place.
    pub disc: Option<Disc>,
    /// Measures the volume in a rectangle.
    pub rect: Option<Rect>,
    /// Measures the discharge of the culvert, gate or weir of that name, above 0 from its `from` to its
    /// `to`.
    pub structure: Option<String>,
    /// Measures the position, the height of the keel and the speed of the body of that name.
    pub body: Option<String>,
    /// Time between two measurements (s), above 0. Default: a two-hundredth of the run.
    pub every: Option<f64>,
}

/// What a gauge measures, and where.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Depth, surface and speed at a point.
    Point(Point),
    /// Discharge across a polyline.
    Line(Vec<Point>),
    /// Volume in a region.
    Region(Region),
    /// Discharge of the structure of that name.
    Structure(String),
    /// Position, keel and speed of the scene's body of that number.
    Body(usize),
}

impl Measuring for Gauge {
    fn name(&self) -> &str {
        &self.name
    }

    fn every(&self) -> Option<f64> {
        self.every
    }
}

impl Gauge {
    /// What it measures on `lattice`, or of one of the scene's `bodies`. `None` if nothing is given, which no
    /// checked scene has.
    pub fn target(&self, lattice: &Lattice, bodies: &[Body]) -> Option<Target> {
        match self {
            Gauge { body: Some(name), .. } => {
                bodies.iter().position(|body| body.name.as_ref() == Some(name)).map(Target::Body)
            }
            Gauge { at: Some(at), .. } => Some(Target::Point(resolve(*at, lattice))),
            Gauge { line: Some(line), .. } => {
                Some(Target::Line(line.iter().map(|&point| resolve(point, lattice)).collect()))
            }
            Gauge { structure: Some(name), .. } => Some(Target::Structure(name.clone())),
            Gauge { disc, rect, .. } => {
                let area = Area { disc: *disc, rect: *rect, ..Area::default() };
                (!area.given().is_empty()).then(|| Target::Region(area.region(lattice)))
            }
        }
    }
}

/// `[particles]`: massless tracers that drift with the water, for pictures.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Particles {
    /// How many, 0 to 1000000.
    pub count: usize,
    /// How long each lives (s), above 0. Default 30.
    #[serde(default = "default_lifetime")]
    pub lifetime: f64,
    /// `[[particles.emitter]]`: where they start; at most 1000. Default: wherever there is water.
    #[serde(default, rename = "emitter")]
    pub emitters: Vec<Area>,
}

fn default_lifetime() -> f64 {
    30.0
}

/// A layer that can be written: one of `headwater::flow::LAYERS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Height of the ground (m).
    Bed,
    /// Depth of the water (m).
    Depth,
    /// Height of the water's surface, or of the ground where it is dry (m).
    Surface,
    /// Velocity to the east (m/s).
    VelocityX,
    /// Velocity to the south (m/s).
    VelocityY,
    /// Speed of the water (m/s).
    Speed,
    /// How white the water is, 0 to 1.
    Foam,
    /// 1 where no water can enter, else 0.
    Closed,
    /// Water held in the soil (m).
    Soil,
}

impl Named for Layer {
    fn name(self) -> &'static str {
        match self {
            Layer::Bed => "bed",
            Layer::Depth => "depth",
            Layer::Surface => "surface",
            Layer::VelocityX => "velocity_x",
            Layer::VelocityY => "velocity_y",
            Layer::Speed => "speed",
            Layer::Foam => "foam",
            Layer::Closed => "closed",
            Layer::Soil => "soil",
        }
    }
}
