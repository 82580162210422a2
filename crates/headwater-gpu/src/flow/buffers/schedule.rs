//! Contents of the buffer `schedule`: one record for each step of a batch, with the parameters of
//! the step and the states of boundary conditions and sources.

use super::records::{Entry, Step};
use crate::kernel::WINDOW_ALIGNMENT;
use headwater::flow::{BoundaryState, DeviceView, Flow};
use headwater::{Edge, Lattice};

/// Returns the entries of the step from `time` to `time + dt` (s): boundary conditions, then
/// springs, then drains. The entry of an active spring or drain has the kind 1 and the depth (m)
/// that is exchanged per cell during the step. That of an inactive one has the kind 0.
pub(crate) fn step_entries(view: DeviceView<'_>, time: f64, dt: f64) -> Vec<Entry> {
    // The shallow-water scheme needs the critical depth of a given discharge.
    let boundary = |outside: BoundaryState| match outside {
        BoundaryState::Discharge(unit) => Entry { b: view.critical_depth(unit), ..outside.into() },
        outside => outside.into(),
    };
    let boundaries = view.boundary_states(time, dt).into_iter().map(boundary);
    boundaries
        .chain(view.outlet_depths(time, dt).into_iter().map(Entry::from_exchanged_depth))
        .collect()
}

/// Returns the size (bytes) of a step record with `entries` entries. It is a multiple of
/// [`WINDOW_ALIGNMENT`].
pub(crate) fn record_bytes(entries: usize) -> u64 {
    let bytes = size_of::<Step>() + entries.max(1) * size_of::<Entry>();
    (bytes as u64).next_multiple_of(WINDOW_ALIGNMENT)
}

/// Appends a step record with its entries to the words of the schedule. The record is padded to
/// `bytes` bytes.
pub(crate) fn push_record(schedule: &mut Vec<u32>, step: Step, entries: &[Entry], bytes: u64) {
    let end = schedule.len() + bytes as usize / 4;
    schedule.extend_from_slice(bytemuck::cast_slice(bytemuck::bytes_of(&step)));
    schedule.extend_from_slice(bytemuck::cast_slice(entries));
    schedule.resize(end, 0);
}

/// Returns, for each boundary face, the index of the boundary condition that applies to it. The
/// faces are those of the west, east, north and south edges, in this order.
pub(crate) fn boundary_indices(flow: &Flow) -> Vec<u32> {
    let lattice: &Lattice = flow.lattice();
    let view = flow.device_view();
    let boundary_indices: Vec<u32> =
        Edge::ALL.into_iter().flat_map(|e| view.edge_boundaries(e)).copied().collect();
    debug_assert_eq!(boundary_indices.len(), 2 * (lattice.nx() + lattice.ny()));
    boundary_indices
}
