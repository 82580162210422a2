//! Side-view pictures of pools in the pixel art of block worlds, and charts of temperature,
//! velocity and meshes.

mod bodies;
mod falls;
mod ice;
mod mesh;
mod painter;
mod sheet;
mod steam;
mod water;

pub use bodies::PoolBodyKind;
pub use painter::{ColumnsPainter, ColumnsShown};
