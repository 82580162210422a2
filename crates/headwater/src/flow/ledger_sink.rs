//! Sinks for the volumes that a step adds and removes. A ledger sums them at once. A block of a
//! distributed world logs the terms, which are later summed in the same order.

use crate::lattice::Edge;
use crate::ledger::{Cause, Ledger};

pub(crate) trait LedgerSink {
    /// Starts the terms of the next step.
    fn next_step(&mut self) {}

    /// Records the depths (m) gained by single cells, times a factor (m²).
    fn record_cells(&mut self, cause: Cause, factor: f64, cells: &[f64]);

    /// Records the depths (m) gained by each row of the grid, times a factor (m²).
    fn record_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]);

    /// Records the depths (m, into the grid) that crossed boundary faces in a step, with edge and
    /// face index, over cells of an area (m²).
    fn record_crossings(&mut self, area: f64, crossed: impl Iterator<Item = (Edge, usize, f32)>);
}

impl LedgerSink for Ledger {
    fn record_cells(&mut self, cause: Cause, factor: f64, cells: &[f64]) {
        self.record(cause, factor * cells.iter().sum::<f64>());
    }

    fn record_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]) {
        self.record(cause, factor * rows.iter().sum::<f64>());
    }

    fn record_crossings(&mut self, area: f64, crossed: impl Iterator<Item = (Edge, usize, f32)>) {
        let (mut came, mut went) = (0.0, 0.0);
        for (_, _, moved) in crossed {
            let moved = f64::from(moved);
            if moved > 0.0 { came += moved } else { went += moved }
        }
        self.record(Cause::Boundary, came * area);
        self.record(Cause::Boundary, went * area);
    }
}
