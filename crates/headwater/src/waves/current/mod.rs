//! Advection of the surface by a current. It is computed before the wave step. Heights follow
//! `∂z/∂t + ∇·(u·z) = 0`, and fluxes follow `∂f/∂t + u·∇f = 0`.
//!
//! Both equations are split by axis and use third-order upwind differences (QUICKEST; B. P.
//! Leonard, *A stable and accurate convective modelling procedure*, 1979). The scheme is stable up
//! to a Courant number of 1. Each transport through a face is a multiple of the unit of height, the
//! resolution of all heights.

mod advection;
mod fluxes;
mod heights;
mod step;

pub(super) use advection::{AdvectionField, Current};
pub(super) use step::{AdvectionWorkspace, check_courant};
