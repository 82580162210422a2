//! Lattices of square or hexagonal cells, which define the positions, sizes and adjacency of cells
//! and faces. The values of cells are stored in [`crate::Field`].

mod any;
mod edge;
mod faces;
mod hex;
mod size;
mod square;

pub(crate) use any::CellWeights;
pub use any::Lattice;
pub use edge::Edge;
pub(crate) use faces::{FaceAxis, FaceOffset, Offset, adjacent_cells, first_inner_row};
pub use hex::Hex;
pub use square::Square;
