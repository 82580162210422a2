//! Networks: full rooms, what is beside them, and the openings between, moved as one.
//!
//! Under a ceiling pressure runs as fast as sound, so what one column gives another must take in
//! the same step. The heads of a network's columns are the unknowns of one system: a column has a
//! surface that follows from its head, or is full, with whatever head it needs:
//!
//! ```text
//! column:  rise(p) = Σ in − Σ out       rise grows with the head p, and ends at the ceiling   (node.rs)
//! edge:    q = A·u,  u = a − θ·k·Δp     cut where water falls over a sill or there is no more (link.rs)
//! ```
//!
//! Both laws are monotone, so there is one solution, which Newton's method with a line search finds
//! (`newton.rs`; compare Casulli 2009, "A high-resolution wetting and drying algorithm for
//! free-surface hydrodynamics"). Heads count from the middle of the step at a surface, and from its
//! end where full, so that energy never rises. [`Carried`] keeps what that needs of the last step.
//!
//! It knows nothing of pools that no full one is beside: their edges are stepped one by one.

mod carried;
mod chain;
mod ends;
mod link;
mod newton;
mod node;
mod order;
mod step;

pub(super) use carried::{ALONE, Carried, UNKNOWN};
pub(super) use order::ranks;
pub(super) use step::{release, solve};
