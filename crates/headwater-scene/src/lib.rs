//! Scene files, elevation rasters, pictures, runs and checkpoints for Headwater.

pub mod atomic;
pub mod picture;
pub mod raster;
pub mod schema;
pub mod terrain;
