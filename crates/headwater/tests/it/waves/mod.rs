//! Tests of `waves`.

mod changes;
mod current;
mod physics;
mod same_bits;
