//! Tables for water: initial state, sources and drains, rain, and boundary conditions.

use crate::scene::NoKeys;
use crate::scene::WithoutArea;
use crate::scene::event::{split, with_more_keys};
use crate::scene::place::{Coordinate, Position, resolve};
use crate::scene::read::nested::nested;
use crate::scene::schema::{schema_of, series, with_keys};
use headwater::lattice::Edge;
use headwater::{Lattice, Region, Series};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use toml::Table;

/// `[water]`: initial water. Level, depth and lakes are not added; the deepest applies. Maps are
/// rasters that are resampled to the grid. Their paths are relative to the scene file; in `--set`,
/// to the current directory. Cells without data in a map get no water and no velocity from it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Level of a sea (m): all ground below it is filled. −100000 to 100000.
    pub level: Option<f64>,
    /// Uniform depth of water (m), 0 to 10000.
    pub depth: Option<f64>,
    /// Raster of levels (m) up to which the ground is filled.
    pub level_map: Option<PathBuf>,
    /// Raster of depths (m), 0 to 10000.
    pub depth_map: Option<PathBuf>,
    /// Two rasters of the velocity (m/s), to the east and to the south. Cannot be combined with
    /// `discharge_map`.
    pub velocity_map: Option<[PathBuf; 2]>,
    /// Two rasters of the unit discharge (m²/s), depth × velocity, to the east and to the south.
    pub discharge_map: Option<[PathBuf; 2]>,
    /// `[[water.lake]]`: lakes; at most 1000.
    #[serde(default, rename = "lake")]
    pub lakes: Vec<Lake>,
}

/// `[[water.lake]]`: lake that fills the connected ground below `level` around a point.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lake {
    /// Point in the lake. Its ground must be below `level`.
    pub at: Position,
    /// Level of the lake's surface (m), −100000 to 100000.
    pub level: f64,
}

/// Keys of `[[source]]` and `[[drain]]` in addition to the model's parameters: a place where water
/// enters or leaves; at most 1000 of each.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    /// Position.
    pub at: Position,
    /// Radius of its area (m), above 0. Default: one cell.
    pub radius: Option<f64>,
    /// Start time (s). Default 0.
    #[serde(default)]
    pub from: f64,
    /// End time (s), after `from`. Default: never.
    pub until: Option<f64>,
}

impl SourcePlace {
    /// Returns the region of the cells where water enters or leaves.
    pub fn region(&self, lattice: &Lattice) -> Region {
        // If the disc contains no other cell centres, it still contains its own cell.
        let one_cell = 0.25 * lattice.dx().min(lattice.dy());
        Region::disc(resolve(self.at, lattice), self.radius.unwrap_or(one_cell))
    }
}

/// Keys of `[rain]` in addition to the model's parameters.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RainFiles {
    /// Raster of factors of the rain, 0 or more; resampled to the grid. The path is relative to the
    /// scene file; in `--set`, to the current directory. Default: 1 everywhere.
    pub map: Option<PathBuf>,
    /// `[[rain.raster]]`: time series of rasters in place of `map`, such as radar images; at most
    /// 1000.
    #[serde(default, rename = "raster")]
    pub rasters: Vec<RainRaster>,
}

/// `[[rain.raster]]`: raster of factors of the rain from its time until that of the next one. With
/// a `rate` of 1, rasters are in mm/h. There is no rain before the first raster.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RainRaster {
    /// Start time (s), after that of the previous raster.
    pub time: f64,
    /// File of the raster, with values of 0 or more and 0 in cells without data; resampled to the
    /// grid. The path is relative to the scene file; in `--set`, to the current directory.
    pub file: PathBuf,
}

/// `[[boundary]]`: boundary condition along an edge or a stretch of it. Other edges are walls. Its
/// keys are those of the stretch, `kind`, and those of the kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Stretch of the edge.
    pub stretch: Stretch,
    /// Boundary condition.
    pub kind: BoundaryKind,
}

/// Edge of the world, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Edge: `"west"`, `"east"`, `"north"` or `"south"`.
    pub edge: Edge,
    /// Start of the stretch, in metres or percent from the west or north. Default 0.
    pub from: Option<Coordinate>,
    /// End of the stretch. Default: the end of the edge.
    pub to: Option<Coordinate>,
}

/// `kind`: boundary condition along an edge.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BoundaryKind {
    /// Closed wall.
    Wall(WithoutArea<NoKeys>),
    /// Inflow with a `discharge`, and for shallow water with `level` and `along`.
    Inflow(WithoutArea<Inflow>),
    /// Outflow with a `discharge`, limited by the available water.
    Outflow(WithoutArea<Discharge>),
    /// Free outflow, as over a weir.
    Open(WithoutArea<NoKeys>),
    /// Fixed water level `level` outside: a tide, a sea or a lake.
    Stage(WithoutArea<StageBoundary>),
    /// Wave maker: incoming waves of `amplitude` and `period`, or with the recorded elevation
    /// `rise`, on still water of `level`. Outgoing waves are absorbed.
    Wave(WithoutArea<Wave>),
    /// Wave maker for one solitary wave of `height`, whose crest arrives at `time`, on still water
    /// of `level`. Outgoing waves are absorbed.
    Solitary(WithoutArea<Solitary>),
    /// Periodic boundary with the opposite edge. Only for whole edges; one of the two is enough.
    Periodic(WithoutArea<NoKeys>),
}

/// Keys of a boundary of kind `outflow`, through which water leaves at a given discharge.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discharge {
    /// Discharge per metre of edge (m²/s), 0 to 10⁶; a number, or a table of `[seconds,
    /// discharge]`.
    #[schemars(schema_with = "series")]
    pub discharge: Series,
}

/// Keys of a boundary of kind `inflow`, through which water enters at a given discharge.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inflow {
    /// Discharge per metre of edge (m²/s), 0 to 10⁶; a number, or a table of `[seconds,
    /// discharge]`.
    #[schemars(schema_with = "series")]
    pub discharge: Series,
    /// Level of the surface (m) of a supercritical stream; a number, or a table of `[seconds,
    /// level]`. A subcritical stream takes the depth of the water that it meets. Only for shallow
    /// water. Default: the inflow is subcritical.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub level: Option<Series>,
    /// Velocity along the edge (m/s), to the east or to the south, −1000 to 1000; a number, or a
    /// table of `[seconds, velocity]`. Only for shallow water. Default 0.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub along: Option<Series>,
}

/// Keys of a boundary of kind `stage`, outside of which the water has a given level.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageBoundary {
    /// Water level (m); a number, or a table of `[seconds, level]`.
    #[schemars(schema_with = "series")]
    pub level: Series,
}

/// Keys of a boundary of kind `wave`, through which periodic or recorded waves enter.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// Level of the still water (m).
    pub level: f64,
    /// Amplitude of the incoming waves (m), 0 to 1000. Required with `period`, unless `rise` is
    /// given.
    pub amplitude: Option<f64>,
    /// Period (s), above 0 to 10⁶.
    pub period: Option<f64>,
    /// Surface elevation of the incoming waves over time (m), −1000 to 1000, for example recorded
    /// by a buoy; a number, or a table of `[seconds, rise]`. In place of amplitude and period.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub rise: Option<Series>,
}

/// Keys of a boundary of kind `solitary`, through which one solitary wave enters.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solitary {
    /// Level of the still water (m).
    pub level: f64,
    /// Height of the crest above the still water (m), 0 to 1000.
    pub height: f64,
    /// Time when the crest crosses the edge (s).
    pub time: f64,
    /// Depth of the still water that determines its length (m), above 0 to 10⁵. Default: the mean
    /// along the stretch.
    pub depth: Option<f64>,
}

schema_of!([] Boundary, |generator| {
    let stretch = Stretch::json_schema(generator);
    with_keys(BoundaryKind::json_schema(generator), &stretch, generator)
});

impl<'de> Deserialize<'de> for Boundary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const STRETCH: [&str; 3] = ["edge", "from", "to"];
        let (stretch, rest) = split(Table::deserialize(deserializer)?, &STRETCH);
        let kind =
            nested(rest).map_err(|error| with_more_keys(error, &["kind", "edge", "from", "to"]))?;
        Ok(Self { stretch: nested(stretch)?, kind })
    }
}

impl Stretch {
    /// Returns the length of the whole edge of the world (m).
    pub fn edge_length(&self, lattice: &Lattice) -> f64 {
        match self.edge {
            Edge::West | Edge::East => lattice.height(),
            Edge::North | Edge::South => lattice.width(),
        }
    }

    /// Returns the start and end of the stretch (m from the west or north end of the edge).
    pub fn ends(&self, lattice: &Lattice) -> [f64; 2] {
        let length = self.edge_length(lattice);
        let along = |end: Option<Coordinate>, default| end.map_or(default, |c| c.resolve(length));
        [along(self.from, 0.0), along(self.to, length)]
    }
}
