//! The tables of water: what stands there at the start, what comes and goes, and the world's edges.

use crate::scene::Alone;
use crate::scene::Nothing;
use crate::scene::event::{known_too, split};
use crate::scene::inner::inner;
use crate::scene::place::{Coordinate, Position, resolve};
use crate::scene::schema::{schema_of, series, with_keys};
use headwater::lattice::Edge;
use headwater::{Lattice, Region, Series};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use toml::Table;

/// `[water]`: the water at the start. Levels, depths and lakes do not add up: the deepest counts. Maps are rasters, resampled to the
/// grid, relative to the scene file; in `--set`, to the current directory. Where they have no data they bring no water, and no motion.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// All ground below this height (m) is filled up to it: a sea. −100000 to 100000.
    pub level: Option<f64>,
    /// Water of this depth (m) stands everywhere, 0 to 10000.
    pub depth: Option<f64>,
    /// A raster of heights (m) up to which the ground is filled, as `level` does it.
    pub level_map: Option<PathBuf>,
    /// A raster of depths (m), 0 to 10000.
    pub depth_map: Option<PathBuf>,
    /// Two rasters of the water's velocity (m/s), to the east and to the south. Not with `discharge_map`.
    pub velocity_map: Option<[PathBuf; 2]>,
    /// Two rasters of its unit discharge (m²/s), depth × velocity, to the east and to the south.
    pub discharge_map: Option<[PathBuf; 2]>,
    /// `[[water.lake]]`: at most 1000.
    #[serde(default, rename = "lake")]
    pub lakes: Vec<Lake>,
}

/// `[[water.lake]]`: fills the ground below `level` that is connected to a place.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lake {
    /// A place in the lake. Its ground must lie below `level`.
    pub at: Position,
    /// Height of the lake's surface (m), −100000 to 100000.
    pub level: f64,
}

/// The keys of `[[source]]` and `[[drain]]` beside `rate`: a place where water enters or leaves; at most 1000 of each.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    /// Its place.
    pub at: Position,
    /// The radius over which it spreads (m), above 0. Default: one cell.
    pub radius: Option<f64>,
    /// When it starts (s). Default 0.
    #[serde(default)]
    pub from: f64,
    /// When it ends (s), after `from`. Default: never.
    pub until: Option<f64>,
}

impl SourcePlace {
    /// The cells it spreads over.
    pub fn region(&self, lattice: &Lattice) -> Region {
        // A disc that holds no other cell's centre still has the cell it lies in.
        let one_cell = 0.25 * lattice.dx().min(lattice.dy());
        Region::disc(resolve(self.at, lattice), self.radius.unwrap_or(one_cell))
    }
}

/// The key of `[rain]` beside `rate`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RainFiles {
    /// A raster that multiplies the rain, from 0 up; resampled to the grid. Relative to the scene
    /// file; in `--set`, to the current directory. Default: 1 everywhere.
    pub map: Option<PathBuf>,
    /// `[[rain.raster]]`: rasters in place of `map`, one after another, as of a radar; at most 1000.
    #[serde(default, rename = "raster")]
    pub rasters: Vec<RainRaster>,
}

/// `[[rain.raster]]`: a raster that multiplies the rain from its time until that of the next. With a `rate` of 1 rasters are in mm/h. Before
/// the first no rain falls.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RainRaster {
    /// From when on it counts (s), after that of the one before.
    pub time: f64,
    /// The raster, from 0 up, 0 where it has no data; resampled to the grid. Relative to the scene file; in `--set`, to the current
    /// directory.
    pub file: PathBuf,
}

/// `[[boundary]]`: what happens along an edge or a stretch of it. Elsewhere there is a wall. Its keys are those of the
/// stretch, `kind`, and those of the kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// Where.
    pub stretch: Stretch,
    /// What happens there.
    pub kind: BoundaryKind,
}

/// An edge, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// `"west"`, `"east"`, `"north"` or `"south"`.
    pub edge: Edge,
    /// Where the stretch begins, in metres or percent from the west or north. Default 0.
    pub from: Option<Coordinate>,
    /// Where it ends. Default: the end of the edge.
    pub to: Option<Coordinate>,
}

/// `kind`: what happens along an edge.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum BoundaryKind {
    /// No water passes.
    Wall(Alone<Nothing>),
    /// Water enters: `discharge`, and of shallow water `level` and `along`.
    Inflow(Alone<Inflow>),
    /// Water leaves: `discharge`, as long as there is some.
    Outflow(Alone<Discharge>),
    /// Water leaves as over a weir into nothing.
    Open(Alone<Nothing>),
    /// Water stands outside at `level`: a tide, a sea, a lake.
    Stage(Alone<Stage>),
    /// A wave maker: waves come in on still water of `level`, those of `amplitude` and `period` or what `rise` says; those
    /// from inside leave.
    Wave(Alone<Wave>),
    /// A wave maker that sends one solitary wave of `height`, whose crest comes at `time`, on still water of `level`; waves
    /// from inside leave.
    Solitary(Alone<Solitary>),
    /// What leaves comes in over the opposite edge. Whole edges only; one of the two need be named.
    Periodic(Alone<Nothing>),
}

/// Water that goes at a rate.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discharge {
    /// Water per metre of edge (m²/s), 0 to 10⁶; a number, or a table of `[seconds, discharge]`.
    #[schemars(schema_with = "series")]
    pub discharge: Series,
}

/// Water that comes.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Inflow {
    /// Water per metre of edge (m²/s), 0 to 10⁶; a number, or a table of `[seconds, discharge]`.
    #[schemars(schema_with = "series")]
    pub discharge: Series,
    /// How high its surface stands (m), for a stream that is faster than its waves; a number, or a table of `[seconds, level]`. A slower one
    /// is as deep as the water that it meets. Only for shallow water. Default: no stream comes in faster than its waves.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub level: Option<Series>,
    /// Its velocity along the edge (m/s), to the east or to the south, −1000 to 1000; a number, or a table of `[seconds, velocity]`. Only for
    /// shallow water. Default 0.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub along: Option<Series>,
}

/// Water outside.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Its height (m); a number, or a table of `[seconds, level]`.
    #[schemars(schema_with = "series")]
    pub level: Series,
}

/// A wave maker.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wave {
    /// The height (m) of the still water.
    pub level: f64,
    /// The amplitude of what comes in (m), 0 to 1000. Needed, with `period`, unless there is `rise`.
    pub amplitude: Option<f64>,
    /// The time from crest to crest (s), above 0 to 10⁶.
    pub period: Option<f64>,
    /// In place of amplitude and period: how far the incoming waves alone lift the water over time (m), −1000 to 1000, as a
    /// buoy has recorded it; a number, or a table of `[seconds, rise]`.
    #[schemars(schema_with = "series")]
    #[serde(default)]
    pub rise: Option<Series>,
}

/// A solitary wave.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solitary {
    /// The height (m) of the still water.
    pub level: f64,
    /// The height of its crest above that (m), 0 to 1000.
    pub height: f64,
    /// When the crest comes over the edge (s).
    pub time: f64,
    /// The depth of the still water by which its length goes (m), above 0 to 10⁵. Default: the mean along the stretch.
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
            inner(rest).map_err(|error| known_too(error, &["kind", "edge", "from", "to"]))?;
        Ok(Self { stretch: inner(stretch)?, kind })
    }
}

impl Stretch {
    /// Length of its whole edge (m).
    pub fn edge_length(&self, lattice: &Lattice) -> f64 {
        match self.edge {
            Edge::West | Edge::East => lattice.height(),
            Edge::North | Edge::South => lattice.width(),
        }
    }

    /// From where to where it goes, in metres from the west or north.
    pub fn ends(&self, lattice: &Lattice) -> [f64; 2] {
        let length = self.edge_length(lattice);
        let along = |end: Option<Coordinate>, default| end.map_or(default, |c| c.resolve(length));
        [along(self.from, 0.0), along(self.to, length)]
    }
}
