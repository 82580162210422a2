//! Surfaces of bodies: the cells through which liquid enters and leaves a body, and the division of
//! flow among them.

pub(super) mod amounts;
pub(super) mod cliff;
pub(super) mod edges;
pub(super) mod moves;
pub(super) mod openings;
pub(super) mod reach;
pub(super) mod room_share;
pub(super) mod share;
pub(super) mod simple;
pub(super) mod sites;
pub(super) mod surface_cells;
pub(super) mod wetting_front;
