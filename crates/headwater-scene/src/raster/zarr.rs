//! Layers over time as a Zarr store (version 3, Zarr Enhancement Proposal 1): a group of arrays with the axes time, y and x, and those
//! as coordinates, by the names and units of the CF conventions. Chunks are compressed with zstd; those of wide worlds lie many to a file
//! (sharding). What has not been written yet reads as NaN.

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

/// The side of a chunk, and of the squares of chunks that lie in one file if a world is wider (cells).
const CHUNK: u64 = 256;
const SHARD: u64 = 2048;

/// What zstd does by default: little is gained above.
const LEVEL: i32 = 3;

/// What all layers of a store share.
pub(crate) struct Axes<'a> {
    /// All times at which layers are written, ascending, and their unit.
    pub(crate) times: &'a [f64],
    pub(crate) time_unit: &'a str,
    /// Columns and rows, and the size of a cell (m). The first row is the northern one; the south-west corner is at (0, 0) if it is not
    /// known where it is.
    pub(crate) shape: [usize; 2],
    pub(crate) cell: [f64; 2],
    /// Where the world lies on a map, if it is known: then coordinates are those of the map.
    pub(crate) georeference: Option<&'a Georeference>,
}

/// The array that tells of the map, by the name that readers look for.
pub(super) const MAP: &str = "spatial_ref";

/// Writes a layer as it is at one of the times, by its number. The store is made if there is none.
pub(crate) fn write(
    path: &Path,
    axes: &Axes<'_>,
    layer: &Layer,
    time: usize,
    field: &Field<f32>,
) -> Result<(), RasterError> {
    Sheet::begin(path, axes, layer, time)?.put(0, field.as_slice()).map_err(|e| failed(path, e))
}

/// How many rows of a layer so wide go best to a store together: those of whole files.
pub(crate) fn rows_of_files([nx, ny]: [usize; 2]) -> usize {
    if nx.max(ny) > SHARD as usize { SHARD as usize } else { CHUNK as usize }
}

/// A layer at one of the times in a store, to be written some rows at a time, by several at once if none writes
/// into a file of another's: see [`rows_of_files`].
pub(crate) struct Sheet {
    array: Array<FilesystemStore>,
    time: u64,
}

impl Sheet {
    /// Makes room for one. The store is made if there is none.
    pub(crate) fn begin(
        path: &Path,
        axes: &Axes<'_>,
        layer: &Layer,
        time: usize,
    ) -> Result<Self, RasterError> {
        let attempt = || -> Result<Self, Fault> {
            let store = Arc::new(FilesystemStore::new(path)?);
            if !path.join("zarr.json").exists() {
                begin(&store, axes)?;
            }
            Ok(Self { array: open(&store, axes, layer)?, time: time as u64 })
        };
        attempt().map_err(|error| failed(path, error))
    }

    /// One for which somebody has made room.
    pub(crate) fn of(path: &Path, layer: &str, time: usize) -> Result<Self, RasterError> {
        let attempt = || -> Result<Self, Fault> {
            let store = Arc::new(FilesystemStore::new(path)?);
            Ok(Self { array: Array::open(store, &format!("/{layer}"))?, time: time as u64 })
        };
        attempt().map_err(|error| failed(path, error))
    }

    /// Writes rows, from one on.
    pub(crate) fn put(&self, first: usize, values: &[f32]) -> io::Result<()> {
        let (first, nx) = (first as u64, self.array.shape()[2]);
        let end = first + values.len() as u64 / nx.max(1);
        let place = [self.time..self.time + 1, first..end, 0..nx];
        self.array.store_array_subset(&place, values).map_err(io::Error::other)
    }
}

fn failed(path: &Path, error: impl Into<Fault>) -> RasterError {
    RasterError::new(path.display().to_string(), Problem::Write(io::Error::other(error)))
}

/// Whatever is wrong on the way to a file.
pub(super) type Fault = Box<dyn std::error::Error + Send + Sync>;

/// Writes the coordinates, and last the group, by which the store is known as begun.
fn begin(store: &Arc<FilesystemStore>, axes: &Axes<'_>) -> Result<(), Fault> {
    let [nx, ny] = axes.shape;
    let map = axes.georeference;
    let [dx, dy] = map.map_or(axes.cell, |map| map.cell(axes.shape));
    let [west, south] = map.map_or([0.0; 2], |map| [map.bounds[0], map.bounds[1]]);
    let x: Vec<f64> = (0..nx).map(|x| west + (x as f64 + 0.5) * dx).collect();
    let y: Vec<f64> = (0..ny).map(|y| south + ((ny - y) as f64 - 0.5) * dy).collect();
    let unit = map.map_or(Some("metre"), |map| map.unit);
    let on_map = |axis: &str| horizontal(axis, unit);
    let unit = if axes.time_unit == "s" { "s" } else { "1" };
    let time = json!({ "long_name": "simulated time", "units": unit, "axis": "T" });
    for (name, values, attributes) in
        [("x", &x[..], on_map("x")), ("y", &y, on_map("y")), ("time", axes.times, time)]
    {
        let array =
            builder(&[values.len() as u64], &[values.len() as u64], data_type::float64(), f64::NAN)
                .attributes(object(attributes))
                .dimension_names(Some([name]))
                .build(store.clone(), &format!("/{name}"))?;
        array.store_metadata_opt(&options())?;
        array.store_chunk(&[0], values)?;
    }
    if let Some(map) = map {
        let [west, _, _, north] = map.bounds;
        let mut told = json!({ "GeoTransform": format!("{west} {dx} 0 {north} 0 {}", -dy) });
        if let Some(code) = map.epsg {
            told[MAP] = format!("EPSG:{code}").into();
        }
        let array = ArrayBuilder::new(vec![], Vec::<u64>::new(), data_type::int64(), 0_i64)
            .attributes(object(told))
            .build(store.clone(), &format!("/{MAP}"))?;
        array.store_metadata_opt(&options())?;
        array.store_chunk(&[], &[0_i64])?;
    }
    let told = json!({
        "Conventions": "CF-1.11",
        "source": concat!("Headwater ", env!("CARGO_PKG_VERSION")),
    });
    let group = GroupBuilder::new().attributes(object(told)).build(store.clone(), "/")?;
    Ok(group.store_metadata()?)
}

/// What the conventions say of a coordinate of a map, in a unit that may not be known.
fn horizontal(axis: &str, unit: Option<&str>) -> Value {
    let degrees = match axis {
        "x" => ["longitude", "degrees_east"],
        _ => ["latitude", "degrees_north"],
    };
    let mut told = json!({ "axis": axis.to_uppercase() });
    let [name, unit] = match unit {
        Some("degree") => degrees.map(Some),
        Some("metre") => [None, Some("m")],
        Some("US survey foot") => [None, Some("US_survey_foot")],
        unit => [None, unit],
    };
    let projected = || format!("projection_{axis}_coordinate");
    told["standard_name"] = name.map_or_else(projected, str::to_owned).into();
    if let Some(unit) = unit {
        told["units"] = unit.into();
    }
    told
}

/// The array of a layer, made if there is none.
fn open(
    store: &Arc<FilesystemStore>,
    axes: &Axes<'_>,
    layer: &Layer,
) -> Result<Array<FilesystemStore>, Fault> {
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
    attributes.insert("units".into(), cf::units(layer.unit).into());
    if let Some(name) = cf::standard_name(layer.name) {
        attributes.insert("standard_name".into(), name.into());
    }
    if axes.georeference.is_some() {
        attributes.insert("grid_mapping".into(), MAP.into());
    }
    let shape = [axes.times.len() as u64, ny, nx];
    let array = builder(&shape, &file, data_type::float32(), f32::NAN)
        .subchunk_shape(is_wide.then(|| chunk.to_vec()))
        .attributes(attributes)
        .dimension_names(Some(["time", "y", "x"]))
        .build(store.clone(), &path)?;
    array.store_metadata_opt(&options())?;
    Ok(array)
}

/// A compressed array of that shape, with so much of it in a file.
fn builder(
    shape: &[u64],
    file: &[u64],
    values: DataType,
    nothing: impl Into<FillValue>,
) -> ArrayBuilder {
    let mut builder = ArrayBuilder::new(shape.to_vec(), file.to_vec(), values, nothing.into());
    builder.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(LEVEL, false))]);
    builder
}

/// Metadata without who wrote them.
fn options() -> ArrayMetadataOptions {
    ArrayMetadataOptions::default().with_include_zarrs_metadata(false)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
