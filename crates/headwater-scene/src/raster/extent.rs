//! [`Extent`]: where the cells of a raster lie.

use super::Georeference;

/// Where the cells of a raster lie, as its file says before the heights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Columns and rows.
    pub(crate) size: [usize; 2],
    /// Width and height of a cell (m), if the file says.
    pub(crate) cell: Option<[f64; 2]>,
    /// Where it lies on a map, if the file says.
    pub(crate) georeference: Option<Georeference>,
}
