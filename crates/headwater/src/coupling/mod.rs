//! What couples two models. Models never import one another; a world of two of them is put together
//! here.
//!
//! - [`WavesOnFlow`]: ripples on the water of a [`Flow`](crate::flow::Flow), carried by its current.

mod waves_on_flow;

pub use waves_on_flow::{CouplingError, WavesOnFlow};
