//! Structures between cells: culverts, gates and weirs, which pass water from one place to another by
//! their own formulas, whatever ground lies between.
//!
//! What they pass at given levels is in `formulas`, how it is taken from cells and given to cells in
//! `passage`. They are narrower than cells: what is as wide as cells is better made of bed and closed cells.

mod calls;
mod formulas;
mod kinds;
mod passage;

pub use kinds::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
pub(crate) use passage::Structures;
