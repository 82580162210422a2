//! The rippling surface.

mod changes;
mod current;
mod physics;
mod same_bits;
