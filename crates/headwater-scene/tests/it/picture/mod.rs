//! What pictures show.

mod files;
mod hexes;
mod pixels;
mod view;
