//! Ground seen from above: resampling to pixels, relief and shading.

pub(super) mod grid;
pub(super) mod ground;
pub(super) mod hex_resampling;
pub(super) mod hexes;
pub(super) mod relief;
pub(super) mod spline;
