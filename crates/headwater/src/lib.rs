//! Headwater, the water engine for grid worlds.

pub mod brush;
pub mod field;
pub mod flow;
pub mod lattice;
pub mod ledger;
mod parallel;
pub mod region;
pub mod series;

pub use brush::Brush;
pub use field::Field;
pub use lattice::{Edge, Square};
pub use ledger::{Balance, Cause, Ledger};
pub use region::{Falloff, Point, Region};
pub use series::Series;
