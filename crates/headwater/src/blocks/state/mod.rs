//! State of a world: cells in chunks, labels of bodies, ledgers and snapshots.

pub(super) mod bodies;
pub(super) mod cell;
pub(super) mod cell_labels;
pub(super) mod chunk;
pub(super) mod chunk_set;
pub(super) mod chunk_view;
pub(super) mod cow_chunk;
pub(super) mod grid;
pub(super) mod label;
pub(super) mod ledgers;
pub(super) mod snapshot;
pub(super) mod tags;
pub(super) mod text;
