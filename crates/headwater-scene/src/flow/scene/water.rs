//! Scene tables for water: initial state, sources and drains, rain, and boundary conditions.

use crate::scene::NoKeys;
use crate::scene::NonAreaAction;
use crate::scene::event::{add_allowed_keys, split_table};
use crate::scene::place::{Coordinate, Position, resolve_position};
use crate::scene::read::nested::deserialize_nested;
use crate::scene::schema::{add_table_keys, schema_of, series};
use headwater::lattice::Edge;
use headwater::{Lattice, Region, Series};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use toml::Table;

/// `[water]`: initial water. If several keys give water in a cell, the greatest depth applies;
/// depths are not added. Maps are rasters that are resampled to the grid. Their paths are relative
/// to the scene file; in `--set`, to the current directory. Cells without data in a map get no
/// water and no velocity from it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// Sea level (m), −100000 to 100000. All ground below this level is flooded up to it.
    pub level: Option<f64>,
    /// Uniform depth of the initial water (m), 0 to 10000.
    pub depth: Option<f64>,
    /// Raster of water levels (m) up to which the ground is flooded.
    pub level_map: Option<PathBuf>,
    /// Raster of depths of the initial water (m), 0 to 10000.
    pub depth_map: Option<PathBuf>,
    /// Two rasters of the initial velocity (m/s): to the east and to the south. Cannot be combined
    /// with `discharge_map`.
    pub velocity_map: Option<[PathBuf; 2]>,
    /// Two rasters of the initial discharge per metre of width (m²/s), which is depth × velocity:
    /// to the east and to the south.
    pub discharge_map: Option<[PathBuf; 2]>,
    /// `[[water.lake]]`: lakes. At most 1000.
    #[serde(default, rename = "lake")]
    pub lakes: Vec<Lake>,
}

/// `[[water.lake]]`: lake that fills the connected area of ground below `level` around a given
/// point.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lake {
    /// Point in the lake. The ground at this point must be below `level`.
    pub at: Position,
    /// Level of the lake surface (m), −100000 to 100000.
    pub level: f64,
}

/// Keys of `[[source]]` and `[[drain]]` in addition to the model's parameters: the location and
/// time at which water enters or leaves. At most 1000 of each.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    /// Position of the centre of the source or drain.
    pub at: Position,
    /// Radius of the area over which water enters or leaves (m), above 0. Default: one cell.
    pub radius: Option<f64>,
    /// Time at which the source or drain starts (s). Default 0.
    #[serde(default)]
    pub from: f64,
    /// Time at which the source or drain ends (s), later than `from`. Default: never.
    pub until: Option<f64>,
}

impl SourcePlace {
    /// Returns the region of the cells in which water enters or leaves.
    pub fn region(&self, lattice: &Lattice) -> Region {
        // The radius also selects the cell at the position if no cell centre is in the disc.
        let one_cell = 0.25 * lattice.dx().min(lattice.dy());
        Region::disc(resolve_position(self.at, lattice), self.radius.unwrap_or(one_cell))
    }
}

/// Keys of `[rain]` in addition to the model's parameters: the spatial distribution of the rain.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RainFiles {
    /// Raster of factors by which the rain rate is multiplied, 0 or more. It is resampled to the
    /// grid. The path is relative to the scene file; in `--set`, to the current directory. Default:
    /// 1 everywhere.
    pub map: Option<PathBuf>,
    /// `[[rain.raster]]`: time series of rasters in place of `map`, for example radar images. At
    /// most 1000.
    #[serde(default, rename = "raster")]
    pub rasters: Vec<RainRaster>,
}

/// `[[rain.raster]]`: raster of factors by which the rain rate is multiplied, from its start time
/// until that of the next raster. With a `rate` of 1, the values are rain rates in mm/h. There is
/// no rain before the first raster.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RainRaster {
    /// Start time (s), later than that of the previous raster.
    pub time: f64,
    /// Raster file with values of 0 or more; cells without data count as 0. It is resampled to the
    /// grid. The path is relative to the scene file; in `--set`, to the current directory.
    pub file: PathBuf,
}

/// `[[boundary]]`: boundary condition along an edge of the world, or along a part of an edge. Edges
/// without a boundary condition are walls. The table has the keys of the stretch of the edge, the
/// key `kind`, and the keys of that kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Part of the edge to which the boundary condition applies.
    pub stretch: Stretch,
    /// Type of the boundary condition, with its keys.
    pub kind: BoundaryKind,
}

/// Edge of the world, or a part of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Edge: `"west"`, `"east"`, `"north"` or `"south"`.
    pub edge: Edge,
    /// Start of the stretch, in metres or percent from the west or north end of the edge. Default
    /// 0.
    pub from: Option<Coordinate>,
    /// End of the stretch, in metres or percent from the west or north end of the edge. Default:
    /// the end of the edge.
    pub to: Option<Coordinate>,
}

/// `kind`: type of a boundary condition, with its keys.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BoundaryKind {
    /// Closed wall.
    Wall(NonAreaAction<NoKeys>),
    /// Inflow with a given `discharge`. Shallow water also supports `level` and `along`.
    Inflow(NonAreaAction<Inflow>),
    /// Outflow with a given `discharge`, up to the water available.
    Outflow(NonAreaAction<Discharge>),
    /// Free outflow, as over a weir.
    Open(NonAreaAction<NoKeys>),
    /// Given water level `level` outside the edge, such as that of a tide, a sea or a lake.
    Stage(NonAreaAction<StageBoundary>),
    /// Wave maker: incoming waves with an `amplitude` and a `period`, or with the recorded surface
    /// elevation `rise`, above a still-water level `level`. Absorbs outgoing waves.
    Wave(NonAreaAction<Wave>),
    /// Wave maker for one solitary wave with the given `height` above a still-water level `level`.
    /// The crest arrives at `time`. Absorbs outgoing waves.
    Solitary(NonAreaAction<Solitary>),
    /// Periodic boundary, which connects the edge to the opposite edge. It applies only to whole
    /// edges, and is given for one or both of the opposite edges.
    Periodic(NonAreaAction<NoKeys>),
}

/// Keys of a boundary with `kind = "outflow"`, through which water leaves at a given discharge.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discharge {
    /// Discharge per metre of edge (m²/s), 0 to 10⁶: a number, or a table of `[seconds,
    /// discharge]`.
    #[schemars(schema_with = "series")]
    pub discharge: Series,
}

/// Keys of a boundary with `kind = "inflow"`, through which water enters at a given discharge.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inflow {
    /// Discharge per metre of edge (m²/s), 0 to 10⁶: a number, or a table of `[seconds,
    /// discharge]`.
    #[schemars(schema_with = "series")]
    pub discharge: Series,
    /// Surface level (m) of a supercritical inflow: a number, or a table of `[seconds, level]`.
    /// Only for shallow water. Default: the inflow is subcritical and takes its depth from the
    /// water inside the edge.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub level: Option<Series>,
    /// Velocity component along the edge (m/s), to the east or to the south, −1000 to 1000: a
    /// number, or a table of `[seconds, velocity]`. Only for shallow water. Default 0.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub along: Option<Series>,
}

/// Keys of a boundary with `kind = "stage"`, outside which the water has a given level.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageBoundary {
    /// Water level outside the edge (m): a number, or a table of `[seconds, level]`.
    #[schemars(schema_with = "series")]
    pub level: Series,
}

/// Keys of a boundary with `kind = "wave"`, through which periodic or recorded waves enter.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// Still-water level (m).
    pub level: f64,
    /// Amplitude of the incoming waves (m), 0 to 1000. Required together with `period`, unless
    /// `rise` is given.
    pub amplitude: Option<f64>,
    /// Period of the incoming waves (s), above 0 to 10⁶.
    pub period: Option<f64>,
    /// Surface elevation of the incoming waves over time (m), −1000 to 1000, for example recorded
    /// by a buoy: a number, or a table of `[seconds, rise]`. Replaces `amplitude` and `period`.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub rise: Option<Series>,
}

/// Keys of a boundary with `kind = "solitary"`, through which one solitary wave enters.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solitary {
    /// Still-water level (m).
    pub level: f64,
    /// Height of the crest above the still-water level (m), 0 to 1000.
    pub height: f64,
    /// Time at which the crest crosses the edge (s).
    pub time: f64,
    /// Still-water depth from which the length of the wave is computed (m), above 0 to 10⁵.
    /// Default: the mean depth along the stretch of the edge.
    pub depth: Option<f64>,
}

schema_of!([] Boundary, |generator| {
    let stretch = Stretch::json_schema(generator);
    add_table_keys(BoundaryKind::json_schema(generator), &stretch, generator)
});

impl<'de> Deserialize<'de> for Boundary {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const STRETCH: [&str; 3] = ["edge", "from", "to"];
        let (stretch, rest) = split_table(Table::deserialize(deserializer)?, &STRETCH);
        let kind = deserialize_nested(rest)
            .map_err(|error| add_allowed_keys(error, &["kind", "edge", "from", "to"]))?;
        Ok(Self { stretch: deserialize_nested(stretch)?, kind })
    }
}

impl Stretch {
    /// Returns the length of the entire edge of the world (m).
    pub fn edge_length(&self, lattice: &Lattice) -> f64 {
        match self.edge {
            Edge::West | Edge::East => lattice.height(),
            Edge::North | Edge::South => lattice.width(),
        }
    }

    /// Returns the start and the end of the stretch, as distances (m) from the west or north end of
    /// the edge.
    pub fn ends(&self, lattice: &Lattice) -> [f64; 2] {
        let length = self.edge_length(lattice);
        let along = |end: Option<Coordinate>, default| end.map_or(default, |c| c.resolve(length));
        [along(self.from, 0.0), along(self.to, length)]
    }
}
