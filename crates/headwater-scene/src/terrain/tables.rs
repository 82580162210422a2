//! Scene tables `[grid]` and `[terrain]`: the lattice and the ground.

use crate::raster::{ByteOrder, HeightEncoding};

use crate::scene::place::polygon::Polygons;
use crate::scene::place::{Area, Disc, Line, Rect};
use headwater::Falloff;
use serde::Deserialize;
use std::path::PathBuf;

/// `[grid]`: number, size and shape of the cells. Optional.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Number of columns, 1 or more. At most 2²⁶ cells in total, or 2³⁰ for `flow` with `--memory`.
    /// Default: the number of columns in the terrain file, or 256 without a file. If only `ny` is
    /// given, the grid keeps the proportions of the file. On hexagonal grids, the default is as
    /// many columns as cover the area of the file.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 67108864)))]
    pub nx: Option<usize>,
    /// Number of rows, with the same limits and defaults as `nx`. A terrain file of another size is
    /// resampled.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 67108864)))]
    pub ny: Option<usize>,
    /// Size of a cell (m), 0.001 to 100000: a number, or `[width, height]`, where the width is
    /// measured from west to east and the height from north to south. A terrain file with a map
    /// position is resampled to cells of this size. Default: the size for which the world has the
    /// extent of the terrain file, or 1 m if the file gives no extent; 4 m without a file. For
    /// hexagons, one number: the distance between neighbouring centres. Rows of hexagons are √3/2
    /// of this distance apart, and every other row is shifted east by half a cell. Default for
    /// hexagons if the number of columns and rows comes from a file: each hexagon has the area of a
    /// cell of the file. Cells of `hydrology` must be square.
    pub cell: Option<CellSize>,
    /// Shape of the cells: `"square"` (default) for rectangles or `"hex"` for regular hexagons.
    /// `hydrology` supports only `"square"`.
    #[serde(default)]
    pub lattice: LatticeKind,
}

/// Size of a cell (m), as given in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a number of metres or a list of two")]
#[non_exhaustive]
pub enum CellSize {
    /// Side length of a square cell (m), or distance between the centres of neighbouring hexagons.
    Square(f64),
    /// Side lengths of a rectangular cell (m), from west to east and from north to south.
    Sides([f64; 2]),
}

impl CellSize {
    /// Returns the side lengths of the cell from west to east and from north to south (m).
    pub fn sides(self) -> [f64; 2] {
        match self {
            CellSize::Square(side) => [side, side],
            CellSize::Sides(sides) => sides,
        }
    }
}

/// Shape of the cells of a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LatticeKind {
    /// Rectangular cells.
    #[default]
    Square,
    /// Regular hexagonal cells.
    Hex,
}

/// `[terrain]`: the ground. It is either read from `file`, or the sum of `plane` and `noise`. Then
/// the shapes are applied in order. A `file` replaces plane and noise, so `--set
/// terrain.file=dem.tif` runs any scene on another terrain.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Flat or sloping plane, the base of the generated ground.
    pub plane: Option<Plane>,
    /// Noise that is added to the plane, or to height 0 if there is no plane.
    pub noise: Option<Noise>,
    /// Elevation file: PNG, GeoTIFF, ESRI ASCII, NPY, SRTM (`.hgt`), R16 or R32. Programs built
    /// with `--features zarr` also accept a Zarr store or an array in a store, such as
    /// `dem.zarr/bed`. The path is relative to the scene file; in `--set`, to the current
    /// directory.
    pub file: Option<PathBuf>,
    /// With `file`: metres per unit of the file's values, not 0. Default: the scale in the file, or
    /// 1.
    pub scale: Option<f64>,
    /// With `file`: offset that is added to the scaled values (m). Default: the offset in the file,
    /// or 0.
    pub offset: Option<f64>,
    /// With `file`: value that marks cells without data, before scaling. These cells are closed to
    /// water. Default: the value in the file.
    pub no_data: Option<f64>,
    /// With `file`: number of columns and rows of a raw (R16, R32) file. Default: the file is
    /// square.
    pub size: Option<[usize; 2]>,
    /// With `file`: byte order of a raw (R16, R32) file. Default `"little"`. Other programs call
    /// `"little"` "Windows" and `"big"` "Mac".
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::scene::schema::byte_order_schema")
    )]
    pub byte_order: Option<ByteOrder>,
    /// With `file`: encoding of heights in the colours of a PNG, `"terrain-rgb"` (Mapbox, MapTiler)
    /// or `"terrarium"` (Mapzen). Default: the gray levels of the PNG are the heights.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::scene::schema::height_encoding_schema")
    )]
    pub encoding: Option<HeightEncoding>,
    /// Number of ground samples along each side of a cell, 4 to 64. The samples represent banks and
    /// walls that cross cells. A cell with such a bank or wall, and its faces, are split into a low
    /// and a high part, so channels at an angle to the grid are as deep as channels along it. A
    /// `file` should have as many cells as there are samples. Only for square cells and if
    /// `physics.level` is `"inertial"` or `"shallow-water"`. Default: one height per cell.
    pub subgrid: Option<usize>,
    /// `[[terrain.shape]]`: dams, valleys, basins, river beds and cones. At most 1000.
    #[serde(default, rename = "shape")]
    pub shapes: Vec<Shape>,
}

/// Flat or sloping plane, the base of the generated ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plane {
    /// Height of the plane at the north-west corner (m), −100000 to 100000. Default 0.
    #[serde(default)]
    pub height: f64,
    /// Eastward and southward slope (m per m), −10 to 10. Positive values: the ground rises in this
    /// direction. Default `[0, 0]`.
    #[serde(default)]
    pub slope: [f64; 2],
}

/// Random hills that are added to the plane. They rise up to about `height` above it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Kind of hills. Default `"fractal"`.
    #[serde(default)]
    pub kind: NoiseKind,
    /// Height of the highest hills above the plane (m), 0 to 100000. Default: one tenth of `scale`,
    /// the horizontal size of the hills.
    pub height: Option<f64>,
    /// Horizontal size of the largest hills and valleys (m), at least 0.01. Default: 0.6 of the
    /// longer side of the world.
    pub scale: Option<f64>,
    /// Number of octaves of the noise, 1 to 16. Default 7. Octaves with wavelengths below two cells
    /// are omitted.
    #[serde(default = "default_octaves")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 16)))]
    pub octaves: u32,
    /// Amplitude of each octave relative to the previous one, 0 to 1. Default 0.48.
    #[serde(default = "default_persistence")]
    pub persistence: f64,
    /// Frequency of each octave relative to the previous one, 1 to 8. Default 2.
    #[serde(default = "default_lacunarity")]
    pub lacunarity: f64,
    /// Strength of the domain warping as a fraction of `scale`, 0 to 2. Default 0.15.
    #[serde(default = "default_warp")]
    pub warp: f64,
    /// Seed of the noise. Default: the scene's seed.
    pub seed: Option<u32>,
    /// Island: lowers the ground toward the edges of the world.
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

/// Kind of hills that the noise generates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum NoiseKind {
    /// Rolling hills and broad basins.
    #[default]
    Fractal,
    /// Sharp ridges between wide valleys.
    Ridged,
}

/// Lowering of the ground toward the edges of the world, so that an island remains.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Island {
    /// Depth of the ground below the plane at the edges of the world (m), 0 to 100000.
    pub depth: f64,
    /// Fraction of the distance from the edge to the centre over which the ground rises, greater
    /// than 0 and at most 1. Default 0.6.
    #[serde(default = "default_shore")]
    pub shore: f64,
}

fn default_shore() -> f64 {
    0.6
}

/// `[[terrain.shape]]`: edit of the ground in one area. Needs exactly one of `disc`, `rect`,
/// `line`, `polygon` and `everywhere`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Kind of ground edit.
    pub op: ShapeOp,
    /// Area of the edit: a disc.
    pub disc: Option<Disc>,
    /// Area of the edit: an axis-aligned rectangle.
    pub rect: Option<Rect>,
    /// Area of the edit: a band along a polyline.
    pub line: Option<Line>,
    /// Area of the edit: polygons, without falloff.
    pub polygon: Option<Polygons>,
    /// Whether the edit covers the whole world.
    #[serde(default)]
    pub everywhere: bool,
    /// Height by which the ground is raised or lowered (m), greater than 0 and at most 100000. Only
    /// for the edits `raise` and `lower`.
    pub amount: Option<f64>,
    /// Target height (m). Only for the edits `raise`, `lower` and `flatten`. In combination with
    /// `line`, also `[start, end]`: interpolated linearly from the line's first point to its last,
    /// for example for a river bed or a ramp.
    pub level: Option<Level>,
    /// Radius within which heights are averaged (m). Only for the edit `smooth`. Default: two
    /// cells.
    pub reach: Option<f64>,
    /// Falloff of the effect toward the rim of the area: `"flat"` for none (default), `"linear"` (a
    /// cone, a ridge) or `"smooth"` (a round hill, a soft valley).
    #[serde(default)]
    pub falloff: Falloff,
}

/// Kind of edit that a `[[terrain.shape]]` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ShapeOp {
    /// Raises the ground, for example for dams and cones. With `amount`, raises it by this height.
    /// With `level`, raises it to this height where it is lower.
    Raise,
    /// Lowers the ground, for example for valleys and river beds. With `amount`, lowers it by this
    /// height. With `level`, lowers it to this height where it is higher.
    Lower,
    /// Sets the ground to `level`.
    Flatten,
    /// Sets the ground to the mean height within the radius `reach`.
    Smooth,
}

/// Target height of a ground edit (m), −100000 to 100000.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a height in metres, or [start, end] along a line")]
pub enum Level {
    /// Uniform target height (m).
    Uniform(f64),
    /// Target heights at the first and the last point of a line (m).
    Along([f64; 2]),
}

impl Shape {
    /// Returns the area in which the edit changes the ground.
    pub fn area(&self) -> Area {
        let (disc, rect, line) = (self.disc, self.rect, self.line.clone());
        Area { disc, rect, line, polygon: self.polygon.clone(), everywhere: self.everywhere }
    }
}
