//! What several tests use.

pub(crate) mod parameters;
pub(crate) mod raster;
pub(crate) mod run;
