//! Validation of input fields: checks of the shape and of the value in each cell.

use crate::error::{InputError, InputPosition, format_f32};
use crate::field::Field;
use crate::lattice::Lattice;
use std::borrow::Cow;

pub(crate) fn check_shape<T>(
    field_name: &'static str,
    field: &Field<T>,
    lattice: &Lattice,
) -> Result<(), InputError> {
    InputError::check_shape(field_name, [field.nx(), field.ny()], [lattice.nx(), lattice.ny()])
}

pub(crate) fn check_field(
    field_name: &'static str,
    field: &Field<f32>,
    lattice: &Lattice,
    allowed: impl Into<Cow<'static, str>>,
    is_allowed: impl Fn(f32) -> bool,
) -> Result<(), InputError> {
    check_shape(field_name, field, lattice)?;
    let Some(i) = field.as_slice().iter().position(|&value| !is_allowed(value)) else {
        return Ok(());
    };
    let (x, y) = (i % field.nx(), i / field.nx());
    Err(InputError::new(field_name, format_f32(field[(x, y)]), allowed)
        .at_position(InputPosition::Cell(x, y)))
}
