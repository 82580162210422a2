//! Destinations for the water volumes that a step adds and removes. The ledger of a world adds them
//! up immediately. In a distributed simulation, each process logs the volumes of its own rows; the
//! log is summed later, in the same order as in a single process.

use crate::ids::Id;
use crate::lattice::Edge;
use crate::ledger::Cause;

/// Water that crossed a boundary face in a step. On the northern and southern edges of hexagonal
/// grids, each half of a face has its own entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) edge: Edge,
    /// Index of the face along the edge.
    pub(crate) face: usize,
    /// Index of the boundary condition of the face.
    pub(crate) boundary: u32,
    /// Depth (m) that the adjacent cell gained, negative for an outflow.
    pub(crate) depth: f32,
}

pub(crate) trait LedgerSink {
    /// Begins the records of the next time step. All later records belong to that step.
    fn next_step(&mut self) {}

    /// Records the water that a spring has added to its cells, or that a drain has removed from
    /// them. `cells` contains the change in depth of each cell (m), negative for a drain.
    /// Multiplied by `factor` (m²), these depths give volumes.
    fn record_outlet(&mut self, cause: Cause, id: Id, factor: f64, cells: &[f64]);

    /// Records the water that the cells have gained, summed over each row of the grid, and the
    /// cause of the gain. `rows` contains the sum of the depths (m) in each row. Multiplied by
    /// `factor` (m²), these sums give volumes.
    fn record_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]);

    /// Records the volume (m³) that a structure has moved within the grid. The volume is positive
    /// from the first to the second of the two regions that the structure connects.
    fn record_structure(&mut self, id: Id, volume: f64);

    /// Records the water that crossed the boundary faces in a step. `area` is the area of a cell
    /// (m²).
    fn record_crossings(&mut self, area: f64, crossed: impl Iterator<Item = Crossing>);
}
