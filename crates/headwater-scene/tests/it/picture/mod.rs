//! Tests of pictures and picture files.

mod files;
mod hexes;
mod pixels;
mod view;
