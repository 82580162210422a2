//! Scene files.

mod errors;
mod files_in_memory;
mod fuzz;
mod library;
mod steep_terrain;
