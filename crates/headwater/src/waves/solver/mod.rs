//! Loops over the grid that perform wave steps: a fast implementation with several steps per pass,
//! a reference implementation, and the update formulas that both use.

pub(super) mod absorbing;
pub(super) mod loops;
pub(super) mod pass;
pub(super) mod reference;
pub(super) mod row;
pub(super) mod rows;
pub(super) mod rule;
pub(super) mod trapezoid_tiles;
pub(super) mod wave_speed_map;
