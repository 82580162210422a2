//! Records of the schedule, one per step, with the states of boundaries and sources.

use super::records::{Entry, Step};
use crate::kernel::WINDOW_ALIGNMENT;
use headwater::flow::{BoundaryState, DeviceView, Flow};
use headwater::{Edge, Lattice};

/// Returns the entries of a step: boundaries, springs, drains. An inactive source has kind 0, an
/// active one kind 1 and its share per cell.
pub(crate) fn entries(view: DeviceView<'_>, time: f64, dt: f64) -> Vec<Entry> {
    // Shallow water needs the critical depth of a given discharge.
    let boundary = |outside: BoundaryState| match outside {
        BoundaryState::Discharge(unit) => Entry { b: view.critical_depth(unit), ..outside.into() },
        outside => outside.into(),
    };
    let boundaries = view.boundary_states(time, dt).into_iter().map(boundary);
    boundaries.chain(view.outlet_depths(time, dt).into_iter().map(Entry::from_source)).collect()
}

/// Returns the size of a step record with `entries` entries (bytes), a multiple of
/// [`WINDOW_ALIGNMENT`].
pub(crate) fn record_bytes(entries: usize) -> u64 {
    let bytes = size_of::<Step>() + entries.max(1) * size_of::<Entry>();
    (bytes as u64).next_multiple_of(WINDOW_ALIGNMENT)
}

/// Appends a record of `bytes` bytes to the schedule.
pub(crate) fn push_record(schedule: &mut Vec<u32>, step: Step, entries: &[Entry], bytes: u64) {
    let end = schedule.len() + bytes as usize / 4;
    schedule.extend_from_slice(bytemuck::cast_slice(bytemuck::bytes_of(&step)));
    schedule.extend_from_slice(bytemuck::cast_slice(entries));
    schedule.resize(end, 0);
}

/// Returns the boundary index of each boundary face, in the order west, east, north, south.
pub(crate) fn boundary_indices(flow: &Flow) -> Vec<u32> {
    let lattice: &Lattice = flow.lattice();
    let view = flow.device_view();
    let boundary_indices: Vec<u32> =
        Edge::ALL.into_iter().flat_map(|e| view.edge_boundaries(e)).copied().collect();
    debug_assert_eq!(boundary_indices.len(), 2 * (lattice.nx() + lattice.ny()));
    boundary_indices
}
