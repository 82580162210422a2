//! Tests of the model `waves`.

mod changes;
mod current;
mod physics;
mod same_bits;
