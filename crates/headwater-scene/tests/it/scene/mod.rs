//! Tests of scene files.

mod errors;
mod files_in_memory;
mod fuzz;
mod library;
mod maps;
mod polygons;
mod radar;
mod steep_terrain;
