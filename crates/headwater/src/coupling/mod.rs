//! Couplings between two models. The models themselves do not depend on each other.
//!
//! [`WavesOnFlow`] simulates ripples on the water of a [`Flow`](crate::flow::Flow).
//! [`columns_from_blocks`] and [`blocks_from_columns`] convert between
//! [`Blocks`](crate::blocks::Blocks) and [`Columns`](crate::columns::Columns). [`carved_to_flow`]
//! converts a [`Hydrology`](crate::hydrology::Hydrology) world to a `Flow`.

mod blocks_and_columns;
mod carved_to_flow;
mod waves_on_flow;

pub use blocks_and_columns::{blocks_from_columns, columns_from_blocks};
pub use carved_to_flow::{CarvedToFlowOptions, WaterSupply, carved_to_flow};
pub use waves_on_flow::WavesOnFlow;
