//! The tables of a run of flow: physics, gauges, particles, layers.

use super::Body;
use crate::scene::Keys;
use crate::scene::gauge_edit::Measuring;
use crate::scene::place::{Area, Disc, Position, Rect, resolve};
use crate::scene::polygon::Polygons;
use headwater::flow::Params;
use headwater::{Lattice, Point, Region};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// The keys of `[physics]` beside those of the model's parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhysicsFiles {
    /// A raster of Manning's roughness (s/m^⅓), from 0 up, in place of `manning`, which counts where it
    /// has no data; resampled to the grid. Relative to the scene file; in `--set`, to the current
    /// directory. Not for pipes.
    pub manning_map: Option<PathBuf>,
}

/// Cross-section of the pipes between cells (m²): what `[physics]` says, or as in water 1 m deep.
pub(crate) fn pipe_area(physics: &Keys<Params>, lattice: &Lattice) -> f64 {
    if physics.given("pipe_area") {
        return physics.pipe_area;
    }
    let width = match lattice {
        Lattice::Square(square) => square.cell_area().sqrt(),
        Lattice::Hex(hex) => hex.face_width(),
    };
    width * DEFAULT_DEPTH
}

/// How deep the water seems to the pipes where no `pipe_area` is given (m).
const DEFAULT_DEPTH: f64 = 1.0;

/// `[[gauge]]`: writes what it measures to `NAME.csv`; exactly one of `at`, `line`, `disc`, `rect`,
/// `polygon`, `structure`, `body`; at most 1000.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
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
    /// Measures the volume in polygons.
    pub polygon: Option<Polygons>,
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
#[non_exhaustive]
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
    fn head(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
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
            Gauge { disc, rect, polygon, .. } => {
                let polygon = polygon.clone();
                let area = Area { disc: *disc, rect: *rect, polygon, ..Area::default() };
                (!area.given().is_empty()).then(|| Target::Region(area.region(lattice)))
            }
        }
    }
}

/// The keys of `[particles]` beside those of the model's [`Tracers`](headwater::flow::Tracers): massless tracers that drift
/// with the water, for pictures.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emitters {
    /// `[[particles.emitter]]`: where they start; at most 1000. Default: wherever there is water.
    #[serde(default, rename = "emitter")]
    pub emitters: Vec<Area>,
}
