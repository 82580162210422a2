//! Metrics of fluvial geomorphology, for comparing a simulated land with natural ones.
//!
//! Each cell drains to its steepest neighbour (D8), and depressions drain over their lowest saddle.
//! Channels are the cells with an upstream area of at least 50 cells.

mod network;
pub(super) mod routing;
mod slots;
mod survey;
mod valleys;
mod waterfalls;

pub use network::CHANNEL;
pub use survey::{Report, Survey};
pub use waterfalls::Waterfall;
