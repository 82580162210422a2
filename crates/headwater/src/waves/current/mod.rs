//! A current that carries the surface along: `∂z/∂t + ∇·(u·z) = 0` for heights, `∂f/∂t + u·∇f = 0` for
//! fluxes, before the waves themselves take their step. In water that moves everywhere alike, waves run
//! as on still water seen from a raft.
//!
//! Both go along one axis after the other by third-order upwind differences (QUICKEST; B. P. Leonard,
//! *A stable and accurate convective modelling procedure*, 1979), which are stable while nothing moves
//! by more than a cell in a step, along either axis. Heights and fluxes of any wave length are
//! multiplied by the same number of magnitude ≤ 1, so the largest stable q stays what it is. What
//! crosses a face is a whole number of quanta: no volume is made.

mod carry;
mod fluxes;
mod heights;
mod stream;

pub(super) use carry::{Workspace, check_courant};
pub(super) use stream::{Current, Stream};
