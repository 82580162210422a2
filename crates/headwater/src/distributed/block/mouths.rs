//! Structures of a distributed world. Their mouths may lie in blocks of different processes, so every process keeps a copy of
//! all structures over a one-row state of the mouth cells, and computes the discharges of all of them.

use crate::distributed::block::step::Subdomain;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::state::State;
use crate::flow::structure::Structures;
use crate::flow::when::When;
use crate::lattice::{Lattice, Square};
use crate::spare::Spare;

/// All structures of a world, over a grid of one row that consists of the cells of their mouths.
#[derive(Clone, Debug)]
pub(in crate::distributed) struct Mouths {
    structures: Structures,
    /// The cells (column, row) on the whole grid, row by row.
    cells: Vec<(usize, usize)>,
    state: State,
    /// The lattice of the whole grid: the area of its cells counts here.
    lattice: Lattice,
}

/// A mouth cell: its number, and its bed (m), depth (m) and whether it is closed (1).
pub(in crate::distributed) type MouthCell = (usize, [f64; 3]);

impl Mouths {
    /// The structures of a world on a lattice; `None` if there are none.
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
        let structures = structures.over(place);
        let zeros = || Field::new(cells.len(), 1, 0.0);
        let shape = Square::new(cells.len(), 1, 1.0, 1.0)?.into();
        let state = State::new(&shape, zeros(), zeros());
        Ok(Some(Self { structures, cells, state, lattice: *lattice }))
    }

    /// Values to exchange for all cells, of which those of other processes are −∞.
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

    /// The fastest rise of a cell's surface (m/s) that all structures can cause.
    pub(in crate::distributed) fn fastest_rise(
        &self,
        gravity: f64,
        ahead: When,
        spare: &Spare,
    ) -> f64 {
        let Self { structures, state, lattice, .. } = self;
        structures.fastest_rise(state, lattice, gravity, ahead.moment(), spare)
    }

    /// Moves the water that passes in a step from `time` (s) on.
    pub(in crate::distributed) fn apply(
        &mut self,
        gravity: f64,
        [time, dt]: [f64; 2],
        spare: &Spare,
    ) {
        let Self { structures, state, lattice, .. } = self;
        structures.apply(state, lattice, gravity, time, dt, spare);
    }

    /// The structures, with what rounding carries over.
    pub(in crate::distributed) fn structures(&self) -> &Structures {
        &self.structures
    }

    /// Takes over the carry of the same structures; false if they differ.
    pub(in crate::distributed) fn follow(&mut self, structures: &Structures) -> bool {
        self.structures.follow(structures)
    }
}

impl Subdomain {
    /// The mouth cells in its own rows: number, and cell in its window.
    fn mouth_cells<'a>(
        &'a self,
        mouths: &'a Mouths,
    ) -> impl Iterator<Item = (usize, (usize, usize))> + 'a {
        let own = mouths.cells.iter().enumerate().filter(|(_, (_, y))| self.rows.contains(y));
        own.map(|(number, &(x, y))| (number, (x, y - self.rows.start + self.own.start)))
    }

    /// The state of the mouth cells in its own rows.
    pub(in crate::distributed) fn look_at_mouths(&self, mouths: &Mouths) -> Vec<MouthCell> {
        let state = &self.flow.state;
        let values = |cell: (usize, usize)| {
            let closed = f64::from(u8::from(state.closed.contains(cell.0, cell.1)));
            [state.bed[cell].into(), state.depth[cell].into(), closed]
        };
        self.mouth_cells(mouths).map(|(number, cell)| (number, values(cell))).collect()
    }

    /// The depths (m) that structures leave in the mouth cells of its own rows.
    pub(in crate::distributed) fn depths_from(
        &self,
        mouths: &Mouths,
    ) -> Vec<((usize, usize), f32)> {
        let depth = |(number, cell)| (cell, mouths.state.depth[(number, 0)]);
        self.mouth_cells(mouths).map(depth).collect()
    }
}
