//! Block worlds.

mod changes;
mod input;
mod rest;
mod same_bits;
mod whole;
