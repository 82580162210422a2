//! Fields of a state that a step changes, and their rows.

use crate::field::Field;
use crate::flow::state::State;
use std::ops::Range;

/// Position of a field's rows relative to rows of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::distributed) enum Lies {
    /// One row for each row of cells.
    InRows,
    /// One row north of each row of cells, and one south of the last.
    Between,
}

/// Iterates over the fields of a state that steps change.
pub(in crate::distributed) fn fields(state: &State) -> impl Iterator<Item = (&Field<f32>, Lies)> {
    let State { depth, remainder, discharge_x, discharge_y, discharge_z, momentum, .. } = state;
    let momentum = momentum.iter().flat_map(|q| [&q.x, &q.y]).map(|field| (field, Lies::InRows));
    let all = [(depth, Lies::InRows), (remainder, Lies::InRows), (discharge_x, Lies::InRows)];
    let between = [Some(discharge_y), discharge_z.as_ref()].into_iter().flatten();
    all.into_iter().chain(between.map(|field| (field, Lies::Between))).chain(momentum)
}

/// Iterates over these fields, mutably.
pub(in crate::distributed) fn fields_mut(
    state: &mut State,
) -> impl Iterator<Item = (&mut Field<f32>, Lies)> {
    let State { depth, remainder, discharge_x, discharge_y, discharge_z, momentum, .. } = state;
    let momentum = momentum.iter_mut().flat_map(|q| [&mut q.x, &mut q.y]);
    let all = [(depth, Lies::InRows), (remainder, Lies::InRows), (discharge_x, Lies::InRows)];
    let between = [Some(discharge_y), discharge_z.as_mut()].into_iter().flatten();
    all.into_iter()
        .chain(between.map(|field| (field, Lies::Between)))
        .chain(momentum.map(|field| (field, Lies::InRows)))
}

/// Returns the values of some rows of a field.
pub(in crate::distributed) fn part_of<T>(field: &Field<T>, rows: Range<usize>) -> &[T] {
    &field.as_slice()[rows.start * field.nx()..rows.end * field.nx()]
}
