//! Destinations for the volumes that a step adds and removes. A ledger sums the volumes at once. A
//! row block of a distributed world records them in a log, which is later summed in the same order
//! as in a single process.

use crate::lattice::Edge;
use crate::ledger::{Cause, Ledger};

pub(crate) trait LedgerSink {
    /// Marks the start of the next step; later records belong to that step.
    fn next_step(&mut self) {}

    /// Records water gained by single cells, by cause. `cells` are depths (m); their product with
    /// `factor` (m²) is a volume.
    fn record_cells(&mut self, cause: Cause, factor: f64, cells: &[f64]);

    /// Records water gained by the rows of the grid, by cause. `rows` are depths (m), one sum per
    /// row; their product with `factor` (m²) is a volume.
    fn record_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]);

    /// Records the water that crossed boundary faces in a step. Each item contains edge, face index
    /// and depth (m, positive into the grid); `area` is the area of a cell (m²).
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
