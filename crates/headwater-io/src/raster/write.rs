//! Writing of fields as raster files for other programs: NPY, PNG, GeoTIFF and ESRI ASCII grid. All
//! files are written atomically.

use super::formats::npy;
use super::formats::png::KEYWORDS;
use super::geotiff::encode::{Values, encode};
use super::geotiff::geokeys::GeoKeys;
use super::{Georeference, Problem, RasterError};
#[cfg(not(target_family = "wasm"))]
use crate::atomic::write_atomically_shared;
use crate::atomic::{Sink, write_atomically};
use crate::encode_png::encode_png;
use headwater::Field;
#[cfg(not(target_family = "wasm"))]
use std::fs::File;
use std::io::{self, Write};
#[cfg(not(target_family = "wasm"))]
use std::io::{BufWriter, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// No-data value in written files. The value is a common convention and is never the height of
/// land.
const NO_DATA: f32 = -9999.0;
/// Gray level that marks cells without data in written PNG files.
const PNG_NO_DATA: u16 = u16::MAX;

/// Writes a field as a two-dimensional NPY array of little-endian `f32` values, indexed as
/// `array[row][column]`.
///
/// # Errors
/// Returns [`RasterError`] if the file cannot be written.
pub fn write_npy(path: impl AsRef<Path>, field: &Field<f32>) -> Result<(), RasterError> {
    let size = [field.nx(), field.ny()];
    write_file(path.as_ref(), |sink| write_npy_to(sink, size, |put| put(field.as_slice())))
}

/// Writes an NPY array whose values are written by several threads or processes, in any order. The
/// function writes the header and calls `fill` with the path of the file and the byte offset of the
/// first value; `fill` writes the values with [`write_npy_values`].
#[cfg(not(target_family = "wasm"))]
pub fn write_npy_parallel(
    path: &Path,
    [nx, ny]: [usize; 2],
    fill: impl FnOnce(&Path, u64) -> io::Result<()>,
) -> Result<(), RasterError> {
    let begin = |sink: &mut Sink<'_>| {
        write_npy_to(sink, [nx, ny], |_| Ok(()))?;
        let start = sink.stream_position()?;
        Ok([start, start + (size_of::<f32>() * nx * ny) as u64])
    };
    let written = write_atomically_shared(path, begin, fill).map_err(Problem::Write);
    written.map_err(|problem| RasterError::new(path.display().to_string(), problem))
}

/// Writes values to an existing NPY file, starting at the byte offset `start`. The function `rows`
/// supplies the values: it receives a writer function, and must call this function with all slices
/// of values in order.
#[cfg(not(target_family = "wasm"))]
pub fn write_npy_values(
    file: &Path,
    start: u64,
    rows: impl FnOnce(&mut dyn FnMut(&[f32]) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<()> {
    let mut sink = BufWriter::new(File::options().write(true).open(file)?);
    sink.seek(SeekFrom::Start(start))?;
    rows(&mut |values| values.iter().try_for_each(|value| sink.write_all(&value.to_le_bytes())))?;
    sink.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Returns the bytes of the NPY file that [`write_npy`] would write for a field.
pub fn to_npy(field: &Field<f32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to a vector never fails.
    let _ = write_npy_to(&mut bytes, [field.nx(), field.ny()], |put| put(field.as_slice()));
    bytes
}

fn write_npy_to(
    sink: &mut impl Write,
    [nx, ny]: [usize; 2],
    rows: impl FnOnce(&mut dyn FnMut(&[f32]) -> io::Result<()>) -> io::Result<()>,
) -> io::Result<()> {
    let dict = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({ny}, {nx}), }}");
    // NumPy aligns data to 64 bytes; signature, version and length take 10 bytes.
    let padded = (10 + dict.len() + 1).next_multiple_of(64) - 10 - 1;
    sink.write_all(npy::SIGNATURE)?;
    sink.write_all(&[1, 0])?;
    sink.write_all(&(padded as u16 + 1).to_le_bytes())?;
    sink.write_all(format!("{dict:padded$}\n").as_bytes())?;
    rows(&mut |values| values.iter().try_for_each(|value| sink.write_all(&value.to_le_bytes())))
}

/// Writes a field as a 16-bit gray PNG. The lowest value of the field becomes gray level 0 and the
/// highest becomes gray level 65535.
///
/// The text chunks `Scale` and `Offset` define the values: `value = Offset + Scale · gray`. If the
/// field has non-finite values, they become gray level 65535, which the text chunk `NoData`
/// declares as no data. The highest finite value then becomes gray level 65534. If `cell` is given,
/// the text chunk `Cell` contains the width and height of a cell (m). [`read`](super::read) uses
/// all four chunks.
///
/// # Errors
/// Returns [`RasterError`] if a cell size is not a finite number above 0, or if the file cannot be
/// written.
pub fn write_png16(
    path: impl AsRef<Path>,
    field: &Field<f32>,
    cell: Option<[f64; 2]>,
) -> Result<(), RasterError> {
    let path = path.as_ref();
    cell.map_or(Ok(()), |cell| check_cell(path, cell))?;
    write_file(path, |sink| sink.write_all(&to_png16(field, cell)?))
}

/// Returns the bytes of the PNG file that [`write_png16`] would write for a field.
///
/// # Errors
/// Returns [`io::Error`] if the field is too large for a PNG.
pub fn to_png16(field: &Field<f32>, cell: Option<[f64; 2]>) -> io::Result<Vec<u8>> {
    let known = field.as_slice().iter().copied().filter(|value| value.is_finite());
    let [low, high] = known.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    let (low, span) =
        if low <= high { (f64::from(low), f64::from(high) - f64::from(low)) } else { (0.0, 0.0) };
    let missing = field.as_slice().iter().any(|value| !value.is_finite());
    let max_level = if missing { PNG_NO_DATA - 1 } else { u16::MAX };
    let scale = if span > 0.0 { span / f64::from(max_level) } else { 1.0 };
    let gray = |&value: &f32| match value.is_finite() {
        true => ((f64::from(value) - low) / scale).round() as u16,
        false => PNG_NO_DATA,
    };
    let pixels: Vec<u8> = field.as_slice().iter().map(gray).flat_map(u16::to_be_bytes).collect();
    let mut texts = vec![(KEYWORDS.scale, scale.to_string()), (KEYWORDS.offset, low.to_string())];
    texts.extend(missing.then(|| (KEYWORDS.no_data, PNG_NO_DATA.to_string())));
    texts.extend(cell.map(|[width, height]| (KEYWORDS.cell, format!("{width} {height}"))));
    let mut bytes = Vec::new();
    let (color, depth) = (png::ColorType::Grayscale, png::BitDepth::Sixteen);
    encode_png(&mut bytes, [field.nx(), field.ny()], color, depth, &texts, &pixels)?;
    Ok(bytes)
}

/// Writes a field as a GeoTIFF of 32-bit floats. `cell` is the width and height of a cell (m), and
/// the south-west corner of the raster is at (0, 0). Cells for which `no_data` is true are written
/// with the no-data value −9999.
///
/// # Errors
/// Returns [`RasterError`] if the mask and the field differ in shape, if a cell size is not a
/// finite number above 0, or if the file cannot be written.
pub fn write_geotiff(
    path: impl AsRef<Path>,
    field: &Field<f32>,
    cell: [f64; 2],
    no_data: Option<&Field<bool>>,
) -> Result<(), RasterError> {
    write_geotiff_at(
        path.as_ref(),
        field,
        &Georeference::with_local_origin(field.ny(), cell),
        cell,
        no_data,
    )
}

/// Writes a field as a GeoTIFF whose cells together cover the bounds of `map`. Cells for which
/// `no_data` is true are written with the no-data value −9999.
///
/// # Errors
/// Returns [`RasterError`] under the same conditions as [`write_geotiff`], or if the unit of `map`
/// is unknown or has no GeoTIFF code.
pub fn write_geotiff_georeferenced(
    path: impl AsRef<Path>,
    field: &Field<f32>,
    map: &Georeference,
    no_data: Option<&Field<bool>>,
) -> Result<(), RasterError> {
    write_geotiff_at(path.as_ref(), field, map, map.cell_size([field.nx(), field.ny()]), no_data)
}

/// Writes a GeoTIFF whose values are written by several threads or processes, as in
/// [`write_npy_parallel`]. `fill` also receives the no-data value. If `map` is `None`, `cell` is
/// the width and height of a cell (m), and the south-west corner of the raster is at (0, 0).
#[cfg(not(target_family = "wasm"))]
pub fn write_geotiff_parallel(
    path: &Path,
    size @ [nx, ny]: [usize; 2],
    cell: [f64; 2],
    map: Option<&Georeference>,
    fill: impl FnOnce(&Path, u64, f32) -> io::Result<()>,
) -> Result<(), RasterError> {
    let cell = map.map_or(cell, |map| map.cell_size(size));
    let local = Georeference::with_local_origin(ny, cell);
    let head = GeoTiffHeader { size, map: map.unwrap_or(&local), cell, has_no_data: true };
    let keys = head.keys(path)?;
    let begin = |sink: &mut Sink<'_>| {
        let start = head.encode(sink, &keys, &mut |rows| vec![0.0; nx * rows.len()])?;
        Ok([start, sink.seek(SeekFrom::End(0))?])
    };
    let written = write_atomically_shared(path, begin, |file, start| fill(file, start, NO_DATA));
    let written = written.map_err(Problem::Write);
    written.map_err(|problem| RasterError::new(path.display().to_string(), problem))
}

/// Writes a GeoTIFF whose north-west corner is that of `map`. `cell` is the width and height of a
/// cell in the unit of `map`.
fn write_geotiff_at(
    path: &Path,
    field: &Field<f32>,
    map: &Georeference,
    cell: [f64; 2],
    no_data: Option<&Field<bool>>,
) -> Result<(), RasterError> {
    check_mask(path, field, no_data)?;
    let values: Vec<f32> = masked_values(field, no_data).collect();
    let size @ [nx, _] = [field.nx(), field.ny()];
    let head = GeoTiffHeader { size, map, cell, has_no_data: no_data.is_some() };
    let keys = head.keys(path)?;
    let mut strip = |rows: Range<usize>| values[rows.start * nx..rows.end * nx].to_vec();
    write_file(path, |sink| head.encode(sink, &keys, &mut strip).map(drop))
}

/// Metadata of a GeoTIFF to write.
struct GeoTiffHeader<'a> {
    /// Number of columns and rows.
    size: [usize; 2],
    map: &'a Georeference,
    /// Width and height of a cell, in the unit of the map.
    cell: [f64; 2],
    /// Whether the file declares a no-data value.
    has_no_data: bool,
}

/// Function that returns the values of the given range of rows.
type ReadRows<'a> = &'a mut dyn FnMut(Range<usize>) -> Vec<f32>;

impl GeoTiffHeader<'_> {
    /// Returns the GeoKeys of the file.
    ///
    /// # Errors
    /// Returns [`RasterError`] if the map position or the cell size cannot be written to a GeoTIFF.
    fn keys(&self, path: &Path) -> Result<GeoKeys, RasterError> {
        check_cell(path, self.cell)?;
        let map = self.map;
        map.geo_keys().ok_or_else(|| {
            let found = format!("coordinates in {}", map.unit.unwrap_or("an unknown unit"));
            let allowed = "degrees and units of length of EPSG";
            RasterError::new(path.display().to_string(), Problem::Unsupported { found, allowed })
        })
    }

    /// Writes the file to `sink`, strip by strip (several rows at a time) from the north. Returns
    /// the byte offset of the first value; the values are contiguous.
    fn encode(&self, sink: &mut Sink<'_>, keys: &GeoKeys, strip: ReadRows<'_>) -> io::Result<u64> {
        let (cell, [west, _, _, north]) = (self.cell, self.map.bounds);
        let (scale, tie_point) = ([cell[0], cell[1], 0.0], [0.0, 0.0, 0.0, west, north, 0.0]);
        let no_data = NO_DATA.to_string();
        // ModelPixelScale, ModelTiepoint, GeoKeyDirectory, GeoDoubleParams, GeoAsciiParams and
        // GDAL_NODATA.
        let mut tags = vec![(33550, Values::Double(&scale)), (33922, Values::Double(&tie_point))];
        if !keys.directory.is_empty() {
            tags.push((34735, Values::Short(&keys.directory)));
        }
        if !keys.doubles.is_empty() {
            tags.push((34736, Values::Double(&keys.doubles)));
        }
        if !keys.text.is_empty() {
            tags.push((34737, Values::Text(&keys.text)));
        }
        if self.has_no_data {
            tags.push((42113, Values::Text(&no_data)));
        }
        encode(sink, self.size, &tags, strip)
    }
}

/// Writes a field as an ESRI ASCII grid. `cell` is the width and height of a cell (m), and the
/// south-west corner of the raster is at (0, 0). Cells for which `no_data` is true are written with
/// the no-data value −9999. The decimal numbers represent every `f32` exactly.
///
/// # Errors
/// Returns [`RasterError`] under the same conditions as [`write_geotiff`].
pub fn write_asc(
    path: impl AsRef<Path>,
    field: &Field<f32>,
    cell: [f64; 2],
    no_data: Option<&Field<bool>>,
) -> Result<(), RasterError> {
    check_cell(path.as_ref(), cell)?;
    write_masked_raster(path.as_ref(), field, no_data, |sink| {
        writeln!(sink, "ncols {}\nnrows {}\nxllcorner 0\nyllcorner 0", field.nx(), field.ny())?;
        match cell {
            [dx, dy] if dx == dy => writeln!(sink, "cellsize {dx}")?,
            [dx, dy] => writeln!(sink, "dx {dx}\ndy {dy}")?,
        }
        if no_data.is_some() {
            writeln!(sink, "NODATA_value {NO_DATA}")?;
        }
        for (index, value) in masked_values(field, no_data).enumerate() {
            let end = if (index + 1) % field.nx() == 0 { '\n' } else { ' ' };
            write!(sink, "{value}{end}")?;
        }
        Ok(())
    })
}

/// Returns the values of the field, with [`NO_DATA`] in place of the values of cells for which the
/// mask is true.
fn masked_values<'a>(
    field: &'a Field<f32>,
    no_data: Option<&'a Field<bool>>,
) -> impl Iterator<Item = f32> + 'a {
    let empty = move |index| no_data.is_some_and(|mask: &Field<bool>| mask.as_slice()[index]);
    let values = field.as_slice().iter().enumerate();
    values.map(move |(index, value)| if empty(index) { NO_DATA } else { *value })
}

fn check_cell(path: &Path, cell: [f64; 2]) -> Result<(), RasterError> {
    if cell.iter().all(|size| size.is_finite() && *size > 0.0) {
        return Ok(());
    }
    Err(RasterError::new(path.display().to_string(), Problem::CellSize { cell }))
}

fn write_masked_raster(
    path: &Path,
    field: &Field<f32>,
    mask: Option<&Field<bool>>,
    content: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> Result<(), RasterError> {
    check_mask(path, field, mask)?;
    write_file(path, content)
}

fn check_mask(
    path: &Path,
    field: &Field<f32>,
    mask: Option<&Field<bool>>,
) -> Result<(), RasterError> {
    if let Some(mask) = mask.filter(|mask| !mask.has_same_shape(field)) {
        let (mask, heights) = ([mask.nx(), mask.ny()], [field.nx(), field.ny()]);
        let problem = Problem::MaskShape { mask, heights };
        return Err(RasterError::new(path.display().to_string(), problem));
    }
    Ok(())
}

/// Writes a file atomically. The function `content` writes the content of the file.
fn write_file(
    path: &Path,
    content: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> Result<(), RasterError> {
    let written = write_atomically(path, content).map_err(Problem::Write);
    written.map_err(|problem| RasterError::new(path.display().to_string(), problem))
}
