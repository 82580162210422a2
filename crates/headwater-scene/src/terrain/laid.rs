//! [`Laid`]: heights of a terrain file for distributed worlds, either in a temporary file or in
//! memory for some rows only.

use super::file::{Beyond, Place, options};
use crate::raster::{self, Cells, Extent, Georeference};
use crate::scene::{MAX_CELLS_IN_BLOCKS, SceneError, Site};
use headwater::{Field, Lattice};
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;

/// Most cells of an elevation file, which may be larger than its world.
const MOST: usize = 1 << 32;

/// Cells of the file to process at a time, approximately.
const TOGETHER: usize = 1 << 22;

/// Storage of heights as f32 in row order, with NaN for no data.
enum Kept {
    /// All heights, little-endian.
    OnDisk(File),
    /// Heights of some rows of the file.
    InMemory { rows: Range<usize>, values: Vec<f32> },
}

/// Heights of a terrain file.
pub(super) struct Laid {
    kept: Kept,
    /// Columns and rows of the file.
    own: [usize; 2],
    place: Place,
    /// Notices about assumptions of its reader.
    pub(super) notices: Vec<String>,
}

/// Returns the lattice and map position of a world that is built from a file.
///
/// # Errors
/// [`SceneError`] if the file cannot be read, or does not fit a world.
pub(super) fn extent(
    scene: &dyn Site,
    path: &Path,
) -> Result<(Lattice, Option<Georeference>), SceneError> {
    let (Extent { georeference, .. }, place, _) = placed(scene, path)?;
    Ok((place.lattice, georeference))
}

fn placed(scene: &dyn Site, path: &Path) -> Result<(Extent, Place, Vec<String>), SceneError> {
    let extent = raster::extent(scene.files(), path, &options(scene, MOST))
        .map_err(|error| scene.refuse("terrain.file", error.to_string()))?;
    let mut notices = Vec::new();
    let Extent { size, cell, .. } = extent;
    let place = Place::of(scene, size, cell, MAX_CELLS_IN_BLOCKS, &mut notices)?;
    Ok((extent, place, notices))
}

impl Laid {
    /// Reads a raster as `[terrain]` specifies, and writes its heights to a new file at `laid`.
    /// Without a path, keeps in memory those that some `rows` of the world need.
    ///
    /// # Errors
    /// [`SceneError`] if it cannot be read, does not fit a world, or its heights cannot be written.
    pub(super) fn of(
        scene: &dyn Site,
        path: &Path,
        rows: Range<usize>,
        laid: Option<&Path>,
    ) -> Result<Self, SceneError> {
        let (Extent { size: own, .. }, place, mut placing) = placed(scene, path)?;
        let mut beyond = Beyond::default();
        let mut read = |keep: &mut dyn FnMut(&[f32]) -> io::Result<()>| {
            let mut marked = Vec::with_capacity(own[0]);
            raster::read_rows(scene.files(), path, &options(scene, MOST), &mut |row, missing| {
                beyond.look(row, missing);
                marked.clear();
                let cells = row.iter().zip(missing);
                marked.extend(cells.map(|(h, missing)| if *missing { f32::NAN } else { *h }));
                keep(&marked)
            })
            .map_err(|error| scene.refuse("terrain.file", error.to_string()))
        };
        let (kept, mut notices) = match laid {
            Some(laid) => {
                let wrong = |error: io::Error| {
                    scene.refuse("terrain.file", format!("{}: {error}", laid.display()))
                };
                let mut create = File::options();
                let file = create.read(true).write(true).create(true).truncate(true);
                let file = file.open(laid).map_err(wrong)?;
                let mut into = BufWriter::with_capacity(1 << 20, &file);
                let (_, notices) = read(&mut |row| {
                    row.iter().try_for_each(|height| into.write_all(&height.to_le_bytes()))
                })?;
                into.flush().map_err(wrong)?;
                drop(into);
                (Kept::OnDisk(file), notices)
            }
            None => {
                let rows = place.needs(rows);
                let (mut values, mut y) = (Vec::with_capacity(rows.len() * own[0]), 0);
                let (_, notices) = read(&mut |row| {
                    if rows.contains(&y) {
                        values.extend_from_slice(row);
                    }
                    y += 1;
                    Ok(())
                })?;
                (Kept::InMemory { rows, values }, notices)
            }
        };
        beyond.refuse(scene, path)?;
        notices.append(&mut placing);
        Ok(Self { kept, own, place, notices })
    }

    /// Returns heights in some rows of the world (m), 0 where there are no data, and whether each
    /// cell has no data.
    ///
    /// # Errors
    /// Those of the file.
    pub(super) fn rows(&self, rows: Range<usize>) -> io::Result<(Field<f64>, Field<bool>)> {
        let nx = self.place.lattice.nx();
        let mut heights = Field::new(nx, rows.len(), 0.0);
        let mut no_data = Field::new(nx, rows.len(), false);
        // Cells of the file under a row of the world, which may be many.
        let under = self.own[1].div_ceil(self.place.lattice.ny()) * self.own[0];
        let together = (TOGETHER / under).max(1);
        for first in rows.clone().step_by(together) {
            let some = first..(first + together).min(rows.end);
            let needed = self.place.needs(some.clone());
            let drawn = self.read(needed.clone())?;
            let drawn = match &self.place.resampling {
                None => drawn,
                Some(resampling) => {
                    let (heights, no_data) = (&drawn.0, &drawn.1);
                    resampling.draw(&Cells { heights, no_data, first: needed.start }, some)
                }
            };
            for y in 0..drawn.0.ny() {
                let to = first - rows.start + y;
                for (to, height) in heights.row_mut(to).iter_mut().zip(drawn.0.row(y)) {
                    *to = f64::from(*height);
                }
                no_data.row_mut(to).copy_from_slice(drawn.1.row(y));
            }
        }
        Ok((heights, no_data))
    }

    /// Reads rows of the file.
    fn read(&self, rows: Range<usize>) -> io::Result<(Field<f32>, Field<bool>)> {
        let (nx, ny) = (self.own[0], rows.len());
        let values: Vec<f32> = match &self.kept {
            Kept::OnDisk(file) => {
                let (mut file, mut bytes) = (file, vec![0; 4 * nx * ny]);
                file.seek(SeekFrom::Start((4 * nx * rows.start) as u64))?;
                file.read_exact(&mut bytes)?;
                bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
            }
            Kept::InMemory { rows: kept, values } => {
                let start = rows.start.checked_sub(kept.start);
                let found = start.and_then(|start| values.get(nx * start..nx * (start + ny)));
                found.ok_or_else(|| io::Error::other("they were not kept"))?.to_vec()
            }
        };
        let no_data = values.iter().map(|height| height.is_nan()).collect();
        let heights = values.iter().map(|height| if height.is_nan() { 0.0 } else { *height });
        let shape = |_| io::Error::other("another number of heights was kept");
        Ok((
            Field::from_vec(nx, ny, heights.collect()).map_err(shape)?,
            Field::from_vec(nx, ny, no_data).map_err(shape)?,
        ))
    }
}
