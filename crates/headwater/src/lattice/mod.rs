//! Lattices: where cells, faces and neighbours are. A lattice holds no values; [`crate::Field`] does.

mod square;

pub use square::{Edge, LatticeError, Square};
