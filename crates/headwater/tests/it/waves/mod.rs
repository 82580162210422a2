//! The rippling surface.

mod current;
mod physics;
mod same_bits;
