//! What several tests use.

pub(crate) mod raster;
pub(crate) mod run;
