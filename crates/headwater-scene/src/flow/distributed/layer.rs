//! Layer output of a distributed world. Each process writes its own rows, in parallel.

use super::bits::Bits;
use crate::flow::FlowScene;
use crate::flow::layers::as_written;
use crate::raster;
#[cfg(feature = "zarr")]
use crate::scene::LayerFormat;
use crate::scene::Tables;
use headwater::Lattice;
use headwater::distributed::DistributedFlow;
use headwater::flow::View;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Returns an estimate of the memory (bytes) for gathering rows of a layer and compressing them
/// into the files of a Zarr store.
pub(super) fn gather_bytes(scene: &FlowScene, lattice: &Lattice) -> usize {
    let output = scene.common().output;
    // Only Zarr output needs this memory.
    #[cfg(not(feature = "zarr"))]
    let _ = lattice;
    match output.layer_format {
        #[cfg(feature = "zarr")]
        LayerFormat::Zarr if !output.layers.is_empty() => {
            let shape = [lattice.nx(), lattice.ny()];
            3 * size_of::<f32>() * raster::zarr::rows_per_file(shape) * lattice.nx()
        }
        _ => 0,
    }
}

/// Returns the part of `rows` that fills whole files of a Zarr store. The first process gathers and
/// writes the other rows.
#[cfg(feature = "zarr")]
pub(super) fn whole_files(lattice: &Lattice, rows: &Range<usize>) -> Range<usize> {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let file = raster::zarr::rows_per_file([nx, ny]);
    let start = rows.start.next_multiple_of(file).min(ny);
    // The last file may have fewer rows than the others.
    let end = if rows.end == ny { ny } else { rows.end / file * file };
    start..end.max(start)
}

/// Layer in the rows that a process owns.
pub(super) struct Layer<'a> {
    world: &'a mut DistributedFlow,
    view: View,
    /// Elevation of the model's height 0 (m).
    datum: f64,
    /// Mask of cells without data; `None` if all cells have data.
    no_data_mask: Option<&'a Bits>,
}

impl<'a> Layer<'a> {
    /// Creates the layer with this name.
    ///
    /// # Errors
    /// Returns an error if there is no layer with this name.
    pub(super) fn new(
        world: &'a mut DistributedFlow,
        name: &str,
        datum: f64,
        no_data_mask: Option<&'a Bits>,
    ) -> io::Result<Self> {
        let none = || io::Error::other(format!("there is no layer `{name}`"));
        Ok(Self { world, view: View::from_name(name).ok_or_else(none)?, datum, no_data_mask })
    }

    /// Calls `with` with the output values of each row block in `rows`, from north to south.
    ///
    /// # Errors
    /// Returns an error if `with` or the storage of row blocks fails, or if a row does not exist.
    pub(super) fn each_run(
        &mut self,
        rows: Range<usize>,
        with: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> io::Result<()> {
        let (view, datum, dry) = (self.view, self.datum, self.world.params().dry_depth);
        let nx = self.world.lattice().nx();
        let mut y = rows.start;
        while y < rows.end {
            let (mut field, block) = self.world.with_block(y, |block| {
                let field = Cow::Owned(block.layer(view));
                let deepest = || Cow::Owned(block.layer(View::MaxDepth));
                let name = view.layer().name;
                (as_written(name, field, [datum, dry], deepest).into_owned(), block.rows())
            })?;
            let end = block.end.min(rows.end);
            if let Some(no_data_mask) = self.no_data_mask {
                for y in y..end {
                    let values = field.row_mut(y - block.start).iter_mut().enumerate();
                    let missing = values.filter(|(x, _)| no_data_mask.get(*x, y));
                    missing.for_each(|(_, value)| *value = f32::NAN);
                }
            }
            with(&field.as_slice()[(y - block.start) * nx..(end - block.start) * nx])?;
            y = end;
        }
        Ok(())
    }

    /// Writes all owned rows into an NPY file or, with the value `no_data` for missing values, into
    /// a GeoTIFF file. `start` is the position in the file (byte) at which the values of the whole
    /// world begin.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or the storage of row blocks fails.
    pub(super) fn npy(&mut self, file: &Path, start: u64, no_data: Option<f32>) -> io::Result<()> {
        let rows = self.world.local().rows();
        let before = size_of::<f32>() * rows.start * self.world.lattice().nx();
        raster::write_npy_values(file, start + before as u64, |put| match no_data {
            None => self.each_run(rows, put),
            Some(no_data) => self.each_run(rows, &mut |values| {
                let known =
                    values.iter().map(|value| if value.is_nan() { no_data } else { *value });
                // The GeoTIFF file has the byte order of the machine, but the writer expects NPY's
                // little-endian order.
                let ordered = known.map(|value| f32::from_bits(value.to_bits().to_le()));
                put(&ordered.collect::<Vec<_>>())
            }),
        })
    }

    /// Writes the owned rows that fill whole files of a Zarr store. `time` is the index of the
    /// output time.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written or the storage of row blocks fails.
    #[cfg(feature = "zarr")]
    pub(super) fn zarr(&mut self, store: &Path, time: usize) -> io::Result<()> {
        let (lattice, name) = (*self.world.lattice(), self.view.layer().name);
        let rows = whole_files(&lattice, &self.world.local().rows());
        if rows.is_empty() {
            return Ok(());
        }
        let slice = raster::zarr::LayerSlice::open(store, name, time).map_err(io::Error::other)?;
        let nx = lattice.nx();
        let count = raster::zarr::rows_per_file([nx, lattice.ny()]) * nx;
        let (mut first, mut waiting) = (rows.start, Vec::<f32>::with_capacity(count));
        self.each_run(rows, &mut |mut values| {
            while !values.is_empty() {
                let room = (count - waiting.len()).min(values.len());
                waiting.extend_from_slice(&values[..room]);
                values = &values[room..];
                if waiting.len() == count {
                    slice.write_rows(first, &waiting)?;
                    first += count / nx;
                    waiting.clear();
                }
            }
            Ok(())
        })?;
        if waiting.is_empty() { Ok(()) } else { slice.write_rows(first, &waiting) }
    }
}
