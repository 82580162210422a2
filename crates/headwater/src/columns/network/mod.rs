//! Networks: full rooms, what is beside them, and the openings between, moved as one.
//!
//! Under a ceiling water has no surface, and pressure runs as fast as sound: what one column gives another has to take in
//! the same step. So the heads of a network's columns are the unknowns of one system, in which each column either has a
//! surface, that follows from its head, or is full, and then its head is as high as it has to be:
//!
//! ```text
//! column:  rise(p) = Σ in − Σ out       rise grows with the head p, and ends at the ceiling   (node.rs)
//! edge:    q = A·u,  u = a − θ·k·Δp     cut where water falls over a sill or there is no more (link.rs)
//! ```
//!
//! Both laws are monotone, so there is one solution, and Newton's method with a line search finds it (`newton.rs`; Casulli
//! 2009, "A high-resolution wetting and drying algorithm for free-surface hydrodynamics", has the like of it). What a
//! network moves is taken from the heads in the middle of the step where there is a surface, and from those at its end where there
//! is none: the energy of motion, of height and of what is pressed together never rises by it. [`Carried`] keeps what
//! that needs to know of the step before.
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
