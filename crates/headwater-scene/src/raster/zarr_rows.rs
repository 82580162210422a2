//! A Zarr store (version 2 or 3) as a raster: one of its arrays, of two dimensions or the last of longer ones, with coordinates as of the
//! CF conventions, as xarray writes them. Some rows of chunks are read at a time.

use super::assemble::{Header, grid};
use super::geographic::{CellSize, DEGREE, Unit, looks_geographic};
use super::input::{Opened, Rows};
use super::zarr::{Fault, MAP};
use super::{Format, Problem, ReadOptions, Sample};
use crate::scene::Files;
use serde_json::Value;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zarrs::array::{Array, ArrayShardedExt as _, ArraySubset, ElementOwned, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::Group;

type Stored = Array<FilesystemStore>;

const ARRAYS: &str = "an array of two dimensions, or the last of longer ones, named if there are several, as in `dem.zarr/bed`";
const TYPES: &str = "values of type uint8, uint16, int16, int32, float32 or float64";
const COORDINATES: &str = "coordinates that are evenly spaced, of columns from west to east";

/// The most values of a chunk, and of what is read at a time.
const AT_ONCE: u64 = 1 << 26;

/// Differences between coordinates may differ by this part of them.
const EVEN: f64 = 0.01;

/// Opens the array of a store, or the only one in it.
pub(super) fn open(path: &Path, options: &ReadOptions) -> Result<Opened<'static>, Problem> {
    let place = Place::of(path).map_err(unread)?;
    let array = place.raster()?;
    let (shape, before) = (array.shape().to_vec(), array.shape().len() - 2);
    let size = grid(shape[before + 1], shape[before], options)?;
    let sample = sample_of(&array)?;
    let mut header = Header::new(Format::Zarr, size, sample);
    let attribute = |key: &str| array.attributes().get(key).and_then(Value::as_f64);
    header.scale = attribute("scale_factor").unwrap_or(1.0);
    header.offset = attribute("add_offset").unwrap_or(0.0);
    header.no_data = attribute("_FillValue").or_else(|| attribute("missing_value"));
    // What was never written, too, reads so.
    header.nan_is_declared = true;
    let lies = place.lies(&array, size)?;
    header.epsg = place.epsg(&array);
    if let Some(lies) = &lies {
        (header.cell, header.bounds) = (Some(lies.cell.clone()), Some(lies.bounds));
    }
    // Coordinates whose order nobody tells are those of a picture.
    let south_first = lies.is_some_and(|lies| lies.south_first);
    let last: Vec<u64> = shape[..before].iter().map(|length| length.saturating_sub(1)).collect();
    if shape[..before].iter().any(|length| *length > 1) {
        let [name, number] = [array.path().as_str(), &format!("{last:?}")];
        header.notices.push(format!("of {name} the last is taken, number {number}"));
    }
    let band = rows_at_once(&array, size)?;
    let rows =
        Band { array, last, size, band, south_first, values: Vec::new(), here: 0..0, next: 0 };
    Ok((header, Box::new(rows)))
}

/// What a path leads to: a group of arrays, and perhaps one of them.
struct Place {
    folder: PathBuf,
    store: Arc<FilesystemStore>,
    named: Option<Stored>,
}

/// Where cells lie.
struct Lies {
    cell: CellSize,
    bounds: [f64; 4],
    south_first: bool,
}

impl Place {
    fn of(path: &Path) -> Result<Self, Fault> {
        let store = Arc::new(FilesystemStore::new(path)?);
        let Ok(alone) = Array::open(store.clone(), "/") else {
            return Ok(Self { folder: path.to_owned(), store, named: None });
        };
        let around =
            path.parent().filter(|parent| Files::disk().is_store(parent)).zip(path.file_name());
        let Some((group, name)) = around else {
            return Ok(Self { folder: path.to_owned(), store, named: Some(alone) });
        };
        let store = Arc::new(FilesystemStore::new(group)?);
        let array = Array::open(store.clone(), &format!("/{}", name.display()))?;
        Ok(Self { folder: group.to_owned(), store, named: Some(array) })
    }

    fn raster(&self) -> Result<Stored, Problem> {
        let unsupported = |found: String| Problem::Unsupported { found, allowed: ARRAYS };
        if let Some(array) = &self.named {
            let dimensions = array.shape().len();
            return match dimensions < 2 {
                true => Err(unsupported(format!("an array of {dimensions} dimensions"))),
                false => Array::open(self.store.clone(), array.path().as_str()).map_err(unread),
            };
        }
        let group = Group::open(self.store.clone(), "/").map_err(unread)?;
        let mut arrays = group.child_arrays().map_err(unread)?;
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

    /// Where the cells of an array lie, if its coordinates are there.
    fn lies(&self, array: &Stored, [nx, ny]: [usize; 2]) -> Result<Option<Lies>, Problem> {
        let names = dimensions(array);
        let [.., down, along] = &names[..] else { return Ok(None) };
        let (Some(x), Some(y)) = (self.coordinate(along, nx)?, self.coordinate(down, ny)?) else {
            return Ok(None);
        };
        let uneven = |name: &str| {
            let found = format!("coordinates `{name}` that are not");
            Problem::Unsupported { found, allowed: COORDINATES }
        };
        let dx = step(&x.values).filter(|dx| *dx > 0.0).ok_or_else(|| uneven(along))?;
        let dy = step(&y.values).ok_or_else(|| uneven(down))?;
        let (south_first, dy) = (dy > 0.0, dy.abs());
        let ends = |values: &[f64]| {
            let [a, b] = [values.first(), values.last()].map(|end| end.copied().unwrap_or(0.0));
            [a.min(b), a.max(b)]
        };
        let ([west, east], [south, north]) = (ends(&x.values), ends(&y.values));
        let bounds = [west - 0.5 * dx, south - 0.5 * dy, east + 0.5 * dx, north + 0.5 * dy];
        let (size, latitude) = ([dx, dy], 0.5 * (south + north));
        let unit = match x.unit.as_deref() {
            Some("m" | "metre" | "metres" | "meter" | "meters") => Unit::METRE,
            Some("km" | "kilometre" | "kilometer") => linear("kilometre", 1000.0),
            Some("ft" | "foot" | "feet") => linear("foot", 0.3048),
            Some("US_survey_foot" | "US survey foot") => linear("US survey foot", 1200.0 / 3937.0),
            Some(unit) if unit.starts_with(DEGREE) => Unit::Degrees { latitude },
            _ if looks_geographic(size, [bounds[0], bounds[1]], latitude) => {
                Unit::Degrees { latitude }
            }
            _ => Unit::METRE,
        };
        Ok(Some(Lies { cell: CellSize { size, unit }, bounds, south_first }))
    }

    /// The numbers along a dimension of that length, and their unit, if the store tells them.
    fn coordinate(&self, name: &str, length: usize) -> Result<Option<Coordinate>, Problem> {
        if name.is_empty() || !Files::disk().is_store(&self.folder.join(name)) {
            return Ok(None);
        }
        let array = Array::open(self.store.clone(), &format!("/{name}")).map_err(unread)?;
        // One cell has no size.
        if array.shape() != [length as u64] || length < 2 {
            return Ok(None);
        }
        let all = 0..length as u64;
        let values = numbers(&array, std::slice::from_ref(&all)).map_err(unread)?;
        let unit = array.attributes().get("units").and_then(Value::as_str).map(str::to_owned);
        Ok(Some(Coordinate { values, unit }))
    }

    /// The EPSG code of the map, if an array tells of one: by its name, or at the end of a text of WKT.
    fn epsg(&self, array: &Stored) -> Option<u16> {
        let name = array.attributes().get("grid_mapping").and_then(Value::as_str).unwrap_or(MAP);
        let map = Array::open(self.store.clone(), &format!("/{name}")).ok()?;
        let told = |key: &str| map.attributes().get(key).and_then(Value::as_str);
        let text = told(MAP).or_else(|| told("crs_wkt"))?;
        let (_, code) = text.rsplit_once("EPSG")?;
        let digits = code.trim_matches(|c: char| !c.is_ascii_digit());
        digits.parse().ok()
    }
}

struct Coordinate {
    values: Vec<f64>,
    unit: Option<String>,
}

fn linear(name: &'static str, metres: f64) -> Unit {
    Unit::Linear { name, metres }
}

/// The names of an array's dimensions, as version 3 has them, or as xarray writes them into version 2.
fn dimensions(array: &Stored) -> Vec<String> {
    if let Some(names) = array.dimension_names() {
        return names.iter().map(|name| name.clone().unwrap_or_default()).collect();
    }
    let names = array.attributes().get("_ARRAY_DIMENSIONS").and_then(Value::as_array);
    let name = |name: &Value| name.as_str().unwrap_or_default().to_owned();
    names.map(|names| names.iter().map(name).collect()).unwrap_or_default()
}

/// How far evenly spaced numbers lie apart; `None` if they are not.
fn step(values: &[f64]) -> Option<f64> {
    let (first, last) = (*values.first()?, *values.last()?);
    let step = (last - first) / (values.len() - 1) as f64;
    let even =
        |(i, value): (usize, &f64)| (value - (first + i as f64 * step)).abs() <= EVEN * step.abs();
    (step.is_finite() && step != 0.0 && values.iter().enumerate().all(even)).then_some(step)
}

fn sample_of(array: &Stored) -> Result<Sample, Problem> {
    let known = [
        (data_type::uint8(), Sample::U8),
        (data_type::uint16(), Sample::U16),
        (data_type::int16(), Sample::I16),
        (data_type::int32(), Sample::I32),
        (data_type::float32(), Sample::F32),
        (data_type::float64(), Sample::F64),
    ];
    let sample = known.iter().find(|(kind, _)| kind == array.data_type());
    sample.map(|(_, sample)| *sample).ok_or_else(|| Problem::Unsupported {
        found: format!("an array of {:?}", array.data_type()),
        allowed: TYPES,
    })
}

/// How many rows are read at a time: those of a row of chunks.
fn rows_at_once(array: &Stored, [nx, ny]: [usize; 2]) -> Result<usize, Problem> {
    let origin = vec![0; array.shape().len()];
    let whole = array.chunk_shape(&origin).map_err(unread)?;
    let inner = array.subchunk_shape().unwrap_or_else(|| whole.clone());
    let sides = |shape: &[std::num::NonZeroU64]| -> Vec<u64> {
        shape.iter().map(|side| side.get()).collect()
    };
    let chunk = sides(&inner);
    let values = chunk.iter().fold(1, |all: u64, side| all.saturating_mul(*side));
    if values > AT_ONCE {
        return Err(Problem::Unsupported {
            found: format!("chunks of {values} values"),
            allowed: "up to 67108864",
        });
    }
    let most = (AT_ONCE / nx as u64).max(1);
    let rows = chunk.iter().rev().nth(1).copied().unwrap_or(1);
    Ok(rows.min(most).min(ny as u64) as usize)
}

struct Band {
    array: Stored,
    /// The numbers of what is read along the dimensions before the rows.
    last: Vec<u64>,
    size: [usize; 2],
    /// How many rows are read at a time.
    band: usize,
    south_first: bool,
    /// The rows that are there, as the store has them.
    values: Vec<f64>,
    here: Range<usize>,
    next: usize,
}

impl Rows for Band {
    fn next(&mut self, row: &mut [f64]) -> Result<(), Problem> {
        let [nx, ny] = self.size;
        let y = if self.south_first { ny - 1 - self.next } else { self.next };
        if !self.here.contains(&y) {
            let first = y - y % self.band;
            self.here = first..(first + self.band).min(ny);
            let place = self.last.iter().map(|number| *number..number + 1);
            let rows = [self.here.start as u64..self.here.end as u64, 0..nx as u64];
            let place: Vec<Range<u64>> = place.chain(rows).collect();
            self.values = numbers(&self.array, &place).map_err(unread)?;
        }
        let first = (y - self.here.start) * nx;
        let values = self.values.get(first..first + nx);
        row.copy_from_slice(
            values.ok_or_else(|| Problem::damaged(Format::Zarr, "a chunk is cut short"))?,
        );
        self.next += 1;
        Ok(())
    }
}

fn numbers(array: &Stored, place: &[Range<u64>]) -> Result<Vec<f64>, Fault> {
    fn of<T: ElementOwned + Into<f64>>(
        array: &Stored,
        place: &ArraySubset,
    ) -> Result<Vec<f64>, Fault> {
        let values: Vec<T> = array.retrieve_array_subset(place)?;
        Ok(values.into_iter().map(Into::into).collect())
    }
    let place = &ArraySubset::new_with_ranges(place);
    let kind = array.data_type();
    if *kind == data_type::int64() {
        let values: Vec<i64> = array.retrieve_array_subset(place)?;
        return Ok(values.into_iter().map(|value| value as f64).collect());
    }
    match sample_of(array)? {
        Sample::U8 => of::<u8>(array, place),
        Sample::U16 => of::<u16>(array, place),
        Sample::I16 => of::<i16>(array, place),
        Sample::I32 => of::<i32>(array, place),
        Sample::F32 => of::<f32>(array, place),
        Sample::F64 | Sample::Text => of::<f64>(array, place),
    }
}

fn unread(error: impl Into<Fault>) -> Problem {
    Problem::damaged(Format::Zarr, error.into().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_numbers_are_told_from_others() {
        assert_eq!(step(&[5.0, 15.0, 25.0]), Some(10.0));
        assert_eq!(step(&[25.0, 15.0, 5.0]), Some(-10.0));
        for uneven in [&[0.0, 1.0, 3.0][..], &[2.0, 2.0], &[0.0, f64::NAN], &[1.0]] {
            assert_eq!(step(uneven), None, "{uneven:?}");
        }
    }
}
