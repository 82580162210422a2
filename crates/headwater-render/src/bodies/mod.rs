//! Floating bodies seen from above.

pub(super) mod body_kinds;
pub(super) mod body_sprite;
