//! Floating bodies: buoyancy, drag, and contact with walls and ice.

pub(super) mod body;
pub(super) mod body_level;
pub(super) mod contact;
pub(super) mod float;
