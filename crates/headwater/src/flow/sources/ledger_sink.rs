//! Destinations for the water volumes that a step adds and removes. A [`Ledger`] sums them at once.
//! In a distributed simulation, each process logs the volumes of its own rows; the log is summed
//! later, in the same order as in a single process.

use crate::lattice::Edge;
use crate::ledger::{Cause, Ledger};

pub(crate) trait LedgerSink {
    /// Begins the records of the next time step. All later records belong to that step.
    fn next_step(&mut self) {}

    /// Records the water that single cells have gained, and the cause of the gain. `cells` contains
    /// depths (m); multiplied by `factor` (m²), they give volumes.
    fn record_cells(&mut self, cause: Cause, factor: f64, cells: &[f64]);

    /// Records the water that the rows of the grid have gained, and the cause of the gain. `rows`
    /// contains the sum of the depths (m) in each row; multiplied by `factor` (m²), the sums give
    /// volumes.
    fn record_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]);

    /// Records the water that crossed the boundary faces in a step. Each item of `crossed` contains
    /// the edge, the index of the face along the edge, and the depth (m, positive into the grid).
    /// `area` is the area of a cell (m²).
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
