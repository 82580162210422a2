//! Metrics of fluvial geomorphology, to compare a land with natural ones.
//!
//! Water is routed by D8, through depressions at their lowest saddle. Channels are cells with at
//! least 50 cells upstream.

mod network;
pub(super) mod routing;
mod slots;
mod survey;
mod valleys;
mod waterfalls;

pub use network::CHANNEL;
pub use survey::{Report, Survey};
pub use waterfalls::Waterfall;
