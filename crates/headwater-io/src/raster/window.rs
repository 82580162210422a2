//! [`RasterWindow`]: a rectangle within a raster.

/// Rectangle within a raster, in columns and rows from the north-west corner of the raster. The
/// rectangle may extend slightly beyond the raster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RasterWindow {
    /// Column and row of the north-west corner of the rectangle, possibly fractional.
    pub start: [f64; 2],
    /// Number of columns and rows that the rectangle covers, possibly fractional.
    pub size: [f64; 2],
}

impl RasterWindow {
    /// Returns the rectangle that covers a whole raster with `size` columns and rows.
    pub fn full(size: [usize; 2]) -> Self {
        Self { start: [0.0; 2], size: size.map(|cells| cells as f64) }
    }
}
