//! Parts that the programs `headwater` and `headwater-validation` share: output to a terminal,
//! exit codes, the choice of a backend, and SVG diagrams. This is not a stable interface.

pub mod backend;
pub mod plot;
pub mod screen;
pub mod span;
pub mod usage;
