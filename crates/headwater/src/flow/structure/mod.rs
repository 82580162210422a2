//! Hydraulic structures: culverts, gates and weirs, which transfer water between two places by
//! their own formulas, independent of the ground between.
//!
//! `formulas` has the discharge formulas, `transfer` the exchange with cells. Features as wide as
//! cells are better modelled by bed and closed cells.

mod api;
mod formulas;
mod transfer;
mod types;

pub(crate) use transfer::Structures;
pub use types::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
