//! Integration tests of all models of the crate.
#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod blocks;
mod columns;
mod coupling;
mod flow;
mod hostile;
mod hydrology;
mod model;
mod set_params;
mod soak;
mod steady;
mod support;
mod waves;
