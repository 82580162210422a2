//! Scene files, elevation rasters, pictures, runs and checkpoints for Headwater.

pub mod atomic;
pub mod blocks;
pub mod columns;
pub mod library;
pub mod live;
pub mod mesh;
mod parallel;
pub mod picture;
pub mod pixmap;
pub mod raster;
pub mod run;
pub mod schema;
mod squares;
pub mod terrain;
pub mod world;
