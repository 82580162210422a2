//! A current that carries the surface along before the waves take their step: `∂z/∂t + ∇·(u·z) = 0`
//! for heights, `∂f/∂t + u·∇f = 0` for fluxes.
//!
//! Both go along one axis after the other by third-order upwind differences (QUICKEST; B. P.
//! Leonard, *A stable and accurate convective modelling procedure*, 1979), stable up to a Courant
//! number of 1. What crosses a face is a whole number of quanta.

mod carry;
mod fluxes;
mod heights;
mod stream;

pub(super) use carry::{Workspace, check_courant};
pub(super) use stream::{Current, Stream};
