//! Advection of the surface by a current, which precedes the wave step: `∂z/∂t + ∇·(u·z) = 0` for
//! heights, `∂f/∂t + u·∇f = 0` for fluxes.
//!
//! Both are split by axis and use third-order upwind differences (QUICKEST; B. P. Leonard, *A
//! stable and accurate convective modelling procedure*, 1979), stable up to a Courant number of 1.
//! The transport over a face is a whole number of quanta.

mod advection;
mod fluxes;
mod heights;
mod step;

pub(super) use advection::{AdvectionField, Current};
pub(super) use step::{Workspace, check_courant};
