//! What couples two models. Models never import one another; a world of two of them is put together
//! here.
//!
//! - [`WavesOnFlow`]: ripples on the water of a [`Flow`](crate::flow::Flow), carried by its current.
//! - [`carved_to_flow`]: land that a [`Hydrology`](crate::hydrology::Hydrology) has carved becomes a `Flow`, with
//!   its lakes, rivers and sea.

mod carved_to_flow;
mod waves_on_flow;

pub use carved_to_flow::{Feed, HandOver, carved_to_flow};
pub use waves_on_flow::{CouplingError, WavesOnFlow};
