//! [`FlowLedger`]: the ledger of a flow world, which also records the volumes that each boundary
//! condition, spring, drain and structure has moved.

use super::ledger_sink::{Crossing, LedgerSink};
use crate::ids::Id;
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Cumulative inflows and outflows of a flow world: in total by cause, and for each boundary
/// condition, spring, drain and structure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FlowLedger {
    pub(crate) total: Ledger,
    pub(crate) parts: PartVolumes,
}

/// Cumulative volumes (m³) that each boundary condition, spring, drain and structure has moved
/// since the world was created. All volumes are NaN after a device such as a GPU has stepped the
/// world, because devices record only the totals by cause.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartVolumes {
    /// Inflow and outflow (m³, both positive) of each boundary condition, by its index.
    boundaries: Vec<[f64; 2]>,
    springs: BTreeMap<Id, f64>,
    drains: BTreeMap<Id, f64>,
    /// Volumes that have passed each structure (culvert, gate or weir) from its first mouth to its
    /// second, and in the opposite direction. A mouth is the region at one end of the structure.
    structures: BTreeMap<Id, [f64; 2]>,
    is_incomplete: bool,
}

impl PartVolumes {
    /// Returns the volumes (m³) that have entered and left the grid through a boundary condition.
    /// Boundary conditions are counted from 0 in the order in which they were set.
    pub fn boundary(&self, index: usize) -> [f64; 2] {
        self.volumes_or_nan(self.boundaries.get(index).copied())
    }

    /// Returns the volume (m³) that a spring has added.
    pub fn spring(&self, id: Id) -> f64 {
        self.volumes_or_nan(self.springs.get(&id).map(|volume| [*volume; 2]))[0]
    }

    /// Returns the volume (m³) that a drain has removed.
    pub fn drain(&self, id: Id) -> f64 {
        self.volumes_or_nan(self.drains.get(&id).map(|volume| [*volume; 2]))[0]
    }

    /// Returns the volumes (m³) that have passed a structure from its first mouth to its second,
    /// and from its second mouth to its first.
    pub fn structure(&self, id: Id) -> [f64; 2] {
        self.volumes_or_nan(self.structures.get(&id).copied())
    }

    /// Returns the number of boundary conditions for which volumes are recorded: one more than the
    /// largest index of a condition through which water has passed.
    pub fn boundary_count(&self) -> usize {
        self.boundaries.len()
    }

    /// Returns the ids of all springs that have added water, including removed ones.
    pub fn spring_ids(&self) -> impl Iterator<Item = Id> {
        self.springs.keys().copied()
    }

    /// Returns the ids of all drains that have removed water, including removed ones.
    pub fn drain_ids(&self) -> impl Iterator<Item = Id> {
        self.drains.keys().copied()
    }

    fn volumes_or_nan(&self, volumes: Option<[f64; 2]>) -> [f64; 2] {
        if self.is_incomplete { [f64::NAN; 2] } else { volumes.unwrap_or_default() }
    }

    /// Marks the volumes as unknown. This is necessary if water has moved without a record of the
    /// boundary condition, spring, drain or structure that moved it.
    pub(crate) fn set_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// Adds a volume (m³) to the total of a spring or a drain. With the cause [`Cause::Source`],
    /// `id` is a spring that added the volume; with any other cause, `id` is a drain that removed
    /// it.
    pub(crate) fn add_outlet(&mut self, cause: Cause, id: Id, volume: f64) {
        let list = if cause == Cause::Source { &mut self.springs } else { &mut self.drains };
        *list.entry(id).or_default() += volume;
    }

    /// Adds the volume (m³) that a structure has moved in a step. The volume is positive from the
    /// first to the second of the two regions that the structure connects.
    pub(crate) fn add_structure(&mut self, id: Id, volume: f64) {
        let [forward, back] = self.structures.entry(id).or_default();
        if volume >= 0.0 { *forward += volume } else { *back -= volume }
    }

    fn add_boundary(&mut self, index: u32, [inflow, outflow]: [f64; 2]) {
        let index = index as usize;
        if self.boundaries.len() <= index {
            self.boundaries.resize(index + 1, [0.0; 2]);
        }
        self.boundaries[index][0] += inflow;
        self.boundaries[index][1] -= outflow;
    }
}

impl LedgerSink for FlowLedger {
    fn record_outlet(&mut self, cause: Cause, id: Id, factor: f64, cells: &[f64]) {
        let volume = factor * cells.iter().sum::<f64>();
        self.total.record(cause, volume);
        let moved = if cause == Cause::Source { volume } else { -volume };
        self.parts.add_outlet(cause, id, moved);
    }

    fn record_rows(&mut self, cause: Cause, factor: f64, rows: &[f64]) {
        self.total.record(cause, factor * rows.iter().sum::<f64>());
    }

    fn record_structure(&mut self, id: Id, volume: f64) {
        self.parts.add_structure(id, volume);
    }

    fn record_crossings(&mut self, area: f64, crossed: impl Iterator<Item = Crossing>) {
        let (mut all, mut part, mut last) = ([0.0; 2], [0.0; 2], None);
        // A distributed world does not record zero depths, so they must not separate two faces
        // here.
        for Crossing { boundary, depth, .. } in crossed.filter(|one| one.depth != 0.0) {
            if last != Some(boundary) {
                last.into_iter().for_each(|last| self.parts.add_boundary(last, part));
                (part, last) = ([0.0; 2], Some(boundary));
            }
            let (depth, side) = (f64::from(depth), usize::from(depth < 0.0));
            all[side] += depth;
            part[side] += depth * area;
        }
        last.into_iter().for_each(|last| self.parts.add_boundary(last, part));
        all.into_iter().for_each(|depth| self.total.record(Cause::Boundary, depth * area));
    }
}
