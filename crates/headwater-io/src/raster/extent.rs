//! [`Extent`]: size and map position of a raster.

use super::Georeference;

/// Size and map position of a raster, read from the file's header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Number of columns and rows.
    pub size: [usize; 2],
    /// Width and height of a cell (m), if the file gives them.
    pub cell: Option<[f64; 2]>,
    /// Map position, if the file gives it.
    pub georeference: Option<Georeference>,
}
