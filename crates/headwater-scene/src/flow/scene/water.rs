//! Scene tables for water: initial state, sources, drains and rain.

use crate::scene::place::{Position, resolve_position};
use headwater::{Lattice, Region};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// `[water]`: initial water. If several keys give water in a cell, the greatest depth applies;
/// depths are not added. Maps are rasters that are resampled to the grid. Their paths are relative
/// to the scene file, or to the current directory if they are set with `--set`. Cells without data
/// in a map get no water and no velocity from it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Rasters of the eastward and of the southward initial velocity (m/s). Cannot be combined with
    /// `discharge_map`.
    pub velocity_map: Option<[PathBuf; 2]>,
    /// Rasters of the eastward and of the southward initial discharge per metre of width (m²/s).
    /// This discharge is depth × velocity.
    pub discharge_map: Option<[PathBuf; 2]>,
    /// `[[water.lake]]`: lakes. At most 1000.
    #[serde(default, rename = "lake")]
    pub lakes: Vec<Lake>,
}

/// `[[water.lake]]`: lake that fills the connected area of ground below `level` around a given
/// point.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lake {
    /// Point in the lake. The ground at this point must be below `level`.
    pub at: Position,
    /// Level of the lake surface (m), −100000 to 100000.
    pub level: f64,
}

/// Keys of `[[source]]` and `[[drain]]` in addition to the model's parameters: the place where
/// water enters or leaves, and the start and end time. At most 1000 of each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SourcePlace {
    /// Name of the source or drain in the water balance, at most 64 characters. Default: none.
    pub name: Option<String>,
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
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RainFiles {
    /// Raster of factors by which the rain rate is multiplied, 0 or more. It is resampled to the
    /// grid. The path is relative to the scene file, or to the current directory if the key is set
    /// with `--set`. Default: 1 everywhere.
    pub map: Option<PathBuf>,
    /// `[[rain.raster]]`: time series of rasters in place of `map`, for example radar images. At
    /// most 1000.
    #[serde(default, rename = "raster")]
    pub rasters: Vec<RainRaster>,
}

/// `[[rain.raster]]`: raster of factors by which the rain rate is multiplied, from its start time
/// until that of the next raster. With a `rate` of 1, the values are rain rates in mm/h. There is
/// no rain before the first raster.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RainRaster {
    /// Start time (s), later than that of the previous raster.
    pub time: f64,
    /// Raster file with values of 0 or more; cells without data count as 0. It is resampled to the
    /// grid. The path is relative to the scene file, or to the current directory if the key is set
    /// with `--set`.
    pub file: PathBuf,
}
