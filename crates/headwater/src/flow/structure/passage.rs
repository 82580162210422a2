//! How structures take water from the cells of one mouth and give it to those of the other.
//!
//! All discharges are computed from the depths at the beginning; then each structure moves its
//! water. Amounts per cell do not depend on the order of cells, so mirrored worlds stay mirrored.

use super::formulas;
use super::kinds::{Structure, StructureKind};
use crate::error::{InputError, Place};
use crate::flow::state::State;
use crate::ids::{Id, IdList};
use crate::lattice::Lattice;
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};

/// A depth (m) that counts at every cell of a mouth, so that levels are defined and continuous when
/// dry.
const DAMP: f64 = 1e-4;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Structures(IdList<Passage>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Passage {
    structure: Structure,
    cells: [Vec<(usize, usize)>; 2],
    /// What is yet to be taken (m, summed over cells), too little for a float; above 0 from the
    /// first mouth.
    remainder: f64,
    /// What was taken and is yet to be given to each mouth (m, summed over cells), likewise.
    held: [f64; 2],
    passed: f64,
}

struct Mouth {
    level: f64,
    depth: f64,
    /// The same, each with [`DAMP`] (m).
    weight: f64,
    /// The cells that rise and fall as this mouth's level does, if each gives and takes by its weight.
    breadth: f64,
    /// The most of what the mouth is given that goes to one cell.
    most: f64,
}

impl Structures {
    fn passage(structure: Structure, lattice: &Lattice) -> Result<Passage, InputError> {
        let cells = structure.mouths.each_ref().map(|mouth| {
            mouth.cells(lattice).into_iter().map(|(x, y, _)| (x, y)).collect::<Vec<_>>()
        });
        for cells in &cells {
            if cells.is_empty() {
                return Err(InputError::new(
                    "a mouth",
                    "no cell in it: it lies off the grid",
                    "one with cells",
                ));
            }
        }
        if let Some(&(x, y)) = cells[0].iter().find(|cell| cells[1].contains(cell)) {
            let error = InputError::new(
                "the mouths of a structure",
                "one cell in both",
                "mouths that lie apart",
            );
            return Err(error.at(Place::Cell(x, y)));
        }
        Ok(Passage { structure, cells, remainder: 0.0, held: [0.0; 2], passed: 0.0 })
    }

    pub(super) fn add(
        &mut self,
        structure: Structure,
        lattice: &Lattice,
    ) -> Result<Id, InputError> {
        Ok(self.0.add(Self::passage(structure, lattice)?))
    }

    pub(super) fn remove(&mut self, id: Id) -> Result<(Structure, f64), InputError> {
        let Passage { structure, held, .. } = self.0.remove("a structure", id)?;
        Ok((structure, held[0] + held[1]))
    }

    pub(super) fn list(&self) -> impl ExactSizeIterator<Item = (Id, &Structure)> {
        self.0.entries().map(|(id, passage)| (id, &passage.structure))
    }

    pub(super) fn kind_mut(&mut self, id: Id) -> Option<&mut StructureKind> {
        self.0.position(id).map(|i| &mut self.0[i].structure.kind)
    }

    pub(crate) fn passed(&self, id: Id) -> Option<f64> {
        self.0.get(id).map(|passage| passage.passed)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn over(&self, place: impl Fn((usize, usize)) -> (usize, usize)) -> Self {
        let cells = |of: &Vec<_>| of.iter().map(|&cell| place(cell)).collect();
        Self(self.0.map(|passage| Passage {
            cells: passage.cells.each_ref().map(cells),
            ..passage.clone()
        }))
    }

    /// Copies the carry and the discharge of the same structures over other cells; false if the structures differ.
    pub(crate) fn follow(&mut self, others: &Self) -> bool {
        let same = |(a, b): (&Passage, &Passage)| a.structure == b.structure;
        if self.0.ids() != others.0.ids() || !self.0.iter().zip(others.0.iter()).all(same) {
            return false;
        }
        for (own, other) in self.0.iter_mut().zip(others.0.iter()) {
            (own.remainder, own.held, own.passed) = (other.remainder, other.held, other.passed);
        }
        true
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().flat_map(|passage| passage.cells.iter().flatten().copied())
    }

    /// Water on its way through them (m, summed over cells): far less than a float of a depth can show.
    pub(crate) fn held(&self) -> f64 {
        self.0.iter().map(|passage| passage.held[0] + passage.held[1]).sum()
    }

    /// The fastest that all of them can lift the surface of a cell (m/s) in a step from here, or more.
    pub(crate) fn fastest_rise(
        &self,
        state: &State,
        lattice: &Lattice,
        gravity: f64,
        time: f64,
        scratch: &ScratchPool,
    ) -> f64 {
        let rise = |passage: &Passage| {
            let (discharge, mouths) = passage.discharge(state, gravity, time, scratch);
            let most = if discharge > 0.0 { mouths[1].most } else { mouths[0].most };
            discharge.abs() * most / lattice.cell_area()
        };
        self.0.iter().map(rise).sum()
    }

    pub(crate) fn apply(
        &mut self,
        state: &mut State,
        lattice: &Lattice,
        gravity: f64,
        time: f64,
        dt: f64,
        scratch: &ScratchPool,
    ) {
        // The limit of the step knows these discharges, and no others.
        let wish = |passage: &Passage| passage.discharge(state, gravity, time, scratch).0;
        let wishes = scratch.collect(self.0.iter().map(wish));
        for (passage, &wish) in self.0.iter_mut().zip(&*wishes) {
            let moved = passage.pass(state, wish * dt / lattice.cell_area(), scratch);
            passage.passed = moved * lattice.cell_area() / dt;
        }
    }

    pub(in crate::flow) fn fits(&self, state: &State) -> bool {
        let inside = |&(x, y): &(usize, usize)| x < state.bed.nx() && y < state.bed.ny();
        self.0.iter().all(|passage| {
            let Passage { structure, cells, remainder, held, passed } = passage;
            structure.validate().is_ok()
                && cells.iter().all(|cells| !cells.is_empty() && cells.iter().all(inside))
                && !cells[0].iter().any(|cell| cells[1].contains(cell))
                && [*remainder, held[0], held[1], *passed].into_iter().all(f64::is_finite)
        })
    }
}

impl Passage {
    /// Present discharge (m³/s), above 0 from the first mouth to the second, and the mouths. A dry
    /// or closed mouth passes nothing.
    fn discharge(
        &self,
        state: &State,
        gravity: f64,
        time: f64,
        scratch: &ScratchPool,
    ) -> (f64, [Mouth; 2]) {
        let mouths = self.cells.each_ref().map(|cells| Mouth::new(state, cells, scratch));
        let open = mouths.iter().all(|mouth| mouth.breadth > 0.0);
        let levels = mouths.each_ref().map(|mouth| mouth.level);
        let source = if levels[1] > levels[0] { &mouths[1] } else { &mouths[0] };
        let passes = open && source.depth > 0.0;
        let wish = if passes { discharge(&self.structure, gravity, time, levels) } else { 0.0 };
        (wish, mouths)
    }

    /// Moves `wish` (m, summed over cells; above 0 from the first mouth), as far as there is water,
    /// up to equal levels. Returns what was taken.
    fn pass(&mut self, state: &mut State, wish: f64, scratch: &ScratchPool) -> f64 {
        if wish == 0.0 {
            self.remainder = 0.0;
            return 0.0;
        }
        let (sign, from, to) = if wish > 0.0 { (1.0, 0, 1) } else { (-1.0, 1, 0) };
        let source = Mouth::new(state, &self.cells[from], scratch);
        let goal = Mouth::new(state, &self.cells[to], scratch);
        let level = (source.level - goal.level) * source.breadth * goal.breadth
            / (source.breadth + goal.breadth);
        let due = (wish + self.remainder) * sign;
        if due <= 0.0 {
            // More was taken before than it should have been.
            self.remainder += wish;
            return 0.0;
        }
        let amount = due.min(level).min(source.depth).max(0.0);
        let taken = take(state, &self.cells[from], amount, &source, scratch);
        // What was not there, or would have been too much, is not made up for later.
        self.remainder = if amount < due { 0.0 } else { sign * (amount - taken) };
        let ready = taken + self.held[to];
        self.held[to] = ready - give(state, &self.cells[to], ready, &goal, scratch);
        sign * taken
    }
}

/// Discharge (m³/s) from the first mouth to the second at a time (s) and these levels (m), below 0
/// the other way.
fn discharge(structure: &Structure, gravity: f64, time: f64, levels: [f64; 2]) -> f64 {
    let back = levels[1] > levels[0];
    if back && structure.one_way {
        return 0.0;
    }
    let ordered = |pair: [f64; 2]| if back { [pair[1], pair[0]] } else { pair };
    let [upper, lower] = ordered(levels);
    let passed = match &structure.kind {
        StructureKind::Culvert(culvert) => {
            formulas::culvert(gravity, culvert, [upper, lower], ordered(culvert.inverts))
        }
        StructureKind::Gate(gate) => {
            let (opening, sill) = (gate.opening.at(time), gate.sill);
            let heads = [upper - sill, lower - sill];
            formulas::gate(gravity, gate.contraction, gate.width, opening, heads[0], heads[1])
        }
        StructureKind::Weir(weir) => {
            let crest = weir.crest.at(time);
            let heads = [upper - crest, lower - crest];
            formulas::weir(gravity, weir.coefficient, weir.width, heads[0], heads[1])
        }
    };
    if back { -passed } else { passed }
}

impl Mouth {
    fn new(state: &State, cells: &[(usize, usize)], scratch: &ScratchPool) -> Self {
        let cell = |cell| [state.level_bed(cell), f64::from(state.depth[cell])];
        let open = scratch.collect(open(state, cells).map(cell));
        let weight = |h: f64| h + DAMP;
        let sum = |part: &dyn Fn(&[f64; 2]) -> f64| sum(scratch.collect(open.iter().map(part)));
        let whole = sum(&|[_, h]| weight(*h));
        let squares = sum(&|[_, h]| weight(*h) * weight(*h));
        let heights = sum(&|[z, h]| weight(*h) * (z + h));
        let most = open.iter().map(|[_, h]| weight(*h)).fold(0.0, f64::max);
        // Of closed cells alone there is none of all this.
        let over = |number: f64, by: f64| if by > 0.0 { number / by } else { 0.0 };
        Self {
            level: over(heights, whole),
            depth: sum(&|[_, h]| *h),
            weight: whole,
            breadth: over(whole * whole, squares),
            most: over(most, whole),
        }
    }
}

fn open<'a>(
    state: &'a State,
    cells: &'a [(usize, usize)],
) -> impl Iterator<Item = (usize, usize)> + 'a {
    cells.iter().copied().filter(|&(x, y)| !state.closed.contains(x, y))
}

/// Takes `amount` (m, summed over cells), from every cell the same part of its water. Returns what went.
fn take(
    state: &mut State,
    cells: &[(usize, usize)],
    amount: f64,
    mouth: &Mouth,
    scratch: &ScratchPool,
) -> f64 {
    let part = if mouth.depth > 0.0 { amount / mouth.depth } else { 0.0 };
    let lowered = |h: f32| (h - (f64::from(h) * part) as f32).max(0.0);
    change(state, cells, lowered, |h, new| h - new, scratch)
}

/// Gives `amount` (m, summed over cells), to every cell by its weight. Returns what came.
fn give(
    state: &mut State,
    cells: &[(usize, usize)],
    amount: f64,
    mouth: &Mouth,
    scratch: &ScratchPool,
) -> f64 {
    let part = amount / mouth.weight;
    // A carry may be below 0, but no depth.
    let raised = |h: f32| (h + ((f64::from(h) + DAMP) * part) as f32).max(0.0);
    change(state, cells, raised, |h, new| new - h, scratch)
}

/// Sets new depths in open cells; returns the sum of `gain(depth, new depth)`, exact.
fn change(
    state: &mut State,
    cells: &[(usize, usize)],
    new_depth: impl Fn(f32) -> f32,
    gain: impl Fn(f64, f64) -> f64,
    scratch: &ScratchPool,
) -> f64 {
    let mut gains = scratch.vec();
    for &(x, y) in cells {
        if !state.closed.contains(x, y) {
            let depth = &mut state.depth[(x, y)];
            let before = *depth;
            *depth = new_depth(before);
            gains.push(gain(before.into(), f64::from(*depth)));
        }
    }
    sum(gains)
}

/// The sum, the same in whatever order the numbers come.
fn sum(mut numbers: PooledVec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.iter().sum()
}
