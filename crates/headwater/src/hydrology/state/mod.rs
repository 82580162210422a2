//! State of a world and the tools to store it: the land, exact numbers, ledgers and snapshots.

pub(super) mod counts;
pub(super) mod fixed;
pub(super) mod grid;
pub(super) mod land;
pub(super) mod ledger;
pub(super) mod packed;
pub(super) mod random;
pub(super) mod scale;
pub(super) mod snapshot;
pub(super) mod sums;
pub(super) mod terrain;
pub(super) mod workspace;
