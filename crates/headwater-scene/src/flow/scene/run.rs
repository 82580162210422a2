//! Scene tables for physics, gauges and particles.

use super::Body;
use crate::scene::Keys;
use crate::scene::event::gauge_edit::GaugeEntry;
use crate::scene::place::polygon::Polygons;
use crate::scene::place::{Area, Disc, Position, Rect, resolve_position};
use headwater::flow::Params;
use headwater::{Lattice, Point, Region};
use serde::Deserialize;
use std::path::PathBuf;

/// Keys of `[physics]` in addition to the model's parameters: the roughness map.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PhysicsFiles {
    /// Raster of Manning's roughness (s/m^⅓), 0 or more, resampled to the grid. Cells without data
    /// use `manning`. The path is relative to the scene file, or to the current directory if the
    /// key is set with `--set`. Not supported by the physics level `"pipes"`.
    pub manning_map: Option<PathBuf>,
}

/// Returns the cross-section of the virtual pipes between cells (m²), for the physics level
/// `"pipes"`. It is given in `[physics]`, or computed from [`DEFAULT_PIPE_DEPTH`].
pub(crate) fn pipe_area(physics: &Keys<Params>, lattice: &Lattice) -> f64 {
    if physics.is_given("pipe_area") {
        return physics.pipe_area;
    }
    let width = match lattice {
        Lattice::Square(square) => square.cell_area().sqrt(),
        Lattice::Hex(hex) => hex.face_width(),
    };
    width * DEFAULT_PIPE_DEPTH
}

/// Water depth (m) from which the default cross-section of pipes is computed.
const DEFAULT_PIPE_DEPTH: f64 = 1.0;

/// `[[gauge]]`: measuring device whose time series is written to `NAME.csv`. Needs exactly one of
/// `at`, `line`, `disc`, `rect`, `polygon`, `structure` and `body`. At most 1000 gauges.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gauge {
    /// Name of the gauge and of its output file: 1 to 64 characters from `a`–`z`, `A`–`Z`, `0`–`9`,
    /// `_` and `-`.
    pub name: String,
    /// Point at which the gauge measures depth, surface level, speed, the eastward and southward
    /// velocity, and the unit discharge (depth × velocity; total, eastward and southward).
    pub at: Option<Position>,
    /// Polyline of 2 to 1000 points across which the gauge measures the discharge, positive from
    /// left to right when looking along the line.
    pub line: Option<Vec<Position>>,
    /// Disc in which the gauge measures the volume of water.
    pub disc: Option<Disc>,
    /// Rectangle in which the gauge measures the volume of water.
    pub rect: Option<Rect>,
    /// Polygons in which the gauge measures the volume of water.
    pub polygon: Option<Polygons>,
    /// Name of a culvert, gate or weir whose discharge the gauge measures, positive from the mouth
    /// `from` to the mouth `to`.
    pub structure: Option<String>,
    /// Name of a floating body whose position, keel height and speed the gauge measures.
    pub body: Option<String>,
    /// Time between two readings (s), above 0. Default: 1/200 of the duration of the run.
    pub every: Option<f64>,
}

/// Quantity that a gauge measures, with the location at which it is measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Depth, surface level, velocity and unit discharge at a point (coordinates in m).
    Point(Point),
    /// Discharge across a polyline (coordinates in m).
    Line(Vec<Point>),
    /// Volume of water in a region.
    Region(Region),
    /// Discharge of the structure with this name.
    Structure(String),
    /// Position, keel height and speed of the floating body with this index in the scene.
    Body(usize),
}

impl GaugeEntry for Gauge {
    fn name_and_interval(&self) -> (&str, Option<f64>) {
        (&self.name, self.every)
    }
}

impl Gauge {
    /// Returns the quantity and location that the gauge measures on a lattice. `bodies` are the
    /// bodies of the scene. Returns `None` if no location is given or the named body does not
    /// exist; validation rejects such scenes.
    pub fn target(&self, lattice: &Lattice, bodies: &[Body]) -> Option<Target> {
        match self {
            Gauge { body: Some(name), .. } => {
                bodies.iter().position(|body| body.name.as_ref() == Some(name)).map(Target::Body)
            }
            Gauge { at: Some(at), .. } => Some(Target::Point(resolve_position(*at, lattice))),
            Gauge { line: Some(line), .. } => Some(Target::Line(
                line.iter().map(|&point| resolve_position(point, lattice)).collect(),
            )),
            Gauge { structure: Some(name), .. } => Some(Target::Structure(name.clone())),
            Gauge { disc, rect, polygon, .. } => {
                let polygon = polygon.clone();
                let area = Area { disc: *disc, rect: *rect, polygon, ..Area::default() };
                (!area.given_keys().is_empty()).then(|| Target::Region(area.region(lattice)))
            }
        }
    }
}

/// Keys of `[particles]` in addition to those of the model's [`Tracers`](headwater::flow::Tracers).
/// The particles have no mass, drift with the water and are drawn in pictures.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Emitters {
    /// `[[particles.emitter]]`: areas in which particles start. At most 1000. Default: all wet
    /// cells.
    #[serde(default, rename = "emitter")]
    pub emitters: Vec<Area>,
}
