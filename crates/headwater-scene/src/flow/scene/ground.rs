//! The tables `[grid]` and `[terrain]`: the lattice, the bed, and what stands on it.

use crate::scene::place::{Area, Disc, Line, Rect};
use crate::scene::polygon::Polygons;
use headwater::Falloff;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[grid]`: how many cells the world has, and of what size. May be left out.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Columns, 1 or more; at most 2²⁶ cells in all, of `flow` with `--memory` 2³⁰. Default: those of the terrain's file, or, if
    /// only `ny` is given, as many as keep its proportions; 256 without a file. Of hexagons, as many
    /// as cover what the file covers.
    #[schemars(range(min = 1, max = 67108864))]
    pub nx: Option<usize>,
    /// Rows, as `nx`. A terrain's file of another size is resampled.
    #[schemars(range(min = 1, max = 67108864))]
    pub ny: Option<usize>,
    /// Size of a cell (m): a number, or `[east, south]`. 0.001 to 100000. Default: such that the
    /// world has the extent its file says (cells of 1 m where it says none); 4 m without a file. Of
    /// hexagons, one number: the distance of two neighbours' centres. Rows of hexagons lie √3/2 of
    /// that apart, every other one half a cell farther east. Default on a file that gives neither
    /// columns nor rows: such that a hexagon is as large as a cell of the file. Cells of `hydrology` are as wide as high.
    pub cell: Option<Cell>,
    /// `"square"` (default) or `"hex"`: rectangles or regular hexagons. `hydrology` has squares alone.
    #[serde(default)]
    pub lattice: LatticeKind,
}

/// Size of a cell (m).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number of metres or a list of two")]
#[non_exhaustive]
pub enum Cell {
    /// As wide as high.
    Square(f64),
    /// From west to east, and from north to south.
    Sides([f64; 2]),
}

impl Cell {
    /// Size from west to east, and from north to south (m).
    pub fn sides(self) -> [f64; 2] {
        match self {
            Cell::Square(side) => [side, side],
            Cell::Sides(sides) => sides,
        }
    }
}

/// Kind of lattice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LatticeKind {
    /// Rectangles.
    #[default]
    Square,
    /// Regular hexagons.
    Hex,
}

/// `[terrain]`: the bed. Either `file`, or `plane` and `noise`, which add up; then the shapes, in
/// order. A `file` replaces plane and noise, so that `--set terrain.file=dem.tif` puts any scene on
/// another ground.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// A flat or sloping ground.
    pub plane: Option<Plane>,
    /// Hills, on top of the plane (or on height 0 without one).
    pub noise: Option<Noise>,
    /// A file of elevations: PNG, GeoTIFF, ESRI ASCII, NPY or R16; in programs built with `--features zarr` also a Zarr store, or an array of
    /// one, as in `dem.zarr/bed`. Relative to the scene file; in
    /// `--set`, to the current directory.
    pub file: Option<PathBuf>,
    /// With `file`: metres per unit of the file's values, not 0. Default: what the file says, or 1.
    pub scale: Option<f64>,
    /// With `file`: added to the scaled values (m). Default: what the file says, or 0.
    pub offset: Option<f64>,
    /// With `file`: the value, before scaling, that stands for no data. Such cells are closed to
    /// water. Default: what the file says.
    pub no_data: Option<f64>,
    /// With `file`: columns and rows of a raw (R16) file. Default: square.
    pub size: Option<[usize; 2]>,
    /// Samples of the ground along a side of a cell, 4 to 64, for banks and walls that cross cells: such a cell, and its faces, have a low part and a high
    /// one, so that channels askew to the grid run as deep as along it. Of a `file` it should have as many cells as there are samples. Squares, with
    /// `physics.level` `"inertial"` or `"shallow-water"`. Default: each cell has one height.
    pub subgrid: Option<usize>,
    /// `[[terrain.shape]]`: dams, valleys, basins, river beds, cones; at most 1000.
    #[serde(default, rename = "shape")]
    pub shapes: Vec<Shape>,
}

/// A flat or sloping ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// Height in the north-west corner (m), −100000 to 100000. Default 0.
    #[serde(default)]
    pub height: f64,
    /// How it rises to the east and to the south (m per m), −10 to 10. Default `[0, 0]`.
    #[serde(default)]
    pub slope: [f64; 2],
}

/// Hills from seeded noise, between the plane and about `height` above it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Kind of hills. Default `"fractal"`.
    #[serde(default)]
    pub kind: NoiseKind,
    /// How far the highest hills stand above the plane (m), 0 to 100000. Default: a tenth of
    /// `scale`.
    pub height: Option<f64>,
    /// Size of the largest hills and valleys (m), from 0.01. Default: 0.6 of the world's longer
    /// side.
    pub scale: Option<f64>,
    /// Layers of ever finer detail, 1 to 16. Default 7. Layers finer than two cells are left out.
    #[serde(default = "default_octaves")]
    #[schemars(range(min = 1, max = 16))]
    pub octaves: u32,
    /// Height of each layer relative to the one before, 0 to 1. Default 0.48.
    #[serde(default = "default_persistence")]
    pub persistence: f64,
    /// Fineness of each layer relative to the one before, 1 to 8. Default 2.
    #[serde(default = "default_lacunarity")]
    pub lacunarity: f64,
    /// How far the hills are bent out of shape, in parts of `scale`, 0 to 2. Default 0.15.
    #[serde(default = "default_warp")]
    pub warp: f64,
    /// Another seed gives other hills. Default: the scene's.
    pub seed: Option<u32>,
    /// Sinks the world's rim below the sea.
    pub island: Option<Island>,
}

fn default_octaves() -> u32 {
    7
}
fn default_persistence() -> f64 {
    0.48
}
fn default_lacunarity() -> f64 {
    2.0
}
fn default_warp() -> f64 {
    0.15
}

/// Kind of hills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NoiseKind {
    /// Rolling hills and broad basins.
    #[default]
    Fractal,
    /// Sharp ridges between wide valleys.
    Ridged,
}

/// Sinks the world's rim, so that an island is left.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Island {
    /// How far below the plane the rim lies (m), 0 to 100000.
    pub depth: f64,
    /// The share of the way from the rim to the middle over which the ground rises, above 0 to 1.
    /// Default 0.6.
    #[serde(default = "default_shore")]
    pub shore: f64,
}

fn default_shore() -> f64 {
    0.6
}

/// `[[terrain.shape]]`: one change of the ground, in exactly one of `disc`, `rect`, `line`,
/// `polygon`, `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// What is done.
    pub op: ShapeOp,
    /// Where: a round place.
    pub disc: Option<Disc>,
    /// Where: a rectangle along the axes.
    pub rect: Option<Rect>,
    /// Where: a band along a polyline.
    pub line: Option<Line>,
    /// Where: in polygons, in which nothing fades.
    pub polygon: Option<Polygons>,
    /// Where: the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// For raise and lower: by how much (m), above 0 to 100000.
    pub amount: Option<f64>,
    /// For raise, lower and flatten: to which height (m). Along a line also `[start, end]`, a
    /// height that changes evenly from its first point to its last: a river bed, a ramp.
    pub level: Option<Level>,
    /// For smooth: how far around a cell its height is averaged (m). Default: two cells.
    pub reach: Option<f64>,
    /// How the change fades towards the rim: `"flat"` (default), `"linear"` (a cone, a ridge) or
    /// `"smooth"` (a round hill, a soft valley).
    #[serde(default)]
    pub falloff: Falloff,
}

/// What a shape does to the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ShapeOp {
    /// Up by `amount`, or up to `level` where the ground is lower: dams, cones.
    Raise,
    /// Down by `amount`, or down to `level` where the ground is higher: valleys, river beds.
    Lower,
    /// To `level`.
    Flatten,
    /// To the mean of the ground within `reach`.
    Smooth,
}

/// A height (m), −100000 to 100000.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a height in metres, or [start, end] along a line")]
pub enum Level {
    /// The same everywhere.
    Even(f64),
    /// From the first point of a line to its last.
    Along([f64; 2]),
}

impl Shape {
    /// Where the ground is changed.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, polygon: self.polygon.clone(), everywhere: self.everywhere }
    }
}
