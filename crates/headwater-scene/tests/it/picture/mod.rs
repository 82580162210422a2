//! Tests of pictures.

mod files;
mod hexes;
mod pixels;
mod view;
