//! Water seen from above: shore, colour and shading of liquids, and rivers.

pub(super) mod liquid;
pub(super) mod river_pixels;
pub(super) mod shore;
pub(super) mod water_map;
