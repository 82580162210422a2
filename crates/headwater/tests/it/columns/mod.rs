//! Tests of the model `columns`.

mod anchors;
mod bodies;
mod flooded;
mod heat;
mod holes;
mod hulls;
mod light;
mod model;
mod motion;
mod open;
mod same_bits;
mod tiers;
mod walls;
