//! Validation of input fields: checks of the shape and of the value in each cell.

use crate::error::{InputError, InputPosition, format_f32};
use crate::field::Field;
use crate::lattice::Lattice;
use std::borrow::Cow;

pub(crate) fn check_shape<T>(
    what: &'static str,
    field: &Field<T>,
    lattice: &Lattice,
) -> Result<(), InputError> {
    InputError::check_shape(what, [field.nx(), field.ny()], [lattice.nx(), lattice.ny()])
}

pub(crate) fn check_field(
    what: &'static str,
    field: &Field<f32>,
    lattice: &Lattice,
    allowed: impl Into<Cow<'static, str>>,
    ok: impl Fn(f32) -> bool,
) -> Result<(), InputError> {
    check_shape(what, field, lattice)?;
    let Some(i) = field.as_slice().iter().position(|&value| !ok(value)) else { return Ok(()) };
    let (x, y) = (i % field.nx(), i / field.nx());
    Err(InputError::new(what, format_f32(field[(x, y)]), allowed)
        .at_position(InputPosition::Cell(x, y)))
}
