//! Headwater, the water engine for grid worlds.

pub mod field;
pub mod lattice;
pub mod region;
pub mod series;

pub use field::Field;
pub use lattice::Square;
pub use region::{Falloff, Point, Region};
pub use series::Series;
