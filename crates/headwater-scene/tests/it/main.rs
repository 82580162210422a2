//! Integration tests of scene files, rasters, pictures, runs and live worlds.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod edit_log;
mod facade;
mod formats;
mod fuzz;
mod gauges;
mod limits;
mod live;
mod models;
mod picture;
mod raster;
mod run;
mod scene;
mod series;
mod support;
