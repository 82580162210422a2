//! Tables for physics, gauges and particles.

use super::Body;
use crate::scene::Keys;
use crate::scene::gauge_edit::Measuring;
use crate::scene::place::polygon::Polygons;
use crate::scene::place::{Area, Disc, Position, Rect, resolve};
use headwater::flow::Params;
use headwater::{Lattice, Point, Region};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// Keys of `[physics]` in addition to the model's parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhysicsFiles {
    /// Raster of Manning's roughness (s/m^⅓), 0 or more, resampled to the grid. Cells without data
    /// have `manning`. The path is relative to the scene file; in `--set`, to the current
    /// directory. Not for pipes.
    pub manning_map: Option<PathBuf>,
}

/// Returns the cross-section of the pipes between cells (m²). It is given in `[physics]`, or
/// computed from [`DEFAULT_PIPE_DEPTH`].
pub(crate) fn pipe_area(physics: &Keys<Params>, lattice: &Lattice) -> f64 {
    if physics.given("pipe_area") {
        return physics.pipe_area;
    }
    let width = match lattice {
        Lattice::Square(square) => square.cell_area().sqrt(),
        Lattice::Hex(hex) => hex.face_width(),
    };
    width * DEFAULT_PIPE_DEPTH
}

/// Water depth (m) from which the default pipe cross-section is computed.
const DEFAULT_PIPE_DEPTH: f64 = 1.0;

/// `[[gauge]]`: time series that is written to `NAME.csv`. Exactly one of `at`, `line`, `disc`,
/// `rect`, `polygon`, `structure`, `body`; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    /// Name, also of its file: 1 to 64 of `a`–`z`, `A`–`Z`, `0`–`9`, `_`, `-`.
    pub name: String,
    /// Measures depth, surface level and speed at a point.
    pub at: Option<Position>,
    /// Measures the discharge across a polyline of 2 to 1000 points, positive from left to right
    /// when looking along it.
    pub line: Option<Vec<Position>>,
    /// Measures the volume in a disc.
    pub disc: Option<Disc>,
    /// Measures the volume in a rectangle.
    pub rect: Option<Rect>,
    /// Measures the volume in polygons.
    pub polygon: Option<Polygons>,
    /// Measures the discharge of the culvert, gate or weir with this name, positive from its `from`
    /// to its `to`.
    pub structure: Option<String>,
    /// Measures the position, the keel height and the speed of the body with this name.
    pub body: Option<String>,
    /// Time between two readings (s), above 0. Default: 1/200 of the run.
    pub every: Option<f64>,
}

/// Quantity that a gauge measures, and its location.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Depth, surface level and speed at a point (m).
    Point(Point),
    /// Discharge across a polyline (m).
    Line(Vec<Point>),
    /// Volume of water in a region.
    Region(Region),
    /// Discharge of the structure with this name.
    Structure(String),
    /// Position, keel height and speed of the body with this index in the scene.
    Body(usize),
}

impl Measuring for Gauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

impl Gauge {
    /// Returns what the gauge measures on a lattice. `bodies` are the bodies of the scene. Returns
    /// `None` if no location is given or the body does not exist, which does not occur in checked
    /// scenes.
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
            Gauge { disc, rect, polygon, .. } => {
                let polygon = polygon.clone();
                let area = Area { disc: *disc, rect: *rect, polygon, ..Area::default() };
                (!area.given().is_empty()).then(|| Target::Region(area.region(lattice)))
            }
        }
    }
}

/// Keys of `[particles]` in addition to the model's [`Tracers`](headwater::flow::Tracers):
/// massless tracers that drift with the water, for pictures.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emitters {
    /// `[[particles.emitter]]`: areas where they start; at most 1000. Default: all water.
    #[serde(default, rename = "emitter")]
    pub emitters: Vec<Area>,
}
