//! Observation of a world: wave energy, named layers, and samples of the surface.

pub(super) mod energy;
pub(super) mod layers;
pub(super) mod stencil;
