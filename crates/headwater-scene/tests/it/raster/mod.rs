//! Files of heights.

mod dem;
mod formats;
mod fuzz;
mod rules;
#[cfg(feature = "zarr")]
mod zarr;
