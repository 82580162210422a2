//! The rippling surface.

mod changes;
mod current;
mod parts;
mod physics;
mod same_bits;
