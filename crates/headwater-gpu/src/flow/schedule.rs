//! What a batch of steps is told, step by step, and what stands at the boundary.

use super::records::{Entry, Step};
use crate::kernel::WINDOW;
use headwater::flow::{BoundaryState, DeviceView, Flow};
use headwater::{Edge, Lattice};

/// All entries of a step: boundaries, springs, drains. A source that rests has kind 0, else 1 and its share.
pub(crate) fn entries(elsewhere: DeviceView<'_>, time: f64, dt: f64) -> Vec<Entry> {
    // Of what is given, shallow water asks how deep it is at least.
    let boundary = |outside: BoundaryState| match outside {
        BoundaryState::Discharge(unit) => {
            Entry { b: elsewhere.critical_depth(unit), ..outside.into() }
        }
        outside => outside.into(),
    };
    let boundaries = elsewhere.boundary_states(time, dt).into_iter().map(boundary);
    boundaries.chain(elsewhere.outlet_depths(time, dt).into_iter().map(Entry::of_source)).collect()
}

/// How long a record of a step with so many entries is (bytes), a multiple of [`WINDOW`].
pub(crate) fn record_bytes(entries: usize) -> u64 {
    let bytes = size_of::<Step>() + entries.max(1) * size_of::<Entry>();
    (bytes as u64).next_multiple_of(WINDOW)
}

pub(crate) fn push_record(schedule: &mut Vec<u32>, step: Step, entries: &[Entry], bytes: u64) {
    let end = schedule.len() + bytes as usize / 4;
    schedule.extend_from_slice(bytemuck::cast_slice(bytemuck::bytes_of(&step)));
    schedule.extend_from_slice(bytemuck::cast_slice(entries));
    schedule.resize(end, 0);
}

/// The number, for each boundary face, of what stands outside it: west, east, north, south.
pub(crate) fn owners(flow: &Flow) -> Vec<u32> {
    let lattice: &Lattice = flow.lattice();
    let elsewhere = flow.device_view();
    let owners: Vec<u32> =
        Edge::ALL.into_iter().flat_map(|e| elsewhere.edge_boundaries(e)).copied().collect();
    debug_assert_eq!(owners.len(), 2 * (lattice.nx() + lattice.ny()));
    owners
}
