//! Hydraulic structures: culverts, gates and weirs. Each transfers water between two places by its
//! own discharge formula, independently of the ground between the places.
//!
//! The module `formulas` contains the discharge formulas, and `transfer` the exchange of water with
//! cells. Structures as wide as a cell or wider are better modelled by the bed and by closed cells.

mod api;
mod formulas;
mod transfer;
mod types;

pub(crate) use transfer::Structures;
pub use types::{Barrel, Culvert, Gate, Structure, StructureKind, Weir};
