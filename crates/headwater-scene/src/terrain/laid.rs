//! [`Laid`]: the heights of a terrain's file laid out on the disk, for worlds that are never in memory as a whole.

use super::file::{Beyond, Place, options};
use crate::raster::{self, Cells, Georeference};
use crate::scene::{MAX_CELLS_IN_BANDS, SceneError, Site};
use headwater::{Field, Lattice};
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;

/// The most cells of a file of elevations, which may have more than the world that is made of it.
const MOST: usize = 1 << 32;

/// About how many cells of the file are in memory at a time.
const TOGETHER: usize = 1 << 22;

/// The heights of a file, row after row as little-endian f32, NaN where there are no data.
pub(super) struct Laid {
    file: File,
    /// Columns and rows of the file.
    own: [usize; 2],
    place: Place,
    /// Where it lies on a map, if it says so.
    pub(super) georeference: Option<Georeference>,
    /// What its reader decided by itself, in words.
    pub(super) notices: Vec<String>,
}

impl Laid {
    /// Reads a raster as `[terrain]` says, and lays its heights in a new file at `laid`.
    ///
    /// # Errors
    /// [`SceneError`] if it cannot be read, or makes no world, or its heights cannot be written.
    pub(super) fn of(scene: &dyn Site, path: &Path, laid: &Path) -> Result<Self, SceneError> {
        let wrong = |error: io::Error| scene.refuse("terrain.file", on_disk(laid, &error));
        let mut create = File::options();
        let file = create.read(true).write(true).create(true).truncate(true);
        let file = file.open(laid).map_err(wrong)?;
        let mut into = BufWriter::with_capacity(1 << 20, &file);
        let mut beyond = Beyond::default();
        let read =
            raster::read_rows(scene.files(), path, &options(scene, MOST), &mut |row, missing| {
                beyond.look(row, missing);
                row.iter().zip(missing).try_for_each(|(height, missing)| {
                    let height = if *missing { f32::NAN } else { *height };
                    into.write_all(&height.to_le_bytes())
                })
            });
        let (info, mut notices) =
            read.map_err(|error| scene.refuse("terrain.file", error.to_string()))?;
        into.flush().map_err(wrong)?;
        drop(into);
        beyond.refuse(scene, path)?;
        let own = [info.width, info.height];
        let cell = info.cell_metres;
        let place = Place::of(scene, own, cell, MAX_CELLS_IN_BANDS, &mut notices)?;
        Ok(Self { file, own, place, georeference: info.georeference(), notices })
    }

    /// Where the cells of the world are.
    pub(super) fn lattice(&self) -> Lattice {
        self.place.lattice
    }

    /// Heights in some rows of the world (m), 0 where there are no data, and where that is.
    ///
    /// # Errors
    /// If they cannot be read back.
    pub(super) fn rows(&self, rows: Range<usize>) -> io::Result<(Field<f64>, Field<bool>)> {
        let nx = self.place.lattice.nx();
        let mut heights = Field::new(nx, rows.len(), 0.0);
        let mut no_data = Field::new(nx, rows.len(), false);
        // Where cells of the world have many of the file's, few rows of it are many of that.
        let under = self.own[1].div_ceil(self.place.lattice.ny()) * self.own[0];
        let together = (TOGETHER / under).max(1);
        for first in rows.clone().step_by(together) {
            let some = first..(first + together).min(rows.end);
            let drawn = match &self.place.resampling {
                None => self.read(some.clone())?,
                Some(resampling) => {
                    let needed = resampling.needs(some.clone());
                    let (heights, no_data) = self.read(needed.clone())?;
                    let first = needed.start;
                    resampling.draw(&Cells { heights: &heights, no_data: &no_data, first }, some)
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

    /// Rows of the file.
    fn read(&self, rows: Range<usize>) -> io::Result<(Field<f32>, Field<bool>)> {
        let nx = self.own[0];
        let (mut file, mut bytes) = (&self.file, vec![0; 4 * nx]);
        file.seek(SeekFrom::Start((4 * nx * rows.start) as u64))?;
        let mut heights = Field::new(nx, rows.len(), 0.0);
        let mut no_data = Field::new(nx, rows.len(), false);
        for y in 0..rows.len() {
            file.read_exact(&mut bytes)?;
            let found = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
            let cells = heights.row_mut(y).iter_mut().zip(no_data.row_mut(y));
            for ((height, missing), found) in cells.zip(found) {
                *missing = found.is_nan();
                *height = if *missing { 0.0 } else { found };
            }
        }
        Ok((heights, no_data))
    }
}

/// What is wrong with a file on the disk, in words.
pub(super) fn on_disk(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}
