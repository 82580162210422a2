//! From checked scenes to worlds that can be stepped, one kind for each model.

mod blocks;
mod columns;
mod flow;
mod hydrology;
mod waves;

pub use blocks::act as act_on_blocks;
pub use blocks::blocks;
pub use columns::ColumnsWorld;
pub(crate) use columns::Furniture;
pub use flow::{Carved, FlowWorld, Stroke};
pub use hydrology::{HydrologyWay, HydrologyWorld};
pub use waves::{Disturbance, WavesWorld};
