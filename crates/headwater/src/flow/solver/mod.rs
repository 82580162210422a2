//! Loops over the grid: the fast path, the reference implementation, and relaxation to a steady
//! state.

pub(super) mod reference;
pub(super) mod relax;
pub(super) mod relaxation;
pub(crate) mod sweep;
