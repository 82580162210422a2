//! Checks of fields that a world is handed.

pub(crate) use crate::check::{check_field, check_shape};

/// A number that a depth, a rate or a factor can be.
pub(super) fn is_amount(value: f32) -> bool {
    value.is_finite() && value >= 0.0
}

/// A height that ground can have: what brushes and levels are held to, too.
pub(super) fn is_height(value: f32) -> bool {
    (-1e6..=1e6).contains(&value)
}

/// A depth that a world can begin with.
pub(super) fn is_depth(value: f32) -> bool {
    (0.0..=1e6).contains(&value)
}

/// The fastest (m/s) that water is given.
pub(super) const FASTEST: f32 = 1000.0;

/// A velocity that water can be given.
pub(super) fn is_velocity(value: f32) -> bool {
    value.abs() <= FASTEST
}
