//! Culverts, gates and weirs (structures) of a distributed world. The two mouths of a structure may
//! be in blocks of different processes. Therefore every process keeps a copy of all structures and
//! of the state of their mouth cells, and computes all discharges.

use crate::error::InputError;
use crate::field::Field;
use crate::flow::sources::sample_time::SampleTime;
use crate::flow::state::State;
use crate::flow::structure::Structures;
use crate::lattice::{Lattice, Square};
use crate::scratch::ScratchPool;

/// All structures of a world, together with a state whose single row consists of their mouth cells.
#[derive(Clone, Debug)]
pub(in crate::distributed) struct Mouths {
    structures: Structures,
    /// Column and row of each mouth cell on the whole grid, ordered row by row.
    pub(in crate::distributed) cells: Vec<(usize, usize)>,
    pub(in crate::distributed) state: State,
    /// Lattice of the whole grid, which provides the area of a cell.
    lattice: Lattice,
}

/// State of a mouth cell: index in the list of mouth cells, then bed (m), depth (m) and closed flag
/// (1 if closed).
pub(in crate::distributed) type MouthCell = (usize, [f64; 3]);

impl Mouths {
    /// Copies the structures of a world with the given lattice; `None` if there are no structures.
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
        let index = |cell: (usize, usize)| {
            let found = cells.binary_search_by_key(&(cell.1, cell.0), |&(x, y)| (y, x));
            (found.unwrap_or_else(|next| next), 0)
        };
        let structures = structures.with_cells(index);
        let zeros = || Field::new(cells.len(), 1, 0.0);
        let shape = Square::new(cells.len(), 1, 1.0, 1.0)?.into();
        let state = State::new(&shape, zeros(), zeros());
        Ok(Some(Self { structures, cells, state, lattice: *lattice }))
    }

    /// Returns the values of all mouth cells for a reduction by maximum. Cells of other processes
    /// have the value −∞.
    pub(in crate::distributed) fn pack_values<'a>(
        &self,
        own: impl Iterator<Item = &'a MouthCell>,
    ) -> Vec<f64> {
        let mut values = vec![f64::NEG_INFINITY; 3 * self.cells.len()];
        own.for_each(|(index, cell)| values[3 * index..][..3].copy_from_slice(cell));
        values
    }

    /// Sets bed, depth and closed flag of all mouth cells from the reduced values.
    pub(in crate::distributed) fn unpack_values(&mut self, values: &[f64]) {
        for (index, &[bed, depth, closed]) in values.as_chunks().0.iter().enumerate() {
            self.state.bed[(index, 0)] = bed as f32;
            self.state.depth[(index, 0)] = depth as f32;
            self.state.closed.set(index, 0, closed > 0.0);
        }
    }

    /// Returns the fastest rise of the water surface in a mouth cell (m/s) that structures can
    /// cause.
    pub(in crate::distributed) fn max_rise_rate(
        &self,
        gravity: f64,
        ahead: SampleTime,
        scratch: &ScratchPool,
    ) -> f64 {
        let Self { structures, state, lattice, .. } = self;
        structures.max_rise_rate(state, lattice, gravity, ahead.level_time(), scratch)
    }

    /// Moves water through all structures for a step of length `dt` (s) that starts at `time` (s).
    pub(in crate::distributed) fn apply(
        &mut self,
        gravity: f64,
        [time, dt]: [f64; 2],
        scratch: &ScratchPool,
    ) {
        let Self { structures, state, lattice, .. } = self;
        structures.apply(state, lattice, gravity, time, dt, scratch);
    }

    /// Returns the structures with their current rounding carry, which is the volume that rounding
    /// has withheld from transfers so far.
    pub(in crate::distributed) fn structures(&self) -> &Structures {
        &self.structures
    }

    /// Copies the rounding carry of `structures` if they are the same structures. Returns false if
    /// they differ.
    pub(in crate::distributed) fn set_carry_from(&mut self, structures: &Structures) -> bool {
        self.structures.copy_flow(structures)
    }
}
