//! The mouths of structures, wherever in the grid they are: every part has a small state of all their cells, and works out by
//! itself what passes through.

use crate::error::InputError;
use crate::field::Field;
use crate::flow::state::State;
use crate::flow::structure::Structures;
use crate::flow::when::When;
use crate::flow::world::Flow;
use crate::lattice::{Lattice, Square};
use crate::spare::Spare;
use serde::{Deserialize, Serialize};

/// All structures of a world, over a grid of one row that has the cells of their mouths alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Mouths {
    structures: Structures,
    /// Where the cells are on the whole grid, row by row.
    cells: Vec<(usize, usize)>,
    state: State,
    /// Area of a cell (m²), on a lattice that has no other use.
    lattice: Lattice,
}

impl Mouths {
    /// Those of a world; `None` if it has no structures.
    pub(super) fn of(flow: &Flow) -> Result<Option<Self>, InputError> {
        if flow.structures.is_empty() {
            return Ok(None);
        }
        let mut cells: Vec<_> = flow.structures.cells().collect();
        cells.sort_unstable_by_key(|&(x, y)| (y, x));
        cells.dedup();
        let place = |cell: (usize, usize)| {
            let found = cells.binary_search_by_key(&(cell.1, cell.0), |&(x, y)| (y, x));
            (found.unwrap_or_else(|next| next), 0)
        };
        let structures = flow.structures.over(place);
        let count = cells.len();
        let row = |field: &Field<f32>| Field::from_fn(count, 1, |i, _| field[cells[i]]);
        // A state takes its shape from a lattice, and nothing else.
        let shape = Square::new(count, 1, 1.0, 1.0)?.into();
        let mut state = State::new(&shape, row(&flow.state.bed), row(&flow.state.depth));
        for (i, &(x, y)) in cells.iter().enumerate() {
            state.closed.set(i, 0, flow.state.closed.contains(x, y));
        }
        Ok(Some(Self { structures, cells, state, lattice: flow.lattice }))
    }

    /// The cells on the grid, each with its number.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, (usize, usize))> {
        self.cells.iter().copied().enumerate()
    }

    /// Takes over the depths (m) of all cells.
    pub(super) fn fill(&mut self, depths: &[f64]) {
        let places = self.state.depth.as_mut_slice().iter_mut();
        places.zip(depths).for_each(|(depth, found)| *depth = *found as f32);
    }

    /// The depth (m) of a cell by its number.
    pub(super) fn depth(&self, number: usize) -> f32 {
        self.state.depth[(number, 0)]
    }

    /// The fastest that all of them can lift the surface of a cell (m/s).
    pub(super) fn fastest_rise(&self, gravity: f64, ahead: When, spare: &Spare) -> f64 {
        let Self { structures, state, lattice, .. } = self;
        structures.fastest_rise(state, lattice, gravity, ahead.moment(), spare)
    }

    /// Passes on what is due in a step.
    pub(super) fn apply(&mut self, gravity: f64, [time, dt]: [f64; 2], spare: &Spare) {
        let Self { structures, state, lattice, .. } = self;
        structures.apply(state, lattice, gravity, time, dt, spare);
    }

    /// The structures, with what they owe.
    pub(super) fn structures(&self) -> &Structures {
        &self.structures
    }
}
