//! Tests that rasters are read from Zarr stores.

use crate::support::run::finish;
use headwater::Field;
use headwater_scene::raster::{self, Format, Raster, ReadOptions, SampleType};
use headwater_scene::run::{Backend, Run};
use headwater_scene::scene::{self, Files};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use zarrs::array::{Array, ArrayBuilder, DataType, Element, FillValue, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::GroupBuilder;

fn json_object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// Creates an empty Zarr store in a folder.
fn empty_store(folder: &Path) -> Arc<FilesystemStore> {
    let store = Arc::new(FilesystemStore::new(folder).unwrap());
    GroupBuilder::new().build(store.clone(), "/").unwrap().store_metadata().unwrap();
    store
}

struct NewArray<'a, T> {
    name: &'a str,
    dimensions: &'a [&'a str],
    shape: &'a [u64],
    chunk: &'a [u64],
    kind: DataType,
    nothing: FillValue,
    attributes: Value,
    values: &'a [T],
}

fn write_array<T: Element>(
    store: &Arc<FilesystemStore>,
    new: NewArray<'_, T>,
) -> Array<FilesystemStore> {
    let array = ArrayBuilder::new(new.shape.to_vec(), new.chunk.to_vec(), new.kind, new.nothing)
        .attributes(json_object(new.attributes))
        .dimension_names(Some(new.dimensions.iter().copied()))
        .build(store.clone(), &format!("/{}", new.name))
        .unwrap();
    array.store_metadata().unwrap();
    if !new.values.is_empty() {
        let all: Vec<_> = new.shape.iter().map(|length| 0..*length).collect();
        let all = zarrs::array::ArraySubset::new_with_ranges(&all);
        array.store_array_subset(&all, new.values).unwrap();
    }
    array
}

fn write_axis(store: &Arc<FilesystemStore>, name: &str, values: &[f64], unit: &str) {
    let length = [values.len() as u64];
    write_array(
        store,
        NewArray {
            name,
            dimensions: &[name],
            shape: &length,
            chunk: &length,
            kind: data_type::float64(),
            nothing: f64::NAN.into(),
            attributes: json!({ "units": unit }),
            values,
        },
    );
}

const NX: usize = 7;
const NY: usize = 5;

fn heights() -> Vec<f32> {
    (0..NX * NY).map(|i| if i == 9 { f32::NAN } else { 100.0 + i as f32 }).collect()
}

/// Writes heights in chunks whose size does not divide that of the grid. `south_first` selects
/// whether the first row is in the south or in the north.
fn write_dem(folder: &Path, south_first: bool) -> Arc<FilesystemStore> {
    let store = empty_store(folder);
    let x: Vec<f64> = (0..NX).map(|x| 500_005.0 + 10.0 * x as f64).collect();
    let mut y: Vec<f64> = (0..NY).map(|y| 4_000_100.0 - 20.0 * y as f64).collect();
    let mut values = heights();
    if south_first {
        y.reverse();
        values = values.chunks(NX).rev().flatten().copied().collect();
    }
    write_axis(&store, "x", &x, "metre");
    write_axis(&store, "y", &y, "m");
    write_array(
        &store,
        NewArray {
            name: "bed",
            dimensions: &["y", "x"],
            shape: &[NY as u64, NX as u64],
            chunk: &[3, 4],
            kind: data_type::float32(),
            nothing: f32::NAN.into(),
            attributes: json!({ "units": "m", "grid_mapping": "crs" }),
            values: &values,
        },
    );
    let wkt = "PROJCRS[\"WGS 84 / UTM zone 32N\",BASEGEOGCRS[\"WGS 84\",ID[\"EPSG\",4326]],ID[\"EPSG\",32632]]";
    write_array::<i64>(
        &store,
        NewArray {
            name: "crs",
            dimensions: &[],
            shape: &[],
            chunk: &[],
            kind: data_type::int64(),
            nothing: 0_i64.into(),
            attributes: json!({ "crs_wkt": wkt }),
            values: &[0],
        },
    );
    store
}

fn read(path: &Path) -> Result<Raster, String> {
    raster::read(path, &ReadOptions::default()).map_err(|error| error.to_string())
}

#[test]
fn stores_are_read_in_both_row_orders() {
    for south_first in [false, true] {
        let folder = TempDir::new().unwrap();
        write_dem(folder.path(), south_first);
        for path in [folder.path().to_owned(), folder.path().join("bed")] {
            let raster = read(&path).unwrap();
            let expected = heights();
            let bits = |values: &[f32]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            let known: Vec<f32> =
                expected.iter().map(|h| if h.is_nan() { 0.0 } else { *h }).collect();
            assert_eq!(bits(raster.heights.as_slice()), bits(&known), "{south_first}");
            let missing: Vec<bool> = expected.iter().map(|h| h.is_nan()).collect();
            assert_eq!(raster.no_data.as_slice(), missing);
            assert_eq!(
                (raster.info.format, raster.info.sample_type),
                (Format::Zarr, SampleType::F32)
            );
            assert_eq!(raster.cell, Some([10.0, 20.0]));
            assert_eq!(raster.info.bounds, Some([500_000.0, 4_000_010.0, 500_070.0, 4_000_110.0]));
            assert_eq!((raster.info.epsg, &raster.notices), (Some(32632), &Vec::new()));
            let mut rows = Vec::new();
            let mut take = |row: &[f32], _: &[bool]| {
                rows.extend_from_slice(row);
                Ok(())
            };
            let options = ReadOptions::default();
            raster::read_rows(&Files::from_disk(), &path, &options, &mut take).unwrap();
            assert_eq!(rows, raster.heights.as_slice());
        }
    }
}

#[test]
fn integer_arrays_use_scale_and_fill_value_and_degrees_are_detected() {
    let folder = TempDir::new().unwrap();
    let store = empty_store(folder.path());
    write_axis(&store, "lon", &[7.0, 7.01, 7.02], "degrees_east");
    write_axis(&store, "lat", &[46.01, 46.0], "degrees_north");
    write_array(
        &store,
        NewArray {
            name: "height",
            dimensions: &["time", "lat", "lon"],
            shape: &[2, 2, 3],
            chunk: &[1, 2, 3],
            kind: data_type::int16(),
            nothing: 0_i16.into(),
            attributes: json!({ "scale_factor": 0.5, "add_offset": 10, "_FillValue": -1 }),
            values: &[9_i16, 9, 9, 9, 9, 9, 1, 2, 3, 4, -1, 6],
        },
    );
    let raster = read(folder.path()).unwrap();
    assert_eq!(raster.heights.as_slice(), [10.5, 11.0, 11.5, 12.0, 0.0, 13.0]);
    assert_eq!(raster.info.no_data_cells, 1);
    assert!(
        raster.info.geographic && raster.cell.is_some_and(|[dx, dy]| dx < 800.0 && dy > 1100.0)
    );
    assert!(
        raster.notices.iter().any(|n| n.contains("its last slice is read")),
        "{:?}",
        raster.notices
    );
}

#[test]
fn unsupported_arrays_are_rejected() {
    let folder = TempDir::new().unwrap();
    let store = write_dem(folder.path(), false);
    let other = NewArray {
        name: "soil",
        dimensions: &["y", "x"],
        shape: &[NY as u64, NX as u64],
        chunk: &[5, 7],
        kind: data_type::uint8(),
        nothing: 3_u8.into(),
        attributes: json!({}),
        values: &[] as &[u8],
    };
    write_array(&store, other);
    let problem = read(folder.path()).unwrap_err();
    assert!(
        problem.contains("the arrays bed, soil") && problem.contains("dem.zarr/bed"),
        "{problem}"
    );
    // Unwritten chunks contain one value.
    assert_eq!(read(&folder.path().join("soil")).unwrap().heights, Field::new(NX, NY, 3.0));
    assert!(read(&folder.path().join("x")).unwrap_err().contains("an array of 1 dimensions"));
    // A truncated chunk.
    let chunk = folder.path().join("bed/c/0/0");
    let bytes = std::fs::read(&chunk).unwrap();
    std::fs::write(&chunk, &bytes[..bytes.len() / 2]).unwrap();
    let problem = read(&folder.path().join("bed")).unwrap_err();
    assert!(problem.contains("damaged Zarr file"), "{problem}");
    std::fs::write(folder.path().join("bed/zarr.json"), "{ \"zarr_format\": 3, ").unwrap();
    assert!(read(&folder.path().join("bed")).is_err());
    // Metadata are validated before any allocation.
    for (shape, chunk, word) in [
        ([u64::MAX / 2, 4], [2, 2], "cells"),
        ([1 << 20, 1 << 20], [2, 2], "cells"),
        ([8, 8], [1 << 20, 1 << 20], "chunks of"),
    ] {
        let folder = TempDir::new().unwrap();
        let huge = NewArray {
            name: "bed",
            dimensions: &["y", "x"],
            shape: &shape,
            chunk: &chunk,
            kind: data_type::float32(),
            nothing: 0.0_f32.into(),
            attributes: json!({}),
            values: &[] as &[f32],
        };
        write_array(&self::empty_store(folder.path()), huge);
        let problem = read(folder.path()).unwrap_err();
        assert!(problem.contains(word), "{problem}");
    }
}

#[test]
fn uneven_coordinates_are_rejected() {
    let folder = TempDir::new().unwrap();
    let store = write_dem(folder.path(), false);
    write_axis(&store, "x", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 60.0], "m");
    let problem = read(folder.path()).unwrap_err();
    assert!(problem.contains("coordinates `x`") && problem.contains("evenly"), "{problem}");
}

#[test]
fn worlds_from_stores_match_worlds_from_files() {
    let folder = TempDir::new().unwrap();
    write_dem(&folder.path().join("dem.zarr"), true);
    let raster = read(&folder.path().join("dem.zarr")).unwrap();
    let file = folder.path().join("dem.tif");
    raster::write_geotiff(&file, &raster.heights, [10.0, 20.0], Some(&raster.no_data)).unwrap();
    let text = |file: &str| {
        format!(
            "model = 'flow'\n[terrain]\nfile = '{file}'\n[water]\ndepth = 1\n[time]\nuntil = 5\n[output]\nframes = 0\nfinal = false\n"
        )
    };
    let run = |file: &str, backend: Backend| {
        let path = folder.path().join("world.toml");
        std::fs::write(&path, text(file)).unwrap();
        let scene = scene::load(&path, &[]).unwrap();
        let out = TempDir::new().unwrap();
        let summary = finish(Run::start_on(&scene, "test", out.path(), backend).unwrap());
        // A resumed run needs the same ground.
        (summary.state_hash, summary.inputs.iter().map(|input| input.hash.clone()).next())
    };
    let (expected, _) = run("dem.tif", Backend::Cpu);
    let (found, ground) = run("dem.zarr", Backend::Cpu);
    assert_eq!(found, expected);
    for (file, backend) in [("dem.zarr/bed", Backend::Cpu), ("dem.zarr", Backend::Memory(1 << 30))]
    {
        assert_eq!(run(file, backend).0, expected, "{file}");
    }
    write_dem(&folder.path().join("dem.zarr"), false);
    let (found, other) = run("dem.zarr", Backend::Cpu);
    assert_eq!(found, expected, "the same land, with its first row elsewhere");
    assert!(ground.is_some() && ground != other, "other files");
}
