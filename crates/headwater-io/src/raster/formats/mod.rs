//! Readers of raster formats with one file each: ESRI ASCII, NPY, PNG and raw data. Also contains
//! the errors for unsupported formats.

pub(super) mod esri_ascii;
pub(super) mod npy;
pub(super) mod png;
pub(super) mod raw;
pub(super) mod unsupported;
