//! Scene files.

mod errors;
mod files_in_memory;
mod fuzz;
mod library;
mod maps;
mod steep_terrain;
