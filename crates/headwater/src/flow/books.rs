//! Where a step books what came and went: a ledger adds it up at once, a block of a distributed
//! world keeps the terms to be added up later in the same order.

use crate::lattice::Edge;
use crate::ledger::{Cause, Ledger};

pub(crate) trait Books {
    /// What is booked from now on belongs to the next step.
    fn next_step(&mut self) {}

    fn book_cells(&mut self, cause: Cause, factor: f64, cells: &[f64]);

    /// What the rows of the grid gained, each a term, times a factor.
    fn book_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]);

    /// The depths (m, into the grid) that crossed faces of edges in a step, with edge and face
    /// number, over cells of an area (m²).
    fn book_crossed(&mut self, area: f64, crossed: impl Iterator<Item = (Edge, usize, f32)>);
}

impl Books for Ledger {
    fn book_cells(&mut self, cause: Cause, factor: f64, cells: &[f64]) {
        self.record(cause, factor * cells.iter().sum::<f64>());
    }

    fn book_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]) {
        self.record(cause, factor * rows.iter().sum::<f64>());
    }

    fn book_crossed(&mut self, area: f64, crossed: impl Iterator<Item = (Edge, usize, f32)>) {
        let (mut came, mut went) = (0.0, 0.0);
        for (_, _, moved) in crossed {
            let moved = f64::from(moved);
            if moved > 0.0 { came += moved } else { went += moved }
        }
        self.record(Cause::Boundary, came * area);
        self.record(Cause::Boundary, went * area);
    }
}
