//! Where block worlds come from: caves made from a seed, pictures whose pixels are cells.

mod caves;
mod map;

pub use caves::{Caves, CavesError};
pub use map::{MapError, PALETTE, read_map};
