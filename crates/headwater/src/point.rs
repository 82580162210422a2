//! [`Point`]: a position on the plane.

/// A position in metres: `[east, south]` of the top-left corner.
pub type Point = [f64; 2];
