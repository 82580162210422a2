//! Metrics of fluvial geomorphology, for comparing simulated terrain with natural landscapes.
//!
//! Each cell drains to its steepest neighbour (D8), and depressions drain over their lowest saddle.
//! A cell with an upstream area of at least 50 cells is part of a channel.

mod network;
pub(super) mod routing;
mod slots;
mod survey;
mod valleys;
mod waterfalls;

pub use network::MIN_CHANNEL_AREA;
pub use survey::{Report, Survey};
pub use waterfalls::Waterfall;
