//! [`StoredHeights`]: heights of a terrain file for worlds that are distributed over several
//! processes. The heights are stored in a temporary file, or each process keeps the heights that it
//! needs in memory.

use super::file::{HeightCheck, RasterExtent, RasterGrid, no_data_notice, read_options};
use super::ground::TerrainDraft;
use crate::raster::{self, Extent, Georeference, RasterRows};
use crate::scene::{MAX_CELLS_IN_BLOCKS, SceneError, TerrainScene};
use headwater::{Field, Lattice};
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;

/// Maximum number of cells in a terrain file. The file can have more cells than the world.
const MAX_FILE_CELLS: usize = 1 << 32;

/// Approximate number of cells of the terrain file that are read at a time.
const CELLS_PER_BLOCK: usize = 1 << 22;

/// Storage of heights as `f32` values in row order. The value of cells without data is NaN.
enum HeightStorage {
    /// All heights, in a file of little-endian values.
    OnDisk(File),
    /// Heights of the given rows of the terrain file, in memory.
    InMemory { rows: Range<usize>, values: Vec<f32> },
}

/// Heights of a terrain file, and the mapping from the cells of the file to the grid of the world.
pub(super) struct StoredHeights {
    storage: HeightStorage,
    /// Number of columns and rows of the terrain file.
    file_size: [usize; 2],
    grid: RasterGrid,
    /// Assumptions that the raster reader made about the file, to be shown to the user.
    pub(super) notices: Vec<String>,
}

/// Returns the lattice of a world that is built from a terrain file, and its map position.
///
/// # Errors
/// Returns [`SceneError`] if the file cannot be read, or if the grid of the scene does not match
/// the raster in the file.
pub(super) fn read_extent(
    scene: &dyn TerrainScene,
    path: &Path,
) -> Result<(Lattice, Option<Georeference>), SceneError> {
    let (Extent { georeference, .. }, grid, _) = read_header(scene, path)?;
    Ok((grid.lattice, georeference))
}

fn read_header(
    scene: &dyn TerrainScene,
    path: &Path,
) -> Result<(Extent, RasterGrid, Vec<String>), SceneError> {
    let extent = raster::read_extent(scene.files(), path, &read_options(scene, MAX_FILE_CELLS))
        .map_err(|error| scene.key_error("terrain.file", error.to_string()))?;
    let mut notices = Vec::new();
    let raster = RasterExtent {
        size: extent.size,
        cell: extent.cell,
        is_on_map: extent.georeference.is_some(),
    };
    let grid = RasterGrid::from_raster_size(scene, raster, MAX_CELLS_IN_BLOCKS, &mut notices)?;
    Ok((extent, grid, notices))
}

/// Resamples a large terrain file to the grid of a scene. The file may have more cells than fit in
/// memory, so its heights are stored in a temporary file. Returns `None` if the file is small
/// enough for memory or cannot be opened, if the world would have too many cells, or if the scene
/// requests sub-grid topography.
///
/// # Errors
/// Returns [`SceneError`] if the file cannot be read, or if its heights cannot be stored.
pub(super) fn resampled_draft(
    scene: &dyn TerrainScene,
    path: &Path,
) -> Result<Option<TerrainDraft>, SceneError> {
    let Ok((Extent { size: [columns, rows], georeference, .. }, grid, _)) =
        read_header(scene, path)
    else {
        return Ok(None);
    };
    let max_cells = scene.limits().max_raster_cells();
    if columns.checked_mul(rows).is_some_and(|cells| cells <= max_cells)
        || scene.check_cells([grid.lattice.nx(), grid.lattice.ny()]).is_err()
        || scene.ground().subgrid.is_some()
    {
        return Ok(None);
    }
    let wrong = |error: io::Error| {
        let message = format!("{}: the heights cannot be stored: {error}", path.display());
        scene.key_error("terrain.file", message)
    };
    scene
        .limits()
        .check_memory((size_of::<f32>() * columns).saturating_mul(rows) as u64)
        .map_err(|message| scene.key_error("terrain.file", message))?;
    // The file has no name, so that nothing is left if the program is killed.
    let scratch = tempfile::tempfile().map_err(wrong)?;
    let world_rows = 0..grid.lattice.ny();
    let stored = StoredHeights::from_file(scene, path, world_rows.clone(), Some(scratch))?;
    let (heights, no_data) = stored.heights_in_rows(world_rows).map_err(wrong)?;
    let mut notices = stored.notices;
    notices.extend(no_data_notice(no_data.as_slice().iter().filter(|missing| **missing).count()));
    Ok(Some(TerrainDraft { lattice: grid.lattice, heights, no_data, georeference, notices }))
}

impl StoredHeights {
    /// Reads the elevation raster at `path` and writes all heights to the empty file
    /// `scratch_file`. If `scratch_file` is `None`, keeps heights in memory instead, but only those
    /// that are needed for the rows `rows` of the world.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the raster cannot be read or does not match the grid of the scene,
    /// or if the heights cannot be written.
    pub(super) fn from_file(
        scene: &dyn TerrainScene,
        path: &Path,
        rows: Range<usize>,
        scratch_file: Option<File>,
    ) -> Result<Self, SceneError> {
        let (Extent { size: file_size, .. }, grid, mut grid_notices) = read_header(scene, path)?;
        let mut height_check = HeightCheck::default();
        let mut read = |keep: &mut dyn FnMut(&[f32]) -> io::Result<()>| {
            let mut marked = Vec::with_capacity(file_size[0]);
            raster::read_rows(
                scene.files(),
                path,
                &read_options(scene, MAX_FILE_CELLS),
                &mut |row, missing| {
                    height_check.check(row, missing);
                    marked.clear();
                    let cells = row.iter().zip(missing);
                    marked.extend(cells.map(|(h, missing)| if *missing { f32::NAN } else { *h }));
                    keep(&marked)
                },
            )
            .map_err(|error| scene.key_error("terrain.file", error.to_string()))
        };
        let (storage, mut notices) = match scratch_file {
            Some(file) => {
                let wrong = |error: io::Error| {
                    let message =
                        format!("{}: the heights cannot be stored: {error}", path.display());
                    scene.key_error("terrain.file", message)
                };
                let mut into = BufWriter::with_capacity(1 << 20, &file);
                let (_, notices) = read(&mut |row| {
                    row.iter().try_for_each(|height| into.write_all(&height.to_le_bytes()))
                })?;
                into.flush().map_err(wrong)?;
                drop(into);
                (HeightStorage::OnDisk(file), notices)
            }
            None => {
                let rows = grid.source_rows(rows);
                let (mut values, mut y) = (Vec::with_capacity(rows.len() * file_size[0]), 0);
                let (_, notices) = read(&mut |row| {
                    if rows.contains(&y) {
                        values.extend_from_slice(row);
                    }
                    y += 1;
                    Ok(())
                })?;
                (HeightStorage::InMemory { rows, values }, notices)
            }
        };
        height_check.finish(scene, path)?;
        notices.append(&mut grid_notices);
        Ok(Self { storage, file_size, grid, notices })
    }

    /// Returns the heights (m) in the given rows of the world, and the mask of the cells without
    /// data, whose height is 0.
    ///
    /// # Errors
    /// Returns [`io::Error`] if the temporary file cannot be read.
    pub(super) fn heights_in_rows(
        &self,
        rows: Range<usize>,
    ) -> io::Result<(Field<f64>, Field<bool>)> {
        let nx = self.grid.lattice.nx();
        let mut heights = Field::new(nx, rows.len(), 0.0);
        let mut no_data = Field::new(nx, rows.len(), false);
        // Number of file cells per row of the world.
        let cells_per_row = self.file_size[1].div_ceil(self.grid.lattice.ny()) * self.file_size[0];
        let rows_per_block = (CELLS_PER_BLOCK / cells_per_row).max(1);
        for first in rows.clone().step_by(rows_per_block) {
            let block = first..(first + rows_per_block).min(rows.end);
            let needed = self.grid.source_rows(block.clone());
            let values = self.read_file_rows(needed.clone())?;
            let values = match &self.grid.resampling {
                None => values,
                Some(resampling) => {
                    let (heights, no_data) = (&values.0, &values.1);
                    resampling
                        .apply(&RasterRows { heights, no_data, first_row: needed.start }, block)
                }
            };
            for y in 0..values.0.ny() {
                let to = first - rows.start + y;
                for (to, height) in heights.row_mut(to).iter_mut().zip(values.0.row(y)) {
                    *to = f64::from(*height);
                }
                no_data.row_mut(to).copy_from_slice(values.1.row(y));
            }
        }
        Ok((heights, no_data))
    }

    /// Reads the given rows of the terrain file. Returns the heights (m) and the mask of the cells
    /// without data.
    fn read_file_rows(&self, rows: Range<usize>) -> io::Result<(Field<f32>, Field<bool>)> {
        let (nx, ny) = (self.file_size[0], rows.len());
        let values: Vec<f32> = match &self.storage {
            HeightStorage::OnDisk(file) => {
                let (mut file, mut bytes) = (file, vec![0; 4 * nx * ny]);
                file.seek(SeekFrom::Start((4 * nx * rows.start) as u64))?;
                file.read_exact(&mut bytes)?;
                bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
            }
            HeightStorage::InMemory { rows: storage, values } => {
                let start = rows.start.checked_sub(storage.start);
                let found = start.and_then(|start| values.get(nx * start..nx * (start + ny)));
                found
                    .ok_or_else(|| io::Error::other("the requested rows are not in memory"))?
                    .to_vec()
            }
        };
        let no_data = values.iter().map(|height| height.is_nan()).collect();
        let heights = values.iter().map(|height| if height.is_nan() { 0.0 } else { *height });
        let shape = |_| io::Error::other("unexpected number of heights");
        Ok((
            Field::from_vec(nx, ny, heights.collect()).map_err(shape)?,
            Field::from_vec(nx, ny, no_data).map_err(shape)?,
        ))
    }
}
