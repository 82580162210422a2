//! Output of a layer of a distributed world to files. Each process writes its own rows, in
//! parallel.

use super::bits::CellMask;
use crate::flow::FlowScene;
use crate::flow::layers::to_output_values;
use crate::raster;
#[cfg(feature = "zarr")]
use crate::scene::LayerFormat;
use crate::scene::SceneModel;
use headwater::Lattice;
use headwater::distributed::DistributedFlow;
use headwater::flow::View;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Returns an estimate of the memory (bytes) for gathering rows of a layer and compressing these
/// rows into files of a Zarr store.
pub(super) fn estimate_gather_memory(scene: &FlowScene, lattice: &Lattice) -> usize {
    let output = scene.common_tables().output;
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

/// Returns the part of `rows` whose cells fill complete files of a Zarr store. The first process
/// gathers and writes the remaining rows.
#[cfg(feature = "zarr")]
pub(super) fn rows_in_whole_files(lattice: &Lattice, rows: &Range<usize>) -> Range<usize> {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let file = raster::zarr::rows_per_file([nx, ny]);
    let start = rows.start.next_multiple_of(file).min(ny);
    // The last file may have fewer rows than the others.
    let end = if rows.end == ny { ny } else { rows.end / file * file };
    start..end.max(start)
}

/// Layer of a distributed world, restricted to the rows that this process owns.
pub(super) struct LocalLayer<'a> {
    world: &'a mut DistributedFlow,
    view: View,
    /// Elevation in the scene that corresponds to the model's height 0 (m).
    datum: f64,
    /// Mask of cells without data; `None` if all cells have data.
    no_data_mask: Option<&'a CellMask>,
}

impl<'a> LocalLayer<'a> {
    /// Creates a view of the layer with the given name.
    ///
    /// # Errors
    /// Returns an error if there is no layer with the given name.
    pub(super) fn new(
        world: &'a mut DistributedFlow,
        name: &str,
        datum: f64,
        no_data_mask: Option<&'a CellMask>,
    ) -> io::Result<Self> {
        let none = || io::Error::other(format!("there is no layer `{name}`"));
        Ok(Self { world, view: View::from_name(name).ok_or_else(none)?, datum, no_data_mask })
    }

    /// Calls `visit` with the output values of each contiguous range of `rows`, from north to
    /// south.
    ///
    /// # Errors
    /// Returns the error of `visit`, or an error if the storage of rows fails or if a row does not
    /// belong to this process.
    pub(super) fn for_each_block(
        &mut self,
        rows: Range<usize>,
        visit: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> io::Result<()> {
        let (view, datum, dry) = (self.view, self.datum, self.world.params().dry_depth);
        let nx = self.world.lattice().nx();
        let mut y = rows.start;
        while y < rows.end {
            let (mut field, block) = self.world.with_block(y, |block| {
                let field = Cow::Owned(block.layer(view));
                let deepest = || Cow::Owned(block.layer(View::MaxDepth));
                let name = view.layer().name;
                (to_output_values(name, field, [datum, dry], deepest).into_owned(), block.rows())
            })?;
            let end = block.end.min(rows.end);
            if let Some(no_data_mask) = self.no_data_mask {
                for y in y..end {
                    let values = field.row_mut(y - block.start).iter_mut().enumerate();
                    let missing = values.filter(|(x, _)| no_data_mask.get(*x, y));
                    missing.for_each(|(_, value)| *value = f32::NAN);
                }
            }
            visit(&field.as_slice()[(y - block.start) * nx..(end - block.start) * nx])?;
            y = end;
        }
        Ok(())
    }

    /// Writes the rows of this process to their place in a file that all processes share. The file
    /// is a GeoTIFF if `no_data` is given (this value then replaces missing values), otherwise an
    /// NPY file. `start` is the byte position of the world's first value in the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or if rows on disk cannot be read.
    pub(super) fn write_rows(
        &mut self,
        file: &Path,
        start: u64,
        no_data: Option<f32>,
    ) -> io::Result<()> {
        let rows = self.world.local_blocks().rows();
        let before = size_of::<f32>() * rows.start * self.world.lattice().nx();
        raster::write_npy_values(file, start + before as u64, |put| match no_data {
            None => self.for_each_block(rows, put),
            Some(no_data) => self.for_each_block(rows, &mut |values| {
                let known =
                    values.iter().map(|value| if value.is_nan() { no_data } else { *value });
                // The GeoTIFF file has the byte order of this machine, but the writer expects the
                // little-endian order of NPY.
                let ordered = known.map(|value| f32::from_bits(value.to_bits().to_le()));
                put(&ordered.collect::<Vec<_>>())
            }),
        })
    }

    /// Writes those rows of this process that fill complete files into a Zarr store.
    /// `time` is the index of the output time.
    ///
    /// # Errors
    /// Returns an error if the store cannot be written or if rows on disk cannot be read.
    #[cfg(feature = "zarr")]
    pub(super) fn write_zarr(&mut self, store: &Path, time: usize) -> io::Result<()> {
        let (lattice, name) = (*self.world.lattice(), self.view.layer().name);
        let rows = rows_in_whole_files(&lattice, &self.world.local_blocks().rows());
        if rows.is_empty() {
            return Ok(());
        }
        let slice = raster::zarr::LayerSlice::open(store, name, time).map_err(io::Error::other)?;
        let nx = lattice.nx();
        let count = raster::zarr::rows_per_file([nx, lattice.ny()]) * nx;
        let (mut first, mut waiting) = (rows.start, Vec::<f32>::with_capacity(count));
        self.for_each_block(rows, &mut |mut values| {
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
