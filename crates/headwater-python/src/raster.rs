//! Reading and writing of elevation rasters, and geomorphological measures of a terrain.

use crate::array::{copy_to_array, to_field};
use crate::error::{input_error, to_py_err};
use crate::gil::run_detached;
use headwater::hydrology::report::Report;
use headwater::{Field, Square};
use headwater_scene::facade::FacadeError;
use headwater_scene::raster::{self, RasterError, ReadOptions};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

fn raster_error(py: Python<'_>, error: &RasterError) -> PyErr {
    to_py_err(
        py,
        FacadeError::invalid_argument("a raster", error, "one that can be read or written"),
    )
}

/// Returns the unit of a layer in the notation of the CF metadata conventions, and its CF standard
/// name. The name is None if the conventions define none.
#[pyfunction]
pub(crate) fn cf_metadata(layer: &str, unit: &str) -> (String, Option<&'static str>) {
    (raster::cf::to_udunits(unit).to_owned(), raster::cf::standard_name(layer))
}

/// Returns the lengths (m) of one degree of longitude and of one degree of latitude (WGS 84) at a
/// latitude between 89° south and 89° north.
#[pyfunction]
pub(crate) fn metres_per_degree(py: Python<'_>, latitude: f64) -> PyResult<(f64, f64)> {
    let [across, down] = raster::metres_per_degree(latitude).map_err(|e| raster_error(py, &e))?;
    Ok((across, down))
}

/// Reads a raster of elevations in one of the formats PNG, GeoTIFF, ESRI ASCII, NPY and R16.
/// Returns a dict with the keys `heights` (m, float32), `no_data` (bool), `cell` (m, or None),
/// `bounds` (west, south, east, north, or None), `epsg` (or None) and `notices`.
#[pyfunction]
#[pyo3(signature = (path, *, scale=None, offset=None, no_data=None))]
pub(crate) fn read_raster<'py>(
    py: Python<'py>,
    path: PathBuf,
    scale: Option<f64>,
    offset: Option<f64>,
    no_data: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = ReadOptions { scale, offset, no_data, ..ReadOptions::default() };
    let read =
        run_detached(py, || raster::read(&path, &options))?.map_err(|e| raster_error(py, &e))?;
    let result = PyDict::new(py);
    let missing: Bound<'_, PyArray2<bool>> = PyArray1::from_slice(py, read.no_data.as_slice())
        .reshape([read.no_data.ny(), read.no_data.nx()])?;
    let lies = read.info.georeference();
    result.set_item("heights", copy_to_array(py, &read.heights)?)?;
    result.set_item("no_data", missing)?;
    result.set_item("cell", read.cell.map(|[dx, dy]| (dx, dy)))?;
    result.set_item("bounds", lies.as_ref().map(|lies| lies.bounds.to_vec()))?;
    result.set_item("epsg", lies.and_then(|lies| lies.epsg))?;
    result.set_item("notices", read.notices)?;
    Ok(result)
}

/// Writes an array as a raster. The file extension determines the format: `.npy`, `.tif`, `.asc` or
/// `.png`. `cell` is the side length of a cell (m), or its width and height. Values that are not
/// finite are written as no-data.
#[pyfunction]
#[pyo3(signature = (path, values, cell=None))]
pub(crate) fn write_raster(
    py: Python<'_>,
    path: PathBuf,
    values: &Bound<'_, PyAny>,
    cell: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let values = to_field(values, "values of a raster")?;
    let cell =
        cell.map(|cell| cell.extract::<f64>().map(|side| [side, side]).or_else(|_| cell.extract()));
    let cell = cell.transpose()?;
    let side = cell.unwrap_or([1.0, 1.0]);
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let missing: Field<bool> = values.map(|value| !value.is_finite());
    let missing = missing.as_slice().contains(&true).then_some(&missing);
    let written = match ending.as_str() {
        "npy" => raster::write_npy(&path, &values),
        "png" => raster::write_png16(&path, &values, cell),
        "tif" | "tiff" => raster::write_geotiff(&path, &values, side, missing),
        "asc" => raster::write_asc(&path, &values, side, missing),
        other => {
            let found = format!("\".{other}\"");
            return Err(input_error(
                py,
                "ending of a raster's path",
                &found,
                ".npy, .tif, .asc, .png",
            ));
        }
    };
    written.map_err(|error| raster_error(py, &error))
}

/// Computes measures of fluvial geomorphology for a terrain without water, and compares them with
/// those of real terrains, like the command `headwater hydrology-report`. `bed` contains the
/// heights (m), and `cell` is the side length of a cell (m). Returns the measures as a dict.
#[pyfunction]
pub(crate) fn hydrology_report<'py>(
    py: Python<'py>,
    bed: &Bound<'py, PyAny>,
    cell: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let bed = to_field(bed, "bed")?;
    if let Some(bad) = bed.as_slice().iter().find(|value| !value.is_finite()) {
        return Err(input_error(py, "bed", &bad.to_string(), "a finite height in each cell"));
    }
    // Creating the lattice checks the sizes.
    Square::new(bed.nx(), bed.ny(), cell, cell).map_err(|error| to_py_err(py, error.into()))?;
    let found = run_detached(py, || Report::from_bed(&bed, cell))?;
    let result = PyDict::new(py);
    for (name, value) in [
        ("concavity", found.concavity),
        ("hack", found.hack),
        ("pits", found.pits),
        ("dry_depressions", found.dry_depressions),
        ("slots", found.slots),
        ("deepest_slot", found.deepest_slot),
        ("drainage_density", found.drainage_density),
        ("hypsometric_integral", found.hypsometric_integral),
    ] {
        result.set_item(name, value)?;
    }
    result.set_item("horton", found.horton.to_vec())?;
    result.set_item("valley_width", found.valley_width.to_vec())?;
    result.set_item("order", found.order)?;
    result.set_item("waterfalls", found.waterfalls)?;
    Ok(result)
}
