//! Integration tests of the raster reader.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod formats;
mod formats_sidecar;
#[cfg(unix)]
mod gdal;
mod geotiff;
mod geotiff_file;
mod geotiff_place;
