//! Hydraulic structures: culverts, gates and weirs, which transfer water between two places by
//! their own formulas, independent of the ground between.
//!
//!
//! `formulas` has the discharge formulas, `passage` the exchange with cells. Features as wide as
//! cells are better modelled by bed and closed cells.

mod calls;
mod formulas;
mod kinds;
mod passage;

pub use kinds::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
pub(crate) use passage::Structures;
