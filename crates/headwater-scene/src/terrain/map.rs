//! [`Map`]: a raster of something else than heights, and where it lies on the terrain.

use crate::raster::{self, Georeference, Part, Raster, ReadOptions};
use crate::scene::{MAX_CELLS, SceneError, Site};
use headwater::error::{format_f32, format_number};
use headwater::{Field, Lattice};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A raster of something else than heights. Where both it and the terrain's file say where they lie, it is taken where it lies; else
/// it is stretched over the world.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    raster: Raster,
    /// What of it lies on the world.
    part: Part,
    path: PathBuf,
}

impl Map {
    /// Reads the raster that the value at `key` names, for ground that lies there.
    pub(crate) fn read(
        scene: &dyn Site,
        key: &str,
        path: &Path,
        ground: Option<&Georeference>,
    ) -> Result<Self, SceneError> {
        let options = ReadOptions { max_cells: MAX_CELLS, ..ReadOptions::default() };
        let raster = raster::read_from(scene.files(), path, &options)
            .map_err(|error| scene.refuse(key, error.to_string()))?;
        let cells = [raster.heights.nx(), raster.heights.ny()];
        let part = match (raster.info.georeference(), ground) {
            (Some(own), Some(ground)) => own
                .part_under(ground, cells)
                .map_err(|message| scene.refuse(key, format!("{}: {message}", path.display())))?,
            _ => raster.whole(),
        };
        Ok(Self { raster, part, path: path.into() })
    }

    /// The same, if all that it has is from `low` to `high`, which may be infinite; `unit` stands after a number.
    pub(crate) fn within(
        self,
        scene: &dyn Site,
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
        Err(scene.refuse(key, message))
    }

    /// What its file has, cell after cell; `None` without data.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Option<f32>> + '_ {
        let cells = self.raster.heights.as_slice().iter().zip(self.raster.no_data.as_slice());
        cells.map(|(&value, &missing)| (!missing).then_some(value))
    }

    /// Its values in the cells of some rows of the world, and which of them have no data.
    pub(crate) fn on_rows(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        self.raster.on_rows(self.part, raster::mean, lattice, rows)
    }

    /// The value that most of each cell in some rows has, and which of them have no data.
    pub(crate) fn commonest_on_rows(
        &self,
        lattice: &Lattice,
        rows: Range<usize>,
    ) -> (Field<f32>, Field<bool>) {
        self.raster.on_rows(self.part, raster::commonest, lattice, rows)
    }

    /// Bytes of the raster in memory.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn bytes(&self) -> usize {
        (size_of::<f32>() + size_of::<bool>()) * self.raster.heights.as_slice().len()
    }
}
