//! How much a land is like real ones: the figures of fluvial geomorphology.
//!
//! Water is routed over the land as it stands, each cell to its steepest neighbour (D8); depressions are
//! crossed at their lowest saddle. Channels are cells that at least 50 cells drain to.

mod network;
pub(super) mod routing;
mod slots;
mod survey;
mod valleys;
mod waterfalls;

pub use network::CHANNEL;
pub use survey::{Report, Survey};
pub use waterfalls::Waterfall;
