//! [`Extent`]: size and position of a raster.

use super::Georeference;

/// Size and position of a raster, from its header.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Columns and rows.
    pub(crate) size: [usize; 2],
    /// Width and height of a cell (m), if the file gives them.
    pub(crate) cell: Option<[f64; 2]>,
    /// Position on a map, if the file gives it.
    pub(crate) georeference: Option<Georeference>,
}
