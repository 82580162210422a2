//! [`Map`]: a raster of something else than heights, and where it lies on the terrain.

use super::Terrain;
use crate::raster::{self, Part, Raster, ReadOptions};
use crate::scene::{MAX_CELLS, SceneError, Site};
use headwater::error::{number, number_of_f32};
use headwater::{Field, Lattice};
use std::path::{Path, PathBuf};

/// A raster of something else than heights. Where both it and the terrain's file say where they lie, it is taken where it lies; else
/// it is stretched over the world.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    raster: Raster,
    /// What of it lies on the world; `None` for all.
    part: Option<Part>,
    path: PathBuf,
}

impl Map {
    /// Reads the raster that the value at `key` names.
    ///
    /// # Errors
    /// [`SceneError`] if it cannot be read, or does not lie where the terrain lies.
    pub(crate) fn read(
        scene: &dyn Site,
        key: &str,
        path: &Path,
        terrain: &Terrain,
    ) -> Result<Self, SceneError> {
        let options = ReadOptions { max_cells: MAX_CELLS, ..ReadOptions::default() };
        let raster = raster::read_from(scene.files(), path, &options)
            .map_err(|error| scene.refuse(key, error.to_string()))?;
        let cells = [raster.heights.nx(), raster.heights.ny()];
        let part = match (raster.info.georeference(), &terrain.georeference) {
            (Some(own), Some(ground)) => {
                Some(own.part_under(ground, cells).map_err(|message| {
                    scene.refuse(key, format!("{}: {message}", path.display()))
                })?)
            }
            _ => None,
        };
        Ok(Self { raster, part, path: path.into() })
    }

    /// The same, if all that it has is from `low` to `high`, which may be infinite; `unit` stands after a number.
    ///
    /// # Errors
    /// [`SceneError`] about the first that is not.
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
            true => format!("{} to {}{unit}", number(low), number(high)),
            false => format!("{}{unit} and more", number(low)),
        };
        let (file, found) = (self.path.display(), number_of_f32(found));
        let message =
            format!("{file}: found {found}{unit} in column {x}, row {y}, allowed is {allowed}");
        Err(scene.refuse(key, message))
    }

    /// What its file has, cell after cell; `None` without data.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Option<f32>> + '_ {
        let cells = self.raster.heights.as_slice().iter().zip(self.raster.no_data.as_slice());
        cells.map(|(&value, &missing)| (!missing).then_some(value))
    }

    /// Its values in the cells of the world, and which of them have no data.
    pub(crate) fn on(&self, lattice: &Lattice) -> (Field<f32>, Field<bool>) {
        match self.part {
            Some(part) => self.raster.part_on(part, lattice),
            None => self.raster.on(lattice),
        }
    }

    /// The value that most of each cell of the world has, and which of them have no data.
    pub(crate) fn commonest_on(&self, lattice: &Lattice) -> (Field<f32>, Field<bool>) {
        match self.part {
            Some(part) => self.raster.commonest_of_part_on(part, lattice),
            None => self.raster.commonest_on(lattice),
        }
    }
}
