//! Networks: full columns, the columns connected to them, and the openings between them, solved
//! together as one system of equations.
//!
//! Below a ceiling pressure spreads at the speed of sound, so what one column loses another must
//! gain in the same step. The heads of a network's columns are the unknowns of one system: a column
//! either has a surface that follows from its head, or is full, at any head:
//!
//! ```text
//! column:  rise(p) = Σ in − Σ out       rises with the head p, up to the ceiling     (node.rs)
//! edge:    q = A·u,  u = a − θ·k·Δp     limited by critical flow and the supply     (link.rs)
//! ```
//!
//! Both laws are monotone, so there is one solution, which Newton's method with a line search finds
//! (`newton.rs`; compare Casulli 2009, "A high-resolution wetting and drying algorithm for
//! free-surface hydrodynamics"). Heads are taken at the middle of the step at a surface and at its
//! end where full, so that energy never grows. [`NetworkState`] holds the state this needs from the
//! last step.
//!
//! Pools without full columns and without a connection to one are stepped edge by edge instead.

mod chain;
mod ends;
mod link;
mod newton;
mod node;
mod order;
mod state;
mod step;

pub(super) use order::elimination_ranks;
pub(super) use state::{NetworkState, SEPARATE, UNKNOWN};
pub(super) use step::{release_edges, solve};
