//! Culverts, gates and weirs (structures) of a distributed world. A structure takes water from the
//! cells at one mouth and releases the water into the cells at the other mouth. The two mouths may
//! be in blocks of different processes. Therefore every process keeps a copy of all structures and
//! of the state of their mouth cells, and computes all discharges.

use crate::error::InputError;
use crate::field::Field;
use crate::flow::sources::sample_time::SampleTime;
use crate::flow::state::State;
use crate::flow::structure::Structures;
use crate::lattice::{Lattice, Square};
use crate::scratch::ScratchPool;

/// All structures (culverts, gates, weirs) of a world, and a state with one row that contains the
/// cells at their mouths.
#[derive(Clone, Debug)]
pub(in crate::distributed) struct StructureMouths {
    structures: Structures,
    /// Column and row of each mouth cell on the whole grid, in row-major order.
    pub(in crate::distributed) cells: Vec<(usize, usize)>,
    pub(in crate::distributed) state: State,
    /// Lattice of the whole grid, which determines the area of a cell.
    lattice: Lattice,
}

/// State of a cell at the mouth of a structure: the index in the list of mouth cells, then the bed
/// elevation (m), the depth (m) and a closed flag (1 if the cell is closed).
pub(in crate::distributed) type MouthCell = (usize, [f64; 3]);

impl StructureMouths {
    /// Copies the structures of a world on the given lattice. Returns `None` if there are no
    /// structures.
    ///
    /// # Errors
    /// Returns [`InputError`] if the lattice for the mouth cells cannot be created.
    pub(in crate::distributed) fn from_structures(
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
        let structures = structures.with_mapped_cells(index);
        let zeros = || Field::new(cells.len(), 1, 0.0);
        let shape = Square::new(cells.len(), 1, 1.0, 1.0)?.into();
        let state = State::new(&shape, zeros(), zeros());
        Ok(Some(Self { structures, cells, state, lattice: *lattice }))
    }

    /// Returns the values of all mouth cells for a reduction by maximum over the processes. The
    /// mouth cells of other processes have the value −∞.
    pub(in crate::distributed) fn pack_values<'a>(
        &self,
        own: impl Iterator<Item = &'a MouthCell>,
    ) -> Vec<f64> {
        let mut values = vec![f64::NEG_INFINITY; 3 * self.cells.len()];
        own.for_each(|(index, cell)| values[3 * index..][..3].copy_from_slice(cell));
        values
    }

    /// Sets the bed elevation, depth and closed flag of all mouth cells from the result of the
    /// reduction.
    pub(in crate::distributed) fn unpack_values(&mut self, values: &[f64]) {
        for (index, &[bed, depth, closed]) in values.as_chunks().0.iter().enumerate() {
            self.state.bed[(index, 0)] = bed as f32;
            self.state.depth[(index, 0)] = depth as f32;
            self.state.closed.set(index, 0, closed > 0.0);
        }
    }

    /// Returns the maximum rate (m/s) at which structures can raise the water surface in a mouth
    /// cell.
    pub(in crate::distributed) fn max_rise_rate(
        &self,
        gravity: f64,
        ahead: SampleTime,
        scratch: &ScratchPool,
    ) -> f64 {
        let Self { structures, state, lattice, .. } = self;
        structures.max_rise_rate(state, lattice, gravity, ahead.level_time(), scratch)
    }

    /// Moves water through all structures, for a step that starts at `time` (s) and has the length
    /// `dt` (s).
    pub(in crate::distributed) fn apply_structures(
        &mut self,
        gravity: f64,
        [time, dt]: [f64; 2],
        scratch: &ScratchPool,
    ) {
        let Self { structures, state, lattice, .. } = self;
        structures.apply(state, lattice, gravity, time, dt, scratch);
    }

    /// Returns the structures with their current rounding carry: the volume that rounding has so
    /// far excluded from the transfers of each structure.
    pub(in crate::distributed) fn structures(&self) -> &Structures {
        &self.structures
    }

    /// Copies the rounding carry (the volume that rounding has excluded from transfers) from
    /// `structures`. Returns false if `structures` are not the structures of this world.
    pub(in crate::distributed) fn set_carry_from(&mut self, structures: &Structures) -> bool {
        self.structures.copy_remainders(structures)
    }
}
