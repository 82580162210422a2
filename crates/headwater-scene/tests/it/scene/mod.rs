//! Tests of scene files.

mod errors;
mod files_in_memory;
mod fuzz;
mod library;
mod map_positions;
mod maps;
mod polygons;
mod rain_rasters;
mod steep_terrain;
