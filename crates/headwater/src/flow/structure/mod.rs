//! Structures between cells: culverts, gates and weirs, which pass water from one place to another by
//! their own formulas, whatever ground lies between.
//!
//! Formulas are in `formulas`, exchange with cells in `passage`. Model what is as wide as cells by
//! bed and closed cells instead.

mod calls;
mod formulas;
mod kinds;
mod passage;

pub use kinds::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
pub(crate) use passage::Structures;
