//! Exchange of heat between neighbouring columns of a pool. The columns are processed in blocks,
//! which are distributed to threads.

use super::super::layout::CHUNK;
use crate::parallel;

/// Largest number of columns that one task processes.
pub(super) const COLUMNS_PER_TASK: usize = CHUNK;

/// Number of columns in a block. The heat across all edges of a block is computed before the heat
/// of any of its columns is changed.
pub(super) const BLOCK: usize = 256;

/// Heat of the lower and the upper half of a column's water (in heat units).
pub(super) type HalfHeats = [i64; 2];

/// Heat that passes across the edge between two columns: the loss of the western column and the
/// gain of the eastern column, each divided into the lower and the upper half. The total loss
/// equals the total gain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EdgeHeat {
    pub(super) lost: HalfHeats,
    pub(super) gained: HalfHeats,
}

pub(super) trait ColumnRow: Send + Sized {
    fn len(&self) -> usize;

    /// Returns the heat that passes across the eastern edge of a column. The column must not be the
    /// last one.
    fn edge_heat(&self, c: usize) -> EdgeHeat;

    fn add_heat(&mut self, c: usize, heats: HalfHeats);

    fn split_at(self, at: usize) -> [Self; 2];

    /// Exchanges heat between up to [`BLOCK`] columns. `inflow` is the heat that enters the first
    /// column from the west, and `outflow` is the heat that leaves the last column to the east.
    fn exchange_block(self, inflow: HalfHeats, outflow: HalfHeats);

    /// Exchanges heat between all columns. No heat passes across the western edge of the first
    /// column or the eastern edge of the last column.
    fn exchange_heat(self) {
        exchange_row(self, [0; 2], [0; 2]);
    }

    fn exchange_heat_plain(mut self) {
        let over: Vec<_> = (1..self.len()).map(|c| self.edge_heat(c - 1)).collect();
        for (c, EdgeHeat { lost, gained }) in over.into_iter().enumerate() {
            self.add_heat(c, lost.map(|heat| -heat));
            self.add_heat(c + 1, gained);
        }
    }
}

fn exchange_row<R: ColumnRow>(row: R, inflow: HalfHeats, outflow: HalfHeats) {
    let n = row.len();
    if n <= BLOCK {
        return row.exchange_block(inflow, outflow);
    }
    // Split at whole blocks. Above [`COLUMNS_PER_TASK`] columns, the two halves run on different
    // threads.
    let middle = (n / 2).next_multiple_of(BLOCK);
    let EdgeHeat { lost, gained } = row.edge_heat(middle - 1);
    let [first, second] = row.split_at(middle);
    if n > COLUMNS_PER_TASK {
        parallel::join(
            || exchange_row(first, inflow, lost),
            || exchange_row(second, gained, outflow),
        );
    } else {
        exchange_row(first, inflow, lost);
        exchange_row(second, gained, outflow);
    }
}
