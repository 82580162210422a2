//! Transfer of water between the two mouths of a structure, which are sets of cells.
//!
//! The discharges of all structures are computed from the initial depths; then each structure
//! transfers its water. The amount per cell does not depend on the order of the cells, so a
//! mirrored world gives a mirrored result.

use super::formulas;
use super::types::{Structure, StructureKind};
use crate::error::{InputError, InputPosition};
use crate::flow::sources::ledger_sink::LedgerSink;
use crate::flow::state::State;
use crate::ids::{Id, IdList};
use crate::lattice::Lattice;
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Depth (m) that is added to the depth of each cell of a mouth, to obtain the weight of the cell.
/// Water that enters the mouth is distributed in proportion to these weights, so dry cells also
/// receive a share. In the mean water level of the mouth, dry cells count only while the mean depth
/// is below this value. This rule keeps the level continuous.
const WEIGHT_DEPTH: f64 = 1e-4;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Structures(IdList<StructureState>);

/// A structure with the cells at its two mouths, its rounding remainders and its last discharge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StructureState {
    structure: Structure,
    cells: [Vec<(usize, usize)>; 2],
    /// Water that is still to be removed from the upstream mouth because of rounding (depth in m,
    /// summed over cells). The value is positive if the first mouth is upstream, and negative if
    /// the second mouth is.
    remainder: f64,
    /// Water that was removed from one mouth but, because of rounding, is still to be added to the
    /// other (depth in m, summed over cells). The array is indexed by the receiving mouth.
    in_transit: [f64; 2],
    last_discharge: f64,
}

/// Returns a cell that belongs to both mouths.
fn find_common_cell(cells: &[Vec<(usize, usize)>; 2]) -> Option<(usize, usize)> {
    let second: HashSet<_> = cells[1].iter().collect();
    cells[0].iter().copied().find(|cell| second.contains(cell))
}

struct MouthState {
    level: f64,
    depth: f64,
    /// Sum of the weights of the cells (m). A weight is the depth of the cell plus
    /// [`WEIGHT_DEPTH`].
    weight: f64,
    /// Effective number of cells: the squared sum of the weights divided by the sum of the squared
    /// weights.
    effective_cells: f64,
    /// Largest fraction that any single cell receives of the water added to the mouth.
    max_fraction: f64,
}

impl Structures {
    fn new_state(structure: Structure, lattice: &Lattice) -> Result<StructureState, InputError> {
        let cells = structure.mouths.each_ref().map(|mouth| {
            mouth.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect::<Vec<_>>()
        });
        for cells in &cells {
            if cells.is_empty() {
                return Err(InputError::new(
                    "a mouth",
                    "no cells of the grid in it",
                    "one with cells of the grid",
                ));
            }
        }
        if let Some((x, y)) = find_common_cell(&cells) {
            let error = InputError::new(
                "the mouths of a structure",
                "one cell in both",
                "mouths that lie apart",
            );
            return Err(error.at_position(InputPosition::Cell(x, y)));
        }
        Ok(StructureState {
            structure,
            cells,
            remainder: 0.0,
            in_transit: [0.0; 2],
            last_discharge: 0.0,
        })
    }

    pub(super) fn add(
        &mut self,
        structure: Structure,
        lattice: &Lattice,
    ) -> Result<Id, InputError> {
        Ok(self.0.add(Self::new_state(structure, lattice)?))
    }

    pub(super) fn remove(&mut self, id: Id) -> Result<(Structure, f64), InputError> {
        let StructureState { structure, in_transit, .. } = self.0.remove("a structure", id)?;
        Ok((structure, in_transit[0] + in_transit[1]))
    }

    pub(super) fn entries(&self) -> impl ExactSizeIterator<Item = (Id, &Structure)> {
        self.0.entries().map(|(id, state_of)| (id, &state_of.structure))
    }

    pub(super) fn kind_mut(&mut self, id: Id) -> Option<&mut StructureKind> {
        self.0.position(id).map(|i| &mut self.0[i].structure.kind)
    }

    /// Returns the discharge through a structure in the last step (m³/s), positive from its first
    /// mouth to its second, or `None` if no structure has this identifier.
    pub(crate) fn last_discharge(&self, id: Id) -> Option<f64> {
        self.0.get(id).map(|state_of| state_of.last_discharge)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a copy of the structures in which `new_index(cell)` replaces the index of each cell.
    pub(crate) fn with_mapped_cells(
        &self,
        new_index: impl Fn((usize, usize)) -> (usize, usize),
    ) -> Self {
        let cells = |of: &Vec<_>| of.iter().map(|&cell| new_index(cell)).collect();
        Self(self.0.map(|state_of| StructureState {
            cells: state_of.cells.each_ref().map(cells),
            ..state_of.clone()
        }))
    }

    /// Copies the rounding remainders and the last discharges from `source`, which must contain the
    /// same structures but may have other cell indices. Returns false and copies nothing if the
    /// structures differ.
    pub(crate) fn copy_remainders(&mut self, source: &Self) -> bool {
        let same = |(a, b): (&StructureState, &StructureState)| a.structure == b.structure;
        if self.0.ids() != source.0.ids() || !self.0.iter().zip(source.0.iter()).all(same) {
            return false;
        }
        for (own, other) in self.0.iter_mut().zip(source.0.iter()) {
            (own.remainder, own.in_transit, own.last_discharge) =
                (other.remainder, other.in_transit, other.last_discharge);
        }
        true
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().flat_map(|state_of| state_of.cells.iter().flatten().copied())
    }

    /// Returns the water in transit through all structures (depth in m, summed over cells). This
    /// amount is far below the resolution of an `f32` depth.
    pub(crate) fn water_in_transit(&self) -> f64 {
        self.0.iter().map(|state_of| state_of.in_transit[0] + state_of.in_transit[1]).sum()
    }

    /// Returns an upper bound on the rate (m/s) at which all structures together can raise the
    /// water surface of any single cell in the next step.
    pub(crate) fn max_rise_rate(
        &self,
        state: &State,
        lattice: &Lattice,
        gravity: f64,
        time: f64,
        scratch: &ScratchPool,
    ) -> f64 {
        let rise = |state_of: &StructureState| {
            let (discharge, mouths) = state_of.current_discharge(state, gravity, time, scratch);
            let max_fraction =
                if discharge > 0.0 { mouths[1].max_fraction } else { mouths[0].max_fraction };
            discharge.abs() * max_fraction / lattice.cell_area()
        };
        self.0.iter().map(rise).sum()
    }

    /// Transfers the water of all structures for a step of `dt` seconds from `time` (s).
    pub(crate) fn apply(
        &mut self,
        state: &mut State,
        lattice: &Lattice,
        gravity: f64,
        time: f64,
        dt: f64,
        scratch: &ScratchPool,
    ) {
        // These are the discharges that the stability limit assumes.
        let requested =
            |state_of: &StructureState| state_of.current_discharge(state, gravity, time, scratch).0;
        let requested_discharges = scratch.take_collected(self.0.iter().map(requested));
        for (state_of, &discharge) in self.0.iter_mut().zip(&*requested_discharges) {
            let moved =
                state_of.transfer_water(state, discharge * dt / lattice.cell_area(), scratch);
            // The sum turns −0 into 0.
            state_of.last_discharge = moved * lattice.cell_area() / dt + 0.0;
        }
    }

    /// Records the volumes that the structures have moved in the last step, of length `dt` (s).
    pub(crate) fn record_volumes(&self, dt: f64, sink: &mut impl LedgerSink) {
        for (id, state_of) in self.0.entries() {
            sink.record_structure(id, state_of.last_discharge * dt);
        }
    }

    pub(in crate::flow) fn fits(&self, state: &State) -> bool {
        let inside = |&(x, y): &(usize, usize)| x < state.bed.nx() && y < state.bed.ny();
        self.0.iter().all(|state_of| {
            let StructureState { structure, cells, remainder, in_transit, last_discharge } =
                state_of;
            structure.validate().is_ok()
                && cells.iter().all(|cells| !cells.is_empty() && cells.iter().all(inside))
                && find_common_cell(cells).is_none()
                && [*remainder, in_transit[0], in_transit[1], *last_discharge]
                    .into_iter()
                    .all(f64::is_finite)
        })
    }
}

impl StructureState {
    /// Returns the current discharge of a structure (m³/s), positive from its first mouth to its
    /// second, and the state of both mouths. The discharge is 0 if the upstream mouth is dry or all
    /// cells of a mouth are closed.
    fn current_discharge(
        &self,
        state: &State,
        gravity: f64,
        time: f64,
        scratch: &ScratchPool,
    ) -> (f64, [MouthState; 2]) {
        let mouths = self.cells.each_ref().map(|cells| MouthState::new(state, cells, scratch));
        let open = mouths.iter().all(|mouth| mouth.effective_cells > 0.0);
        let levels = mouths.each_ref().map(|mouth| mouth.level);
        let source = if levels[1] > levels[0] { &mouths[1] } else { &mouths[0] };
        let passes = open && source.depth > 0.0;
        let discharge =
            if passes { structure_discharge(&self.structure, gravity, time, levels) } else { 0.0 };
        (discharge, mouths)
    }

    /// Transfers the amount of water `demand` (depth in m, summed over cells; positive from the
    /// first mouth to the second). The amount is limited to the available water and to the amount
    /// that makes the levels at both mouths equal. Returns the removed water in the same unit and
    /// with the same sign.
    fn transfer_water(&mut self, state: &mut State, demand: f64, scratch: &ScratchPool) -> f64 {
        if demand == 0.0 {
            self.remainder = 0.0;
            return 0.0;
        }
        let (sign, from, to) = if demand > 0.0 { (1.0, 0, 1) } else { (-1.0, 1, 0) };
        let source = MouthState::new(state, &self.cells[from], scratch);
        let target = MouthState::new(state, &self.cells[to], scratch);
        let level = (source.level - target.level) * source.effective_cells * target.effective_cells
            / (source.effective_cells + target.effective_cells);
        let requested = (demand + self.remainder) * sign;
        if requested <= 0.0 {
            // Earlier steps removed more than they should have.
            self.remainder += demand;
            return 0.0;
        }
        let amount = requested.min(level).min(source.depth).max(0.0);
        let taken = remove_from_mouth(state, &self.cells[from], amount, &source, scratch);
        // A shortfall is not carried over.
        self.remainder = if amount < requested { 0.0 } else { sign * (amount - taken) };
        let available = taken + self.in_transit[to];
        self.in_transit[to] =
            available - add_to_mouth(state, &self.cells[to], available, &target, scratch);
        sign * taken
    }
}

/// Returns the discharge (m³/s) through a structure from its first mouth to its second at `time`
/// (s), for given water levels (m) at the mouths. The discharge is negative for flow in the other
/// direction.
fn structure_discharge(structure: &Structure, gravity: f64, time: f64, levels: [f64; 2]) -> f64 {
    let back = levels[1] > levels[0];
    if back && structure.one_way {
        return 0.0;
    }
    let ordered = |pair: [f64; 2]| if back { [pair[1], pair[0]] } else { pair };
    let [upper, lower] = ordered(levels);
    let discharge = match &structure.kind {
        StructureKind::Culvert(culvert) => {
            formulas::culvert_discharge(gravity, culvert, [upper, lower], ordered(culvert.inverts))
        }
        StructureKind::Gate(gate) => {
            let (opening, sill) = (gate.opening.value_at(time), gate.sill);
            let heads = [upper - sill, lower - sill];
            formulas::gate_discharge(
                gravity,
                gate.contraction,
                gate.width,
                opening,
                heads[0],
                heads[1],
            )
        }
        StructureKind::Weir(weir) => {
            let crest = weir.crest.value_at(time);
            let heads = [upper - crest, lower - crest];
            formulas::weir_discharge(gravity, weir.coefficient, weir.width, heads[0], heads[1])
        }
    };
    if back { -discharge } else { discharge }
}

impl MouthState {
    fn new(state: &State, cells: &[(usize, usize)], scratch: &ScratchPool) -> Self {
        let cell = |cell| [state.surface_offset(cell), f64::from(state.depth[cell])];
        let open = scratch.take_collected(open_cells(state, cells).map(cell));
        let weight = |h: f64| h + WEIGHT_DEPTH;
        let sum = |part: &dyn Fn(&[f64; 2]) -> f64| {
            order_independent_sum(scratch.take_collected(open.iter().map(part)))
        };
        let whole = sum(&|[_, h]| weight(*h));
        let squares = sum(&|[_, h]| weight(*h) * weight(*h));
        let depth = sum(&|[_, h]| *h);
        let added = (WEIGHT_DEPTH - depth / open.len().max(1) as f64).max(0.0);
        let heights = sum(&|[z, h]| (h + added) * (z + h));
        let height_weights = sum(&|[_, h]| h + added);
        let max_weight = open.iter().map(|[_, h]| weight(*h)).fold(0.0, f64::max);
        // All these values are 0 if every cell is closed.
        let over = |number: f64, by: f64| if by > 0.0 { number / by } else { 0.0 };
        Self {
            level: over(heights, height_weights),
            depth,
            weight: whole,
            effective_cells: over(whole * whole, squares),
            max_fraction: over(max_weight, whole),
        }
    }
}

fn open_cells<'a>(
    state: &'a State,
    cells: &'a [(usize, usize)],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    cells.iter().copied().filter(|&(x, y)| !state.closed.contains(x, y))
}

/// Removes `amount` (depth in m, summed over cells) from the open cells of a mouth. Every cell
/// loses the same fraction of its water. Returns the removed amount, which rounding may change.
fn remove_from_mouth(
    state: &mut State,
    cells: &[(usize, usize)],
    amount: f64,
    mouth: &MouthState,
    scratch: &ScratchPool,
) -> f64 {
    let part = if mouth.depth > 0.0 { amount / mouth.depth } else { 0.0 };
    let lowered = |h: f32| (h - (f64::from(h) * part) as f32).max(0.0);
    set_depths(state, cells, lowered, |h, new| h - new, scratch)
}

/// Adds `amount` (depth in m, summed over cells) to the open cells of a mouth, in proportion to
/// their weights. Returns the added amount, which rounding may change.
fn add_to_mouth(
    state: &mut State,
    cells: &[(usize, usize)],
    amount: f64,
    mouth: &MouthState,
    scratch: &ScratchPool,
) -> f64 {
    let part = amount / mouth.weight;
    // A remainder may be negative, but not a depth.
    let raised = |h: f32| (h + ((f64::from(h) + WEIGHT_DEPTH) * part) as f32).max(0.0);
    set_depths(state, cells, raised, |h, new| new - h, scratch)
}

/// Replaces the depth of each open cell of `cells` with `new_depth(depth)`. Returns the sum of
/// `gain(depth, new depth)` over these cells.
fn set_depths(
    state: &mut State,
    cells: &[(usize, usize)],
    new_depth: impl Fn(f32) -> f32,
    gain: impl Fn(f64, f64) -> f64,
    scratch: &ScratchPool,
) -> f64 {
    let mut gains = scratch.take_vec();
    for &(x, y) in cells {
        if !state.closed.contains(x, y) {
            let depth = &mut state.depth[(x, y)];
            let before = *depth;
            *depth = new_depth(before);
            gains.push(gain(before.into(), f64::from(*depth)));
        }
    }
    order_independent_sum(gains)
}

/// Returns the sum of the numbers. Because they are sorted first, the result does not depend on
/// their order.
fn order_independent_sum(mut numbers: PooledVec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.iter().sum()
}
