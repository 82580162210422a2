//! Structures of a distributed world. Their mouths may lie in blocks of different processes, so
//! every process keeps a copy of all structures over a one-row state of the mouth cells, and
//! computes the discharges of all of them.

use crate::error::InputError;
use crate::field::Field;
use crate::flow::sample_time::SampleTime;
use crate::flow::state::State;
use crate::flow::structure::Structures;
use crate::lattice::{Lattice, Square};
use crate::spare::Spare;

/// All structures of a world, over a one-row grid of their mouth cells.
#[derive(Clone, Debug)]
pub(in crate::distributed) struct Mouths {
    structures: Structures,
    /// Cells (column, row) on the whole grid, row by row.
    pub(in crate::distributed) cells: Vec<(usize, usize)>,
    pub(in crate::distributed) state: State,
    /// Lattice of the whole grid, for the area of its cells.
    lattice: Lattice,
}

/// State of a mouth cell: its number, and bed (m), depth (m) and closed flag (1 if closed).
pub(in crate::distributed) type MouthCell = (usize, [f64; 3]);

impl Mouths {
    /// Creates the structures of a world on a lattice; `None` if there are none.
    pub(in crate::distributed) fn of(
        structures: &Structures,
        lattice: &Lattice,
    ) -> Result<Option<Self>, InputError> {
        if structures.is_empty() {
            return Ok(None);
        }
        let mut cells: Vec<_> = structures.cells().collect();
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        cells.dedup();
        let place = |cell: (usize, usize)| {
            let found = cells.binary_search_by_key(&(cell.1, cell.0), |&(x, y)| (y, x));
            (found.unwrap_or_else(|next| next), 0)
        };
        let structures = structures.with_cells(place);
        let zeros = || Field::new(cells.len(), 1, 0.0);
        let shape = Square::new(cells.len(), 1, 1.0, 1.0)?.into();
        let state = State::new(&shape, zeros(), zeros());
        Ok(Some(Self { structures, cells, state, lattice: *lattice }))
    }

    /// Returns the values of all cells for a maximum over processes. Cells of other processes are
    /// −∞.
    pub(in crate::distributed) fn values<'a>(
        &self,
        own: impl Iterator<Item = &'a MouthCell>,
    ) -> Vec<f64> {
        let mut values = vec![f64::NEG_INFINITY; 3 * self.cells.len()];
        own.for_each(|(number, cell)| values[3 * number..][..3].copy_from_slice(cell));
        values
    }

    /// Sets bed, depth and closed flag of all cells from exchanged values.
    pub(in crate::distributed) fn fill(&mut self, values: &[f64]) {
        for (number, &[bed, depth, closed]) in values.as_chunks().0.iter().enumerate() {
            self.state.bed[(number, 0)] = bed as f32;
            self.state.depth[(number, 0)] = depth as f32;
            self.state.closed.set(number, 0, closed > 0.0);
        }
    }

    /// Returns the fastest rise of a cell's surface (m/s) that structures can cause.
    pub(in crate::distributed) fn max_rise_rate(
        &self,
        gravity: f64,
        ahead: SampleTime,
        spare: &Spare,
    ) -> f64 {
        let Self { structures, state, lattice, .. } = self;
        structures.max_rise_rate(state, lattice, gravity, ahead.level_time(), spare)
    }

    /// Moves the water of a step that begins at `time` (s).
    pub(in crate::distributed) fn apply(
        &mut self,
        gravity: f64,
        [time, dt]: [f64; 2],
        spare: &Spare,
    ) {
        let Self { structures, state, lattice, .. } = self;
        structures.apply(state, lattice, gravity, time, dt, spare);
    }

    /// Returns the structures with their rounding carry.
    pub(in crate::distributed) fn structures(&self) -> &Structures {
        &self.structures
    }

    /// Sets the rounding carry from the same structures. Returns false if they differ.
    pub(in crate::distributed) fn follow(&mut self, structures: &Structures) -> bool {
        self.structures.copy_flow(structures)
    }
}
