//! Couplings of two models. The models themselves are independent of one another.
//!
//! [`WavesOnFlow`]: ripples on a [`Flow`](crate::flow::Flow). [`columns_of_blocks`] and
//! [`blocks_of_columns`]: [`Blocks`](crate::blocks::Blocks) to [`Columns`](crate::columns::Columns)
//! and back. [`carved_to_flow`]: a [`Hydrology`](crate::hydrology::Hydrology) to a `Flow`.

mod blocks_and_columns;
mod carved_to_flow;
mod waves_on_flow;

pub use blocks_and_columns::{blocks_of_columns, columns_of_blocks};
pub use carved_to_flow::{CarvedToFlowOptions, WaterSupply, carved_to_flow};
pub use waves_on_flow::WavesOnFlow;
