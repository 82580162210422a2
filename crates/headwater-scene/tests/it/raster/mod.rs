//! Tests of elevation rasters.

mod dem;
mod formats;
mod fuzz;
mod rules;
#[cfg(feature = "zarr")]
mod zarr;
