//! Block worlds.

mod changes;
mod input;
mod oil;
mod open;
mod rest;
mod same_bits;
mod whole;
