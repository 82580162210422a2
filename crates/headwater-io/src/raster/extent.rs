//! [`Extent`]: the size and the map position of a raster.

use super::Georeference;

/// Size and map position of a raster, as given in the header of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// Number of columns and rows.
    pub size: [usize; 2],
    /// Width and height of a cell (m); `None` if the file does not give the cell size.
    pub cell: Option<[f64; 2]>,
    /// West, south, east and north edge of the raster in the coordinates of the file; `None` if the
    /// file does not give them.
    pub bounds: Option<[f64; 4]>,
    /// Map position; `None` if the file does not give it.
    pub georeference: Option<Georeference>,
}
