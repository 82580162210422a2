//! Physics models: the schemes that compute discharges through faces, and the formulas that they
//! share.

pub(crate) mod inertial;
pub(crate) mod pipes;
pub(crate) mod shallow;
pub(super) mod surface;
pub(super) mod transport;
