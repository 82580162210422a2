//! Checks of fields that a world is handed.

use crate::error::{InputError, Place, number_of_f32};
use crate::field::Field;
use crate::lattice::Lattice;

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

/// Checks that a field has a cell for each of the grid's.
pub(super) fn check_shape<T>(
    what: &'static str,
    field: &Field<T>,
    lattice: &Lattice,
) -> Result<(), InputError> {
    InputError::check_shape(what, [field.nx(), field.ny()], [lattice.nx(), lattice.ny()])
}

/// Checks the shape of a field, and each of its values.
pub(super) fn check_field(
    what: &'static str,
    field: &Field<f32>,
    lattice: &Lattice,
    allowed: &'static str,
    ok: impl Fn(f32) -> bool,
) -> Result<(), InputError> {
    check_shape(what, field, lattice)?;
    match field.as_slice().iter().position(|&value| !ok(value)) {
        None => Ok(()),
        Some(i) => {
            let (x, y) = (i % field.nx(), i / field.nx());
            let found = number_of_f32(field[(x, y)]);
            Err(InputError::new(what, found, allowed).at(Place::Cell(x, y)))
        }
    }
}
