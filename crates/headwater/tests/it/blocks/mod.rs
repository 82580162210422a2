//! Tests of the model `blocks`.

mod changes;
mod input;
mod oil;
mod open;
mod outlets;
mod rest;
mod same_bits;
mod sides;
mod walls;
mod whole;
