//! Networks: groups of columns that are coupled by pressure. A network consists of full columns,
//! the columns connected to them, and the openings between them. All of them are solved together as
//! one system of equations.
//!
//! Below a ceiling, pressure spreads at the speed of sound, so the volume that one column loses
//! must be gained by other columns in the same step. The unknowns of the system are the pressure
//! heads p of the columns. In a column with a free surface, the water level rises with the head
//! until it reaches the ceiling. The column is then full:
//!
//! ```text
//! column:  rise(p) = Σ in − Σ out              rises with p, to the ceiling  (node.rs)
//! edge:    q = A·u,  u + K·u² = a − θ·k·Δp     limited by critical flow      (link.rs)
//! ```
//!
//! An edge carries the discharge q in a layer of water of thickness A, at the mean velocity u of
//! the step. The velocity is a without a head difference Δp, and k is its change per metre of Δp,
//! of which the fraction θ counts toward u. The loss K stands for the velocity head that is lost
//! where a full column ends in a wider space, or where water passes a hole in a floor.
//!
//! Both equations are monotone, so there is exactly one solution. `newton.rs` finds it by Newton's
//! method with a line search (compare Casulli 2009, "A high-resolution wetting and drying algorithm
//! for free-surface hydrodynamics"). The head of a column with a free surface is taken at the
//! middle of the step, and the head of a full column at its end, so that energy never grows.
//! [`NetworkState`] holds the values that a step needs from the previous step.
//!
//! Pools that have no full columns, and no connection to a full column, are stepped edge by edge
//! instead.

mod chain;
mod ends;
mod link;
mod newton;
mod node;
mod order;
mod state;
mod step;

pub(super) use order::elimination_ranks;
pub(super) use state::{NetworkState, SEPARATE};
pub(super) use step::{release_edges, solve_networks};
