//! What several tests use.

pub(crate) mod fuzz;
pub(crate) mod parameters;
pub(crate) mod pictures;
pub(crate) mod ranks;
pub(crate) mod raster;
pub(crate) mod refused;
pub(crate) mod run;
