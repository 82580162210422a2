//! [`TerrainRows`]: ground of a scene, generated row by row, for worlds that are never in memory as
//! a whole.

use super::stored_heights::{self, StoredHeights};
use super::{datum, default_size_notice, generated_rows, shape};
use crate::collective::collective_result;
use crate::raster::Georeference;
use crate::scene::{SceneError, Site};
use headwater::distributed::Communicator;
use headwater::{Field, Lattice};
use std::ops::Range;
use std::path::Path;

/// Rows per block.
const ROWS_PER_BLOCK: usize = 64;

/// Rows needed beyond the owned rows: the widest halo.
const HALO_ROWS: usize = 16;

/// Ground of a scene, regenerated for each request of rows.
pub(crate) struct TerrainRows<'a> {
    scene: &'a dyn Site,
    /// Heights of the terrain file, if there is one.
    stored: Option<StoredHeights>,
    /// Lattice of the cells.
    pub(crate) lattice: Lattice,
    /// Position on a map, if its file has one.
    pub(crate) georeference: Option<Georeference>,
    /// Height at which the bed is 0 (m).
    pub(crate) datum: f64,
    /// Lowest height (m), used for cells without data.
    lowest: f64,
    /// Number of owned cells without data.
    pub(crate) missing: usize,
    /// Notices about assumptions that were made.
    pub(crate) notices: Vec<String>,
}

impl<'a> TerrainRows<'a> {
    /// Creates the ground of a scene. Scans the `own` rows once and reduces the height range over
    /// all processes. Heights of a file are written to the path `scratch_file`; without one, the
    /// heights that these rows depend on stay in memory.
    ///
    /// # Errors
    /// [`SceneError`] as [`build`](super::build), of the first process that failed.
    pub(crate) fn of(
        scene: &'a dyn Site,
        own: &Range<usize>,
        stored: Option<&Path>,
        comm: &dyn Communicator,
    ) -> Result<Self, SceneError> {
        let found = Self::without_range(scene, own, stored).and_then(|mut rows| {
            let range = rows.extremes(own)?;
            Ok((rows, range))
        });
        let (mut rows, [low, high]) = collective_result(found, comm)?;
        let mut most = [-low, high];
        comm.allreduce_max(&mut most);
        rows.datum = datum(scene, [-most[0], most[1]])?;
        rows.lowest = -most[0];
        Ok(rows)
    }

    /// Returns the lattice of a scene, and its position on a map if its file has one.
    ///
    /// # Errors
    /// [`SceneError`] as [`of`](Self::of), except errors that depend on heights.
    pub(crate) fn extent(
        scene: &'a dyn Site,
    ) -> Result<(Lattice, Option<Georeference>), SceneError> {
        let ground = scene.ground();
        let (lattice, map) = match &ground.file {
            Some(path) => stored_heights::extent(scene, path)?,
            None => {
                let none = || scene.refuse("grid", "no such grid".into());
                (scene.lattice().ok_or_else(none)?, None)
            }
        };
        scene.fits(&lattice)?;
        Ok((lattice, map))
    }

    /// Creates the ground without a datum and extremes.
    fn without_range(
        scene: &'a dyn Site,
        own: &Range<usize>,
        stored: Option<&Path>,
    ) -> Result<Self, SceneError> {
        let (lattice, georeference) = Self::extent(scene)?;
        let ground = scene.ground();
        let needed = HALO_ROWS + reach(scene, &lattice);
        // `heights` starts at even rows.
        let first = own.start.saturating_sub(needed) / 2 * 2;
        let needed = first..(own.end + needed).min(lattice.ny());
        let file = ground.file.as_ref();
        let stored = file.map(|path| StoredHeights::of(scene, path, needed, stored)).transpose()?;
        let mut notices = match &stored {
            Some(stored) => stored.notices.clone(),
            None => default_size_notice(scene, &lattice),
        };
        let narrow = ground.shapes.iter().enumerate();
        notices.extend(
            narrow.filter_map(|(i, shape)| shape::narrow_line_notice(i, shape, &lattice, 1)),
        );
        let (datum, lowest) = (0.0, 0.0);
        Ok(Self { scene, stored, lattice, georeference, datum, lowest, missing: 0, notices })
    }

    /// Returns the lowest and the highest height (m) of some rows, and counts cells without data.
    fn extremes(&mut self, rows: &Range<usize>) -> Result<[f64; 2], SceneError> {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for first in rows.clone().step_by(ROWS_PER_BLOCK) {
            let block = first..(first + ROWS_PER_BLOCK).min(rows.end);
            let (heights, no_data) = self.heights(block)?;
            for (height, missing) in heights.as_slice().iter().zip(no_data.as_slice()) {
                match missing {
                    true => self.missing += 1,
                    false => range = [range[0].min(*height), range[1].max(*height)],
                }
            }
        }
        Ok(range)
    }

    /// Returns heights (m), and whether each cell has no data.
    fn heights(&self, rows: Range<usize>) -> Result<(Field<f64>, Field<bool>), SceneError> {
        let reach = reach(self.scene, &self.lattice);
        // Start at an even row, so that hexagonal rows keep their shift.
        let first = rows.start.saturating_sub(reach) / 2 * 2;
        let first = if reach == 0 { rows.start } else { first };
        let all = first..(rows.end + reach).min(self.lattice.ny());
        let own: Vec<usize> = (rows.start - first..rows.end - first).collect();
        let rows = all;
        let (mut heights, no_data) = match &self.stored {
            None => {
                let heights = generated_rows(self.scene, &self.lattice, rows.clone());
                let no_data = Field::new(heights.nx(), heights.ny(), false);
                (heights, no_data)
            }
            Some(stored) => stored.rows(rows.clone()).map_err(|error| {
                let message = format!("the stored heights cannot be read: {error}");
                self.scene.refuse("terrain.file", message)
            })?,
        };
        for i in 0..self.scene.ground().shapes.len() {
            shape::apply_rows(self.scene, i, &self.lattice, rows.start, &mut heights)?;
        }
        match reach {
            0 => Ok((heights, no_data)),
            _ => Ok((heights.select_rows(&own), no_data.select_rows(&own))),
        }
    }

    /// Returns the height above the datum (m) in some rows, and whether each cell has no data.
    /// Bit-identical to [`Terrain`](super::Terrain).
    ///
    /// # Errors
    /// [`SceneError`] if stored heights cannot be read, or the region of a shape is invalid, which
    /// a checked scene excludes.
    pub(crate) fn ground(
        &self,
        rows: Range<usize>,
    ) -> Result<(Field<f32>, Field<bool>), SceneError> {
        let (heights, no_data) = self.heights(rows)?;
        let bed = Field::from_fn(heights.nx(), heights.ny(), |x, y| {
            let height = if no_data[(x, y)] { self.lowest } else { heights[(x, y)] };
            (height - self.datum) as f32
        });
        Ok((bed, no_data))
    }
}

/// Returns the number of rows to the north and south on which a cell's height depends.
fn reach(scene: &dyn Site, lattice: &Lattice) -> usize {
    scene.ground().shapes.iter().map(|shape| shape::reach(shape, lattice)).sum()
}
