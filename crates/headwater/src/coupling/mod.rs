//! What couples two models. Models never import one another; a world of two of them is put together
//! here.
//!
//! - [`WavesOnFlow`]: ripples on the water of a [`Flow`](crate::flow::Flow), carried by its current.
//! - [`columns_of_blocks`] and [`blocks_of_columns`]: the water of a world of [`Blocks`](crate::blocks::Blocks) as
//!   pools of [`Columns`](crate::columns::Columns), and back.
//! - [`carved_to_flow`]: land that a [`Hydrology`](crate::hydrology::Hydrology) has carved becomes a `Flow`, with
//!   its lakes, rivers and sea.

mod blocks_and_columns;
mod carved_to_flow;
mod waves_on_flow;

pub use blocks_and_columns::{blocks_of_columns, columns_of_blocks};
pub use carved_to_flow::{Feed, HandOver, carved_to_flow};
pub use waves_on_flow::WavesOnFlow;
