//! [`RasterMap`]: raster of a quantity other than height, with its position relative to the
//! terrain.

use crate::raster::{self, FinerCells, Georeference, Raster, RasterWindow, ReadOptions};
use crate::scene::{SceneError, TerrainScene};
use headwater::error::{format_f32, format_number};
use headwater::{Field, Lattice};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Raster of a quantity other than height, such as depth or rock class. If both the raster and the
/// terrain file are georeferenced, the raster is placed by its coordinates; otherwise it covers the
/// whole world.
#[derive(Clone, Debug)]
pub(crate) struct RasterMap {
    raster: Raster,
    /// Part of the raster that overlaps the world.
    window: RasterWindow,
    path: PathBuf,
}

impl RasterMap {
    /// Reads the raster at `path`, which is the value of the scene key `key`. `terrain_position` is
    /// the map position of the terrain, if known.
    pub(crate) fn read(
        scene: &dyn TerrainScene,
        key: &str,
        path: &Path,
        terrain_position: Option<&Georeference>,
    ) -> Result<Self, SceneError> {
        let are_lengths = ["water.depth_map", "water.level_map"].contains(&key);
        let options = ReadOptions {
            max_cells: scene.limits().max_raster_cells(),
            are_lengths,
            ..ReadOptions::default()
        };
        let raster = raster::read_from(scene.files(), path, &options)
            .map_err(|error| scene.key_error(key, error.to_string()))?;
        let cells = [raster.heights.nx(), raster.heights.ny()];
        let window = match (raster.info.georeference(), terrain_position) {
            (Some(own), Some(terrain_position)) => {
                own.part_covered_by(terrain_position, cells).map_err(|message| {
                    scene.key_error(key, format!("{}: {message}", path.display()))
                })?
            }
            _ => raster.full_window(),
        };
        Ok(Self { raster, window, path: path.into() })
    }

    /// Checks that all values of the map are between `low` and `high`, which may be infinite.
    ///
    /// # Errors
    /// Returns a [`SceneError`] whose message contains `key` and `unit` if a value is outside the
    /// range.
    pub(crate) fn check_range(
        self,
        scene: &dyn TerrainScene,
        key: &str,
        [low, high]: [f64; 2],
        unit: &str,
    ) -> Result<Self, SceneError> {
        let wrong = self.cells().enumerate().find_map(|(i, value)| {
            Some((i, value?)).filter(|(_, v)| !(low..=high).contains(&f64::from(*v)))
        });
        let Some((i, found)) = wrong else { return Ok(self) };
        let (x, y) = (i % self.raster.heights.nx(), i / self.raster.heights.nx());
        let allowed = match high.is_finite() {
            true => format!("{} to {}{unit}", format_number(low), format_number(high)),
            false => format!("{}{unit} and more", format_number(low)),
        };
        let (file, found) = (self.path.display(), format_f32(found));
        let message =
            format!("{file}: found {found}{unit} in column {x}, row {y}, allowed is {allowed}");
        Err(scene.key_error(key, message))
    }

    /// Returns an iterator over the values of the raster cells, row by row; `None` for cells
    /// without data.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Option<f32>> + '_ {
        let cells = self.raster.heights.as_slice().iter().zip(self.raster.no_data.as_slice());
        cells.map(|(&value, &missing)| (!missing).then_some(value))
    }

    /// Returns the mean value of the map in each cell of the given rows of the world, and the mask
    /// of the cells without data.
    pub(crate) fn resample(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        let how = (raster::mean as _, FinerCells::Interpolate);
        self.raster.resample_rows(self.window, how, lattice, rows)
    }

    /// Returns the mean value of the map over the area of each cell of the given rows of the world,
    /// and the mask of the cells without data. If the cells of the map are larger than those of the
    /// world, its values are not interpolated, so that totals over an area, such as the volume of
    /// rain, do not change.
    pub(crate) fn resample_area(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        let how = (raster::mean as _, FinerCells::Overlap);
        self.raster.resample_rows(self.window, how, lattice, rows)
    }

    /// Returns the most common value of the map in each cell of the given rows of the world, and
    /// the mask of the cells without data.
    pub(crate) fn resample_majority(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        let how = (raster::majority as _, FinerCells::Overlap);
        self.raster.resample_rows(self.window, how, lattice, rows)
    }

    /// Returns the memory use of the raster (bytes).
    pub(crate) fn memory_bytes(&self) -> usize {
        (size_of::<f32>() + size_of::<bool>()) * self.raster.heights.as_slice().len()
    }
}
