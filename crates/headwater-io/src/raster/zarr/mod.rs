//! Writing of time series of layers to a Zarr store (version 3, Zarr Enhancement Proposal 1).
//!
//! A store is a group of arrays with the axes time, y and x, one array per layer, together with the
//! coordinates. Names and units follow the CF conventions. Chunks are compressed with zstd. In wide
//! worlds, one file contains many chunks (sharding). Values that have not been written are read as
//! NaN.

pub(super) mod rows;

use super::{Georeference, Problem, RasterError, cf};
use headwater::{Field, Layer};
use serde_json::{Map, Value, json};
use std::io;
use std::path::Path;
use std::sync::Arc;
use zarrs::array::codec::ZstdCodec;
use zarrs::array::{Array, ArrayBuilder, ArrayMetadataOptions, DataType, FillValue, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::GroupBuilder;

/// Side length of a chunk (cells). Each chunk is compressed separately.
const CHUNK: u64 = 256;
/// Side length of a shard, a file that contains many chunks in wide worlds (cells).
const SHARD: u64 = 2048;

/// Compression level of zstd. This is the default of the library; higher levels gain little.
const COMPRESSION_LEVEL: i32 = 3;

/// Axes that all layers of a store share.
pub struct Axes<'a> {
    /// Simulated times of the layers, in ascending order and in `time_unit`.
    pub times: &'a [f64],
    /// Unit of the times.
    pub time_unit: &'a str,
    /// Number of columns and rows. Row 0 is the northernmost row.
    pub shape: [usize; 2],
    /// Width and height of a cell (m).
    pub cell: [f64; 2],
    /// Map position of the world. If it is known, the x and y coordinates are map coordinates;
    /// otherwise the south-west corner is at (0, 0).
    pub georeference: Option<&'a Georeference>,
}

/// Name of the array that contains the coordinate reference system. Other programs expect this
/// name.
pub(super) const CRS_ARRAY: &str = "spatial_ref";

/// Writes the values of a layer at the time with the index `time`. Creates the store if it does not
/// exist.
pub fn write_layer(
    path: &Path,
    axes: &Axes<'_>,
    layer: &Layer,
    time: usize,
    field: &Field<f32>,
) -> Result<(), RasterError> {
    LayerSlice::create(path, axes, layer, time)?
        .write_rows(0, field.as_slice())
        .map_err(|e| write_error(path, e))
}

/// Returns the number of cell rows that one file of a store contains. Writing whole multiples of
/// this number of rows is most efficient.
pub fn rows_per_file([nx, ny]: [usize; 2]) -> usize {
    if nx.max(ny) > SHARD as usize { SHARD as usize } else { CHUNK as usize }
}

/// Values of one layer in a Zarr store at one time. Rows can be written concurrently if no two
/// writers write to the same file (see [`rows_per_file`]).
pub struct LayerSlice {
    array: Array<FilesystemStore>,
    time: u64,
}

impl LayerSlice {
    /// Opens the array of a layer for writing at the time with the index `time`. Creates the array
    /// and the store if they do not exist.
    pub fn create(
        path: &Path,
        axes: &Axes<'_>,
        layer: &Layer,
        time: usize,
    ) -> Result<Self, RasterError> {
        let attempt = || -> Result<Self, StoreError> {
            let store = Arc::new(FilesystemStore::new(path)?);
            if !path.join("zarr.json").exists() {
                create_store(&store, axes)?;
            }
            Ok(Self { array: open_or_create(&store, axes, layer)?, time: time as u64 })
        };
        attempt().map_err(|error| write_error(path, error))
    }

    /// Opens the array of a layer, which must exist, at the time with the index `time`.
    pub fn open(path: &Path, layer: &str, time: usize) -> Result<Self, RasterError> {
        let attempt = || -> Result<Self, StoreError> {
            let store = Arc::new(FilesystemStore::new(path)?);
            Ok(Self { array: Array::open(store, &format!("/{layer}"))?, time: time as u64 })
        };
        attempt().map_err(|error| write_error(path, error))
    }

    /// Writes the values of complete rows, beginning with the row `first`.
    pub fn write_rows(&self, first: usize, values: &[f32]) -> io::Result<()> {
        let (first, nx) = (first as u64, self.array.shape()[2]);
        let end = first + values.len() as u64 / nx.max(1);
        let place = [self.time..self.time + 1, first..end, 0..nx];
        self.array.store_array_subset(&place, values).map_err(io::Error::other)
    }
}

fn write_error(path: &Path, error: impl Into<StoreError>) -> RasterError {
    RasterError::new(path.display().to_string(), Problem::Write(io::Error::other(error)))
}

/// Error of any type that the Zarr library returns.
pub(super) type StoreError = Box<dyn std::error::Error + Send + Sync>;

/// Writes the coordinate arrays and then the group. The group is written last because its existence
/// indicates that the store is complete.
fn create_store(store: &Arc<FilesystemStore>, axes: &Axes<'_>) -> Result<(), StoreError> {
    let [nx, ny] = axes.shape;
    let map = axes.georeference;
    let [dx, dy] = map.map_or(axes.cell, |map| map.cell_size(axes.shape));
    let [west, south] = map.map_or([0.0; 2], |map| [map.bounds[0], map.bounds[1]]);
    let x: Vec<f64> = (0..nx).map(|x| west + (x as f64 + 0.5) * dx).collect();
    let y: Vec<f64> = (0..ny).map(|y| south + ((ny - y) as f64 - 0.5) * dy).collect();
    let unit = map.map_or(Some("metre"), |map| map.unit);
    let on_map = |axis: &str| coordinate_attributes(axis, unit);
    let unit = if axes.time_unit == "s" { "s" } else { "1" };
    let time = json!({ "long_name": "simulated time", "units": unit, "axis": "T" });
    for (name, values, attributes) in
        [("x", &x[..], on_map("x")), ("y", &y, on_map("y")), ("time", axes.times, time)]
    {
        let array = array_builder(
            &[values.len() as u64],
            &[values.len() as u64],
            data_type::float64(),
            f64::NAN,
        )
        .attributes(into_object(attributes))
        .dimension_names(Some([name]))
        .build(store.clone(), &format!("/{name}"))?;
        array.store_metadata_opt(&metadata_options())?;
        array.store_chunk(&[0], values)?;
    }
    if let Some(map) = map {
        let [west, _, _, north] = map.bounds;
        let mut attributes = json!({ "GeoTransform": format!("{west} {dx} 0 {north} 0 {}", -dy) });
        if let Some(code) = map.epsg {
            attributes[CRS_ARRAY] = format!("EPSG:{code}").into();
        }
        let array = ArrayBuilder::new(vec![], Vec::<u64>::new(), data_type::int64(), 0_i64)
            .attributes(into_object(attributes))
            .build(store.clone(), &format!("/{CRS_ARRAY}"))?;
        array.store_metadata_opt(&metadata_options())?;
        array.store_chunk(&[], &[0_i64])?;
    }
    let attributes = json!({
        "Conventions": "CF-1.11",
        "source": concat!("Headwater ", env!("CARGO_PKG_VERSION")),
    });
    let group =
        GroupBuilder::new().attributes(into_object(attributes)).build(store.clone(), "/")?;
    Ok(group.store_metadata()?)
}

/// Returns the CF attributes of a horizontal coordinate. `unit` is `None` if the unit is unknown.
fn coordinate_attributes(axis: &str, unit: Option<&str>) -> Value {
    let degrees = match axis {
        "x" => ["longitude", "degrees_east"],
        _ => ["latitude", "degrees_north"],
    };
    let mut attributes = json!({ "axis": axis.to_uppercase() });
    let [name, unit] = match unit {
        Some("degree") => degrees.map(Some),
        Some("metre") => [None, Some("m")],
        Some("US survey foot") => [None, Some("US_survey_foot")],
        unit => [None, unit],
    };
    let projected = || format!("projection_{axis}_coordinate");
    attributes["standard_name"] = name.map_or_else(projected, str::to_owned).into();
    if let Some(unit) = unit {
        attributes["units"] = unit.into();
    }
    attributes
}

/// Opens the array of a layer. Creates the array if it does not exist.
fn open_or_create(
    store: &Arc<FilesystemStore>,
    axes: &Axes<'_>,
    layer: &Layer,
) -> Result<Array<FilesystemStore>, StoreError> {
    let path = format!("/{}", layer.name);
    if let Ok(array) = Array::open(store.clone(), &path) {
        return Ok(array);
    }
    let [nx, ny] = axes.shape.map(|n| n as u64);
    let chunk = [1, CHUNK.min(ny), CHUNK.min(nx)];
    let is_wide = nx.max(ny) > SHARD;
    let file = if is_wide { [1, SHARD, SHARD] } else { chunk };
    let chunk = if is_wide { [1, CHUNK, CHUNK] } else { chunk };
    let mut attributes = Map::new();
    attributes.insert("long_name".into(), layer.meaning.into());
    attributes.insert("units".into(), cf::to_udunits(layer.unit).into());
    if let Some(name) = cf::standard_name(layer.name) {
        attributes.insert("standard_name".into(), name.into());
    }
    if axes.georeference.is_some() {
        attributes.insert("grid_mapping".into(), CRS_ARRAY.into());
    }
    let shape = [axes.times.len() as u64, ny, nx];
    let array = array_builder(&shape, &file, data_type::float32(), f32::NAN)
        .subchunk_shape(is_wide.then(|| chunk.to_vec()))
        .attributes(attributes)
        .dimension_names(Some(["time", "y", "x"]))
        .build(store.clone(), &path)?;
    array.store_metadata_opt(&metadata_options())?;
    Ok(array)
}

/// Returns a builder for a zstd-compressed array of the given shape, split into files that each
/// contain a block of the shape `file`.
fn array_builder(
    shape: &[u64],
    file: &[u64],
    values: DataType,
    fill: impl Into<FillValue>,
) -> ArrayBuilder {
    let mut builder = ArrayBuilder::new(shape.to_vec(), file.to_vec(), values, fill.into());
    builder.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(COMPRESSION_LEVEL, false))]);
    builder
}

/// Returns metadata options that omit the name and the version of the writing program.
fn metadata_options() -> ArrayMetadataOptions {
    ArrayMetadataOptions::default().with_include_zarrs_metadata(false)
}

fn into_object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
