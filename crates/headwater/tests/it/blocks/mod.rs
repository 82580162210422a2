//! Block worlds.

mod input;
mod rest;
mod same_bits;
mod whole;
