//! Tables `[grid]` and `[terrain]`: the lattice and the ground.

use crate::scene::place::polygon::Polygons;
use crate::scene::place::{Area, Disc, Line, Rect};
use headwater::Falloff;
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::PathBuf;

/// `[grid]`: number and size of the cells. Optional.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Columns, 1 or more; at most 2²⁶ cells in total, or 2³⁰ for `flow` with `--memory`. Default:
    /// those of the terrain file, or such that its proportions are kept if only `ny` is given; 256
    /// without a file. On hexagons, as many as cover the area of the file.
    #[schemars(range(min = 1, max = 67108864))]
    pub nx: Option<usize>,
    /// Rows, like `nx`. A terrain file of another size is resampled.
    #[schemars(range(min = 1, max = 67108864))]
    pub ny: Option<usize>,
    /// Size of a cell (m): a number, or `[east, south]`. 0.001 to 100000. Default: such that the
    /// world has the extent of the terrain file (1 m if it gives none); 4 m without a file. For
    /// hexagons, one number: the distance of neighbouring centres. Rows of hexagons are √3/2 of
    /// that apart, and every other row is shifted east by half a cell. Default for hexagons on a
    /// file without given columns and rows: a hexagon has the area of a cell of the file. Cells of
    /// `hydrology` must be square.
    pub cell: Option<Cell>,
    /// `"square"` (default) for rectangles or `"hex"` for regular hexagons. `hydrology` supports
    /// only squares.
    #[serde(default)]
    pub lattice: LatticeKind,
}

/// Size of a cell (m).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a number of metres or a list of two")]
#[non_exhaustive]
pub enum Cell {
    /// Square cell.
    Square(f64),
    /// Rectangular cell: sizes from west to east and from north to south.
    Sides([f64; 2]),
}

impl Cell {
    /// Returns the sizes of the cell from west to east and from north to south (m).
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

/// `[terrain]`: the ground. Either `file`, or the sum of `plane` and `noise`; then the shapes, in
/// order. A `file` replaces plane and noise, so that `--set terrain.file=dem.tif` puts any scene on
/// another terrain.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Flat or sloping plane.
    pub plane: Option<Plane>,
    /// Noise that is added to the plane (or to height 0 without one).
    pub noise: Option<Noise>,
    /// Elevation file: PNG, GeoTIFF, ESRI ASCII, NPY or R16; in programs built with `--features
    /// zarr` also a Zarr store or an array in one, such as `dem.zarr/bed`. The path is relative to
    /// the scene file; in `--set`, to the current directory.
    pub file: Option<PathBuf>,
    /// With `file`: metres per unit of the file's values, not 0. Default: that of the file, or 1.
    pub scale: Option<f64>,
    /// With `file`: offset that is added to the scaled values (m). Default: that of the file, or 0.
    pub offset: Option<f64>,
    /// With `file`: value of cells without data, before scaling. These cells are closed to water.
    /// Default: that of the file.
    pub no_data: Option<f64>,
    /// With `file`: columns and rows of a raw (R16) file. Default: square.
    pub size: Option<[usize; 2]>,
    /// Ground samples along a side of a cell, 4 to 64, for banks and walls that cross cells. Such a
    /// cell and its faces have a low and a high part, so that channels at an angle to the grid are
    /// as deep as aligned ones. A `file` should have as many cells as there are samples. Only for
    /// squares with `physics.level` `"inertial"` or `"shallow-water"`. Default: one height per
    /// cell.
    pub subgrid: Option<usize>,
    /// `[[terrain.shape]]`: dams, valleys, basins, river beds and cones; at most 1000.
    #[serde(default, rename = "shape")]
    pub shapes: Vec<Shape>,
}

/// Flat or sloping plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// Height in the north-west corner (m), −100000 to 100000. Default 0.
    #[serde(default)]
    pub height: f64,
    /// Slope to the east and to the south (m per m, positive upwards), −10 to 10. Default `[0, 0]`.
    #[serde(default)]
    pub slope: [f64; 2],
}

/// Seeded noise between the plane and about `height` above it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Kind of hills. Default `"fractal"`.
    #[serde(default)]
    pub kind: NoiseKind,
    /// Height of the highest hills above the plane (m), 0 to 100000. Default: a tenth of `scale`.
    pub height: Option<f64>,
    /// Size of the largest hills and valleys (m), at least 0.01. Default: 0.6 of the world's longer
    /// side.
    pub scale: Option<f64>,
    /// Number of octaves, 1 to 16. Default 7. Octaves finer than two cells are omitted.
    #[serde(default = "default_octaves")]
    #[schemars(range(min = 1, max = 16))]
    pub octaves: u32,
    /// Amplitude of each octave relative to the previous one, 0 to 1. Default 0.48.
    #[serde(default = "default_persistence")]
    pub persistence: f64,
    /// Frequency of each octave relative to the previous one, 1 to 8. Default 2.
    #[serde(default = "default_lacunarity")]
    pub lacunarity: f64,
    /// Domain warping as a fraction of `scale`, 0 to 2. Default 0.15.
    #[serde(default = "default_warp")]
    pub warp: f64,
    /// Seed of the noise. Default: the scene's seed.
    pub seed: Option<u32>,
    /// Island: lowers the edges of the world.
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

/// Lowers the edges of the world so that an island remains.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Island {
    /// Depth of the edges below the plane (m), 0 to 100000.
    pub depth: f64,
    /// Part of the distance from the edge to the centre over which the ground rises, above 0 to 1.
    /// Default 0.6.
    #[serde(default = "default_shore")]
    pub shore: f64,
}

fn default_shore() -> f64 {
    0.6
}

/// `[[terrain.shape]]`: edit of the ground in exactly one of `disc`, `rect`, `line`, `polygon`,
/// `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Kind of the edit.
    pub op: ShapeOp,
    /// Area: a disc.
    pub disc: Option<Disc>,
    /// Area: an axis-aligned rectangle.
    pub rect: Option<Rect>,
    /// Area: a band along a polyline.
    pub line: Option<Line>,
    /// Area: polygons, without falloff.
    pub polygon: Option<Polygons>,
    /// Area: the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// Height change for raise and lower (m), above 0 to 100000.
    pub amount: Option<f64>,
    /// Target height for raise, lower and flatten (m). Along a line also `[start, end]`,
    /// interpolated linearly from its first point to its last: a river bed, a ramp.
    pub level: Option<Level>,
    /// Radius of the average for smooth (m). Default: two cells.
    pub reach: Option<f64>,
    /// Falloff towards the rim: `"flat"` (default), `"linear"` (a cone, a ridge) or `"smooth"` (a
    /// round hill, a soft valley).
    #[serde(default)]
    pub falloff: Falloff,
}

/// Kind of a ground edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ShapeOp {
    /// Raises by `amount`, or up to `level` where the ground is lower: dams, cones.
    Raise,
    /// Lowers by `amount`, or down to `level` where the ground is higher: valleys, river beds.
    Lower,
    /// Sets the height to `level`.
    Flatten,
    /// Sets the height to the mean within `reach`.
    Smooth,
}

/// Height (m), −100000 to 100000.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a height in metres, or [start, end] along a line")]
pub enum Level {
    /// Uniform height.
    Even(f64),
    /// Heights at the first and last point of a line.
    Along([f64; 2]),
}

impl Shape {
    /// Returns the area that the edit changes.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, polygon: self.polygon.clone(), everywhere: self.everywhere }
    }
}
