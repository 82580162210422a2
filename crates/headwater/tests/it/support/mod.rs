//! Worlds that several tests use.

pub(crate) mod allocations;
pub(crate) mod blocks;
pub(crate) mod columns;
pub(crate) mod flow;
pub(crate) mod hydrology;
pub(crate) mod open;
pub(crate) mod peers;
pub(crate) mod pools;
pub(crate) mod ranks;
