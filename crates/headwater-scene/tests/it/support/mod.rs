//! Support code that several tests share.

pub(crate) mod fuzz;
pub(crate) mod parameters;
pub(crate) mod pictures;
pub(crate) mod ranks;
pub(crate) mod raster;
pub(crate) mod rejected;
pub(crate) mod run;
