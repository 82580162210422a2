//! Loops over columns: the fast path, the reference implementation, and the stages that they share.

pub(super) mod air;
pub(super) mod loops;
pub(super) mod pressure;
pub(super) mod reference;
pub(super) mod springs;
pub(super) mod sweep;
pub(super) mod tasks;
