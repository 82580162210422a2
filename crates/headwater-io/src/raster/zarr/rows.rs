//! Reader of a Zarr store (version 2 or 3) as a raster. The raster is a two-dimensional array of
//! the store, or the last slice of an array with more dimensions. Coordinates follow the CF
//! conventions, as written by xarray. One row of chunks is read at a time.

use super::{CRS_ARRAY, StoreError};
use crate::files::is_zarr_store;
use crate::raster::geographic::{CellSize, CellSizeUnit, looks_geographic};
use crate::raster::header::{Header, checked_grid_size};
use crate::raster::input::{OpenedRaster, RowReader};
use crate::raster::units::DEGREE;
use crate::raster::units::LengthUnit;
use crate::raster::{Format, Problem, ReadOptions, SampleType};
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zarrs::array::{Array, ArrayShardedExt as _, ArraySubset, ElementOwned, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::Group;

type StoredArray = Array<FilesystemStore>;

const ARRAYS: &str =
    "an array of at least two dimensions, named if there are several, as in `dem.zarr/bed`";
const TYPES: &str = "integers of 8 to 64 bits, float32 or float64";
const COORDINATES: &str = "coordinates that are evenly spaced, of columns from west to east";

/// Maximum number of values in a chunk, and maximum number of values read at a time.
const MAX_VALUES: u64 = 1 << 26;

/// Relative tolerance within which the spacing of coordinates must be constant.
const SPACING_TOLERANCE: f64 = 0.01;

/// Opens the array at a path. If the path is that of a store, opens the only array in the store.
pub(in crate::raster) fn open(
    path: &Path,
    options: &ReadOptions,
) -> Result<OpenedRaster<'static>, Problem> {
    let store = StorePath::open(path).map_err(read_error)?;
    let array = store.open_raster_array()?;
    let (shape, before) = (array.shape().to_vec(), array.shape().len() - 2);
    let size = checked_grid_size(shape[before + 1], shape[before], options)?;
    let sample = sample_type(&array)?;
    let mut header = Header::new(Format::Zarr, size, sample);
    let attribute = |key: &str| array.attributes().get(key).and_then(Value::as_f64);
    header.scale = attribute("scale_factor").unwrap_or(1.0);
    header.offset = attribute("add_offset").unwrap_or(0.0);
    let mut no_data = ["_FillValue", "missing_value"].into_iter().filter_map(attribute);
    header.no_data = no_data.next();
    header.other_no_data = no_data.collect();
    let unit = array.attributes().get("units").and_then(Value::as_str);
    header.unit = unit.and_then(LengthUnit::from_text);
    // Chunks that were never written also read as NaN.
    header.nan_is_declared = true;
    let position = store.position(&array, size)?;
    header.epsg = store.epsg(&array);
    if let Some(position) = &position {
        (header.cell, header.bounds) = (Some(position.cell.clone()), Some(position.bounds));
    }
    // Without coordinates, the first row is the north.
    let south_first = position.is_some_and(|position| position.south_first);
    let leading_indices: Vec<u64> =
        shape[..before].iter().map(|length| length.saturating_sub(1)).collect();
    if shape[..before].iter().any(|length| *length > 1) {
        let [name, number] = [array.path().as_str(), &format!("{leading_indices:?}")];
        header.notices.push(format!(
            "{name} has more than two dimensions; its last slice is read, index {number}"
        ));
    }
    let rows_per_read = rows_per_read(&array, size)?;
    let rows = ChunkRowReader {
        array,
        leading_indices,
        size,
        rows_per_read,
        south_first,
        values: Vec::new(),
        decoded: 0..0,
        next: 0,
    };
    Ok((header, Box::new(rows)))
}

/// Zarr store at a path. If the path is that of a single array, `named` contains this array.
struct StorePath {
    folder: PathBuf,
    store: Arc<FilesystemStore>,
    named: Option<StoredArray>,
}

/// Position of a raster's cells on the map.
struct Position {
    cell: CellSize,
    bounds: [f64; 4],
    south_first: bool,
}

impl StorePath {
    fn open(path: &Path) -> Result<Self, StoreError> {
        let store = Arc::new(FilesystemStore::new(path)?);
        let Ok(array) = Array::open(store.clone(), "/") else {
            return Ok(Self { folder: path.to_owned(), store, named: None });
        };
        let around = path.parent().filter(|parent| is_zarr_store(parent)).zip(path.file_name());
        let Some((group, name)) = around else {
            return Ok(Self { folder: path.to_owned(), store, named: Some(array) });
        };
        let store = Arc::new(FilesystemStore::new(group)?);
        let array = Array::open(store.clone(), &format!("/{}", name.display()))?;
        Ok(Self { folder: group.to_owned(), store, named: Some(array) })
    }

    fn open_raster_array(&self) -> Result<StoredArray, Problem> {
        let unsupported = |found: String| Problem::Unsupported { found, allowed: ARRAYS };
        if let Some(array) = &self.named {
            let dimensions = array.shape().len();
            return match dimensions < 2 {
                true => Err(unsupported(format!("an array of {dimensions} dimensions"))),
                false => Array::open(self.store.clone(), array.path().as_str()).map_err(read_error),
            };
        }
        let group = Group::open(self.store.clone(), "/").map_err(read_error)?;
        let mut arrays = group.child_arrays().map_err(read_error)?;
        arrays.retain(|array| array.shape().len() > 1);
        match arrays.len() {
            1 => Ok(arrays.remove(0)),
            0 => Err(unsupported("no such array".into())),
            _ => {
                let names =
                    arrays.iter().map(|array| array.path().as_str().trim_start_matches('/'));
                let mut names: Vec<&str> = names.collect();
                names.sort_unstable();
                Err(unsupported(format!("the arrays {}", names.join(", "))))
            }
        }
    }

    /// Returns the map position of the cells, or `None` if the array has no coordinates.
    fn position(
        &self,
        array: &StoredArray,
        [nx, ny]: [usize; 2],
    ) -> Result<Option<Position>, Problem> {
        let names = dimensions(array);
        let [.., down, along] = &names[..] else { return Ok(None) };
        let (Some(x), Some(y)) =
            (self.read_coordinate(along, nx)?, self.read_coordinate(down, ny)?)
        else {
            return Ok(None);
        };
        let uneven = |name: &str| {
            let found = format!("unevenly spaced coordinates `{name}`");
            Problem::Unsupported { found, allowed: COORDINATES }
        };
        let dx = even_spacing(&x.values).filter(|dx| *dx > 0.0).ok_or_else(|| uneven(along))?;
        let dy = even_spacing(&y.values).ok_or_else(|| uneven(down))?;
        let (south_first, dy) = (dy > 0.0, dy.abs());
        let ends = |values: &[f64]| {
            let [a, b] = [values.first(), values.last()].map(|end| end.copied().unwrap_or(0.0));
            [a.min(b), a.max(b)]
        };
        let ([west, east], [south, north]) = (ends(&x.values), ends(&y.values));
        let bounds = [west - 0.5 * dx, south - 0.5 * dy, east + 0.5 * dx, north + 0.5 * dy];
        let (size, latitude) = ([dx, dy], 0.5 * (south + north));
        let unit = match x.unit.as_deref() {
            Some(unit) if unit.starts_with(DEGREE) => CellSizeUnit::Degrees { latitude },
            unit => match unit.and_then(LengthUnit::from_text) {
                Some(LengthUnit { name, metres, .. }) => CellSizeUnit::Linear { name, metres },
                None if looks_geographic(size, [bounds[0], bounds[1]], latitude) => {
                    CellSizeUnit::Degrees { latitude }
                }
                None => CellSizeUnit::METRE,
            },
        };
        Ok(Some(Position { cell: CellSize { size, unit }, bounds, south_first }))
    }

    /// Reads the coordinates along the dimension `name` and their unit. Returns `None` if the store
    /// has no coordinate array with this name and `length` values, or if `length` is less than 2.
    fn read_coordinate(&self, name: &str, length: usize) -> Result<Option<Coordinate>, Problem> {
        if name.is_empty() || !is_zarr_store(&self.folder.join(name)) {
            return Ok(None);
        }
        let array = Array::open(self.store.clone(), &format!("/{name}")).map_err(read_error)?;
        // A single cell has no spacing.
        if array.shape() != [length as u64] || length < 2 {
            return Ok(None);
        }
        let all = 0..length as u64;
        let values = read_numbers(&array, std::slice::from_ref(&all)).map_err(read_error)?;
        let unit = array.attributes().get("units").and_then(Value::as_str).map(str::to_owned);
        Ok(Some(Coordinate { values, unit }))
    }

    /// Returns the EPSG code of the coordinate reference system, read from the system's name or
    /// from the end of its WKT (well-known text) description. Returns `None` if neither contains a
    /// code.
    fn epsg(&self, array: &StoredArray) -> Option<u16> {
        let name =
            array.attributes().get("grid_mapping").and_then(Value::as_str).unwrap_or(CRS_ARRAY);
        let map = Array::open(self.store.clone(), &format!("/{name}")).ok()?;
        let attribute = |key: &str| map.attributes().get(key).and_then(Value::as_str);
        let text = attribute(CRS_ARRAY).or_else(|| attribute("crs_wkt"))?;
        let (_, code) = text.rsplit_once("EPSG")?;
        let digits = code.trim_matches(|c: char| !c.is_ascii_digit());
        digits.parse().ok()
    }
}

struct Coordinate {
    values: Vec<f64>,
    unit: Option<String>,
}

/// Returns the names of the dimensions of an array. Version 3 stores the names in the metadata;
/// version 2 stores them in an attribute defined by xarray.
fn dimensions(array: &StoredArray) -> Vec<String> {
    if let Some(names) = array.dimension_names() {
        return names.iter().map(|name| name.clone().unwrap_or_default()).collect();
    }
    let names = array.attributes().get("_ARRAY_DIMENSIONS").and_then(Value::as_array);
    let name = |name: &Value| name.as_str().unwrap_or_default().to_owned();
    names.map(|names| names.iter().map(name).collect()).unwrap_or_default()
}

/// Returns the spacing of the given numbers, or `None` if they are not evenly spaced.
fn even_spacing(values: &[f64]) -> Option<f64> {
    let (first, last) = (*values.first()?, *values.last()?);
    let even_spacing = (last - first) / (values.len() - 1) as f64;
    let even = |(i, value): (usize, &f64)| {
        (value - (first + i as f64 * even_spacing)).abs() <= SPACING_TOLERANCE * even_spacing.abs()
    };
    (even_spacing.is_finite() && even_spacing != 0.0 && values.iter().enumerate().all(even))
        .then_some(even_spacing)
}

fn sample_type(array: &StoredArray) -> Result<SampleType, Problem> {
    let known = [
        (data_type::uint8(), SampleType::U8),
        (data_type::uint16(), SampleType::U16),
        (data_type::uint32(), SampleType::U32),
        (data_type::uint64(), SampleType::U64),
        (data_type::int8(), SampleType::I8),
        (data_type::int16(), SampleType::I16),
        (data_type::int32(), SampleType::I32),
        (data_type::int64(), SampleType::I64),
        (data_type::float32(), SampleType::F32),
        (data_type::float64(), SampleType::F64),
    ];
    let sample = known.iter().find(|(kind, _)| kind == array.data_type());
    sample.map(|(_, sample)| *sample).ok_or_else(|| Problem::Unsupported {
        found: format!("an array of {:?}", array.data_type()),
        allowed: TYPES,
    })
}

/// Returns the number of cell rows that are read at a time, which is the height of a chunk.
fn rows_per_read(array: &StoredArray, [nx, ny]: [usize; 2]) -> Result<usize, Problem> {
    let origin = vec![0; array.shape().len()];
    let whole = array.chunk_shape(&origin).map_err(read_error)?;
    let inner = array.subchunk_shape().unwrap_or_else(|| whole.clone());
    let sides = |shape: &[std::num::NonZeroU64]| -> Vec<u64> {
        shape.iter().map(|side| side.get()).collect()
    };
    let chunk = sides(&inner);
    let values = chunk.iter().fold(1, |all: u64, side| all.saturating_mul(*side));
    if values > MAX_VALUES {
        return Err(Problem::Unsupported {
            found: format!("chunks of {values} values"),
            allowed: "up to 67108864",
        });
    }
    let max_rows = (MAX_VALUES / nx as u64).max(1);
    let rows = chunk.iter().rev().nth(1).copied().unwrap_or(1);
    Ok(rows.min(max_rows).min(ny as u64) as usize)
}

/// Row reader that decodes one row of chunks at a time.
struct ChunkRowReader {
    array: StoredArray,
    /// Indices that select the slice to read, one for each dimension before the rows and columns.
    leading_indices: Vec<u64>,
    size: [usize; 2],
    /// Number of cell rows that are read at a time.
    rows_per_read: usize,
    south_first: bool,
    /// Values of the decoded rows, in the row order of the store.
    values: Vec<f64>,
    decoded: Range<usize>,
    next: usize,
}

impl RowReader for ChunkRowReader {
    fn read_row(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let [nx, ny] = self.size;
        let y = if self.south_first { ny - 1 - self.next } else { self.next };
        if !self.decoded.contains(&y) {
            let first = y - y % self.rows_per_read;
            self.decoded = first..(first + self.rows_per_read).min(ny);
            let ranges = self.leading_indices.iter().map(|number| *number..number + 1);
            let rows = [self.decoded.start as u64..self.decoded.end as u64, 0..nx as u64];
            let ranges: Vec<Range<u64>> = ranges.chain(rows).collect();
            self.values = read_numbers(&self.array, &ranges).map_err(read_error)?;
        }
        let first = (y - self.decoded.start) * nx;
        let values = self.values.get(first..first + nx);
        row.copy_from_slice(
            values.ok_or_else(|| Problem::damaged(Format::Zarr, "a chunk is cut short"))?,
        );
        self.next += 1;
        Ok(())
    }
}

fn read_numbers(array: &StoredArray, ranges: &[Range<u64>]) -> Result<Vec<f64>, StoreError> {
    fn read_as<T: ElementOwned + Into<f64>>(
        array: &StoredArray,
        ranges: &ArraySubset,
    ) -> Result<Vec<f64>, StoreError> {
        let values: Vec<T> = array.retrieve_array_subset(ranges)?;
        Ok(values.into_iter().map(Into::into).collect())
    }
    let ranges = &ArraySubset::new_with_ranges(ranges);
    match sample_type(array)? {
        SampleType::U8 => read_as::<u8>(array, ranges),
        SampleType::U16 => read_as::<u16>(array, ranges),
        SampleType::I16 => read_as::<i16>(array, ranges),
        SampleType::I32 => read_as::<i32>(array, ranges),
        SampleType::F32 => read_as::<f32>(array, ranges),
        SampleType::I8 => read_as::<i8>(array, ranges),
        SampleType::U32 => read_as::<u32>(array, ranges),
        SampleType::U64 => {
            let values: Vec<u64> = array.retrieve_array_subset(ranges)?;
            Ok(values.into_iter().map(|value| value as f64).collect())
        }
        SampleType::I64 => {
            let values: Vec<i64> = array.retrieve_array_subset(ranges)?;
            Ok(values.into_iter().map(|value| value as f64).collect())
        }
        SampleType::F64 | SampleType::F16 | SampleType::Text => read_as::<f64>(array, ranges),
    }
}

fn read_error(error: impl Into<StoreError>) -> Problem {
    Problem::damaged(Format::Zarr, error.into().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_spacing_is_detected() {
        assert_eq!(even_spacing(&[5.0, 15.0, 25.0]), Some(10.0));
        assert_eq!(even_spacing(&[25.0, 15.0, 5.0]), Some(-10.0));
        for uneven in [&[0.0, 1.0, 3.0][..], &[2.0, 2.0], &[0.0, f64::NAN], &[1.0]] {
            assert_eq!(even_spacing(uneven), None, "{uneven:?}");
        }
    }
}
