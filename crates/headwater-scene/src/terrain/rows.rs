//! [`TerrainRows`]: the ground of a scene, generated several rows at a time, for worlds that do not
//! fit in memory.

use super::stored_heights::{self, StoredHeights};
use super::{choose_datum, default_size_notice, plane_and_hills_in_rows, shape};
use crate::collective::collective_result;
use crate::raster::Georeference;
use crate::scene::{SceneError, TerrainScene};
use headwater::distributed::Communicator;
use headwater::{Field, Lattice};
use std::fs::File;
use std::ops::Range;
use std::path::Path;

/// Number of rows that are generated at a time.
const ROWS_PER_BLOCK: usize = 64;

/// Number of rows north and south of a process's own rows for which the process also needs heights.
/// It is the maximum width of a halo (rows copied from a neighbouring process).
const HALO_ROWS: usize = 16;

/// Ground of a scene for a world that is distributed over several processes. Heights are generated
/// anew each time that rows are requested.
pub(crate) struct TerrainRows<'a> {
    scene: &'a dyn TerrainScene,
    /// Heights of the terrain file, if the scene has one.
    stored_heights: Option<StoredHeights>,
    /// Lattice of the cells.
    pub(crate) lattice: Lattice,
    /// Map position; `None` if there is no terrain file or if the file does not give it.
    pub(crate) georeference: Option<Georeference>,
    /// Height (m, in the coordinates of the scene) at which the bed height is 0.
    pub(crate) datum: f64,
    /// Lowest height (m) of the whole ground, used for cells without data.
    lowest_height: f64,
    /// Number of cells without data in the rows of this process.
    pub(crate) no_data_count: usize,
    /// Assumptions that were made about the terrain, to be shown to the user. Each element is one
    /// notice.
    pub(crate) notices: Vec<String>,
}

impl<'a> TerrainRows<'a> {
    /// Creates the ground of a scene for the rows `own_rows` of this process. The function scans
    /// these rows once and computes the height range of the whole ground in a reduction over all
    /// processes.
    ///
    /// Heights of a terrain file are written to a new file at the path `stored`. If `stored` is
    /// `None`, the heights from which the rows are computed stay in memory.
    ///
    /// # Errors
    /// Returns the [`SceneError`] of the first process that failed, under the same conditions as
    /// [`build_terrain`](super::build_terrain).
    pub(crate) fn from_scene(
        scene: &'a dyn TerrainScene,
        own_rows: &Range<usize>,
        stored: Option<&Path>,
        comm: &dyn Communicator,
    ) -> Result<Self, SceneError> {
        let found = Self::with_unknown_range(scene, own_rows, stored).and_then(|mut rows| {
            let range = rows.height_range(own_rows)?;
            Ok((rows, range))
        });
        let (mut rows, [low, high]) = collective_result(found, comm)?;
        let mut extremes = [-low, high];
        comm.allreduce_max(&mut extremes);
        rows.datum = choose_datum(scene, [-extremes[0], extremes[1]])?;
        rows.lowest_height = -extremes[0];
        Ok(rows)
    }

    /// Returns the lattice of a scene and the map position, which is `None` if there is no terrain
    /// file or if the file does not give it.
    ///
    /// # Errors
    /// Returns [`SceneError`] under the same conditions as [`from_scene`](Self::from_scene), except
    /// those that depend on heights.
    pub(crate) fn scene_extent(
        scene: &'a dyn TerrainScene,
    ) -> Result<(Lattice, Option<Georeference>), SceneError> {
        let ground = scene.ground();
        let (lattice, map) = match &ground.file {
            Some(path) => stored_heights::read_extent(scene, path)?,
            None => {
                let none = || scene.key_error("grid", "no such grid".into());
                (scene.lattice().ok_or_else(none)?, None)
            }
        };
        scene.require_positions_on_lattice(&lattice)?;
        Ok((lattice, map))
    }

    /// Creates the ground without its height range. The datum and the lowest height are set to 0.
    fn with_unknown_range(
        scene: &'a dyn TerrainScene,
        own_rows: &Range<usize>,
        stored: Option<&Path>,
    ) -> Result<Self, SceneError> {
        let (lattice, georeference) = Self::scene_extent(scene)?;
        let ground = scene.ground();
        let needed = HALO_ROWS + smoothing_reach_rows(scene, &lattice);
        // `heights` starts at an even row.
        let first = own_rows.start.saturating_sub(needed) / 2 * 2;
        let needed = first..(own_rows.end + needed).min(lattice.ny());
        let stored_heights = match &ground.file {
            Some(path) => {
                let create = |file: &Path| {
                    let mut create = File::options();
                    create.read(true).write(true).create(true).truncate(true);
                    create.open(file).map_err(|error| {
                        scene.key_error("terrain.file", format!("{}: {error}", file.display()))
                    })
                };
                let scratch = stored.map(create).transpose()?;
                Some(StoredHeights::from_file(scene, path, needed, scratch)?)
            }
            None => None,
        };
        let mut notices = match &stored_heights {
            Some(stored_heights) => stored_heights.notices.clone(),
            None => default_size_notice(scene, &lattice),
        };
        let narrow = ground.shapes.iter().enumerate();
        notices.extend(narrow.filter_map(|(i, shape)| {
            let key = format!("terrain.shape[{i}]");
            shape::narrow_area_notice(&key, &shape.area(), &lattice, 1)
        }));
        let (datum, lowest_height) = (0.0, 0.0);
        Ok(Self {
            scene,
            stored_heights,
            lattice,
            georeference,
            datum,
            lowest_height,
            no_data_count: 0,
            notices,
        })
    }

    /// Returns the lowest and the highest height (m) in the given rows, and adds the number of
    /// cells without data to `no_data_count`.
    fn height_range(&mut self, rows: &Range<usize>) -> Result<[f64; 2], SceneError> {
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for first in rows.clone().step_by(ROWS_PER_BLOCK) {
            let block = first..(first + ROWS_PER_BLOCK).min(rows.end);
            let (heights, no_data) = self.heights(block)?;
            for (height, missing) in heights.as_slice().iter().zip(no_data.as_slice()) {
                match missing {
                    true => self.no_data_count += 1,
                    false => range = [range[0].min(*height), range[1].max(*height)],
                }
            }
        }
        Ok(range)
    }

    /// Returns the heights (m) in the given rows, and the mask of the cells without data.
    fn heights(&self, rows: Range<usize>) -> Result<(Field<f64>, Field<bool>), SceneError> {
        let reach = smoothing_reach_rows(self.scene, &self.lattice);
        // Starts at an even row, so that hexagonal rows keep their shift.
        let first = rows.start.saturating_sub(reach) / 2 * 2;
        let first = if reach == 0 { rows.start } else { first };
        let all = first..(rows.end + reach).min(self.lattice.ny());
        let own: Vec<usize> = (rows.start - first..rows.end - first).collect();
        let rows = all;
        let (mut heights, no_data) = match &self.stored_heights {
            None => {
                let heights = plane_and_hills_in_rows(self.scene, &self.lattice, rows.clone());
                let no_data = Field::new(heights.nx(), heights.ny(), false);
                (heights, no_data)
            }
            Some(stored_heights) => {
                stored_heights.heights_in_rows(rows.clone()).map_err(|error| {
                    let message = format!("the stored heights cannot be read: {error}");
                    self.scene.key_error("terrain.file", message)
                })?
            }
        };
        for i in 0..self.scene.ground().shapes.len() {
            shape::apply_shape_to_rows(self.scene, i, &self.lattice, rows.start, &mut heights)?;
        }
        match reach {
            0 => Ok((heights, no_data)),
            _ => Ok((heights.select_rows(&own), no_data.select_rows(&own))),
        }
    }

    /// Returns the heights above the datum (m) in the given rows, and the mask of the cells without
    /// data. The result is bit-identical to that of [`Terrain`](super::Terrain).
    ///
    /// # Errors
    /// Returns [`SceneError`] if stored heights cannot be read, or if the region of a shape is
    /// invalid. The latter cannot happen after the scene has been validated.
    pub(crate) fn ground(
        &self,
        rows: Range<usize>,
    ) -> Result<(Field<f32>, Field<bool>), SceneError> {
        let (heights, no_data) = self.heights(rows)?;
        let bed = Field::from_fn(heights.nx(), heights.ny(), |x, y| {
            let height = if no_data[(x, y)] { self.lowest_height } else { heights[(x, y)] };
            (height - self.datum) as f32
        });
        Ok((bed, no_data))
    }
}

/// Returns the number of rows to the north, and to the south, of a cell that influence its height
/// through the smoothing shapes of the scene. Returns 0 if there are no such shapes.
fn smoothing_reach_rows(scene: &dyn TerrainScene, lattice: &Lattice) -> usize {
    scene.ground().shapes.iter().map(|shape| shape::smoothing_reach_of_shape(shape, lattice)).sum()
}
