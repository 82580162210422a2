//! What goes from part to part and back home: rows of all that a step changes.

use crate::field::Field;
use crate::flow::flood::Mark;
use crate::flow::soil::SoilCell;
use crate::flow::state::State;
use crate::flow::structure::Structures;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The rows of a part as they have become.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartRows {
    /// Which rows of the grid they are.
    pub(super) rows: Range<usize>,
    /// Each field of the state, row by row; of faces between rows, those to the north of each row, of the last part those
    /// to the south of its last row too.
    pub(super) fields: Vec<Numbers>,
    /// What rounding holds back of rain and evaporation.
    pub(super) held_back: [Option<Numbers>; 2],
    pub(super) soil: Option<Vec<SoilCell>>,
    /// What is kept of a flood, and whether the state before the first step is.
    pub(super) flood: Option<(Vec<Mark>, bool)>,
    /// What rounding holds back of springs and drains, for each of them cell by cell.
    pub(super) outlets: [Vec<Numbers>; 2],
    /// Of the first part alone; all have the same.
    pub(super) structures: Option<Structures>,
    pub(super) time: f64,
    pub(super) last_dt: f32,
    pub(super) steps: u64,
}

/// A list of numbers, serialized as a run of bytes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Numbers(#[serde(with = "crate::numbers")] pub(super) Vec<f32>);

/// How a field's rows lie to those of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lies {
    /// A row for each row of cells.
    InRows,
    /// A row to the north of each row of cells, and one to the south of the last.
    Between,
}

/// The fields of a state that steps change.
pub(super) fn fields(state: &State) -> impl Iterator<Item = (&Field<f32>, Lies)> {
    let State { depth, remainder, discharge_x, discharge_y, discharge_z, momentum, .. } = state;
    let momentum = momentum.iter().flat_map(|q| [&q.x, &q.y]).map(|field| (field, Lies::InRows));
    let all = [(depth, Lies::InRows), (remainder, Lies::InRows), (discharge_x, Lies::InRows)];
    let between = [Some(discharge_y), discharge_z.as_ref()].into_iter().flatten();
    all.into_iter().chain(between.map(|field| (field, Lies::Between))).chain(momentum)
}

/// The same fields, to be changed.
pub(super) fn fields_mut(state: &mut State) -> impl Iterator<Item = (&mut Field<f32>, Lies)> {
    let State { depth, remainder, discharge_x, discharge_y, discharge_z, momentum, .. } = state;
    let momentum = momentum.iter_mut().flat_map(|q| [&mut q.x, &mut q.y]);
    let all = [(depth, Lies::InRows), (remainder, Lies::InRows), (discharge_x, Lies::InRows)];
    let between = [Some(discharge_y), discharge_z.as_mut()].into_iter().flatten();
    all.into_iter()
        .chain(between.map(|field| (field, Lies::Between)))
        .chain(momentum.map(|field| (field, Lies::InRows)))
}

/// The values of some rows of a field.
pub(super) fn part_of<T>(field: &Field<T>, rows: Range<usize>) -> &[T] {
    &field.as_slice()[rows.start * field.nx()..rows.end * field.nx()]
}
