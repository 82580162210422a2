//! Entities that follow floating bodies.

pub(super) mod body;
pub(super) mod floats;
pub(super) mod follow;
pub(super) mod launch;
