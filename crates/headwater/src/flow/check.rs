//! Range checks of the input fields of a flow world.

pub(crate) use crate::check::{check_field, check_shape};

pub(super) fn is_finite_non_negative(value: f32) -> bool {
    value.is_finite() && value >= 0.0
}

pub(super) fn is_valid_height(value: f32) -> bool {
    (-1e6..=1e6).contains(&value)
}

pub(super) fn is_valid_depth(value: f32) -> bool {
    (0.0..=1e6).contains(&value)
}

/// Largest speed of the water (m/s) that is accepted as an input.
pub(super) const MAX_VELOCITY: f32 = 1000.0;

pub(super) fn is_valid_velocity(value: f32) -> bool {
    value.abs() <= MAX_VELOCITY
}
