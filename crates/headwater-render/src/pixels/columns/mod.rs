//! Side-view pictures of column worlds (pools) in the same pixel art as block worlds, and charts of
//! temperature, velocity and meshes.

mod bodies;
mod falls;
mod ice;
mod mesh;
mod painter;
mod pool_water;
mod steam;
mod water;

pub use bodies::PoolBodyKind;
pub use painter::{ColumnsContent, ColumnsPainter};
