//! Access to those fields of a [`State`] that time steps change, with the alignment of each field
//! to the rows of cells.

use crate::field::Field;
use crate::flow::state::State;
use std::ops::Range;

/// Alignment of the rows of a field with the rows of grid cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::distributed) enum RowAlignment {
    /// The field has one row of values for each row of cells.
    Cells,
    /// The field has one row of values on the faces north of each row of cells, and one more south
    /// of the last row.
    Faces,
}

/// Iterates over those fields of a state that time steps change, with the alignment of each field.
pub(in crate::distributed) fn fields(
    state: &State,
) -> impl Iterator<Item = (&Field<f32>, RowAlignment)> {
    let State { depth, remainder, discharge_x, discharge_y, discharge_z, momentum, .. } = state;
    let momentum =
        momentum.iter().flat_map(|q| [&q.x, &q.y]).map(|field| (field, RowAlignment::Cells));
    let all = [
        (depth, RowAlignment::Cells),
        (remainder, RowAlignment::Cells),
        (discharge_x, RowAlignment::Cells),
    ];
    let between = [Some(discharge_y), discharge_z.as_ref()].into_iter().flatten();
    all.into_iter().chain(between.map(|field| (field, RowAlignment::Faces))).chain(momentum)
}

/// Iterates mutably over those fields of a state that time steps change, with the alignment of each
/// field.
pub(in crate::distributed) fn fields_mut(
    state: &mut State,
) -> impl Iterator<Item = (&mut Field<f32>, RowAlignment)> {
    let State { depth, remainder, discharge_x, discharge_y, discharge_z, momentum, .. } = state;
    let momentum = momentum.iter_mut().flat_map(|q| [&mut q.x, &mut q.y]);
    let all = [
        (depth, RowAlignment::Cells),
        (remainder, RowAlignment::Cells),
        (discharge_x, RowAlignment::Cells),
    ];
    let between = [Some(discharge_y), discharge_z.as_mut()].into_iter().flatten();
    all.into_iter()
        .chain(between.map(|field| (field, RowAlignment::Faces)))
        .chain(momentum.map(|field| (field, RowAlignment::Cells)))
}

/// Returns the values in a range of rows of a field as one contiguous slice.
pub(in crate::distributed) fn row_values<T>(field: &Field<T>, rows: Range<usize>) -> &[T] {
    &field.as_slice()[rows.start * field.nx()..rows.end * field.nx()]
}
