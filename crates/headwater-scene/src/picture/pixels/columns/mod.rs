//! Pictures of pools in side view, in the pixel art of block worlds; and charts of their temperature and
//! velocity, and of polygons and joints.

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
